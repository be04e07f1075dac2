//! Where a model's files are: an address, or a folder of this machine.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{StatusCode, Url};

use super::sums::{self, Sums};
use crate::config::is_here;
use crate::tls;

/// The longest list of hashes that is read, in bytes.
const LONGEST: usize = 1 << 16;
const CONNECT: Duration = Duration::from_secs(15);
/// So long nothing may come.
const SILENCE: Duration = Duration::from_secs(60);

/// Where a model's files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The address of their folder.
    Address(Url),
    /// A folder of this machine.
    Folder(PathBuf),
}

impl Source {
    /// Reads what somebody gave: an address of http, https or file, or else a path.
    ///
    /// # Errors
    /// What it is, and what it may be.
    pub fn read(text: &str) -> Result<Self, String> {
        if !text.contains("://") {
            return Ok(Self::Folder(PathBuf::from(text)));
        }
        let fault =
            || format!("{text:?} is no address that begins with http://, https:// or file://, and no path");
        let mut url = Url::parse(text).map_err(|_| fault())?;
        match url.scheme() {
            "file" => url.to_file_path().map(Self::Folder).map_err(|()| fault()),
            "http" | "https" => {
                // What is joined to it is to stand below it.
                if !url.path().ends_with('/') {
                    url.set_path(&format!("{}/", url.path()));
                }
                Ok(Self::Address(url))
            }
            _ => Err(fault()),
        }
    }

    /// The folder of one model below it.
    ///
    /// # Errors
    /// When that is no address.
    pub fn below(self, name: &str) -> Result<Self, String> {
        Ok(match self {
            Self::Address(url) => Self::Address(joined(&url, &format!("{name}/"))?),
            Self::Folder(path) => Self::Folder(path.join(name)),
        })
    }

    /// What it is, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Address(url) => url.to_string(),
            Self::Folder(path) => path.display().to_string(),
        }
    }

    /// A client for an address; none for a folder.
    pub(super) fn client(&self) -> Result<Option<reqwest::Client>, String> {
        let Self::Address(url) = self else { return Ok(None) };
        tls::install();
        let mut builder = reqwest::Client::builder()
            .redirect(Policy::custom(|attempt| {
                // What is asked for in secret is not fetched in the open.
                let secret = attempt.previous().iter().any(|url| url.scheme() == "https");
                match attempt.previous().len() < 10 && !(secret && attempt.url().scheme() != "https") {
                    true => attempt.follow(),
                    false => attempt.stop(),
                }
            }))
            .referer(false)
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .user_agent(concat!("handset/", env!("CARGO_PKG_VERSION")));
        if url.scheme() == "http" {
            // No certificate is looked at, so the system needs none; a redirect to https would fail for want of them.
            builder = builder.tls_certs_only(std::iter::empty());
        }
        if is_here(url) {
            builder = builder.no_proxy();
        }
        builder.build().map(Some).map_err(|error| {
            format!(
                "a TLS client cannot be made: {error}. Install the system's certificates (ca-certificates)"
            )
        })
    }

    /// The address of a file.
    pub(super) fn file(&self, name: &str) -> Result<Place, String> {
        Ok(match self {
            Self::Address(url) => Place::Address(joined(url, name)?),
            Self::Folder(path) => Place::Path(path.join(name)),
        })
    }

    /// The hashes that are given beside the files; none where there is no such list.
    pub(super) async fn sums(&self, client: Option<&reqwest::Client>, model: &str) -> Result<Sums, String> {
        let unread = |what: String| format!("{} beside {model} cannot be read: {what}", sums::FILE);
        let text = match (self.file(sums::FILE)?, client) {
            (Place::Address(url), Some(client)) => {
                let response = client.get(url).send().await.map_err(|error| unread(cause(error)))?;
                match response.status() {
                    StatusCode::NOT_FOUND => return Ok(Sums::default()),
                    status if !status.is_success() => {
                        return Err(unread(format!("the server answers {status}")));
                    }
                    _ => {}
                }
                if response.content_length().is_some_and(|length| length > LONGEST as u64) {
                    return Err(unread("it is too long".to_owned()));
                }
                response.text().await.map_err(|error| unread(cause(error)))?
            }
            (Place::Path(path), _) => match fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Sums::default()),
                Err(error) => return Err(unread(error.to_string())),
            },
            (Place::Address(_), None) => return Ok(Sums::default()),
        };
        Sums::read(&text).map_err(unread)
    }
}

/// Where one file is.
pub(super) enum Place {
    Address(Url),
    Path(PathBuf),
}

fn joined(url: &Url, name: &str) -> Result<Url, String> {
    url.join(name).map_err(|error| format!("{url}{name} is no address: {error}"))
}

/// What happened at the bottom of it.
pub(super) fn cause(error: reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_told_apart() {
        let read = |text: &str| Source::read(text).unwrap().below("m").unwrap().shown();
        assert_eq!(read("http://127.0.0.1:1/a"), "http://127.0.0.1:1/a/m/");
        assert_eq!(read("https://example.org/a/"), "https://example.org/a/m/");
        assert_eq!(read("file:///srv/models"), "/srv/models/m");
        assert_eq!(read("models"), "models/m");
        assert!(Source::read("ftp://example.org").unwrap_err().contains("ftp://example.org"));
    }
}

//! One file: on from what an earlier attempt left, held against its hash, and only then under its name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use reqwest::header::{CONTENT_RANGE, ETAG, HeaderMap, IF_RANGE, LAST_MODIFIED, RANGE};
use reqwest::{Client, Response, StatusCode, Url};

use super::source::{Place, Source, cause};
use super::sums;
use super::{Patience, Watch, unwritable};
use crate::voice::catalogue;

/// A file whose size is known about may be so many times as large or as small, and so many bytes more.
const ROUGHLY: u64 = 2;
const MORE: u64 = 1 << 20;

/// A file to fetch.
pub struct Job<'a> {
    pub(super) file: &'a catalogue::File,
    /// What it must hash to, where that is known.
    pub(super) sum: Option<&'a str>,
    pub(super) source: &'a Source,
    /// Where it is put.
    pub(super) folder: &'a Path,
    pub(super) patience: Patience,
}

/// A file that was fetched.
pub struct Fetched {
    /// What it hashes to.
    pub sum: String,
}

/// Why an attempt ended.
enum Ended {
    /// The connection was cut; another attempt goes on from there.
    Cut(String),
    /// What is there is of no use: from the beginning.
    Again,
    /// Another attempt would end as this one.
    Failed(String),
}

impl Job<'_> {
    /// Fetches it.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub(super) async fn run(
        &self,
        client: Option<&Client>,
        watch: &mut dyn Watch,
    ) -> Result<Fetched, String> {
        let (name, done) = (self.file.name, self.folder.join(self.file.name));
        // An earlier attempt may have got so far.
        if let Some(wanted) = self.sum
            && sums::of_file(&done).is_ok_and(|found| found == wanted)
        {
            return Ok(Fetched { sum: wanted.to_owned() });
        }
        let part = Part::new(&done);
        let resumed = part.length() > 0;
        match self.source.file(name)? {
            Place::Path(path) => self.copy(&path, &part)?,
            Place::Address(url) => {
                let client = client.ok_or("an address needs a client")?;
                self.download(client, &url, &part, watch).await?;
            }
        }
        let mut found = sums::of_file(&part.path).map_err(|error| unwritable(&part.path, &error))?;
        if self.sum.is_some_and(|wanted| wanted != found)
            && resumed
            && let Some(client) = client
        {
            // What an earlier attempt left may be of another file: once more, from its beginning.
            watch.note(&format!(
                "{name} is not what it must be together with what an earlier attempt left: once more"
            ));
            part.forget();
            if let Place::Address(url) = self.source.file(name)? {
                self.download(client, &url, &part, watch).await?;
            }
            found = sums::of_file(&part.path).map_err(|error| unwritable(&part.path, &error))?;
        }
        if let Some(wanted) = self.sum.filter(|wanted| *wanted != found) {
            part.forget();
            let from = self.source.shown();
            return Err(format!(
                "{name} from {from} is not what it must be, and was thrown away: its SHA-256 is {found}, and {wanted} is needed"
            ));
        }
        let length = part.length();
        let expected = self.file.bytes;
        if self.sum.is_none() && !(expected / ROUGHLY..=expected * ROUGHLY + MORE).contains(&length) {
            part.forget();
            return Err(format!(
                "{name} is of {length} bytes, and about {expected} are expected: it was thrown away"
            ));
        }
        fs::rename(&part.path, &done).map_err(|error| unwritable(&done, &error))?;
        part.forget();
        Ok(Fetched { sum: found })
    }

    fn copy(&self, path: &Path, part: &Part) -> Result<(), String> {
        part.forget();
        let copied = fs::copy(path, &part.path);
        copied.map(|_| ()).map_err(|error| format!("{} cannot be copied: {error}", path.display()))
    }

    async fn download(
        &self,
        client: &Client,
        url: &Url,
        part: &Part,
        watch: &mut dyn Watch,
    ) -> Result<(), String> {
        let name = self.file.name;
        let (mut fruitless, mut pause, mut again) = (0, self.patience.pause, 0);
        loop {
            let before = part.length();
            match self.attempt(client, url, part, watch).await {
                Ok(()) => return Ok(()),
                Err(Ended::Failed(what)) => {
                    return Err(format!("{name} cannot be fetched from {url}: {what}"));
                }
                Err(Ended::Again) if again < 2 => {
                    again += 1;
                    part.forget();
                }
                Err(Ended::Again) => {
                    return Err(format!(
                        "{name} cannot be fetched from {url}: the server answers with other parts than asked"
                    ));
                }
                Err(Ended::Cut(what)) => {
                    if part.length() > before {
                        (fruitless, pause) = (0, self.patience.pause);
                    }
                    fruitless += 1;
                    if fruitless > self.patience.attempts {
                        let kept = part.length();
                        return Err(format!(
                            "{name} cannot be fetched from {url}: {what}. What came ({kept} bytes) is kept: the same command \
                             goes on from there"
                        ));
                    }
                    watch.note(&format!("{name}: {what}; going on from {} bytes", part.length()));
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                }
            }
        }
    }

    async fn attempt(
        &self,
        client: &Client,
        url: &Url,
        part: &Part,
        watch: &mut dyn Watch,
    ) -> Result<(), Ended> {
        let from = part.length();
        let mut request = client.get(url.clone());
        if from > 0 {
            request = request.header(RANGE, format!("bytes={from}-"));
            match part.version() {
                // The whole file comes where it is another one by now.
                Some(version) => request = request.header(IF_RANGE, version),
                None if self.sum.is_none() => return Err(Ended::Again),
                None => {}
            }
        }
        let response = request.send().await.map_err(|error| Ended::Cut(cause(error)))?;
        let begins = match response.status() {
            StatusCode::OK => 0,
            StatusCode::PARTIAL_CONTENT if range(&response).is_some_and(|(at, _)| at == Some(from)) => from,
            StatusCode::RANGE_NOT_SATISFIABLE
                if range(&response).is_some_and(|(_, all)| all == Some(from)) =>
            {
                return Ok(());
            }
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => return Err(Ended::Again),
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                return Err(Ended::Cut(format!("the server answers {status}")));
            }
            status => return Err(Ended::Failed(format!("the server answers {status}"))),
        };
        part.write_version(response.headers());
        self.take(response, begins, part, watch).await
    }

    /// Writes what comes.
    async fn take(
        &self,
        mut response: Response,
        begins: u64,
        part: &Part,
        watch: &mut dyn Watch,
    ) -> Result<(), Ended> {
        let failed = |error: io::Error| Ended::Failed(unwritable(&part.path, &error));
        let total = response.content_length().map(|left| begins + left);
        let mut file = part.open(begins).map_err(failed)?;
        let (name, most) = (self.file.name, self.file.bytes * ROUGHLY + MORE);
        let mut done = begins;
        watch.at(name, done, begins, total);
        while let Some(bytes) = response.chunk().await.map_err(|error| Ended::Cut(cause(error)))? {
            done += bytes.len() as u64;
            if done > most {
                part.forget();
                return Err(Ended::Failed(format!(
                    "it is longer than {most} bytes, which is too much for it"
                )));
            }
            file.write_all(&bytes).map_err(failed)?;
            watch.at(name, done, begins, total);
        }
        file.sync_all().map_err(failed)
    }
}

/// From which byte on, and of how many, if an answer says so.
fn range(response: &Response) -> Option<(Option<u64>, Option<u64>)> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    let (range, all) = range.strip_prefix("bytes ")?.split_once('/')?;
    Some((range.split_once('-').and_then(|(from, _)| from.parse().ok()), all.parse().ok()))
}

/// What has come of a file, and of which version of it.
struct Part {
    path: PathBuf,
    version: PathBuf,
}

impl Part {
    fn new(done: &Path) -> Self {
        Self { path: done.with_added_extension("part"), version: done.with_added_extension("version") }
    }

    fn length(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |found| found.len())
    }

    fn version(&self) -> Option<String> {
        fs::read_to_string(&self.version).ok().filter(|version| !version.is_empty())
    }

    /// Keeps what tells this version from others; a weak one does not tell bytes apart.
    fn write_version(&self, headers: &HeaderMap) {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let version = text(ETAG).filter(|tag| !tag.starts_with("W/")).or_else(|| text(LAST_MODIFIED));
        // Without it a cut file is fetched from its beginning, or held against its hash.
        let _ = fs::write(&self.version, version.unwrap_or_default());
    }

    /// To write on from a byte.
    fn open(&self, from: u64) -> io::Result<File> {
        if from == 0 {
            return File::create(&self.path);
        }
        OpenOptions::new().append(true).open(&self.path)
    }

    fn forget(&self) {
        for path in [&self.path, &self.version] {
            let _ = fs::remove_file(path);
        }
    }
}

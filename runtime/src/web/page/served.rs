//! A file as a browser gets it: compressed where it may be, known again by its tag, and bound by a strict policy.

use std::io::Write as _;
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use super::files::{File, LATER, SHELL, WORKER};
use super::words;
use crate::ids::hex;

/// What the page may do: load and ask for what is this server's, and nothing else. Scripts and styles are files; no text
/// becomes markup or a script, which the browser itself holds the page to (trusted types; the one policy names the worker).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self' blob:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types handset";
/// What of a device the page may ask its person for: the camera is the torch, the microphone a call.
const PERMISSIONS: &str = "camera=(self), microphone=(self), geolocation=(), payment=(), usb=()";

/// Where the browser learns how the page is installed.
const MANIFEST: &str = "/manifest.webmanifest";

/// How many bytes a file has that is worth compressing: below, the head of the answer outweighs it.
const WORTH: usize = 512;

/// A file that is served.
#[derive(Debug)]
pub(in crate::web) struct Served {
    path: &'static str,
    kind: &'static str,
    bytes: Bytes,
    /// Its tag; that of the compressed bytes is another.
    tag: String,
    /// The compressed bytes, made when they are first asked for.
    gzip: OnceLock<Option<Bytes>>,
}

/// What all files together are: another as soon as one of them is.
pub(super) fn version(files: &[File]) -> String {
    let mut all = Sha256::new();
    for file in files {
        all.update((file.path.len() as u64).to_be_bytes());
        all.update(file.path);
        all.update((file.bytes.len() as u64).to_be_bytes());
        all.update(file.bytes);
    }
    short(&all.finalize())
}

fn short(hash: &[u8]) -> String {
    let mut hash = hex(hash);
    hash.truncate(16);
    hash
}

impl Served {
    /// A file, of a page that has this version.
    pub(in crate::web) fn new(file: &File, version: &str) -> Self {
        let bytes = match file.path {
            WORKER => worker(file, version),
            SHELL | MANIFEST => words::fill(file.path, file.bytes).into(),
            _ => Bytes::from_static(file.bytes),
        };
        let tag = short(&Sha256::digest(&bytes));
        Self { path: file.path, kind: file.kind, bytes, tag, gzip: OnceLock::new() }
    }

    /// Answers a request for it.
    pub(in crate::web) fn answer(&self, asked: &HeaderMap) -> Response<Body> {
        if let Some(edited) = edited(self) {
            return edited.answer_as_it_is(asked);
        }
        self.answer_as_it_is(asked)
    }

    fn answer_as_it_is(&self, asked: &HeaderMap) -> Response<Body> {
        let gzip = takes_gzip(asked).then(|| self.gzip()).flatten();
        let tag = if gzip.is_some() { format!("\"{}-gz\"", self.tag) } else { format!("\"{}\"", self.tag) };
        let known = asked.get_all(header::IF_NONE_MATCH).iter().any(|value| names(value, &tag));
        let mut response = Response::new(Body::empty());
        let headers = response.headers_mut();
        // What a browser opens as a document, or runs as a worker, carries the policy for all that it loads.
        let opens =
            self.path == WORKER || ["text/html", "image/svg"].iter().any(|kind| self.kind.starts_with(kind));
        let bound: &[_] = if opens {
            &[
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (HeaderName::from_static("permissions-policy"), PERMISSIONS),
                (header::X_FRAME_OPTIONS, "DENY"),
                (header::REFERRER_POLICY, "no-referrer"),
                (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            ]
        } else {
            &[]
        };
        let always = [
            (header::CONTENT_TYPE, self.kind),
            // Kept, and asked for again each time: the answer is then a few bytes, and never an old page on a new server.
            (header::CACHE_CONTROL, "no-cache"),
            (header::VARY, "Accept-Encoding"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        ];
        for (name, value) in always.iter().chain(bound) {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        if gzip.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        *response.body_mut() = Body::from(gzip.unwrap_or_else(|| self.bytes.clone()));
        response
    }

    /// Its bytes compressed, where that makes them fewer.
    fn gzip(&self) -> Option<Bytes> {
        let made = self.gzip.get_or_init(|| {
            if self.bytes.len() < WORTH || self.kind == "image/png" {
                return None;
            }
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            // Into memory, which takes everything.
            encoder.write_all(&self.bytes).ok()?;
            let made = encoder.finish().ok()?;
            (made.len() < self.bytes.len()).then(|| Bytes::from(made))
        });
        made.clone()
    }
}

/// The file as it is on the disk now, where a build for development is told the folder by `HANDSET_PAGE`: who works on the
/// page saves and reloads.
fn edited(served: &Served) -> Option<Served> {
    let folder = cfg!(debug_assertions).then(|| std::env::var_os("HANDSET_PAGE")).flatten()?;
    let name = served.path.trim_start_matches("/page").trim_start_matches('/');
    let bytes = std::fs::read(std::path::Path::new(&folder).join(name)).ok()?;
    let file = File { path: served.path, kind: served.kind, bytes: &[] };
    let bytes = match served.path {
        WORKER => [&worker(&file, "edited")[..], &bytes].concat(),
        SHELL | MANIFEST => words::fill(served.path, &bytes),
        _ => bytes,
    };
    let tag = short(&Sha256::digest(&bytes));
    Some(Served { path: served.path, kind: served.kind, bytes: bytes.into(), tag, gzip: OnceLock::new() })
}

/// The worker with what it has to know: which page it belongs to, and of what that consists.
fn worker(file: &File, version: &str) -> Bytes {
    let paths: Vec<_> = super::FILES.iter().map(|file| file.path).filter(|path| *path != WORKER).collect();
    let first: Vec<_> = paths.iter().filter(|path| !LATER.contains(path)).collect();
    let known = serde_json::json!({ "version": version, "files": paths, "first": first });
    let mut bytes = format!("const PAGE = {known};\n").into_bytes();
    bytes.extend_from_slice(file.bytes);
    Bytes::from(bytes)
}

/// Whether the client takes gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted =
        headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        // `gzip;q=0` is a refusal.
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        named && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0))
    })
}

/// Whether a list of tags names this one; `W/` before it is as good, since it is asked for a whole file.
fn names(value: &HeaderValue, tag: &str) -> bool {
    let Ok(value) = value.to_str() else { return false };
    value.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        for (value, takes) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("br", false),
            ("", false),
            ("gzipped", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            assert_eq!(takes_gzip(&headers), takes, "{value}");
        }
    }

    #[test]
    fn a_file_that_changes_changes_the_version() {
        let file = |bytes| File { path: "/a", kind: "text/plain", bytes };
        assert_eq!(version(&[file(b"x")]), version(&[file(b"x")]));
        assert_ne!(version(&[file(b"x")]), version(&[file(b"y")]));
        assert_ne!(version(&[file(b"x")]), version(&[file(b"x"), file(b"")]));
    }
}

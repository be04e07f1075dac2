//! `[voice]`: how a voice is heard, and `[voice.recogniser]`: what turns it into words.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Url;

use super::fault::Place;
use super::given::Given;
use super::keys;
use super::model::{key, url, whole};
use super::secret::Secret;
use crate::voice::audio;
use crate::voice::catalogue::{self, Engine};

/// How a voice is heard.
#[derive(Debug, Clone, Default)]
pub struct Voice {
    /// How much is taken of an upload.
    pub limits: audio::Limits,
    /// What turns a voice into words; without one it is not heard at all.
    pub recogniser: Option<Recogniser>,
    /// The folder in which installed models are.
    pub models: PathBuf,
    /// Where models are fetched from, if not from where the catalogue has them.
    pub source: Option<String>,
}

/// What turns a voice into words.
#[derive(Debug, Clone)]
pub enum Recogniser {
    /// An endpoint of `/v1/audio/transcriptions`.
    Remote(Transcriber),
    /// A model in this process, from the folder with its files.
    Here(Engine, PathBuf),
}

/// A recogniser behind an endpoint of `/v1/audio/transcriptions`.
#[derive(Debug, Clone)]
pub struct Transcriber {
    /// The whole address of its endpoint.
    pub url: Url,
    /// The model's name as its server knows it.
    pub model: String,
    /// The key, where the server wants one.
    pub key: Option<Secret>,
    /// How long reaching the server may take.
    pub connect: Duration,
    /// How long the whole answer may take.
    pub answer: Duration,
}

/// How long things may take where nobody chose: a model of this machine may have to be loaded first.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(60);

pub(super) fn read(
    given: &mut Given,
    folder: &Path,
    data: &Path,
    environment: &BTreeMap<String, String>,
) -> Voice {
    let mut limits = audio::Limits::default();
    if let Some(seconds) = whole(given, &keys::VOICE_SECONDS, 1, 3600) {
        limits.seconds = seconds;
    }
    if let Some(megabytes) = whole(given, &keys::VOICE_MEGABYTES, 1, 500) {
        limits.megabytes = megabytes;
    }
    let models = data.join(catalogue::FOLDER);
    let recogniser = recogniser(given, folder, &models, environment);
    let source = given.text(&keys::VOICE_MODELS);
    let source = source.map(|source| match source.contains("://") {
        true => source,
        false => given.path(&keys::VOICE_MODELS, &source, folder).display().to_string(),
    });
    Voice { limits, recogniser, models, source }
}

fn recogniser(
    given: &mut Given,
    folder: &Path,
    models: &Path,
    environment: &BTreeMap<String, String>,
) -> Option<Recogniser> {
    let mut seconds = |key, most: f64, otherwise| {
        let found = given.number(key, |number| number > 0.0 && number <= most);
        found.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(otherwise)
    };
    let connect = seconds(&keys::EARS_CONNECT, 600.0, CONNECT);
    let answer = seconds(&keys::EARS_ANSWER, 3600.0, ANSWER);
    let key = key(given, &keys::EARS_KEYS, folder, environment);
    let model = given.text(&keys::EARS_MODEL);
    let url = url(given, &keys::EARS_URL);
    match given.text(&keys::EARS_KIND).as_deref() {
        Some("openai") => {}
        Some(kind @ ("sensevoice" | "whisper")) => {
            let engine = if kind == "whisper" { Engine::Whisper } else { Engine::SenseVoice };
            let path = match given.text(&keys::EARS_PATH) {
                Some(path) => given.path(&keys::EARS_PATH, &path, folder),
                // By its name, else the first that is installed, else the one to install.
                None => match model {
                    Some(name) => models.join(name),
                    None => catalogue::installed(models, Some(engine)).map_or_else(
                        || models.join(catalogue::first(engine).name),
                        |entry| models.join(entry.name),
                    ),
                },
            };
            return Some(Recogniser::Here(engine, path));
        }
        Some("none") => return None,
        Some(_) => {
            given.wrong(&keys::EARS_KIND);
            return None;
        }
        None => {
            // Described, but not how it is spoken to.
            let described = [&keys::EARS_URL, &keys::EARS_MODEL, &keys::EARS_PATH];
            let described = described.into_iter().find(|key| given.place(key) != Place::Nowhere);
            let Some(described) = described else {
                // What was installed is meant to be used.
                let entry = catalogue::installed(models, None)?;
                return Some(Recogniser::Here(entry.engine, models.join(entry.name)));
            };
            if given.place(&keys::EARS_KIND) == Place::Nowhere {
                let (name, kind) = (described.name, &keys::EARS_KIND);
                let message = format!("{name} is set, but not {}: it must be {}", kind.name, kind.allowed);
                given.fault(given.place(described), message);
            }
            return None;
        }
    }
    for key in [&keys::EARS_URL, &keys::EARS_MODEL] {
        if given.place(key) == Place::Nowhere {
            given.fault(given.place(&keys::EARS_KIND), format!("{} is missing: {}", key.name, key.allowed));
        }
    }
    Some(Recogniser::Remote(Transcriber { url: endpoint(url?), model: model?, key, connect, answer }))
}

/// The endpoint behind an address: people give the server's, that of its API, or the whole one.
fn endpoint(mut url: Url) -> Url {
    const LAST: &str = "/audio/transcriptions";
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with(LAST) {
        let version = if path.is_empty() { "/v1" } else { "" };
        url.set_path(&format!("{path}{version}{LAST}"));
    }
    url
}

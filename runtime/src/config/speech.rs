//! `[speech]`: what replies are spoken with.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use reqwest::Url;

use super::fault::Place;
use super::given::Given;
use super::keys::{self, Key};
use super::model::{is_at_home, key, url, whole};
use super::secret::Secret;
use crate::voice::sentences;
use crate::voice::speech::Format;

/// What replies are spoken with.
#[derive(Debug, Clone, Default)]
pub enum Speech {
    /// The voice of the person's own browser: nothing of a reply is sent anywhere.
    #[default]
    Browser,
    /// A service behind an API.
    Remote(Box<RemoteSpeech>),
    /// A program on this machine.
    Command(CommandSpeech),
}

/// How a speech service is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpeechApi {
    /// ElevenLabs' text to speech.
    ElevenLabs,
    /// `/v1/audio/speech`, as OpenAI, Kokoro-FastAPI, speaches, LocalAI and others speak it.
    OpenAi,
}

/// A speech service behind an API.
#[derive(Debug, Clone)]
pub struct RemoteSpeech {
    /// How it is spoken to.
    pub api: SpeechApi,
    /// The whole address of its endpoint.
    pub url: Url,
    /// The voice, as the service knows it.
    pub voice: String,
    /// The model's name, as the service knows it.
    pub model: String,
    /// The key, where the service wants one.
    pub key: Option<Secret>,
    /// What the audio comes in.
    pub format: Format,
    /// The same in the service's own words.
    pub format_word: String,
    /// The longest piece, in characters.
    pub max_characters: usize,
    /// Whether what is spoken counts against a person's characters of the day.
    pub metered: bool,
    /// How long reaching it may take.
    pub connect: Duration,
    /// How long the whole audio of a piece may take.
    pub answer: Duration,
}

/// A program that speaks: words by standard input, a WAV by standard output.
#[derive(Debug, Clone)]
pub struct CommandSpeech {
    /// The program.
    pub program: String,
    /// Its arguments, in which `{language}` and `{voice}` are filled in.
    pub arguments: Vec<String>,
    /// What `{voice}` is.
    pub voice: Option<String>,
    /// The longest piece, in characters.
    pub max_characters: usize,
    /// Whether what is spoken counts against a person's characters of the day.
    pub metered: bool,
    /// How long a piece may take.
    pub answer: Duration,
}

/// What stands in a command's arguments for something else.
pub(crate) const HOLES: [&str; 2] = ["{language}", "{voice}"];

const ELEVENLABS: &str = "https://api.elevenlabs.io";
/// Its quickest model of many languages.
const ELEVENLABS_MODEL: &str = "eleven_flash_v2_5";
const ELEVENLABS_FORMAT: &str = "mp3_44100_128";
const OPENAI_FORMAT: &str = "mp3";
const PROVIDERS: [&str; 4] = ["browser", "elevenlabs", "openai", "command"];
/// How long things may take where nobody chose. A person waits on the line.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(30);

/// What every provider has.
struct Common {
    voice: Option<String>,
    max_characters: usize,
    metered: Option<bool>,
    connect: Duration,
    answer: Duration,
}

pub(super) fn read(given: &mut Given, folder: &Path, environment: &BTreeMap<String, String>) -> Speech {
    let mut seconds = |key, most: f64, otherwise| {
        let found = given.number(key, |number| number > 0.0 && number <= most);
        found.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(otherwise)
    };
    let connect = seconds(&keys::MOUTH_CONNECT, 600.0, CONNECT);
    let answer = seconds(&keys::MOUTH_ANSWER, 3600.0, ANSWER);
    let max_characters = whole(given, &keys::MOUTH_CHARACTERS, 40, 4000);
    let common = Common {
        voice: given.text(&keys::MOUTH_VOICE),
        max_characters: max_characters.map_or(sentences::LIMIT, |most| most as usize),
        metered: given.flag(&keys::MOUTH_METERED),
        connect,
        answer,
    };
    let url = url(given, &keys::MOUTH_URL);
    let model = given.text(&keys::MOUTH_MODEL);
    let format = given.text(&keys::MOUTH_FORMAT);
    let key = key(given, &keys::MOUTH_KEYS, folder, environment);
    let command = command(given);
    let api = match given.text(&keys::MOUTH_PROVIDER).as_deref() {
        Some("browser") => return Speech::Browser,
        Some("elevenlabs") => SpeechApi::ElevenLabs,
        Some("openai") => SpeechApi::OpenAi,
        Some("command") => {
            let Some((program, arguments)) = command else {
                missing(given, &[&keys::MOUTH_COMMAND]);
                return Speech::Browser;
            };
            if common.voice.is_none() && arguments.iter().any(|argument| argument.contains("{voice}")) {
                missing(given, &[&keys::MOUTH_VOICE]);
            }
            let Common { voice, max_characters, metered, answer, .. } = common;
            let metered = metered.unwrap_or(false);
            return Speech::Command(CommandSpeech {
                program,
                arguments,
                voice,
                max_characters,
                metered,
                answer,
            });
        }
        Some(other) => {
            given.wrong(&keys::MOUTH_PROVIDER);
            if let (Some(near), Some(fault)) = (keys::nearest(other, PROVIDERS), given.faults.last_mut()) {
                fault.message.push_str(&format!("; did you mean {near:?}?"));
            }
            return Speech::Browser;
        }
        None => {
            // Described, but not how it is spoken to: the browser would speak in its stead.
            let described = [&keys::MOUTH_URL, &keys::MOUTH_COMMAND, &keys::MOUTH_MODEL, &keys::MOUTH_VOICE];
            let described = described.into_iter().find(|key| given.place(key) != Place::Nowhere);
            if let Some(described) = described
                && given.place(&keys::MOUTH_PROVIDER) == Place::Nowhere
            {
                let (name, provider) = (described.name, &keys::MOUTH_PROVIDER);
                let message =
                    format!("{name} is set, but not {}: it must be {}", provider.name, provider.allowed);
                given.fault(given.place(described), message);
            }
            return Speech::Browser;
        }
    };
    remote(given, api, common, url, model, format, key)
        .map_or(Speech::Browser, |remote| Speech::Remote(Box::new(remote)))
}

fn remote(
    given: &mut Given,
    api: SpeechApi,
    common: Common,
    url: Option<Url>,
    model: Option<String>,
    format: Option<String>,
    key: Option<Secret>,
) -> Option<RemoteSpeech> {
    let (model, url, word) = match api {
        SpeechApi::ElevenLabs => {
            missing(given, &[&keys::MOUTH_VOICE]);
            let url = match url {
                None if given.place(&keys::MOUTH_URL) == Place::Nowhere => Url::parse(ELEVENLABS).ok(),
                url => url,
            };
            (Some(model.unwrap_or_else(|| ELEVENLABS_MODEL.to_owned())), url, ELEVENLABS_FORMAT)
        }
        SpeechApi::OpenAi => {
            missing(given, &[&keys::MOUTH_URL, &keys::MOUTH_MODEL, &keys::MOUTH_VOICE]);
            (model, url, OPENAI_FORMAT)
        }
    };
    let word = format.unwrap_or_else(|| word.to_owned());
    let Some(format) = self::format(api, &word) else {
        given.wrong(&keys::MOUTH_FORMAT);
        return None;
    };
    let voice = common.voice?;
    let url = url?;
    let metered = common.metered.unwrap_or_else(|| !is_at_home(&url));
    let url = endpoint(url, api, &voice)?;
    let (model, format_word) = (model?, word);
    let Common { max_characters, connect, answer, .. } = common;
    Some(RemoteSpeech {
        api,
        url,
        voice,
        model,
        key,
        format,
        format_word,
        max_characters,
        metered,
        connect,
        answer,
    })
}

/// Tells which of these keys are not there at all.
fn missing(given: &mut Given, wanted: &[&'static Key]) {
    for key in wanted {
        if given.place(key) == Place::Nowhere {
            let message = format!("{} is missing: {}", key.name, key.allowed);
            given.fault(given.place(&keys::MOUTH_PROVIDER), message);
        }
    }
}

/// The program and its arguments.
fn command(given: &mut Given) -> Option<(String, Vec<String>)> {
    let hole = |argument: &str| {
        let mut rest = argument.to_owned();
        for known in HOLES {
            rest = rest.replace(known, "");
        }
        !rest.contains(['{', '}'])
    };
    let words =
        given.list(&keys::MOUTH_COMMAND, |word| (!word.is_empty() && hole(word)).then(|| word.to_owned()));
    let mut words = words.into_iter();
    Some((words.next()?, words.collect()))
}

/// What the audio comes in, by the service's own word; nothing where a browser cannot play it as it is.
fn format(api: SpeechApi, word: &str) -> Option<Format> {
    match api {
        SpeechApi::ElevenLabs => match word.split('_').next()? {
            "mp3" => Some(Format::Mp3),
            "opus" => Some(Format::Opus),
            _ => None,
        },
        SpeechApi::OpenAi => match word {
            "mp3" => Some(Format::Mp3),
            "opus" => Some(Format::Opus),
            "aac" => Some(Format::Aac),
            "flac" => Some(Format::Flac),
            "wav" => Some(Format::Wav),
            _ => None,
        },
    }
}

/// The endpoint behind an address: people give the service's, that of its API, or the whole one.
fn endpoint(mut url: Url, api: SpeechApi, voice: &str) -> Option<Url> {
    let path = url.path().trim_end_matches('/').to_owned();
    let version = if path.is_empty() { "/v1" } else { "" };
    match api {
        SpeechApi::OpenAi if path.ends_with("/audio/speech") => {}
        SpeechApi::OpenAi => url.set_path(&format!("{path}{version}/audio/speech")),
        SpeechApi::ElevenLabs => {
            let path = path.split_once("/text-to-speech").map_or(path.as_str(), |(api, _)| api);
            url.set_path(&format!("{path}{version}"));
            url.path_segments_mut().ok()?.pop_if_empty().extend(["text-to-speech", voice, "stream"]);
        }
    }
    Some(url)
}

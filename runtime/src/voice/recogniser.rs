//! What turns a voice into words.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::tone::Emotion;

/// What a recogniser is given.
#[derive(Clone)]
pub struct Utterance {
    /// Mono samples between -1 and 1 at [`super::audio::RATE`], of which all that is no speech was taken off both ends.
    pub samples: Arc<[f32]>,
    /// The language that is spoken, as ISO 639-1 has it, where whoever asks knows it.
    pub language: Option<String>,
}

/// What it heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// The words, with no blanks around them; empty where it heard none.
    pub text: String,
    /// The language, where it says one.
    pub language: Option<String>,
    /// The feeling, where it hears one.
    pub emotion: Option<Emotion>,
    /// What else is to be heard, in its own words: laughter, applause, music.
    pub events: Vec<String>,
}

/// Why nothing was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// It cannot be reached, or the connection was lost.
    Unreachable,
    /// It took too long.
    Slow,
    /// It has too much to do.
    Busy,
    /// It does not take the key, the model's name or the address: the operator has to see to it.
    Misconfigured,
    /// It refused this recording.
    Refused,
    /// What it answered cannot be read.
    Unreadable,
}

/// Why nothing was recognised, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub code: Code,
    /// For the operator's log: no word that was said, no key.
    pub detail: String,
}

impl Failure {
    /// A failure.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }
}

impl Code {
    /// The code as the API tells it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unreachable => "recogniser_unreachable",
            Self::Slow => "recogniser_slow",
            Self::Busy => "recogniser_busy",
            Self::Misconfigured => "recogniser_misconfigured",
            Self::Refused => "recogniser_refused",
            Self::Unreadable => "recogniser_unreadable",
        }
    }

    /// What happened and what to do, for whoever spoke.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Unreachable => {
                "The recogniser cannot be reached: see that its server runs, and that voice.recogniser.url is right."
            }
            Self::Slow => {
                "The recogniser did not answer in its time: say it again, or raise voice.recogniser.answer_seconds."
            }
            Self::Busy => "The recogniser has too much to do just now: say it again in a moment.",
            Self::Misconfigured => {
                "The recogniser refuses the key, the address or the model's name: see to voice.recogniser in handset.toml."
            }
            Self::Refused => "The recogniser does not take this recording; the server's log says why.",
            Self::Unreadable => {
                "What the recogniser answered is no transcription: see that voice.recogniser.url is its endpoint."
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.code.sentence(), self.detail)
    }
}

impl std::error::Error for Failure {}

/// What a recogniser gives: a future that can be awaited on any thread.
pub type Recognising<'a> = Pin<Box<dyn Future<Output = Result<Words, Failure>> + Send + 'a>>;

/// Turns a voice into words.
pub trait Recogniser: Send + Sync + 'static {
    /// What it is, for people: a model and where it runs.
    fn name(&self) -> &str;
    /// Listens. Dropping the future stops it.
    fn recognise(&self, utterance: Utterance) -> Recognising<'_>;
}

//! What turns words into a voice.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// What a service is given: one piece of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// The words: at least one letter or digit, at most [`Speech::limit`] characters.
    pub text: String,
    /// Their language, as ISO 639-1 has it, where it is known.
    pub language: Option<String>,
    /// The person speaks softly, and is answered so. Whoever plays it lowers the volume; a service may do more.
    pub soft: bool,
    /// The piece before, for the melody; empty at the beginning.
    pub before: String,
    /// The piece behind, as far as it is known.
    pub after: String,
}

impl Utterance {
    /// Words that stand alone.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), language: None, soft: false, before: String::new(), after: String::new() }
    }
}

/// What the audio of a service comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// MPEG layer III.
    Mp3,
    /// RIFF WAVE.
    Wav,
    /// Opus in Ogg.
    Opus,
    /// AAC in ADTS frames.
    Aac,
    /// Flac.
    Flac,
}

impl Format {
    /// Its media type.
    #[must_use]
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Mp3 => "audio/mpeg",
            Self::Wav => "audio/wav",
            Self::Opus => "audio/ogg",
            Self::Aac => "audio/aac",
            Self::Flac => "audio/flac",
        }
    }

    /// How a file of it ends.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Mp3 => "mp3",
            Self::Wav => "wav",
            Self::Opus => "ogg",
            Self::Aac => "aac",
            Self::Flac => "flac",
        }
    }
}

/// Why a piece has no audio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The service cannot be reached, or the connection was lost.
    Unreachable,
    /// It took too long.
    Slow,
    /// It has too much to do.
    Busy,
    /// It does not take the key, the voice's name or the address, or the command cannot be run: the operator has to see to it.
    Misconfigured,
    /// It refused this piece.
    Refused,
    /// What it answered is no audio.
    Unreadable,
    /// The person's characters of the day are used up.
    OverQuota,
    /// Pieces before it failed, so that this one was not asked for.
    GivenUp,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Unreachable,
        Self::Slow,
        Self::Busy,
        Self::Misconfigured,
        Self::Refused,
        Self::Unreadable,
        Self::OverQuota,
        Self::GivenUp,
    ];

    /// The code as the API tells it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unreachable => "speech_unreachable",
            Self::Slow => "speech_slow",
            Self::Busy => "speech_busy",
            Self::Misconfigured => "speech_misconfigured",
            Self::Refused => "speech_refused",
            Self::Unreadable => "speech_unreadable",
            Self::OverQuota => "speech_over_quota",
            Self::GivenUp => "speech_given_up",
        }
    }

    /// What happened and what to do.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Unreachable => {
                "The speech service cannot be reached: see that it runs, and that speech.url is right."
            }
            Self::Slow => "The speech service did not answer in its time: raise speech.answer_seconds.",
            Self::Busy => "The speech service has too much to do just now; the next sentence asks it again.",
            Self::Misconfigured => {
                "The speech service refuses the key, the voice, the model or the address, or the command cannot be run: see \
                 to [speech] in handset.toml."
            }
            Self::Refused => "The speech service does not take this sentence; the server's log says why.",
            Self::Unreadable => {
                "What the speech service answered is no audio: see that speech.url is its endpoint."
            }
            Self::OverQuota => {
                "The characters that may be spoken today are used up: raise the setting voice.speech_characters, or wait \
                 for tomorrow."
            }
            Self::GivenUp => {
                "The speech service failed several times in a row, so that it is not asked for the rest of this reply."
            }
        }
    }
}

/// Why a piece has no audio, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub code: Code,
    /// For the operator's log: no word that was to be said, no key.
    pub detail: String,
    /// What the person is told about it, in their language, once a call; nothing where they need not be.
    pub notice: Option<String>,
}

impl Fault {
    /// A fault that nobody needs to be told of.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), notice: None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.code.sentence(), self.detail)
    }
}

impl std::error::Error for Fault {}

/// What a service gives: a future of the whole piece's audio, that can be awaited on any thread. Dropping it stops the service's work.
pub type Speaking<'a> = Pin<Box<dyn Future<Output = Result<Vec<u8>, Fault>> + Send + 'a>>;

/// Turns words into a voice.
pub trait Speech: Send + Sync + 'static {
    /// What it is, for people: a voice and where it comes from.
    fn name(&self) -> &str;
    /// The longest piece it takes, in characters: [`crate::voice::sentences::Splitter::new`] is given it.
    fn limit(&self) -> usize;
    /// What its audio comes in.
    fn format(&self) -> Format;
    /// Whether what it speaks is counted against a person's characters of the day ([`super::Meter`]): it costs somebody something.
    fn metered(&self) -> bool {
        true
    }
    /// Speaks: one file of audio, whole. Time limits and bounded retries are the service's own.
    fn speak(&self, utterance: Utterance) -> Speaking<'_>;
}

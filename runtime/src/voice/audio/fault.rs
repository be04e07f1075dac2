//! Why an upload gives no sound: what was found in it and what to do.

use std::fmt;

use super::Container;

/// What is wrong with an upload.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// There are no bytes.
    Empty,
    /// A head, and nothing behind it.
    HeaderOnly {
        /// Of which container.
        container: Container,
        /// How many bytes there are.
        bytes: usize,
    },
    /// It ends before it is over.
    Truncated {
        /// Of which container.
        container: Container,
        /// How many seconds could be read.
        seconds: f64,
    },
    /// Its bytes contradict themselves.
    Corrupt {
        /// Of which container.
        container: Container,
        /// What the reader stumbled over.
        what: String,
    },
    /// It is whole and has no sound in it: no track of sound, or one without a sample (P121).
    NoAudio {
        /// Of which container.
        container: Container,
    },
    /// It is none of the containers that can be read.
    UnknownContainer {
        /// The first bytes, eight at most.
        first: Vec<u8>,
        /// What it seems to be.
        known: Option<&'static str>,
    },
    /// The container can be read, what is in it cannot.
    UnknownCodec {
        /// Of which container.
        container: Container,
        /// The codec's name.
        codec: String,
    },
    /// The pieces of a recording in the wrong order, or without the first (P115).
    WrongOrder {
        /// Of which container.
        container: Container,
        /// Where the first piece begins, if it is there.
        at: Option<usize>,
    },
    /// More seconds than are taken.
    TooLong {
        /// The most that are.
        seconds: u32,
    },
    /// More bytes than are taken.
    TooLarge {
        /// The most that are.
        megabytes: u32,
    },
}

impl Fault {
    /// Its code, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "audio_empty",
            Self::HeaderOnly { .. } => "audio_header_only",
            Self::Truncated { .. } => "audio_truncated",
            Self::Corrupt { .. } => "audio_corrupt",
            Self::NoAudio { .. } => "audio_without_samples",
            Self::UnknownContainer { .. } => "audio_unknown_container",
            Self::UnknownCodec { .. } => "audio_unknown_codec",
            Self::WrongOrder { .. } => "audio_wrong_order",
            Self::TooLong { .. } => "audio_too_long",
            Self::TooLarge { .. } => "audio_too_large",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                f.write_str("The upload has no bytes: record again, and send what the recorder gives.")
            }
            Self::HeaderOnly { container, bytes } => write!(
                f,
                "The upload is the head of a {} and no samples ({bytes} bytes): stop the recorder before you send what it made.",
                container.name()
            ),
            Self::Truncated { container, seconds } => write!(
                f,
                "The {} is cut off: {seconds:.1} seconds can be read, then it ends in the middle. Send it again, whole.",
                container.name()
            ),
            Self::Corrupt { container, what } => {
                write!(f, "The {} is damaged ({what}). Send it again, or record again.", container.name())
            }
            Self::NoAudio { container } => write!(
                f,
                "The {} has no sound in it, not one sample. Check the microphone and record again.",
                container.name()
            ),
            Self::UnknownContainer { first, known } => {
                let hex: Vec<_> = first.iter().map(|byte| format!("{byte:02X}")).collect();
                write!(f, "The upload is no sound that can be read here: it begins with {}", hex.join(" "))?;
                if let Some(known) = known {
                    write!(f, " ({known})")?;
                }
                f.write_str(". Send WebM, Ogg, MP4 or M4A, WAV, MP3, AAC or FLAC.")
            }
            Self::UnknownCodec { container, codec } => write!(
                f,
                "The {} holds {codec}, which cannot be read here. Record as Opus, AAC, Vorbis, MP3, FLAC or PCM.",
                container.name()
            ),
            Self::WrongOrder { container, at: Some(at) } => write!(
                f,
                "The pieces of the {} are in the wrong order: what belongs at the beginning stands at byte {at}. Join the \
                 recorder's pieces in the order in which it gave them.",
                container.name()
            ),
            Self::WrongOrder { container, at: None } => write!(
                f,
                "The upload is a later piece of a {} without its beginning. Send all of the recorder's pieces, from the first on.",
                container.name()
            ),
            Self::TooLong { seconds } => write!(
                f,
                "The recording is longer than the {seconds} seconds that are taken: send it in pieces, each recorded by itself. \
                 (The operator may raise voice.max_seconds.)"
            ),
            Self::TooLarge { megabytes } => write!(
                f,
                "The upload is larger than the {megabytes} MB that are taken: send less at a time, or compressed. (The operator \
                 may raise voice.max_megabytes.)"
            ),
        }
    }
}

impl std::error::Error for Fault {}

//! Who speaks: one trait for the built-in demo companion and for every model behind an API.

use std::fmt;
use std::sync::Arc;

use handset_spec::Language;
use handset_spec::tools::Tool;
use handset_spec_macros::text;
use tokio::sync::mpsc;

/// One piece of a model's stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// A piece of text, never cut within a character.
    Text(String),
    /// A piece of a tool call, as the provider sent it.
    Call(Fragment),
}

/// A piece of a tool call. Providers leave out, repeat and share what they like: [`super::calls`] puts it together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The place that the provider gives the call in its reply.
    pub index: Option<u32>,
    /// The call's id.
    pub id: Option<String>,
    /// The tool's name.
    pub name: Option<String>,
    /// A piece of the arguments' text.
    pub arguments: Option<String>,
}

/// What a model reads.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The system prompt. With the tools it is the part that stays the same, byte for byte.
    pub system: Arc<str>,
    /// What was said, in order.
    pub said: Vec<Said>,
    /// The tools that are offered.
    pub tools: Vec<&'static Tool>,
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// By the person.
    Person {
        /// When, by their own clock, in the spec's words; empty where nobody needs to know.
        sent: String,
        /// The words.
        text: String,
        /// What the client that sent it declared.
        capabilities: Vec<String>,
    },
    /// By the companion.
    Companion {
        /// The words.
        text: String,
    },
    /// A call of the companion's.
    Call {
        /// Unique in the chat.
        id: String,
        /// The tool's name.
        tool: String,
        /// The arguments: a JSON object, or what was sent where it is none.
        arguments: String,
    },
    /// The result of a call.
    Result {
        /// The call's id.
        id: String,
        /// The result's text.
        text: String,
    },
}

/// Why a model did not finish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub code: Code,
    /// What was found, for the operator's log: no word of the conversation, no key.
    pub detail: String,
}

impl Fault {
    /// A fault.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.code.word(), self.detail)
    }
}

/// What went wrong with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// There is no connection, or it was lost before the first word.
    Unreachable,
    /// It took too long to begin.
    Slow,
    /// The key was refused.
    RefusedKey,
    /// There is no such address, or no model of that name.
    NoSuchModel,
    /// It has too much to do, or a limit is reached.
    Overloaded,
    /// It refused the request.
    Refused,
    /// What came is no model's answer.
    Unreadable,
    /// The stream ended before the reply did.
    BrokenOff,
    /// It gave neither words nor a call.
    Silent,
}

impl Code {
    /// The code as the API tells it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unreachable => "model_unreachable",
            Self::Slow => "model_slow",
            Self::RefusedKey => "model_refused_key",
            Self::NoSuchModel => "no_such_model",
            Self::Overloaded => "model_overloaded",
            Self::Refused => "model_refused",
            Self::Unreadable => "model_unreadable",
            Self::BrokenOff => "model_broke_off",
            Self::Silent => "model_silent",
        }
    }

    /// What the companion says then.
    #[must_use]
    pub const fn words(self, language: Language) -> &'static str {
        match self {
            Self::Unreachable => text!(gateway.unreachable in language),
            Self::Slow => text!(gateway.slow in language),
            Self::RefusedKey => text!(gateway.refused_key in language),
            Self::NoSuchModel => text!(gateway.no_such_model in language),
            Self::Overloaded => text!(gateway.overloaded in language),
            Self::Refused => text!(gateway.refused in language),
            Self::Unreadable => text!(gateway.unreadable in language),
            Self::BrokenOff => text!(gateway.broken_off in language),
            Self::Silent => text!(gateway.silent in language),
        }
    }
}

impl std::error::Error for Fault {}

/// A model's stream. It ends when the channel does; dropping it tells the model to stop.
pub type Deltas = mpsc::Receiver<Result<Delta, Fault>>;

/// How many pieces a model may be ahead of its reader.
pub const AHEAD: usize = 32;

/// A model.
pub trait Model: Send + Sync + 'static {
    /// What it is called, for the operator.
    fn name(&self) -> &str;
    /// Whether it is the person's own, so that what was said on the telephone may be given to it: it runs where they have it
    /// run. (Document 2: voice stays home.)
    fn is_own(&self) -> bool {
        false
    }
    /// Whether it can write what is asked of it outside of a conversation.
    fn writes(&self) -> bool {
        true
    }
    /// Whether it is told when each message was sent.
    fn heeds_time(&self) -> bool {
        true
    }
    /// Begins to answer.
    fn open(&self, prompt: Prompt) -> Deltas;
}

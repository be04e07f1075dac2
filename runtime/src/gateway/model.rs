//! Who speaks: one trait for the built-in demo companion and for every model behind an API.

use std::fmt;

use handset_spec::tools::Tool;
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
    /// What went wrong, for the person.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
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
    /// Begins to answer.
    fn open(&self, prompt: Prompt) -> Deltas;
}

//! What is spoken in a call: how the person's words were said, and how much of the companion's was heard.

use serde::{Deserialize, Serialize};

use super::Turn;
use crate::ids::{InviteId, MessageId, TurnId};
use crate::voice::tone::Emotion;

/// How words were said that were spoken in a call. It is kept with the message, in the words of the day, so that what a model
/// reads of it stays the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Voice {
    /// The feeling, where one was heard.
    pub emotion: Option<Emotion>,
    /// What stood out in the voice, in the person's language.
    pub tone: Option<String>,
    /// Both in words, as the person is shown them.
    pub feeling: Option<String>,
    /// Whether it calls for a soft voice in answer.
    pub soft: bool,
    /// What a model reads before the words.
    pub prefix: String,
}

/// How much of a turn was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The turn.
    pub turn: TurnId,
    /// In which call.
    pub call: InviteId,
    /// How many pieces were heard whole.
    pub pieces: i64,
    /// The words, as they are shown.
    pub words: String,
}

/// A turn that is spoken on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenTurn {
    /// The turn.
    pub turn: Turn,
    /// How much of it was heard.
    pub progress: Progress,
}

/// What of a message stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The message.
    pub message: MessageId,
    /// So many characters of it.
    pub chars: u64,
}

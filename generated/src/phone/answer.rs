//! What the phone answered, and the result that the model reads of it (document 1 §3).

use crate::support::{clean, first_chars};
use crate::texts;

use super::MESSAGE_MAX_CHARS;

/// What became of a call that was put to the person.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Status {
    /// The phone did it.
    Done,
    /// The person said no.
    Declined,
    /// The phone could not do it.
    Failed,
}

impl Status {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Done, Self::Declined, Self::Failed];

    /// `done`, `declined` or `failed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Declined => "declined",
            Self::Failed => "failed",
        }
    }

    /// The status with this name; one that nobody knows is [`Status::Failed`].
    pub fn from_name(name: &str) -> Self {
        Self::ALL.iter().copied().find(|status| status.name() == name).unwrap_or(Self::Failed)
    }
}

/// A phone's answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Answer {
    /// What became of the call.
    pub status: Status,
    /// What the phone said of it: cleaned, trimmed, cut to [`MESSAGE_MAX_CHARS`] characters, and not blank.
    pub message: Option<String>,
}

impl Answer {
    /// The answer of a status and a message as they came. A message that is no string counts as none.
    pub fn read(status: &str, message: Option<&str>) -> Self {
        let message = message.map(clean).filter(|message| !message.is_empty());
        let message = message.map(|message| first_chars(&message, MESSAGE_MAX_CHARS).to_owned());
        Self { status: Status::from_name(status), message }
    }

    /// The call's result: the status's text and, when there is a message, a blank line and what the phone said.
    pub fn result(&self) -> String {
        let status = match self.status {
            Status::Done => texts::phone::done(),
            Status::Declined => texts::phone::declined(),
            Status::Failed => texts::phone::failed(),
        };
        match &self.message {
            Some(message) => [status, "\n\n", &texts::phone::says(message)].concat(),
            None => status.to_owned(),
        }
    }
}

/// The result of a call that nobody answered in time.
pub fn no_answer() -> &'static str {
    texts::phone::no_answer()
}

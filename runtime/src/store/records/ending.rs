//! How a turn ends.

use super::{NewEffect, NewPassage, TurnState};

/// Marks of words that are not a whole reply. Beside these, the code with which a turn failed is one.
pub mod mark {
    /// The person stopped the companion, or the model's stream broke off.
    pub const INTERRUPTED: &str = "interrupted";
}

/// How a turn ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// As what.
    pub state: TurnState,
    /// Why, where it is not finished; its reply bears it as a mark.
    pub code: Option<String>,
    /// The companion's last words in it.
    pub reply: Option<String>,
    /// The markers that stood in them.
    pub effects: Vec<NewEffect>,
    /// What of a text is read out in it.
    pub reading: Option<NewPassage>,
}

impl Ending {
    /// With the companion's whole reply.
    #[must_use]
    pub fn finished(reply: String) -> Self {
        Self {
            state: TurnState::Finished,
            code: None,
            reply: Some(reply),
            effects: Vec::new(),
            reading: None,
        }
    }

    /// Stopped by the person, with what was said so far.
    #[must_use]
    pub fn interrupted(reply: Option<String>) -> Self {
        Self {
            state: TurnState::Interrupted,
            code: Some(mark::INTERRUPTED.to_owned()),
            reply,
            effects: Vec::new(),
            reading: None,
        }
    }

    /// Without a reply of the model's; what is said in its stead.
    #[must_use]
    pub fn failed(code: &str, reply: Option<String>) -> Self {
        Self {
            state: TurnState::Failed,
            code: Some(code.to_owned()),
            reply,
            effects: Vec::new(),
            reading: None,
        }
    }

    /// With the markers that stood in the reply.
    #[must_use]
    pub fn with(self, effects: Vec<NewEffect>) -> Self {
        Self { effects, ..self }
    }

    /// With the passage that is read out in the reply.
    #[must_use]
    pub fn reading(self, reading: Option<NewPassage>) -> Self {
        Self { reading, ..self }
    }
}

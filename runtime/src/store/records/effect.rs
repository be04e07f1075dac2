//! Effects of markers.

use handset_spec::markers::Kind;

use super::EffectState;
use crate::ids::{ChatId, EffectId, PersonId, TurnId};

/// A marker that was found in the companion's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEffect {
    /// What it asks for.
    pub kind: Kind,
    /// What stood behind its colon.
    pub argument: Option<String>,
    /// How many characters of the words, as they are shown, stand before it.
    pub place: u64,
    /// Where the words are spoken in a call: which of the turn's markers it is, and whether it was heard.
    pub spoken: Option<InSpeech>,
}

/// A marker in words that are spoken. It is performed when it was heard, and noted once: while the words still come, or with
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InSpeech {
    /// Its place among the markers of its turn, from 0.
    pub number: i64,
    /// Whether the person has heard the words before it.
    pub heard: bool,
}

/// A marker that was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Its id.
    pub id: EffectId,
    /// Whose it is.
    pub person: PersonId,
    /// The chat in which it was said.
    pub chat: ChatId,
    /// The turn in which it was said.
    pub turn: TurnId,
    /// What it asks for.
    pub kind: Kind,
    /// What stood behind its colon.
    pub argument: Option<String>,
    /// How many characters of the words, as they are shown, stand before it.
    pub place: u64,
    /// Where it stands.
    pub state: EffectState,
    /// Why it was refused: `budget`, or what stood against it when it was performed.
    pub why: Option<String>,
    /// When it was said.
    pub created_ms: i64,
}

/// Why an effect is refused before anything is tried.
pub mod budget {
    /// The conversation has had as many of its kind as it may.
    pub const SPENT: &str = "budget";
    /// The words before it were not heard to their end.
    pub const UNHEARD: &str = "unheard";
}

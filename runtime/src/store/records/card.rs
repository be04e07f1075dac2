//! Cards as they are kept.

use super::{CardState, Message};
use crate::gateway::desk::slip::Outcome;
use crate::ids::{CardId, ChatId, PersonId, TurnId};

/// A card to lay on the desk.
#[derive(Debug, Clone)]
pub struct NewCard {
    /// Its id: made beforehand, so that whoever waits for the answer can wait before anybody may give it.
    pub id: CardId,
    /// Whose it is.
    pub person: PersonId,
    /// Its chat.
    pub chat: ChatId,
    /// Its turn.
    pub turn: TurnId,
    /// Its call.
    pub call_id: String,
    /// Which part of the call, from 0: one call may hold several objects.
    pub part: i64,
    /// The device that shows it; none means every device of the person's.
    pub device: Option<String>,
    /// The tool's name.
    pub tool: String,
    /// The call as the phone receives it, JSON.
    pub call: String,
    /// The line that the phone shows.
    pub summary: String,
    /// When it was made.
    pub created_ms: i64,
    /// Until when it may be answered.
    pub deadline_ms: i64,
    /// The results of the call's earlier parts, joined.
    pub before: String,
    /// Where this is the call's last card: what stands behind its own result (refusals of later parts, joined).
    pub after: Option<String>,
}

/// A card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Its id.
    pub id: CardId,
    /// Whose it is.
    pub person: PersonId,
    /// Its chat.
    pub chat: ChatId,
    /// Its turn.
    pub turn: TurnId,
    /// Its call.
    pub call_id: String,
    /// Which part of the call, from 0.
    pub part: i64,
    /// The device that shows it; none means every device of the person's.
    pub device: Option<String>,
    /// The tool's name.
    pub tool: String,
    /// The call as the phone receives it, JSON.
    pub call: String,
    /// The line that the phone shows.
    pub summary: String,
    /// When it was made.
    pub created_ms: i64,
    /// Until when it may be answered.
    pub deadline_ms: i64,
    /// Where it stands.
    pub state: CardState,
    /// What the phone said, as cleaned and cut.
    pub message: Option<String>,
    /// The results of the call's earlier parts, joined.
    pub before: String,
    /// Where this is the call's last card: what stands behind its own result.
    pub after: Option<String>,
    /// Its own result text, once it is closed.
    pub result: Option<String>,
    /// When it was closed.
    pub closed_ms: Option<i64>,
}

/// Joins the results of a call's parts: those that say something, a blank line between.
#[must_use]
pub fn join_results<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

impl Card {
    /// The result of the whole call, where this is its last card and it is closed.
    #[must_use]
    pub fn call_result(&self) -> Option<String> {
        let (own, after) = (self.result.as_deref()?, self.after.as_deref()?);
        Some(join_results([self.before.as_str(), own, after]))
    }
}

/// What became of an event at a card.
#[derive(Debug, Clone)]
pub struct Settled {
    /// The outcome for the one who brought the event.
    pub outcome: Outcome,
    /// The card as it stands now.
    pub card: Card,
    /// Whether this event closed it.
    pub closed: bool,
    /// The call's result, where this event brought it.
    pub result: Option<Message>,
}

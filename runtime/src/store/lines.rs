//! What is kept of calls that are alive, beyond [`super::Invites`].

use super::{Answer, Kept, Message, NewEffect, Progress, SpokenTurn};
use crate::ids::{ChatId, InviteId, PersonId, TurnId};

/// Lines: which calls have one, and how much of what is spoken on them was heard.
pub trait Lines: Send + Sync {
    /// Notes that a device is connected to the call itself, and gives the call's chat: the one whose reply asked for the call,
    /// else the one for what is said outside of any. Nothing where the person has no such call.
    fn open_line(&self, person: PersonId, call: InviteId, now_ms: i64) -> Answer<'_, Option<ChatId>>;
    /// The calls that go on and had a line, of all persons. For the start of the server alone.
    fn open_lines(&self) -> Answer<'_, Vec<(PersonId, InviteId)>>;
    /// Notes how much of a turn was heard, and the markers that were heard with it: from here on they are to be performed.
    fn hear(
        &self,
        person: PersonId,
        progress: Progress,
        effects: Vec<NewEffect>,
        now_ms: i64,
    ) -> Answer<'_, ()>;
    /// Notes that nothing more of a turn is spoken, since it was heard to its end.
    fn heard_out(&self, person: PersonId, progress: Progress, now_ms: i64) -> Answer<'_, ()>;
    /// Cuts the stored words of a turn to what was heard of them, marked as interrupted, and refuses its markers from number
    /// `heard` on. Gives the messages as they are now, in order.
    fn cut(
        &self,
        person: PersonId,
        turn: TurnId,
        kept: Vec<Kept>,
        heard: i64,
        now_ms: i64,
    ) -> Answer<'_, Vec<Message>>;
    /// The turns that are spoken in a call and were neither heard to their end nor stopped, oldest first.
    fn spoken_turns(&self, person: PersonId, call: InviteId) -> Answer<'_, Vec<SpokenTurn>>;
    /// One such turn.
    fn spoken_turn(&self, person: PersonId, turn: TurnId) -> Answer<'_, Option<SpokenTurn>>;
    /// Refuses what the markers of calls that have ended asked for and nobody heard. For the start of the server alone.
    fn drop_unheard(&self, now_ms: i64) -> Answer<'_, ()>;
}

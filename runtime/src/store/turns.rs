//! What is kept of turns: a message, and everything the companion does until its reply.

use super::{Answer, Begun, Ending, Message, NewEntry, NewMessage, Turn};
use crate::ids::{PersonId, TurnId};

/// Turns, from a person's message to its reply.
pub trait Turns: Send + Sync {
    /// Takes a person's message and begins its turn. A `client_id` seen before gives the first message and turn again.
    fn begin_turn(&self, message: NewMessage) -> Answer<'_, Option<Begun>>;
    /// The message of the person's that came with this `client_id`.
    fn message_of(&self, person: PersonId, client_id: String) -> Answer<'_, Option<Message>>;
    /// One turn of the person's.
    fn turn(&self, person: PersonId, turn: TurnId) -> Answer<'_, Option<Turn>>;
    /// The turns that had not ended, of all persons, oldest first. For the start of the server alone.
    fn unfinished_turns(&self) -> Answer<'_, Vec<Turn>>;
    /// Counts one more start of a turn and gives the number.
    fn count_start(&self, person: PersonId, turn: TurnId) -> Answer<'_, i64>;
    /// What the companion reads in this turn: turns that began earlier, whole, then this one.
    fn history(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Message>>;
    /// The messages of one turn, in order.
    fn turn_messages(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Message>>;
    /// Adds what the companion said and called, all of it or nothing.
    fn append(
        &self,
        person: PersonId,
        turn: TurnId,
        entries: Vec<NewEntry>,
        now_ms: i64,
    ) -> Answer<'_, Vec<Message>>;
    /// Records a call's result. The first one stays: a second gives nothing.
    fn record_result(
        &self,
        person: PersonId,
        turn: TurnId,
        call_id: String,
        text: String,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>>;
    /// Ends a turn, with its reply where it has one. A turn that has ended stays as it is and gives nothing.
    fn finish_turn(
        &self,
        person: PersonId,
        turn: TurnId,
        ending: Ending,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>>;
}

//! What is kept of texts to read aloud from.

use super::{Answer, LastPassage, NewReading, Once, Reading, ReadingChange};
use crate::ids::{PersonId, ReadingId, TurnId};

/// Texts that persons put in, each with its bookmark. A passage moves it in the transaction that stores the reply in which it
/// stands ([`super::Ending::reading`]).
pub trait Readings: Send + Sync {
    /// A person's texts, the one that was read last first.
    fn readings(&self, person: PersonId) -> Answer<'_, Vec<Reading>>;
    /// One of them.
    fn reading(&self, person: PersonId, reading: ReadingId) -> Answer<'_, Option<Reading>>;
    /// What is left of one of a person's texts, from its bookmark on.
    fn reading_rest(&self, person: PersonId, reading: ReadingId) -> Answer<'_, Option<String>>;
    /// Takes a text in; nothing where the person has `most` already.
    fn add_reading(
        &self,
        reading: NewReading,
        most: usize,
        once: Option<Once>,
    ) -> Answer<'_, Option<Reading>>;
    /// Changes a title, moves a bookmark; gives the text as it is then, or nothing where there is none.
    fn change_reading(
        &self,
        person: PersonId,
        reading: ReadingId,
        change: ReadingChange,
        once: Option<Once>,
    ) -> Answer<'_, Option<Reading>>;
    /// Deletes one; false where there is none.
    fn delete_reading(&self, person: PersonId, reading: ReadingId, once: Option<Once>) -> Answer<'_, bool>;
    /// The passage that a turn read, if its text's bookmark still stands where that turn has left it.
    fn last_passage(&self, person: PersonId, turn: TurnId) -> Answer<'_, Option<LastPassage>>;
    /// Moves the bookmark of the text that a turn read, to what was heard of that; false where something else has moved it
    /// meanwhile.
    fn move_bookmark(&self, person: PersonId, turn: TurnId, bookmark: i64) -> Answer<'_, bool>;
}

//! What is kept of how much was spoken.

use super::Answer;
use crate::ids::PersonId;

/// How much was spoken for a person on one of their days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpokenDay {
    /// Characters that a speech service was asked for.
    pub characters: u64,
    /// The person was told that it was enough.
    pub told: bool,
}

/// How much a speech service spoke for each person. A day is a date as `2026-11-30`.
pub trait Spoken: Send + Sync {
    /// A person's day; nothing spoken where nothing was.
    fn spoken(&self, person: PersonId, day: String) -> Answer<'_, SpokenDay>;
    /// Adds to a person's day. Where there is no such person nothing happens.
    fn add_spoken(&self, person: PersonId, day: String, more: SpokenDay) -> Answer<'_, ()>;
}

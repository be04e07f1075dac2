//! What is kept of markers: what the companion's words asked for, and what became of it.

use super::{Answer, Effect, EffectState};
use crate::ids::{EffectId, PersonId, TurnId};

/// Effects of markers. They are recorded with the words that they stood in ([`super::NewEntry::Effect`],
/// [`super::Ending::with`]); there their budgets are counted.
pub trait Effects: Send + Sync {
    /// The effects of a turn, in the order of its words.
    fn effects(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Effect>>;
    /// The effects that were recorded and not performed, of all persons, oldest first. For the start of the server alone.
    fn recorded_effects(&self) -> Answer<'_, Vec<Effect>>;
    /// Notes what became of a recorded effect: performed, or refused and why. False where it is recorded no more.
    fn settle_effect(
        &self,
        person: PersonId,
        effect: EffectId,
        state: EffectState,
        why: Option<String>,
        now_ms: i64,
    ) -> Answer<'_, bool>;
}

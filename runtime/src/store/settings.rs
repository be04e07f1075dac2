//! What is kept of people's settings, and of the companion's own calls.

use super::{Answer, Once, Personal, Standing, Tune, TuneFault, Tuned, Words};
use crate::ids::{ChatId, PersonId};
use crate::ringer::escalation::Decision;

/// What each person has set, and when the companion last called by itself.
pub trait Tuning: Send + Sync {
    /// What a person has set; nothing where there is no such person.
    fn settings(&self, person: PersonId) -> Answer<'_, Option<Personal>>;
    /// Changes it. A change with a fault changes nothing. A repetition is told what was clamped the first time, beside what is
    /// set now.
    fn tune(
        &self,
        person: PersonId,
        tune: Tune,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<Result<Tuned, TuneFault>>>;
    /// Those at whom it is time to look, at most so many, the longest due first.
    fn to_look_at(&self, now_ms: i64, limit: i64) -> Answer<'_, Vec<Standing>>;
    /// Puts the next look to `at_ms`, unless something has happened since the one that was due at `seen_ms`.
    fn look_again(&self, person: PersonId, seen_ms: i64, at_ms: Option<i64>) -> Answer<'_, ()>;
    /// Decides once more, in one transaction with what is recorded: where the decision is to call, the local date has had its
    /// call from then on. For a caller whose invite is no row of this store; one whose invite is calls the same within its
    /// own transaction.
    fn claim_escalation(&self, person: PersonId, engaged: bool, now_ms: i64) -> Answer<'_, Option<Decision>>;
    /// The last words of a chat, oldest first, at most so many.
    fn last_words(&self, person: PersonId, chat: ChatId, limit: i64) -> Answer<'_, Vec<Words>>;
}

//! What is kept of who the companion is to each person.

use super::{Answer, Companion, CompanionChange, Once, Picture};
use crate::ids::PersonId;

/// Each person's own companion.
pub trait Companions: Send + Sync {
    /// Who the companion is to a person: as the server has it, where they changed nothing.
    fn companion(&self, person: PersonId) -> Answer<'_, Companion>;
    /// Changes it; gives what it is then, or nothing where there is no such person. A repetition changes nothing more.
    fn change_companion(
        &self,
        person: PersonId,
        change: CompanionChange,
        once: Option<Once>,
    ) -> Answer<'_, Option<Companion>>;
    /// The picture with its bytes, if there is one.
    fn picture(&self, person: PersonId) -> Answer<'_, Option<Picture>>;
}

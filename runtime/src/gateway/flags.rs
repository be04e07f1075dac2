//! Do-not-disturb: switched by the companion's words, by the flags' route, or on the settings page; every device hears of it.

use serde::Serialize;

use super::Gateway;
use super::events::{Kind, News};
use crate::ids::PersonId;
use crate::store::{Error, Once, Tune, Tuned};

/// The flags as JSON, in an event and an answer alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Flags {
    /// Whether the person does not want to be disturbed.
    pub dnd: bool,
}

impl Gateway {
    /// Switches a person's do-not-disturb, and tells their devices where it was otherwise before. Gives how it stands; nothing
    /// where there is no such person.
    ///
    /// # Errors
    /// What the store says.
    pub async fn set_dnd(
        &self,
        person: &PersonId,
        on: bool,
        once: Option<Once>,
    ) -> Result<Option<bool>, Error> {
        let tune = Tune { dnd: Some(on), ..Tune::default() };
        let tuned = self.store.tune(person.clone(), tune, self.clock.now_ms(), once).await?;
        // There are no settings in it that could have a fault.
        let Some(Ok(tuned)) = tuned else { return Ok(None) };
        self.tell_flags(person, &tuned);
        Ok(Some(tuned.personal.dnd))
    }

    /// Tells the person's devices that do-not-disturb was switched, where it was.
    pub(super) fn tell_flags(&self, person: &PersonId, tuned: &Tuned) {
        if tuned.switched {
            let flags = Flags { dnd: tuned.personal.dnd };
            self.hub.publish(person, News::of_person(Kind::Flags, flags));
        }
    }
}

//! Who the companion is to a person, changed; and everything of a person's, erased.

use super::Gateway;
use super::events::{Kind, News};
use super::settings::SettingsView;
use crate::ids::PersonId;
use crate::store::{Companion, CompanionChange, Erased, Error, InviteState, Once};

impl Gateway {
    /// Changes who the companion is to a person, and tells their devices to look at what is set. Nothing where there is no
    /// such person.
    ///
    /// # Errors
    /// What the store says.
    pub async fn change_companion(
        &self,
        person: &PersonId,
        change: CompanionChange,
        once: Option<Once>,
    ) -> Result<Option<Companion>, Error> {
        let changed = self.store.change_companion(person.clone(), change, once).await?;
        if changed.is_some()
            && let Some(personal) = self.store.settings(person.clone()).await?
        {
            let view = SettingsView::new(&personal, Vec::new());
            self.hub.publish(person, News::of_person(Kind::Settings, view));
        }
        Ok(changed)
    }

    /// Erases everything of a person's: what is said stops, what rings rings no more, and no row of theirs is left. Nothing
    /// where there is no such person.
    ///
    /// # Errors
    /// What the store says.
    pub async fn erase(&self, person: &PersonId) -> Result<Option<Erased>, Error> {
        for chat in self.store.chats(person.clone()).await? {
            self.stop(person.clone(), chat.id).await?;
        }
        if let Some(invite) = self.ringer.newest(person).await?
            && invite.state == InviteState::Pending
        {
            self.ringer.cancel(person, &invite.id, None).await?;
        }
        let Some(erased) = self.store.erase(person.clone()).await? else { return Ok(None) };
        // Whoever waits for a card is told that it is gone; a turn whose chat is gone ends by itself.
        self.desk.withdraw(erased.cards.clone());
        self.hub.forget(person);
        Ok(Some(erased))
    }
}

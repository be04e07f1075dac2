//! The companion's own calls go the one way that all invites go.

use super::escalation::watch::Inviting;
use super::escalation::{Invited, Inviter};
use super::{Invite, Refused};
use crate::gateway::Gateway;
use crate::ids::PersonId;
use crate::store::{By, InviteState};

impl Inviter for Gateway {
    fn engaged(&self, person: PersonId) -> Inviting<'_, bool> {
        Box::pin(async move {
            let newest = self.ringer.newest(&person).await?;
            let pending = newest.is_some_and(|invite| invite.state == InviteState::Pending);
            Ok(pending || self.ringer.live_call(&person).await?.is_some())
        })
    }

    fn escalate(&self, person: PersonId, reason: String) -> Inviting<'_, Invited> {
        Box::pin(async move {
            let new = Invite { reason, by: By::Escalation, chat: None, force: false };
            match self.ringer.invite(&person, new, None).await {
                Ok(_) => Ok(Invited::Rings),
                Err(Refused::Store(error)) => Err(error),
                Err(_) => Ok(Invited::Not),
            }
        })
    }
}

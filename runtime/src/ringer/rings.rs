//! From an invite to its resolution: made, rung for, answered, taken back, expired.

use std::sync::Arc;

use super::bell::Ring;
use super::burst::{Burst, Plan};
use super::deadlines::Ringing;
use super::invite::{Answer, Event, Outcome};
use super::record::one_line;
use super::view::Told;
use super::{AGAIN_MS, Invite, MAX_REASON, Refused, Ringer, Shell};
use crate::gateway::events::{Kind, News};
use crate::gateway::language;
use crate::ids::{InviteId, PersonId};
use crate::metrics::METRICS;
use crate::store::{By, Error, Invite as Kept, InviteState, NewInvite, Once, Opened, Opening, SettledInvite};

impl Ringer {
    /// Makes an invite and begins to ring, whoever asks for it. A repetition of the same request gives the first invite, as it
    /// is now.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn invite(&self, person: &PersonId, new: Invite, once: Option<Once>) -> Result<Kept, Refused> {
        let (shell, person) = (Arc::clone(&self.shell), person.clone());
        let opened = self.to_its_end(async move { shell.open(person, new, once).await }).await;
        match opened.map_err(Refused::Store)? {
            Opening::Open { invite, .. } => Ok(*invite),
            Opening::Dnd => Err(Refused::Dnd),
            Opening::Pending(invite) => Err(Refused::Busy(invite)),
            Opening::InCall(call) => Err(Refused::InCall(call)),
            Opening::NotNow => Err(Refused::NotNow),
        }
    }

    /// The person's newest invite. One whose time is over is expired first, where that has not happened yet: who finds it
    /// gone finds its voicemail.
    ///
    /// # Errors
    /// What the store says.
    pub async fn newest(&self, person: &PersonId) -> Result<Option<Kept>, Error> {
        let newest = self.shell.store.newest_invite(person.clone()).await?;
        let Some(newest) = newest else { return Ok(None) };
        if newest.state != InviteState::Pending || self.shell.clock.now_ms() < newest.plan.expires_ms {
            return Ok(Some(newest));
        }
        let settled = self.bring(person, &newest.id, Event::Tick, None).await?;
        Ok(settled.map(|settled| settled.invite))
    }

    /// Answers an invite of the person's; nothing where there is no such invite.
    ///
    /// # Errors
    /// [`Error::Reused`] when the client's own id came with another write; else what the store says.
    pub async fn answer(
        &self,
        person: &PersonId,
        id: &InviteId,
        device: Option<String>,
        answer: Answer,
        once: Option<Once>,
    ) -> Result<Option<SettledInvite>, Error> {
        self.bring(person, id, Event::Answered { device, answer }, once).await
    }

    /// Takes an invite of the person's back; nothing where there is no such invite.
    ///
    /// # Errors
    /// [`Error::Reused`] when the client's own id came with another write; else what the store says.
    pub async fn cancel(
        &self,
        person: &PersonId,
        id: &InviteId,
        once: Option<Once>,
    ) -> Result<Option<SettledInvite>, Error> {
        self.bring(person, id, Event::Cancelled, once).await
    }

    async fn bring(
        &self,
        person: &PersonId,
        id: &InviteId,
        event: Event,
        once: Option<Once>,
    ) -> Result<Option<SettledInvite>, Error> {
        let (shell, person, id) = (Arc::clone(&self.shell), person.clone(), id.clone());
        self.to_its_end(async move { shell.settle(person, &id, event, once).await }).await
    }
}

impl Shell {
    async fn open(
        self: Arc<Self>,
        person: PersonId,
        new: Invite,
        once: Option<Once>,
    ) -> Result<Opening, Error> {
        let ways = self.ways(&person).await?;
        let reason = match new.by {
            // It was told what it may be.
            By::Api => new.reason,
            By::Marker | By::Escalation => one_line(&new.reason, MAX_REASON).unwrap_or_default(),
        };
        // That of its reason, unless the person chose one; without a reason the one in which they wrote last.
        let written = (!reason.is_empty()).then(|| language::of(&reason));
        let language = ways.chosen.or(written).unwrap_or(ways.reads);
        let created_ms = self.clock.now_ms();
        let expires_ms = created_ms.saturating_add(ways.expires_ms);
        let plan = Plan { created_ms, interval_ms: ways.interval_ms, extra: ways.extra, expires_ms };
        let invite = NewInvite {
            id: InviteId::new(created_ms)?,
            person,
            chat: new.chat,
            by: new.by,
            reason,
            language,
            plan,
            rings: ways.rings,
            force: new.force,
        };
        let (id, person) = (invite.id.clone(), invite.person.clone());
        self.deadlines.prepare(id.clone(), ringing(&preview(&invite)));
        let opened = self.store.open_invite_once(invite, once).await;
        let opens = matches!(&opened, Ok(Opened { opening: Opening::Open { fresh: true, .. }, .. }));
        if !opens {
            self.deadlines.silence(&id);
        }
        let Opened { opening, expired } = opened?;
        if let Some(expired) = expired {
            self.deadlines.silence(&expired.invite.id);
            self.told(&expired);
        }
        if let (Opening::Open { invite, .. }, true) = (&opening, opens) {
            tracing::info!(invite = %invite.id, by = invite.by.word(), "a phone rings");
            METRICS.invites_opened.add_one();
            self.hub.publish(&person, News::of_person(Kind::Invite, Told::new(Some(invite), None)));
            self.deadlines.begin(&id);
        }
        Ok(opening)
    }

    /// Brings an event to an invite, and tells what came of it. Nothing rings from before it is written, so that no ring can
    /// follow what resolved it.
    pub(super) async fn settle(
        &self,
        person: PersonId,
        id: &InviteId,
        event: Event,
        once: Option<Once>,
    ) -> Result<Option<SettledInvite>, Error> {
        self.deadlines.hold(id);
        let now_ms = self.clock.now_ms();
        let settled = self.store.settle_invite_once(person, id.clone(), event, now_ms, once).await;
        match &settled {
            Ok(Some(settled)) if settled.invite.state != InviteState::Pending => {
                self.deadlines.silence(id);
                if settled.closed {
                    self.told(settled);
                }
            }
            _ => self.deadlines.release(id),
        }
        settled
    }

    /// Tells what a closed invite has come to, and what it left.
    pub(super) fn told(&self, settled: &SettledInvite) {
        let SettledInvite { invite, call, left, .. } = settled;
        tracing::info!(invite = %invite.id, state = invite.state.word(), "a phone rings no more");
        METRICS.invite_closed(invite.state);
        let news = News::of_person(Kind::Invite, Told::new(Some(invite), call.as_ref()));
        self.hub.publish(&invite.person, news);
        for message in left {
            self.hub.publish(&invite.person, News::message(Kind::Message, message));
        }
        if let Some(call) = call {
            self.deadlines.look(&call.person, &call.id, call.line.wakes_ms());
        }
    }

    /// Carries a ring; not beyond the end of its invite.
    pub(super) async fn carry(&self, ring: Ring) {
        METRICS.rings_due.add_one();
        let (bell, expires_ms) = (self.bell(), ring.expires_ms);
        tokio::select! {
            () = bell.ring(ring) => {}
            () = self.clock.sleep_until(expires_ms) => {}
        }
    }

    /// Ends an invite whose time is over. It has to happen: where the store fails, it is tried again.
    pub(super) async fn end(&self, person: PersonId, id: &InviteId) {
        match self.settle(person, id, Event::Tick, None).await {
            Ok(Some(SettledInvite { outcome: Outcome::Waiting, invite, .. })) => {
                // The clock was set back.
                self.deadlines.again(id, invite.plan.expires_ms);
            }
            Ok(Some(_)) => {}
            Ok(None) | Err(Error::Gone) => self.deadlines.silence(id),
            Err(Error::Closed) => {}
            Err(error) => {
                tracing::error!(invite = %id, %error, "an invite could not be ended; it is tried again");
                self.deadlines.again(id, self.clock.now_ms().saturating_add(AGAIN_MS));
            }
        }
    }
}

/// What the table needs of an invite.
pub(super) fn ringing(invite: &Kept) -> Ringing {
    let mut burst = Burst::new(invite.plan);
    burst.over = !invite.rings;
    Ringing {
        person: invite.person.clone(),
        reason: invite.shown_reason().to_owned(),
        language: invite.language,
        burst,
    }
}

/// An invite as it will be once it is open.
fn preview(new: &NewInvite) -> Kept {
    Kept {
        id: new.id.clone(),
        person: new.person.clone(),
        chat: new.chat.clone(),
        by: new.by,
        reason: new.reason.clone(),
        language: new.language,
        plan: new.plan,
        rings: new.rings,
        state: InviteState::Pending,
        answered_by: None,
        note: None,
        resolved_ms: None,
    }
}

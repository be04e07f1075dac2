//! What markers ask for, performed from where it was recorded: with the words, in one transaction.
//!
//! Each is performed before the devices hear that the reply is there, so that whoever asks then finds what it has done. One
//! that a stopped server left is performed by the next start, if it is not too late for it.

use handset_spec::markers::Kind;
use handset_spec_macros::text;

use super::Gateway;
use super::events::{self, News};
use crate::ids::{PersonId, TurnId};
use crate::ringer::{Invite, NoCall, Refused};
use crate::store::{By, Effect, EffectState, Error, Once, Role};

/// What came of one.
enum Outcome {
    Performed,
    /// With why.
    Refused(&'static str),
}

impl Gateway {
    /// Performs what a turn's words have asked for and is not performed yet, in their order. What the store cannot do now
    /// stays recorded, for the next start.
    pub async fn perform(&self, person: &PersonId, turn: &TurnId) {
        match self.store.effects(person.clone(), turn.clone()).await {
            Ok(effects) => {
                for effect in effects.iter().filter(|effect| effect.state == EffectState::Recorded) {
                    self.perform_one(effect).await;
                }
            }
            Err(error) => tracing::error!(%turn, %error, "a turn's markers are not performed yet"),
        }
    }

    /// Performs what the last run of the server recorded and left. What a conversation said that is over by now is refused:
    /// a phone that rings hours later for a word of then would be no gesture.
    ///
    /// # Errors
    /// What the store says.
    pub async fn perform_left(&self) -> Result<usize, Error> {
        let left = self.store.recorded_effects().await?;
        for effect in &left {
            let personal = self.store.settings(effect.person.clone()).await?.ok_or(Error::Gone)?;
            let gap = personal.settings.markers.conversation_gap;
            let gap_ms = i64::try_from(gap.as_millis()).unwrap_or(i64::MAX);
            if self.clock.now_ms().saturating_sub(effect.created_ms) >= gap_ms {
                self.settle(effect, &Outcome::Refused("late")).await;
            } else {
                self.perform_one(effect).await;
            }
        }
        Ok(left.len())
    }

    async fn perform_one(&self, effect: &Effect) {
        let performed = match effect.kind {
            Kind::Dial => self.dial(effect).await,
            Kind::Hangup => {
                let hung_up = self.ringer.hang_up(&effect.person, &effect.turn, effect.place).await;
                hung_up.map(|done| {
                    done.map_or_else(|NoCall| Outcome::Refused("no_call"), |()| Outcome::Performed)
                })
            }
            // It was read with the words that hold it, if it was: before their end, nothing is.
            Kind::ReadAloud => {
                let passage = self.store.last_passage(effect.person.clone(), effect.turn.clone()).await;
                passage.map(|read| read.map_or(Outcome::Refused("not_read"), |_| Outcome::Performed))
            }
            Kind::DndOn | Kind::DndOff => self.switch(effect, effect.kind == Kind::DndOn).await,
        };
        match performed {
            Ok(outcome) => self.settle(effect, &outcome).await,
            Err(error) => {
                tracing::error!(effect = %effect.id, kind = effect.kind.name(), %error, "a marker is not performed yet");
            }
        }
    }

    async fn dial(&self, effect: &Effect) -> Result<Outcome, Error> {
        let invite = Invite {
            reason: effect.argument.clone().unwrap_or_default(),
            by: By::Marker,
            chat: Some(effect.chat.clone()),
            force: false,
        };
        match self.ringer.invite(&effect.person, invite, Some(self.once(effect))).await {
            Ok(_) => Ok(Outcome::Performed),
            Err(Refused::Dnd) => Ok(Outcome::Refused("dnd")),
            Err(Refused::Busy(_)) => Ok(Outcome::Refused("ringing")),
            Err(Refused::InCall(_)) => Ok(Outcome::Refused("in_call")),
            Err(Refused::NotNow) => Ok(Outcome::Refused("not_now")),
            Err(Refused::Store(error)) => Err(error),
        }
    }

    async fn switch(&self, effect: &Effect, on: bool) -> Result<Outcome, Error> {
        let switched = self.set_dnd(&effect.person, on, Some(self.once(effect))).await?;
        Ok(switched.map_or(Outcome::Refused("nobody"), |_| Outcome::Performed))
    }

    /// The effect's own name for its write: one that was performed and could not be noted is not performed twice.
    fn once(&self, effect: &Effect) -> Once {
        Once { client_id: format!("effect-{}", effect.id), now_ms: self.clock.now_ms() }
    }

    /// No dead end is silent: the reply may have announced a call, and neither the person nor the companion would know
    /// that none came.
    async fn tell_blocked(&self, person: &PersonId) -> Result<(), Error> {
        let language = self.store.settings(person.clone()).await?.ok_or(Error::Gone)?.reads();
        let text = text!(call.blocked in language).to_owned();
        let told =
            self.store.house_message(person.clone(), Role::Companion, text, self.clock.now_ms()).await?;
        self.hub.publish(person, News::message(events::Kind::Message, &told));
        Ok(())
    }

    async fn settle(&self, effect: &Effect, outcome: &Outcome) {
        let (state, why) = match outcome {
            Outcome::Performed => (EffectState::Performed, None),
            Outcome::Refused(why) => (EffectState::Refused, Some((*why).to_owned())),
        };
        tracing::info!(
            effect = %effect.id, kind = effect.kind.name(), state = state.word(), why = why.as_deref(), "a marker"
        );
        let now_ms = self.clock.now_ms();
        let settled =
            self.store.settle_effect(effect.person.clone(), effect.id.clone(), state, why, now_ms).await;
        if let Err(error) = settled {
            tracing::error!(effect = %effect.id, %error, "what became of a marker could not be noted");
        }
        if let (Kind::Dial, Outcome::Refused("dnd")) = (effect.kind, outcome)
            && let Err(error) = self.tell_blocked(&effect.person).await
        {
            tracing::error!(effect = %effect.id, %error, "nobody was told that no phone rang");
        }
    }
}

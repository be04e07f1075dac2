//! From an answer to a record: what happens on the line, the companion's hanging up, the end.

use std::sync::Arc;

use super::call::Event;
use super::linger;
use super::summary::{self, Line};
use super::view::Told;
use super::ways::Ways;
use super::{AGAIN_MS, Ringer, Shell};
use crate::gateway::events::{Kind, News};
use crate::ids::{InviteId, PersonId, TurnId};
use crate::metrics::METRICS;
use crate::store::{Call, EndedBy, Error, Message, MovedCall, Once};

/// What a device says of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// It is there.
    Joined,
    /// It has played what it will play of a reply.
    Played {
        /// The reply's turn.
        turn: TurnId,
        /// How many characters of the reply, as it is shown, were heard, where it was not all.
        heard: Option<u64>,
    },
    /// The person speaks.
    Speech,
}

/// There is no call to hang up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoCall;

impl Ringer {
    /// The person's call that goes on, if one does.
    ///
    /// # Errors
    /// What the store says.
    pub async fn live_call(&self, person: &PersonId) -> Result<Option<Call>, Error> {
        self.shell.store.live_call(person.clone()).await
    }

    /// Takes what a device says of the line; nothing where the person has no such call.
    ///
    /// # Errors
    /// What the store says.
    pub async fn sign(
        &self,
        person: &PersonId,
        id: &InviteId,
        sign: Sign,
    ) -> Result<Option<MovedCall>, Error> {
        let (shell, person, id) = (Arc::clone(&self.shell), person.clone(), id.clone());
        let moving = async move {
            let ways = shell.ways(&person).await?;
            let event = match sign {
                Sign::Joined => Event::Joined,
                Sign::Speech => Event::Line(linger::Event::Speech),
                Sign::Played { turn, heard } => Event::Line(linger::Event::Played {
                    turn: turn.to_string(),
                    heard,
                    bounds: ways.linger,
                    chance: chance()?,
                }),
            };
            shell.advance(person, &id, event, &ways, None).await
        };
        self.to_its_end(moving).await
    }

    /// The person has said something in another way than on the line: a line that lingers is held for it.
    pub async fn spoke(&self, person: &PersonId) {
        let Some(call) = self.shell.deadlines.call(person) else { return };
        if let Err(error) = self.sign(person, &call, Sign::Speech).await {
            tracing::warn!(%call, %error, "a word in the midst of a call was not noted");
        }
    }

    /// The companion hangs up by a marker in a turn's reply, `at` characters into it as it is shown: once that was heard, and
    /// nobody speaks in the window behind it.
    ///
    /// # Errors
    /// [`NoCall`] inside, where no call goes on; outside, what the store says.
    pub async fn hang_up(
        &self,
        person: &PersonId,
        turn: &TurnId,
        at: u64,
    ) -> Result<Result<(), NoCall>, Error> {
        let Some(call) = self.live_call(person).await? else { return Ok(Err(NoCall)) };
        let event = Event::Line(linger::Event::Marked { turn: turn.to_string(), at });
        let (shell, person) = (Arc::clone(&self.shell), person.clone());
        let moving = async move {
            let ways = shell.ways(&person).await?;
            shell.advance(person, &call.id, event, &ways, None).await
        };
        let moved = self.to_its_end(moving).await?;
        Ok(moved.filter(|moved| moved.call.is_live()).map(drop).ok_or(NoCall))
    }

    /// Ends a call that was `length_ms` long by its device, and gives its record with it, where it leaves one. That takes as
    /// long as the summary does, where one is to be had, and no longer than the person's settings allow; the record is written
    /// whatever becomes of whoever waits for it. Nothing where the person has no such call.
    ///
    /// # Errors
    /// [`Error::Reused`] when the client's own id came with another write; else what the store says.
    pub async fn end(
        &self,
        person: &PersonId,
        id: &InviteId,
        length_ms: i64,
        transcript: Vec<Line>,
        once: Option<Once>,
    ) -> Result<Option<MovedCall>, Error> {
        self.end_by(person, id, EndedBy::Device, length_ms, transcript, once).await
    }

    /// As [`Ringer::end`], by the device or by the server in its stead.
    ///
    /// # Errors
    /// As [`Ringer::end`].
    pub async fn end_by(
        &self,
        person: &PersonId,
        id: &InviteId,
        by: EndedBy,
        length_ms: i64,
        transcript: Vec<Line>,
        once: Option<Once>,
    ) -> Result<Option<MovedCall>, Error> {
        let (shell, person, id) = (Arc::clone(&self.shell), person.clone(), id.clone());
        let ending = async move {
            let ways = shell.ways(&person).await?;
            let told = !transcript.is_empty() && shell.model.is_own();
            let event = Event::Ended { length_ms, limits: ways.limits, told, by };
            let mut moved = shell.advance(person, &id, event, &ways, once).await?;
            if let Some(moved) = &mut moved
                && moved.closed
                && let Some(due_ms) = moved.call.record_due_ms
            {
                let summary = tokio::select! {
                    summary = summary::of(&*shell.model, &transcript) => summary,
                    () = shell.clock.sleep_until(due_ms) => {
                        tracing::info!(call = %id, "a call's summary did not come in time");
                        None
                    }
                };
                moved.record = shell.record(&moved.call, summary).await;
            }
            Ok(moved)
        };
        self.to_its_end(ending).await
    }
}

impl Shell {
    /// Brings an event to a call, and tells what came of it.
    async fn advance(
        &self,
        person: PersonId,
        id: &InviteId,
        event: Event,
        ways: &Ways,
        once: Option<Once>,
    ) -> Result<Option<MovedCall>, Error> {
        let now_ms = self.clock.now_ms();
        let record_due_ms = now_ms.saturating_add(ways.summary_ms);
        let moved = self.store.move_call_once(person, id.clone(), event, record_due_ms, now_ms, once).await?;
        let Some(moved) = moved else { return Ok(None) };
        self.deadlines.look(&moved.call.person, id, moved.call.line.wakes_ms());
        if moved.closed {
            let by = moved.call.line.end.map(|end| end.by.word());
            tracing::info!(call = %id, by, outcome = moved.outcome.word(), "a call has ended");
            METRICS.calls_ended.add_one();
        }
        if moved.shown {
            let news = News::of_person(Kind::Invite, Told::new(None, Some(&moved.call)));
            self.hub.publish(&moved.call.person, news);
        }
        if let Some(record) = &moved.record {
            self.hub.publish(&moved.call.person, News::message(Kind::Message, record));
        }
        Ok(Some(moved))
    }

    /// Looks at a call whose time has come. It has to happen: where the store fails, it is tried again.
    pub(super) async fn look(&self, person: PersonId, id: &InviteId) {
        let looked = async {
            let ways = self.ways(&person).await?;
            self.advance(person.clone(), id, Event::Tick { limits: ways.limits }, &ways, None).await
        };
        match looked.await {
            Ok(Some(_)) | Err(Error::Closed) => {}
            Ok(None) | Err(Error::Gone) => self.deadlines.look(&person, id, None),
            Err(error) => {
                tracing::error!(call = %id, %error, "a call could not be looked at; it is tried again");
                self.deadlines.look(&person, id, Some(self.clock.now_ms().saturating_add(AGAIN_MS)));
            }
        }
    }

    /// Writes a record that waits for its summary, and tells it. It has to be written: where the store fails, it is tried
    /// again, as long as the server runs; the next start writes what is left.
    pub(super) async fn record(&self, call: &Call, summary: Option<String>) -> Option<Message> {
        loop {
            let now_ms = self.clock.now_ms();
            let written =
                self.store.write_record(call.person.clone(), call.id.clone(), summary.clone(), now_ms);
            match written.await {
                Ok(record) => {
                    if let Some(record) = &record {
                        self.hub.publish(&call.person, News::message(Kind::Message, record));
                    }
                    return record;
                }
                Err(Error::Closed | Error::Gone) => return None,
                Err(error) => {
                    tracing::error!(call = %call.id, %error, "a record could not be written; it is tried again");
                    self.clock.sleep_until(now_ms.saturating_add(AGAIN_MS)).await;
                }
            }
        }
    }
}

/// What the length of a window is drawn by.
fn chance() -> Result<u64, Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| crate::ids::NoRandomness)?;
    Ok(u64::from_ne_bytes(bytes))
}

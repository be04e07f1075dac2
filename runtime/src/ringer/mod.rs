//! The telephone: invites that ring, the pushes that make a phone ring, and what comes of a call.
//!
//! | file | what |
//! |---|---|
//! | [`invite`], [`burst`], [`linger`], [`call`] | pure machines: `(state, event, now) → (state, effects)` |
//! | [`record`] | what a call leaves, by its length |
//! | `deadlines` | what is due when, and the one timer for all of it |
//! | [`bell`] | who carries a ring to a device |
//! | [`summary`] | the line that says what a call was about |
//! | [`escalation`] | whether the companion calls of its own accord |
//! | [`ways`] | a person's settings, as far as calls go |
//! | [`view`] | invites and calls as JSON |
//!
//! What is decided is decided in the store, in one transaction with what it leaves. Here stands what has to happen in time.

pub mod bell;
pub mod burst;
pub mod call;
mod deadlines;
mod engaged;
pub mod escalation;
pub mod invite;
mod lines;
pub mod linger;
pub mod push;
pub mod record;
mod recover;
mod rings;
pub mod summary;
pub mod view;
pub mod ways;

use std::sync::{Arc, OnceLock};

use tokio::task::AbortHandle;

use self::bell::{Bell, Silent};
use self::deadlines::{Deadlines, Due};
pub use self::lines::{NoCall, Sign};
use self::ways::Ways;
use crate::clock::Clock;
use crate::gateway::events::Hub;
use crate::gateway::model::Model;
use crate::ids::{ChatId, PersonId};
use crate::store::{By, Call, Error, Invite as Kept, Store};

/// How many characters a reason may have: what a phone shows of an incoming call.
pub const MAX_REASON: usize = 200;
/// How long a write is waited with that has to happen and failed, in milliseconds.
const AGAIN_MS: i64 = 1_000;

/// An invite to make.
#[derive(Debug, Clone)]
pub struct Invite {
    /// Why it rings, in one line; blank where nobody said. What a model wrote is made one, and cut at [`MAX_REASON`].
    pub reason: String,
    /// What asks for it.
    pub by: By,
    /// The chat whose reply asks for it.
    pub chat: Option<ChatId>,
    /// Whether it comes in spite of do-not-disturb.
    pub force: bool,
}

/// Why an invite was not made.
#[derive(Debug, Clone)]
pub enum Refused {
    /// The person does not want to be disturbed.
    Dnd,
    /// Another invite is pending.
    Busy(Box<Kept>),
    /// A call goes on.
    InCall(Box<Call>),
    /// The companion may not call of its own accord just now.
    NotNow,
    /// The store failed.
    Store(Error),
}

/// The ringer of this server.
pub struct Ringer {
    shell: Arc<Shell>,
    /// The one task that hands out what is due; begun with the first invite or call.
    watch: OnceLock<AbortHandle>,
}

struct Shell {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    hub: Arc<Hub>,
    model: Arc<dyn Model>,
    bell: OnceLock<Arc<dyn Bell>>,
    deadlines: Deadlines,
}

impl Ringer {
    /// A ringer whose bell is silent.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, hub: Arc<Hub>, model: Arc<dyn Model>) -> Self {
        let (bell, deadlines) = (OnceLock::new(), Deadlines::default());
        Self { shell: Arc::new(Shell { store, clock, hub, model, bell, deadlines }), watch: OnceLock::new() }
    }

    /// Hangs a bell, once, before anything rings; one that hangs already stays.
    pub fn hang(&self, bell: Arc<dyn Bell>) {
        if self.shell.bell.set(bell).is_err() {
            tracing::error!("there is a bell already");
        }
    }

    /// A person's ways with calls.
    ///
    /// # Errors
    /// What the store says.
    pub async fn ways(&self, person: &PersonId) -> Result<Ways, Error> {
        self.shell.ways(person).await
    }

    /// Rings no more and ends nothing: what is pending stays so in the store, for the next start.
    pub fn stop(&self) {
        self.shell.deadlines.stop();
    }

    /// How many invites are pending and calls go on, as far as this server knows.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shell.deadlines.len()
    }

    /// Begins to look at the time.
    fn watch(&self) {
        self.watch.get_or_init(|| {
            let shell = Arc::clone(&self.shell);
            let watch = async move {
                let hand_out = |due| shell.due(due);
                shell.deadlines.watch(&*shell.clock, hand_out).await;
            };
            tokio::spawn(watch).abort_handle()
        });
    }

    /// Does something to its end, even where whoever asked for it goes away: what is committed has to be told.
    async fn to_its_end<T: Send + 'static>(
        &self,
        what: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        self.watch();
        // It fails only where it panicked, or where the server goes down.
        tokio::spawn(what).await.unwrap_or(Err(Error::Closed))
    }
}

impl Drop for Ringer {
    fn drop(&mut self) {
        if let Some(watch) = self.watch.get() {
            watch.abort();
        }
    }
}

impl Shell {
    fn bell(&self) -> Arc<dyn Bell> {
        self.bell.get().cloned().unwrap_or_else(|| Arc::new(Silent))
    }

    async fn ways(&self, person: &PersonId) -> Result<Ways, Error> {
        let personal = self.store.settings(person.clone()).await?.ok_or(Error::Gone)?;
        Ok(Ways::new(&personal))
    }

    /// Does what is due, each in a task of its own: whatever it takes, the next is in time.
    fn due(self: &Arc<Self>, due: Due) {
        let shell = Arc::clone(self);
        match due {
            Due::Ring(ring) => drop(tokio::spawn(async move { shell.carry(ring).await })),
            Due::End(person, id) => drop(tokio::spawn(async move { shell.end(person, &id).await })),
            Due::Look(person, id) => drop(tokio::spawn(async move { shell.look(person, &id).await })),
        }
    }
}

#[cfg(test)]
mod tests;

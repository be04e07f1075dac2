//! Where a message goes: into its turn, through the model, onto a phone's card, and back as a reply.

pub mod calls;
pub mod companion;
pub mod demo;
pub mod desk;
mod effects;
pub mod events;
pub mod flags;
pub mod language;
pub mod lines;
pub mod model;
mod reading;
pub mod settings;
mod speech;
pub mod system;
pub mod turn;
mod turns;
pub mod view;
pub mod voice;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;

use self::desk::Desk;
use self::events::Hub;
use self::lines::Lines;
use self::model::Model;
use self::speech::Speech;
use self::system::System;
use self::turns::Turns;
use crate::clock::Clock;
use crate::ids::ChatId;
use crate::ringer::Ringer;
use crate::store::Store;

/// Everything that a turn needs, shared by all requests.
pub struct Gateway {
    /// What is kept.
    pub store: Arc<dyn Store>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Where events go.
    pub hub: Arc<Hub>,
    /// Where cards wait.
    pub desk: Desk,
    /// Who rings.
    pub ringer: Ringer,
    /// Who speaks.
    pub model: Arc<dyn Model>,
    /// What the model reads first.
    pub system: System,
    /// The calls that are alive.
    pub lines: Lines,
    /// The chats that have a turn under way.
    queues: Mutex<HashMap<ChatId, Queue>>,
    /// The turns under way.
    turns: Turns,
}

/// A chat's turns that have not ended.
struct Queue {
    /// The number of the last one.
    number: u64,
    /// Resolves when the last one has ended: the next one waits for it.
    ended: oneshot::Receiver<()>,
    /// The speech of the one that runs.
    speech: Option<Arc<Speech>>,
}

impl Gateway {
    /// A gateway over a store, with the spec's own persona.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        hub: Arc<Hub>,
        model: Arc<dyn Model>,
    ) -> Arc<Self> {
        Self::with_system(store, clock, hub, model, System::new(None))
    }

    /// A gateway whose companion has a persona of the operator's.
    #[must_use]
    pub fn with_system(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        hub: Arc<Hub>,
        model: Arc<dyn Model>,
        system: System,
    ) -> Arc<Self> {
        let desk = Desk::new(Arc::clone(&store), Arc::clone(&clock), Arc::clone(&hub));
        let ringer =
            Ringer::new(Arc::clone(&store), Arc::clone(&clock), Arc::clone(&hub), Arc::clone(&model));
        let (lines, queues, turns) = (Lines::default(), Mutex::default(), Turns::default());
        Arc::new(Self { store, clock, hub, desk, ringer, model, system, lines, queues, turns })
    }

    /// Whether the end is being prepared: what comes now is kept, and answered after the next start.
    #[must_use]
    pub fn draining(&self) -> bool {
        self.turns.stopping()
    }

    /// Prepares the end: no turn begins any more, those that wait for a card are left for the next start, and those whose
    /// model speaks have so long to end. Gives how many had not.
    pub async fn drain(&self, within: Duration) -> usize {
        self.turns.stop();
        self.desk.stop();
        self.ringer.stop();
        self.turns.ended(within).await
    }
}

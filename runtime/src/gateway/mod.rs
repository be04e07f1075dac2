//! Where a message goes: into its turn, through the model, onto a phone's card, and back as a reply.

pub mod calls;
pub mod demo;
pub mod desk;
pub mod events;
pub mod model;
pub mod turn;
mod turns;
pub mod view;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;

use self::desk::Desk;
use self::events::Hub;
use self::model::Model;
use self::turns::Turns;
use crate::clock::Clock;
use crate::ids::ChatId;
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
    /// Who speaks.
    pub model: Arc<dyn Model>,
    /// The last turn of each chat that has one running: the next one waits for it.
    tails: Mutex<HashMap<ChatId, Tail>>,
    /// The turns under way.
    turns: Turns,
}

/// The end of a chat's queue of turns.
struct Tail {
    number: u64,
    /// Resolves when that turn has ended.
    ended: oneshot::Receiver<()>,
}

impl Gateway {
    /// A gateway over a store.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        hub: Arc<Hub>,
        model: Arc<dyn Model>,
    ) -> Arc<Self> {
        let desk = Desk::new(Arc::clone(&store), Arc::clone(&clock), Arc::clone(&hub));
        Arc::new(Self { store, clock, hub, desk, model, tails: Mutex::default(), turns: Turns::default() })
    }

    /// Prepares the end: no turn begins any more, those that wait for a card are left for the next start, and those whose
    /// model speaks have so long to end. Gives how many had not.
    pub async fn drain(&self, within: Duration) -> usize {
        self.turns.stop();
        self.desk.stop();
        self.turns.ended(within).await
    }
}

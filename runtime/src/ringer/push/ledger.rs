//! What became of rings, on its way to the store: gathered, so that no send waits for a commit and one transaction takes
//! many.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::store::{SentRing, Store};

/// How many rings may wait. Were the store to stand still for longer, the newest are not kept, and nothing else is lost.
const WAITING: usize = 65_536;
/// How many rings share a write.
const BATCH: usize = 256;
/// How long a ring waits for others.
const GATHER: Duration = Duration::from_millis(50);

enum Entry {
    Ring(Box<SentRing>),
    /// Told once everything before it is kept.
    Mark(oneshot::Sender<()>),
}

/// The way to the store.
#[derive(Clone)]
pub(super) struct Ledger(mpsc::Sender<Entry>);

impl Ledger {
    pub(super) fn start(store: Arc<dyn Store>) -> Self {
        let (sender, entries) = mpsc::channel(WAITING);
        tokio::spawn(keep(store, entries));
        Self(sender)
    }

    pub(super) fn note(&self, ring: SentRing) {
        if self.0.try_send(Entry::Ring(Box::new(ring))).is_err() {
            tracing::warn!("a ring was not kept: the store is behind");
        }
    }

    /// Resolves once everything that was noted is kept.
    pub(super) async fn settled(&self) {
        let (mark, reached) = oneshot::channel();
        if self.0.send(Entry::Mark(mark)).await.is_ok() {
            // The keeper ends with the process alone.
            let _ = reached.await;
        }
    }
}

async fn keep(store: Arc<dyn Store>, mut entries: mpsc::Receiver<Entry>) {
    let mut taken = Vec::with_capacity(BATCH);
    while entries.recv_many(&mut taken, BATCH).await > 0 {
        let is_marked = |taken: &[Entry]| taken.iter().any(|entry| matches!(entry, Entry::Mark(_)));
        if taken.len() < BATCH && !is_marked(&taken) {
            let gathered = async {
                while taken.len() < BATCH && !is_marked(&taken) {
                    let Some(entry) = entries.recv().await else { return };
                    taken.push(entry);
                }
            };
            // What has come by then is kept.
            let _ = tokio::time::timeout(GATHER, gathered).await;
        }
        let mut marks = Vec::new();
        let mut rings = Vec::with_capacity(taken.len());
        for entry in taken.drain(..) {
            match entry {
                Entry::Ring(ring) => rings.push(*ring),
                Entry::Mark(mark) => marks.push(mark),
            }
        }
        let count = rings.len();
        if count > 0
            && let Err(error) = store.keep_rings(rings).await
        {
            tracing::warn!(count, %error, "what became of some rings was not kept");
        }
        for mark in marks {
            // Whoever waited may have gone.
            let _ = mark.send(());
        }
    }
}

//! Who waits for which card, and the one timer that wakes them all.
//!
//! A waiting card costs its entry here and the turn that waits, nothing else: no timer of its own, no copy of the card.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use crate::clock::Clock;
use crate::ids::CardId;
use crate::store::Card;

/// Why a waiter is woken.
#[derive(Debug)]
pub(super) enum Woken {
    /// The card was closed.
    Closed(Box<Card>),
    /// Its time is over; the waiter brings the tick.
    Due,
}

/// Resolves when the card is closed or due; an error means that the card is gone.
pub(super) type Ticket = oneshot::Receiver<Woken>;

#[derive(Default)]
struct Table {
    waiters: HashMap<Arc<CardId>, Waiter>,
    /// The same cards by the moment in which they end.
    ends: BTreeSet<(i64, Arc<CardId>)>,
    stopped: bool,
}

struct Waiter {
    ends_ms: i64,
    wake: oneshot::Sender<Woken>,
}

/// The table of those who wait. A name stands in it once.
#[derive(Default)]
pub(super) struct Waiting {
    table: Mutex<Table>,
    /// Told when the first end has become an earlier one.
    sooner: Notify,
}

impl Waiting {
    /// Begins to wait for a card, until `ends_ms`.
    pub(super) fn enter(&self, card: Arc<CardId>, ends_ms: i64) -> Ticket {
        let (wake, ticket) = oneshot::channel();
        let mut table = self.table();
        if table.stopped {
            // The ticket's other half goes with this call.
            return ticket;
        }
        let first = table.ends.first().is_none_or(|(first, _)| ends_ms < *first);
        table.ends.insert((ends_ms, Arc::clone(&card)));
        table.waiters.insert(card, Waiter { ends_ms, wake });
        drop(table);
        if first {
            self.sooner.notify_one();
        }
        ticket
    }

    /// Takes a waiter off the table; with `why` it is told.
    pub(super) fn leave(&self, card: &CardId, why: Option<Woken>) {
        let mut table = self.table();
        let Some((card, waiter)) = table.waiters.remove_entry(card) else { return };
        table.ends.remove(&(waiter.ends_ms, card));
        drop(table);
        if let Some(why) = why {
            // A turn that was cut off waits no more; the result stands in the store.
            let _ = waiter.wake.send(why);
        }
    }

    /// Takes everybody off the table, and nobody on any more.
    pub(super) fn stop(&self) {
        let mut table = self.table();
        *table = Table { stopped: true, ..Table::default() };
    }

    /// Whether it was stopped.
    pub(super) fn stopped(&self) -> bool {
        self.table().stopped
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.table().waiters.len()
    }

    /// Wakes each waiter when its time is over, for ever.
    pub(super) async fn watch(&self, clock: &dyn Clock) {
        loop {
            let first = self.table().ends.first().map(|(ends_ms, _)| *ends_ms);
            let Some(ends_ms) = first else {
                self.sooner.notified().await;
                continue;
            };
            tokio::select! {
                () = self.sooner.notified() => {}
                () = clock.sleep_until(ends_ms) => self.wake_due(clock.now_ms()),
            }
        }
    }

    fn wake_due(&self, now_ms: i64) {
        let mut table = self.table();
        while let Some((ends_ms, _)) = table.ends.first()
            && *ends_ms <= now_ms
            && let Some((_, card)) = table.ends.pop_first()
        {
            if let Some(waiter) = table.waiters.remove(&*card) {
                let _ = waiter.wake.send(Woken::Due);
            }
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Its two halves change together, and nothing between them panics.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;

    fn card(name: &str) -> Arc<CardId> {
        Arc::new(CardId::from_text(name))
    }

    /// Each is woken in its own time, whatever the order in which they came; who has left is not.
    #[tokio::test]
    async fn woken_when_due() {
        let (waiting, clock) = (Arc::new(Waiting::default()), Arc::new(ManualClock::new(0)));
        let mut late = waiting.enter(card("late"), 300);
        let watch = {
            let (waiting, clock) = (Arc::clone(&waiting), Arc::clone(&clock));
            tokio::spawn(async move { waiting.watch(&*clock).await })
        };
        let soon = waiting.enter(card("soon"), 100);
        let gone = waiting.enter(card("gone"), 100);
        waiting.leave(&card("gone"), None);
        assert!(gone.await.is_err());
        clock.advance(100);
        assert!(matches!(soon.await, Ok(Woken::Due)));
        assert!(late.try_recv().is_err());
        assert_eq!(waiting.len(), 1);
        clock.advance(200);
        assert!(matches!(late.await, Ok(Woken::Due)));
        // With nobody left it waits for the next one.
        let next = waiting.enter(card("next"), 301);
        clock.advance(1);
        assert!(matches!(next.await, Ok(Woken::Due)));
        assert_eq!((waiting.len(), waiting.table().ends.len()), (0, 0));
        watch.abort();
    }
}

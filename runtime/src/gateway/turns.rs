//! The turns that are under way, counted so that a stop can wait for them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use crate::metrics::{Held, METRICS};

/// The count of turns under way, and whether any more may begin.
#[derive(Debug, Default)]
pub(super) struct Turns {
    running: watch::Sender<usize>,
    stopping: AtomicBool,
}

/// A turn under way, as long as it lives.
#[derive(Debug)]
pub(super) struct Running<'a> {
    turns: &'a Turns,
    _counted: Held,
}

impl Turns {
    /// Counts a turn; nothing once the server stops: the turn stands in the store for the next start.
    pub(super) fn enter(&self) -> Option<Running<'_>> {
        // Counted before the flag is read: a stop either sees this turn or this turn sees the stop.
        self.running.send_modify(|running| *running += 1);
        let running = Running { turns: self, _counted: METRICS.turns_running.hold() };
        (!self.stopping.load(Ordering::SeqCst)).then_some(running)
    }

    /// Lets no more begin.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    /// Whether no more may begin.
    pub(super) fn stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Waits until none is under way, at most so long. Gives how many still are.
    pub(super) async fn ended(&self, within: Duration) -> usize {
        let mut running = self.running.subscribe();
        // The sender is here, so the channel cannot be closed; what remains after the time is told.
        let _ = tokio::time::timeout(within, running.wait_for(|running| *running == 0)).await;
        *self.running.borrow()
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.turns.running.send_modify(|running| *running = running.saturating_sub(1));
    }
}

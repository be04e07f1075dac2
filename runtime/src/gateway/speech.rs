//! Whether the companion is speaking in a chat, and the sign to stop.
//!
//! Only speech can be stopped. While a card waits nothing is said: what the person types then is taken and the card
//! stays, and the turn goes on when the card is closed.

use std::sync::atomic::{AtomicU8, Ordering};

use tokio::sync::Notify;

/// The model speaks, or is about to.
const SPEAKING: u8 = 0;
/// A card waits.
const AT_DESK: u8 = 1;
/// The model was told to stop.
const HUSHED: u8 = 2;

/// A turn's speech. Small: each turn whose card waits has one.
#[derive(Debug, Default)]
pub(super) struct Speech {
    state: AtomicU8,
    sign: Notify,
}

impl Speech {
    /// A turn that is about to speak.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Tells it to stop; false where nothing is being said.
    pub(super) fn hush(&self) -> bool {
        let hushes =
            self.state.compare_exchange(SPEAKING, HUSHED, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if hushes {
            self.sign.notify_waiters();
        }
        hushes
    }

    /// Resolves once it is told to stop.
    pub(super) async fn hushed(&self) {
        loop {
            // A waiter exists from here on, so a sign that comes behind the look is not missed.
            let sign = self.sign.notified();
            if self.state.load(Ordering::SeqCst) == HUSHED {
                return;
            }
            sign.await;
        }
    }

    /// A card is laid down. A sign that came since the model finished its calls came, in effect, while the card waits.
    pub(super) fn at_desk(&self) {
        self.state.store(AT_DESK, Ordering::SeqCst);
    }

    /// The card is closed, and the model speaks again.
    pub(super) fn speaks(&self) {
        self.state.store(SPEAKING, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_speech_can_be_stopped() {
        let speech = Speech::new();
        speech.at_desk();
        assert!(!speech.hush(), "a card waits");
        speech.speaks();
        assert!(speech.hush());
        assert!(!speech.hush(), "once");
        speech.hushed().await;
        speech.at_desk();
        speech.speaks();
        assert!(speech.hush(), "the sign before the card is forgotten");
    }
}

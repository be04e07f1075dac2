//! Whether the companion is speaking in a chat, and the sign to stop.
//!
//! Only speech can be stopped. While a card waits nothing is said: what the person types then is taken and the card
//! stays, and the turn goes on when the card is closed.

use tokio::sync::watch;

/// Where a turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The model speaks, or is about to.
    Speaking,
    /// A card waits.
    AtDesk,
    /// The model was told to stop.
    Hushed,
}

/// A turn's speech.
#[derive(Debug)]
pub(super) struct Speech(watch::Sender<State>);

impl Speech {
    /// A turn that is about to speak.
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(State::Speaking))
    }

    /// Tells it to stop; false where nothing is being said.
    pub(super) fn hush(&self) -> bool {
        self.0.send_if_modified(|state| {
            let speaking = *state == State::Speaking;
            if speaking {
                *state = State::Hushed;
            }
            speaking
        })
    }

    /// Resolves once it is told to stop.
    pub(super) async fn hushed(&self) {
        // The sender is this speech, so it cannot be gone.
        let _ = self.0.subscribe().wait_for(|state| *state == State::Hushed).await;
    }

    /// A card is laid down. A sign that came since the model finished its calls came, in effect, while the card waits.
    pub(super) fn at_desk(&self) {
        self.0.send_replace(State::AtDesk);
    }

    /// The card is closed, and the model speaks again.
    pub(super) fn speaks(&self) {
        self.0.send_replace(State::Speaking);
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

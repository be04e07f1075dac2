//! The phone desk: lays cards down, waits for their answers, and performs what [`slip`] decides.

pub mod slip;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use self::slip::{Event, GRACE_MS};
use super::events::{Hub, Kind, News};
use crate::clock::Clock;
use crate::ids::{CardId, PersonId};
use crate::store::{Card, CardState, Error, NewCard, Once, Settled, Store};

/// The desk of this server. What is decided is decided in the store; here stand only those who wait for it.
pub struct Desk {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    hub: Arc<Hub>,
    waiting: Mutex<HashMap<CardId, oneshot::Sender<Card>>>,
}

impl Desk {
    /// An empty desk.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, hub: Arc<Hub>) -> Self {
        Self { store, clock, hub, waiting: Mutex::default() }
    }

    /// Puts a card to the person and gives it back closed: answered, or ended after its deadline and the grace.
    ///
    /// # Errors
    /// [`Error::Gone`] when the chat was deleted meanwhile; else what the store says.
    pub async fn ask(&self, card: NewCard) -> Result<Card, Error> {
        let (person, id, ends_ms) = (card.person.clone(), card.id.clone(), card.deadline_ms + GRACE_MS);
        // Before the card can be seen, so that no answer is too early.
        let (waiter, mut answered) = oneshot::channel();
        self.waiting().insert(id.clone(), waiter);
        let _leaves = Leaves { desk: self, card: &id };
        let card = self.store.open_card(card).await?;
        self.hub.publish(&person, News::card(Kind::Card, &card));
        tracing::info!(card = %id, "a card waits");
        loop {
            tokio::select! {
                closed = &mut answered => return closed.map_err(|_| Error::Gone),
                () = self.clock.sleep_until(ends_ms) => {}
            }
            let settled = self.bring(&person, &id, Event::Tick).await?.ok_or(Error::Gone)?;
            if settled.card.state != CardState::Pending {
                return Ok(settled.card);
            }
        }
    }

    /// Brings an event to a card of the person's; nothing where there is no such card.
    ///
    /// # Errors
    /// What the store says.
    pub async fn bring(
        &self,
        person: &PersonId,
        card: &CardId,
        event: Event,
    ) -> Result<Option<Settled>, Error> {
        self.bring_once(person, card, event, None).await
    }

    /// As [`Desk::bring`]; with a client's own id, a repetition is told the first outcome and changes nothing.
    ///
    /// # Errors
    /// [`Error::Reused`] when the id came with another write; else what the store says.
    pub async fn bring_once(
        &self,
        person: &PersonId,
        card: &CardId,
        event: Event,
        once: Option<Once>,
    ) -> Result<Option<Settled>, Error> {
        let now_ms = self.clock.now_ms();
        let settled = self.store.settle_once(person.clone(), card.clone(), event, now_ms, once).await?;
        if let Some(settled) = &settled
            && settled.closed
        {
            tracing::info!(card = %card, state = settled.card.state.word(), "a card is closed");
            self.hub.publish(person, News::card(Kind::CardClosed, &settled.card));
            if let Some(result) = &settled.result {
                self.hub.publish(person, News::message(Kind::Result, result));
            }
            if let Some(waiter) = self.waiting().remove(card) {
                // A turn that was cut off waits no more; the result stands in the store.
                let _ = waiter.send(settled.card.clone());
            }
        }
        Ok(settled)
    }

    /// Takes the cards of a deleted chat off their devices; whoever waits for them is told that they are gone.
    pub fn withdraw(&self, cards: Vec<Card>) {
        for mut card in cards {
            card.state = CardState::NoAnswer;
            card.closed_ms = Some(self.clock.now_ms());
            self.hub.publish(&card.person, News::card(Kind::CardClosed, &card));
            self.waiting().remove(&card.id);
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<CardId, oneshot::Sender<Card>>> {
        // The map is whole whatever panicked beside it.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the waiter off the desk however the waiting ends.
struct Leaves<'a> {
    desk: &'a Desk,
    card: &'a CardId,
}

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.desk.waiting().remove(self.card);
    }
}

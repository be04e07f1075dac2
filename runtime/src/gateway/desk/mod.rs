//! The phone desk: lays cards down, waits for their answers, and performs what [`slip`] decides.

pub mod slip;
mod waiting;

use std::future::Future;
use std::sync::{Arc, OnceLock};

use tokio::task::AbortHandle;

use self::slip::{Event, GRACE_MS, Outcome};
use self::waiting::{Ticket, Waiting, Woken};
use super::events::{Hub, Kind, News};
use crate::clock::Clock;
use crate::ids::{CardId, PersonId};
use crate::metrics::METRICS;
use crate::store::{Card, CardState, Error, NewCard, Once, Settled, Store};

/// The desk of this server. What is decided is decided in the store; here stand only those who wait for it.
pub struct Desk {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    hub: Arc<Hub>,
    waiting: Arc<Waiting>,
    /// The one task that wakes whose time is over; begun with the first card.
    watch: OnceLock<AbortHandle>,
}

/// A card that lies on the desk.
struct Laid<'a> {
    leaves: Leaves<'a>,
    ends_ms: i64,
    ticket: Ticket,
}

impl Desk {
    /// An empty desk.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, hub: Arc<Hub>) -> Self {
        Self { store, clock, hub, waiting: Arc::default(), watch: OnceLock::new() }
    }

    /// Puts a card to the person and gives it back closed: answered, or ended after its deadline and the grace.
    ///
    /// What the future holds while it waits is a ticket and two ids: cards wait by the ten thousand.
    ///
    /// # Errors
    /// [`Error::Gone`] when the chat was deleted meanwhile, [`Error::Closed`] when the server stops; else what the store says.
    pub fn ask<'a>(
        &'a self,
        person: &'a PersonId,
        card: NewCard,
    ) -> impl Future<Output = Result<Box<Card>, Error>> + Send + 'a {
        // On the heap, where it goes when it is done: inline it would stay a part of what waits.
        let laying = Box::pin(self.lay(card));
        async move {
            let Laid { leaves, ends_ms, mut ticket } = laying.await?;
            loop {
                match (&mut ticket).await {
                    Ok(Woken::Closed(card)) => return Ok(card),
                    Ok(Woken::Due) => {}
                    Err(_) if self.waiting.stopped() => return Err(Error::Closed),
                    Err(_) => return Err(Error::Gone),
                }
                let settled = Box::pin(self.bring(person, &leaves.card, Event::Tick)).await?;
                let settled = settled.ok_or(Error::Gone)?;
                if settled.card.state != CardState::Pending {
                    return Ok(Box::new(settled.card));
                }
                ticket = self.waiting.enter(Arc::clone(&leaves.card), ends_ms);
            }
        }
    }

    /// Lays a card down. Its waiter stands there before the card can be seen, so that no answer is too early.
    async fn lay(&self, card: NewCard) -> Result<Laid<'_>, Error> {
        self.watch.get_or_init(|| {
            let (waiting, clock) = (Arc::clone(&self.waiting), Arc::clone(&self.clock));
            tokio::spawn(async move { waiting.watch(&*clock).await }).abort_handle()
        });
        let ends_ms = card.deadline_ms.saturating_add(GRACE_MS);
        if self.waiting.stopped() {
            return Err(Error::Closed);
        }
        let id = Arc::new(card.id.clone());
        let ticket = self.waiting.enter(Arc::clone(&id), ends_ms);
        let leaves = Leaves { desk: self, card: id };
        let card = self.store.open_card(card).await?;
        self.hub.publish(&card.person, News::card(Kind::Card, &card));
        METRICS.cards_opened.add_one();
        tracing::info!(card = %card.id, "a card waits");
        Ok(Laid { leaves, ends_ms, ticket })
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
        if settled.as_ref().is_some_and(|settled| settled.outcome == Outcome::TooLate) {
            tracing::info!(card = %card, "an answer came too late");
            METRICS.answers_too_late.add_one();
        }
        if let Some(settled) = &settled
            && settled.closed
        {
            tracing::info!(card = %card, state = settled.card.state.word(), "a card is closed");
            METRICS.card_closed(settled.card.state);
            self.hub.publish(person, News::card(Kind::CardClosed, &settled.card));
            if let Some(result) = &settled.result {
                self.hub.publish(person, News::message(Kind::Result, result));
            }
            self.waiting.leave(card, Some(Woken::Closed(Box::new(settled.card.clone()))));
        }
        Ok(settled)
    }

    /// Takes the cards of a deleted chat off their devices; whoever waits for them is told that they are gone.
    pub fn withdraw(&self, cards: Vec<Card>) {
        for mut card in cards {
            card.state = CardState::NoAnswer;
            card.closed_ms = Some(self.clock.now_ms());
            self.hub.publish(&card.person, News::card(Kind::CardClosed, &card));
            self.waiting.leave(&card.id, None);
            METRICS.cards_withdrawn.add_one();
        }
    }

    /// Sends home whoever waits, and lays no more cards. The cards stay open in the store for the next start.
    pub fn stop(&self) {
        self.waiting.stop();
    }

    /// How many cards wait here for their answers.
    #[must_use]
    pub fn waiting_cards(&self) -> usize {
        self.waiting.len()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if let Some(watch) = self.watch.get() {
            watch.abort();
        }
    }
}

/// Takes the waiter off the desk however the waiting ends.
struct Leaves<'a> {
    desk: &'a Desk,
    card: Arc<CardId>,
}

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.desk.waiting.leave(&self.card, None);
    }
}

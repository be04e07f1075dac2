//! What is kept of the phone desk.

use super::{Answer, Card, NewCard, Once, Settled};
use crate::gateway::desk::slip;
use crate::ids::{CardId, PersonId, TurnId};

/// Cards, and the one winner of each.
pub trait Cards: Send + Sync {
    /// Lays a card on the desk.
    fn open_card(&self, card: NewCard) -> Answer<'_, Card>;
    /// One card of the person's.
    fn card(&self, person: PersonId, card: CardId) -> Answer<'_, Option<Card>>;
    /// The person's open cards, oldest first; with a device, those that this device shows.
    fn open_cards(&self, person: PersonId, device: Option<String>) -> Answer<'_, Vec<Card>>;
    /// Every card of one turn, by call and part.
    fn turn_cards(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Card>>;
    /// Brings an event to a card. One winner: the card changes from pending once, and where the call has no further
    /// part, its result is recorded in the same transaction. Nothing where the person has no such card.
    /// A repetition is told the first outcome, and changes nothing.
    fn settle_once(
        &self,
        person: PersonId,
        card: CardId,
        event: slip::Event,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<Settled>>;
    /// Brings an event to a card, not to be repeated.
    fn settle(
        &self,
        person: PersonId,
        card: CardId,
        event: slip::Event,
        now_ms: i64,
    ) -> Answer<'_, Option<Settled>> {
        self.settle_once(person, card, event, now_ms, None)
    }
}

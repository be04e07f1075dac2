//! What is kept, behind a trait that names no database: persons, tokens, chats, messages, turns, cards.
//!
//! Every row has its owner, and every question names the person who asks: another person's row is not there. Times are
//! milliseconds since the Unix epoch.

mod error;
mod records;
pub mod sqlite;

use std::future::Future;
use std::pin::Pin;

pub use error::Error;
pub use records::{
    Bearer, Begun, Card, CardState, Chat, CodeKind, Device, DeviceKind, Ending, Kind, Message, Mode, NewCard,
    NewChat, NewCode, NewDevice, NewEntry, NewMessage, NewPerson, NewToken, Once, Person, Redeem, Redeemed,
    Role, Settled, Turn, TurnState, join_results, mark,
};

use crate::gateway::desk::slip;
use crate::ids::{CardId, ChatId, DeviceId, PersonId, TurnId};

/// What every method gives: a future that can be awaited on any thread.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// The store. A write is answered once it is committed.
pub trait Store: Send + Sync + 'static {
    /// Makes a person. Names need not differ.
    fn create_person(&self, name: String, now_ms: i64) -> Answer<'_, PersonId>;
    /// The person who was made first: the operator of this server.
    fn first_person(&self) -> Answer<'_, Option<PersonId>>;
    /// Gives a person a token; one that bore the same name is no longer known.
    fn add_token(&self, token: NewToken) -> Answer<'_, ()>;
    /// Everybody, in the order in which they came. For the operator alone.
    fn persons(&self) -> Answer<'_, Vec<Person>>;
    /// One person.
    fn person(&self, person: PersonId) -> Answer<'_, Option<Person>>;
    /// Adds a person; nothing where somebody is called so.
    fn add_person(&self, by: PersonId, person: NewPerson, once: Option<Once>) -> Answer<'_, Option<Person>>;
    /// The person's devices, in the order in which they were added.
    fn devices(&self, person: PersonId) -> Answer<'_, Vec<Device>>;
    /// One device of the person's.
    fn device(&self, person: PersonId, device: DeviceId) -> Answer<'_, Option<Device>>;
    /// Adds a device; nothing where the person has one that is called so. Repeated with another hash, it is
    /// [`Error::Gone`]: the first token is kept nowhere.
    fn add_device(&self, by: PersonId, device: NewDevice, once: Option<Once>) -> Answer<'_, Option<Device>>;
    /// Takes a device's token away; false where the person has no such device. The operator's own token stays.
    fn revoke_device(
        &self,
        by: PersonId,
        person: PersonId,
        device: DeviceId,
        once: Option<Once>,
    ) -> Answer<'_, bool>;
    /// Notes that a device was seen; within a minute of the last note, nothing is written.
    fn saw_device(&self, device: DeviceId, now_ms: i64) -> Answer<'_, ()>;
    /// Keeps a one-time code and gives the moment until which it holds.
    fn open_code(&self, code: NewCode) -> Answer<'_, i64>;
    /// Redeems a code for a device; nothing where it is not known, used, or past its time.
    fn redeem(&self, code: Redeem) -> Answer<'_, Option<Redeemed>>;
    /// Who bears the token with this SHA-256 hash (hexadecimal digits).
    fn bearer(&self, hash: String) -> Answer<'_, Option<Bearer>>;

    /// Opens a chat. A repetition gives the first one, as it is now; [`Error::Gone`] once that was deleted.
    fn create_chat_once(&self, chat: NewChat, once: Option<Once>) -> Answer<'_, Chat>;
    /// Opens a chat.
    fn create_chat(&self, chat: NewChat) -> Answer<'_, Chat> {
        self.create_chat_once(chat, None)
    }
    /// The person's chats, newest first.
    fn chats(&self, person: PersonId) -> Answer<'_, Vec<Chat>>;
    /// One chat of the person's.
    fn chat(&self, person: PersonId, chat: ChatId) -> Answer<'_, Option<Chat>>;
    /// Deletes a chat with all that is in it; gives the cards that were open, or nothing where there is no such chat.
    /// A repetition gives no cards.
    fn delete_chat_once(
        &self,
        person: PersonId,
        chat: ChatId,
        once: Option<Once>,
    ) -> Answer<'_, Option<Vec<Card>>>;
    /// Deletes a chat, not to be repeated.
    fn delete_chat(&self, person: PersonId, chat: ChatId) -> Answer<'_, Option<Vec<Card>>> {
        self.delete_chat_once(person, chat, None)
    }
    /// A chat's messages with a sequence number greater than `after`, in order, at most `limit`.
    fn messages(&self, person: PersonId, chat: ChatId, after: i64, limit: i64) -> Answer<'_, Vec<Message>>;

    /// Takes a person's message and begins its turn. A `client_id` seen before gives the first message and turn again.
    fn begin_turn(&self, message: NewMessage) -> Answer<'_, Option<Begun>>;
    /// One turn of the person's.
    fn turn(&self, person: PersonId, turn: TurnId) -> Answer<'_, Option<Turn>>;
    /// The turns that had not ended, of all persons, oldest first. For the start of the server alone.
    fn unfinished_turns(&self) -> Answer<'_, Vec<Turn>>;
    /// Counts one more start of a turn and gives the number.
    fn count_start(&self, person: PersonId, turn: TurnId) -> Answer<'_, i64>;
    /// What the companion reads in this turn: turns that began earlier, whole, then this one.
    fn history(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Message>>;
    /// The messages of one turn, in order.
    fn turn_messages(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Message>>;
    /// Adds what the companion said and called, all of it or nothing.
    fn append(
        &self,
        person: PersonId,
        turn: TurnId,
        entries: Vec<NewEntry>,
        now_ms: i64,
    ) -> Answer<'_, Vec<Message>>;
    /// Records a call's result. The first one stays: a second gives nothing.
    fn record_result(
        &self,
        person: PersonId,
        turn: TurnId,
        call_id: String,
        text: String,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>>;
    /// Ends a turn, with its reply where it has one. A turn that has ended stays as it is and gives nothing.
    fn finish_turn(
        &self,
        person: PersonId,
        turn: TurnId,
        ending: Ending,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>>;

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

    /// Writes and reads back: whether the store can do its work now.
    fn check(&self, now_ms: i64) -> Answer<'_, ()>;
    /// Finishes what was taken and closes.
    fn close(&self) -> Answer<'_, ()>;
}

#[cfg(test)]
mod tests;

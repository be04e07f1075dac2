//! What is kept, behind a trait that names no database: persons, tokens, chats, messages, turns, cards.
//!
//! Every row has its owner, and every question names the person who asks: another person's row is not there. Times are
//! milliseconds since the Unix epoch.

mod cards;
mod chats;
mod error;
mod people;
mod records;
mod settings;
pub mod sqlite;
mod turns;

use std::future::Future;
use std::pin::Pin;

pub use cards::Cards;
pub use chats::Chats;
pub use error::Error;
pub use people::People;
pub use records::{Bearer, Begun, Card, CardState, Chat, CodeKind, Device, DeviceKind, Ending, Glance, Kind, LastWords, Message, Mode, NewCard, NewChat, NewCode, NewDevice, NewEntry, NewMessage, NewPerson, NewToken, Once, Person, Personal, Redeem, Redeemed, Role, Settled, Standing, Tune, TuneFault, Tuned, Turn, TurnState, Words, join_results, mark};
pub use settings::Tuning;
pub use turns::Turns;

/// What every method gives: a future that can be awaited on any thread.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// The store. A write is answered once it is committed.
pub trait Store: People + Chats + Turns + Cards + Tuning + 'static {
    /// Why nothing can be written, where the store was opened to be read alone. What it does not hold then may have been
    /// lost.
    fn degraded(&self) -> Option<&str> {
        None
    }
    /// Writes and reads back: whether the store can do its work now.
    fn check(&self, now_ms: i64) -> Answer<'_, ()>;
    /// Finishes what was taken and closes.
    fn close(&self) -> Answer<'_, ()>;
}

#[cfg(test)]
mod tests;

//! What is kept, behind a trait that names no database: persons, tokens, chats, messages, turns, cards, calls.
//!
//! Every row has its owner, and every question names the person who asks: another person's row is not there. Times are
//! milliseconds since the Unix epoch.

mod belongings;
mod cards;
mod chats;
mod companions;
mod effects;
mod error;
mod invites;
mod lines;
mod people;
mod readings;
mod records;
mod settings;
mod spoken;
pub mod sqlite;
mod subscriptions;
mod turns;
mod voices;

use std::future::Future;
use std::pin::Pin;

pub use belongings::{Belongings, Sink};
pub use cards::Cards;
pub use chats::Chats;
pub use companions::Companions;
pub use effects::Effects;
pub use error::Error;
pub use invites::Invites;
pub use lines::Lines;
pub use people::People;
pub use readings::Readings;
pub use records::{
    Arrival, Bearer, Begun, By, Call, CallState, Card, CardState, Chat, CodeKind, Companion, CompanionChange,
    Device, DeviceKind, Effect, EffectState, EndedBy, Ending, Erased, Fate, Glance, InSpeech, Invite,
    InviteState, Kept, Kind, LastPassage, LastWords, Message, Mode, MovedCall, NewCard, NewChat, NewCode,
    NewDevice, NewEffect, NewEntry, NewInvite, NewMessage, NewPassage, NewPerson, NewReading,
    NewSubscription, NewToken, Once, Opened, Opening, Person, Personal, Picture, PictureKind, PictureMark,
    Progress, RangCall, Reading, ReadingChange, Redeem, Redeemed, RingOutcome, Rings, Role, SentRing,
    Settled, SettledInvite, SpokenTurn, Standing, Subscribed, Subscription, Tune, TuneFault, Tuned, Turn,
    TurnState, Voice, VoiceClip, Words, budget, join_results, mark,
};
pub use settings::Tuning;
pub use spoken::{Spoken, SpokenDay};
pub use subscriptions::Subscriptions;
pub use turns::Turns;
pub use voices::Voices;

/// What every method gives: a future that can be awaited on any thread.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// The store. A write is answered once it is committed.
pub trait Store:
    People
    + Companions
    + Belongings
    + Chats
    + Turns
    + Cards
    + Tuning
    + Spoken
    + Subscriptions
    + Invites
    + Effects
    + Lines
    + Voices
    + Readings
    + 'static
{
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

//! The rows as Rust, without a word about how they are kept.

mod call;
mod card;
mod companion;
mod effect;
mod ending;
mod glance;
mod line;
mod person;
mod push;
mod reading;
mod settings;
mod voice;
mod words;

pub use call::{Call, Invite, MovedCall, NewInvite, Opened, Opening, SettledInvite};
pub use card::{Card, NewCard, Settled, join_results};
pub use companion::{Companion, CompanionChange, Erased, Picture, PictureMark, RangCall};
pub use effect::{Effect, InSpeech, NewEffect, budget};
pub use ending::{Ending, mark};
pub use glance::{Glance, LastWords};
pub use line::{Kept, Progress, SpokenTurn, Voice};
pub use person::{Bearer, Device, NewCode, NewDevice, NewPerson, NewToken, Once, Person, Redeem, Redeemed};
pub use push::{Arrival, NewSubscription, Rings, SentRing, Subscribed, Subscription};
pub use reading::{LastPassage, NewPassage, NewReading, Reading, ReadingChange};
pub use settings::{Personal, Standing, Tune, TuneFault, Tuned, Words};
pub use voice::VoiceClip;
pub use words::{
    By, CallState, CardState, CodeKind, DeviceKind, EffectState, EndedBy, Fate, InviteState, Kind, Mode,
    PictureKind, RingOutcome, Role, TurnState,
};

use crate::ids::{ChatId, MessageId, PersonId, TurnId};

/// A chat to open.
#[derive(Debug, Clone)]
pub struct NewChat {
    /// Whose it is.
    pub person: PersonId,
    /// What it is for.
    pub kind: Kind,
    /// Its mode.
    pub mode: Mode,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// When it was made.
    pub now_ms: i64,
}

/// A chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chat {
    /// Its id.
    pub id: ChatId,
    /// Whose it is.
    pub person: PersonId,
    /// What it is for.
    pub kind: Kind,
    /// Its mode.
    pub mode: Mode,
    /// Its title.
    pub title: Option<String>,
    /// The sequence number of the first message that came with the phone's capability: from it on the phone's tool is
    /// offered, for the rest of the chat (document 1, section 1).
    pub offered_since: Option<i64>,
    /// When it was pinned, if it is: what is said outside of any chat goes there.
    pub pinned_ms: Option<i64>,
    /// When it was made.
    pub created_ms: i64,
}

/// A person's message to take.
#[derive(Debug, Clone)]
pub struct NewMessage {
    /// Whose it is.
    pub person: PersonId,
    /// Into which chat.
    pub chat: ChatId,
    /// The words.
    pub text: String,
    /// What the client that sent it declared.
    pub capabilities: Vec<String>,
    /// Whether the phone's capability is among them.
    pub from_phone: bool,
    /// The device that it came from.
    pub device: Option<String>,
    /// The client's own id for it: sent again, it is the same message.
    pub client_id: Option<String>,
    /// How it was said, where it was spoken in a call.
    pub voice: Option<Voice>,
    /// When it came.
    pub now_ms: i64,
}

/// A message that was taken, and its turn.
#[derive(Debug, Clone)]
pub struct Begun {
    /// The message as stored.
    pub message: Message,
    /// Its turn.
    pub turn: Turn,
    /// False when this client id had come before.
    pub fresh: bool,
}

/// A message of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// Whose it is.
    pub person: PersonId,
    /// Its chat.
    pub chat: ChatId,
    /// Its turn.
    pub turn: TurnId,
    /// Its place in the chat, from 1.
    pub seq: i64,
    /// Whose words it holds.
    pub role: Role,
    /// The words; of a call, the arguments.
    pub text: String,
    /// The tool's name, of a call.
    pub tool: Option<String>,
    /// Which call it is, or is the result of.
    pub call_id: Option<String>,
    /// What the client declared with it.
    pub capabilities: Vec<String>,
    /// The device that it came from.
    pub device: Option<String>,
    /// The client's own id.
    pub client_id: Option<String>,
    /// Why the companion's words are not a whole reply: [`mark::INTERRUPTED`], or the code with which its turn failed.
    pub mark: Option<String>,
    /// How it was said, where it was spoken in a call.
    pub voice: Option<Box<Voice>>,
    /// When it was stored.
    pub created_ms: i64,
}

/// What the companion adds to its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewEntry {
    /// Words.
    Words(String),
    /// Words that were cut off.
    Unfinished {
        /// The words.
        text: String,
        /// Why.
        mark: String,
    },
    /// A call.
    Call {
        /// Unique in the chat.
        call_id: String,
        /// The tool's name as the model wrote it.
        tool: String,
        /// The arguments.
        arguments: String,
    },
    /// A marker that stood in the words; no message of its own.
    Effect(NewEffect),
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// Whose it is.
    pub person: PersonId,
    /// Its chat.
    pub chat: ChatId,
    /// The sequence number of the message that it answers.
    pub message_seq: i64,
    /// Where it stands.
    pub state: TurnState,
    /// Why it was interrupted or failed.
    pub code: Option<String>,
    /// How often it was started: once, and once more for each restart of the server that cut it off.
    pub starts: i64,
}

//! What an event tells, and how it is written.

use serde::Serialize;

use crate::gateway::view::{CardView, MessageView};
use crate::ids::{ChatId, TurnId};
use crate::store::{Card, Message};

/// What an event tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A message was stored: the person's, or words of the companion before a call.
    Message,
    /// A piece of what the companion says.
    Delta,
    /// The companion has called a tool.
    Call,
    /// A card waits on a phone.
    Card,
    /// A card has left the phone.
    CardClosed,
    /// A call has its result.
    Result,
    /// The turn's reply is stored; the turn is over.
    Reply,
    /// The turn ended without a reply.
    Failed,
    /// An invite, or the call that came of one, stands differently.
    Invite,
    /// A person has set something.
    Settings,
    /// A person has switched do-not-disturb.
    Flags,
}

impl Kind {
    /// The event's name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Delta => "delta",
            Self::Call => "call",
            Self::Card => "card",
            Self::CardClosed => "card_closed",
            Self::Result => "result",
            Self::Reply => "reply",
            Self::Failed => "failed",
            Self::Invite => "invite",
            Self::Settings => "settings",
            Self::Flags => "flags",
        }
    }

    /// Whether a turn's stream ends with it.
    #[must_use]
    pub const fn ends_turn(self) -> bool {
        matches!(self, Self::Reply | Self::Failed)
    }
}

/// One event.
#[derive(Debug)]
pub struct Event {
    /// Its number, from 1, for its person.
    pub number: u64,
    /// What it tells.
    pub kind: Kind,
    /// The turn that it belongs to, if it belongs to one.
    pub turn: Option<TurnId>,
    /// The one device that it is for, if it is for one.
    pub device: Option<String>,
    /// Its data, JSON in one line.
    pub data: String,
}

/// An event that has no number yet.
#[derive(Debug)]
pub struct News {
    pub(super) kind: Kind,
    pub(super) turn: Option<TurnId>,
    pub(super) device: Option<String>,
    pub(super) data: String,
}

#[derive(Serialize)]
struct Data<'a, T: Serialize> {
    chat: &'a str,
    turn: &'a str,
    #[serde(flatten)]
    rest: T,
}

#[derive(Serialize)]
struct WithMessage {
    message: MessageView,
}

#[derive(Serialize)]
struct WithCard {
    card: CardView,
}

#[derive(Serialize)]
struct WithText<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct WithFault<'a> {
    code: &'a str,
    message: &'a str,
}

impl News {
    fn new(kind: Kind, chat: &ChatId, turn: &TurnId, device: Option<String>, rest: impl Serialize) -> Self {
        let data = Data { chat: chat.as_str(), turn: turn.as_str(), rest };
        Self { kind, turn: Some(turn.clone()), device, data: written(&data) }
    }

    /// News that belongs to no turn: for every device of the person.
    pub fn of_person(kind: Kind, data: impl Serialize) -> Self {
        Self { kind, turn: None, device: None, data: written(&data) }
    }

    /// A stored message.
    #[must_use]
    pub fn message(kind: Kind, message: &Message) -> Self {
        Self::new(kind, &message.chat, &message.turn, None, WithMessage { message: message.into() })
    }

    /// A card, opened or closed.
    #[must_use]
    pub fn card(kind: Kind, card: &Card) -> Self {
        Self::new(kind, &card.chat, &card.turn, card.device.clone(), WithCard { card: card.into() })
    }

    /// A piece of text.
    #[must_use]
    pub fn delta(chat: &ChatId, turn: &TurnId, text: &str) -> Self {
        Self::new(Kind::Delta, chat, turn, None, WithText { text })
    }

    /// Its data, JSON in one line.
    #[must_use]
    pub fn data(&self) -> &str {
        &self.data
    }

    /// A turn that ended without a reply.
    #[must_use]
    pub fn failed(chat: &ChatId, turn: &TurnId, code: &str, message: &str) -> Self {
        Self::new(Kind::Failed, chat, turn, None, WithFault { code, message })
    }
}

fn written(data: &impl Serialize) -> String {
    // Strings and numbers under string keys: there is nothing in it that JSON cannot say.
    serde_json::to_string(data).unwrap_or_else(|_| "{}".to_owned())
}

//! The rows as Rust, without a word about how they are kept.

use serde::{Deserialize, Serialize};

use crate::gateway::desk::slip::Outcome;
use crate::ids::{CardId, ChatId, MessageId, PersonId, TurnId};

/// An enum that is kept as a word.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant),*
        }

        impl $name {
            /// Every value, in the order of their meaning.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word that it is kept and sent as.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Reads the word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// What a chat is for. Only a `chat` has a person in front of it.
    Kind {
        /// A person talks with the companion.
        Chat = "chat",
        /// A schedule started it; nobody attends.
        Schedule = "schedule",
        /// Another companion started it; nobody attends.
        Subagent = "subagent",
    }
}

words! {
    /// How much a chat's companion may change by itself. No mode refuses a phone action (document 1, section 1).
    Mode {
        /// It acts.
        Act = "act",
        /// It plans and changes nothing on disk.
        Plan = "plan",
    }
}

words! {
    /// Whose words a message holds.
    Role {
        /// The person's.
        Person = "person",
        /// The companion's.
        Companion = "companion",
        /// A call of the companion's; the text is its arguments.
        Call = "call",
        /// The result of a call.
        Result = "result",
    }
}

words! {
    /// Where a turn stands.
    TurnState {
        /// It goes on, or waits for an earlier turn of its chat.
        Running = "running",
        /// Its reply is stored.
        Finished = "finished",
        /// It ended without a reply.
        Failed = "failed",
    }
}

words! {
    /// Where a card stands. It leaves `pending` once.
    CardState {
        /// Waiting for the person.
        Pending = "pending",
        /// The person confirmed, and the phone carried it out.
        Done = "done",
        /// The person said no.
        Declined = "declined",
        /// The phone could not.
        Failed = "failed",
        /// No answer came in time.
        NoAnswer = "no_answer",
    }
}

/// Who bears a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    /// The person.
    pub person: PersonId,
    /// The device that the token was made for, if for one.
    pub device: Option<String>,
}

/// A token to keep; the token itself never comes here.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Whose it is.
    pub person: PersonId,
    /// SHA-256 of the token, as hexadecimal digits.
    pub hash: String,
    /// What the person calls it.
    pub name: String,
    /// The one device that bears it, if it is one's.
    pub device: Option<String>,
    /// When it was made.
    pub now_ms: i64,
}

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
    /// When it was stored.
    pub created_ms: i64,
}

/// What the companion adds to its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewEntry {
    /// Words.
    Words(String),
    /// A call.
    Call {
        /// Unique in the chat.
        call_id: String,
        /// The tool's name as the model wrote it.
        tool: String,
        /// The arguments.
        arguments: String,
    },
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
    /// How often it was started: once, and once more for each restart of the server that cut it off.
    pub starts: i64,
}

/// A card to lay on the desk.
#[derive(Debug, Clone)]
pub struct NewCard {
    /// Its id: made beforehand, so that whoever waits for the answer can wait before anybody may give it.
    pub id: CardId,
    /// Whose it is.
    pub person: PersonId,
    /// Its chat.
    pub chat: ChatId,
    /// Its turn.
    pub turn: TurnId,
    /// Its call.
    pub call_id: String,
    /// Which part of the call, from 0: one call may hold several objects.
    pub part: i64,
    /// The device that shows it; none means every device of the person's.
    pub device: Option<String>,
    /// The tool's name.
    pub tool: String,
    /// The call as the phone receives it, JSON.
    pub call: String,
    /// The line that the phone shows.
    pub summary: String,
    /// When it was made.
    pub created_ms: i64,
    /// Until when it may be answered.
    pub deadline_ms: i64,
    /// The results of the call's earlier parts, joined.
    pub before: String,
    /// Where this is the call's last card: what stands behind its own result (refusals of later parts, joined).
    pub after: Option<String>,
}

/// A card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Its id.
    pub id: CardId,
    /// Whose it is.
    pub person: PersonId,
    /// Its chat.
    pub chat: ChatId,
    /// Its turn.
    pub turn: TurnId,
    /// Its call.
    pub call_id: String,
    /// Which part of the call, from 0.
    pub part: i64,
    /// The device that shows it; none means every device of the person's.
    pub device: Option<String>,
    /// The tool's name.
    pub tool: String,
    /// The call as the phone receives it, JSON.
    pub call: String,
    /// The line that the phone shows.
    pub summary: String,
    /// When it was made.
    pub created_ms: i64,
    /// Until when it may be answered.
    pub deadline_ms: i64,
    /// Where it stands.
    pub state: CardState,
    /// What the phone said, as cleaned and cut.
    pub message: Option<String>,
    /// The results of the call's earlier parts, joined.
    pub before: String,
    /// Where this is the call's last card: what stands behind its own result.
    pub after: Option<String>,
    /// Its own result text, once it is closed.
    pub result: Option<String>,
    /// When it was closed.
    pub closed_ms: Option<i64>,
}

/// Joins the results of a call's parts: those that say something, a blank line between.
#[must_use]
pub fn join_results<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

impl Card {
    /// The result of the whole call, where this is its last card and it is closed.
    #[must_use]
    pub fn call_result(&self) -> Option<String> {
        let (own, after) = (self.result.as_deref()?, self.after.as_deref()?);
        Some(join_results([self.before.as_str(), own, after]))
    }
}

/// What became of an event at a card.
#[derive(Debug, Clone)]
pub struct Settled {
    /// The outcome for the one who brought the event.
    pub outcome: Outcome,
    /// The card as it stands now.
    pub card: Card,
    /// Whether this event closed it.
    pub closed: bool,
    /// The call's result, where this event brought it.
    pub result: Option<Message>,
}

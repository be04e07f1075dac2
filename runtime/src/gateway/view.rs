//! Records as the API and the event streams show them.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::clock::rfc3339;
use crate::store::{Card, Chat, Message};
use crate::voice::tone::Emotion;

/// A moment, for people and for programs.
fn moment(ms: i64) -> String {
    rfc3339(ms)
}

/// A chat as JSON.
#[derive(Debug, Serialize)]
pub struct ChatView {
    id: String,
    kind: &'static str,
    mode: &'static str,
    title: Option<String>,
    /// Whether the phone's tool is offered in it.
    offered: bool,
    /// Whether what is said outside of any chat goes here.
    pinned: bool,
    created_at: String,
    created_at_ms: i64,
}

impl From<&Chat> for ChatView {
    fn from(chat: &Chat) -> Self {
        Self {
            id: chat.id.to_string(),
            kind: chat.kind.word(),
            mode: chat.mode.word(),
            title: chat.title.clone(),
            offered: chat.offered_since.is_some(),
            pinned: chat.pinned_ms.is_some(),
            created_at: moment(chat.created_ms),
            created_at_ms: chat.created_ms,
        }
    }
}

/// A message as JSON. What it does not have is left out.
#[derive(Debug, Serialize)]
pub struct MessageView {
    id: String,
    chat: String,
    turn: String,
    seq: i64,
    role: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    capabilities: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<String>,
    /// Why the words are not a whole reply: `interrupted`, or the code with which the turn failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    /// Of words that were spoken in a call: the feeling that was heard, what stood out in the voice, and both in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    emotion: Option<Emotion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feeling: Option<String>,
    created_at: String,
    created_at_ms: i64,
}

impl From<&Message> for MessageView {
    fn from(message: &Message) -> Self {
        Self {
            id: message.id.to_string(),
            chat: message.chat.to_string(),
            turn: message.turn.to_string(),
            seq: message.seq,
            role: message.role.word(),
            text: message.text.clone(),
            tool: message.tool.clone(),
            call_id: message.call_id.clone(),
            capabilities: message.capabilities.clone(),
            device: message.device.clone(),
            client_id: message.client_id.clone(),
            mark: message.mark.clone(),
            emotion: message.voice.as_ref().and_then(|voice| voice.emotion),
            tone: message.voice.as_ref().and_then(|voice| voice.tone.clone()),
            feeling: message.voice.as_ref().and_then(|voice| voice.feeling.clone()),
            created_at: moment(message.created_ms),
            created_at_ms: message.created_ms,
        }
    }
}

/// A card as JSON; `call` is what the phone carries out: `{"action", "summary", FIELD: …}`.
#[derive(Debug, Serialize)]
pub struct CardView {
    id: String,
    chat: String,
    turn: String,
    call_id: String,
    part: i64,
    device: Option<String>,
    tool: String,
    call: Option<Box<RawValue>>,
    summary: String,
    state: &'static str,
    message: Option<String>,
    created_at: String,
    created_at_ms: i64,
    deadline: String,
    deadline_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_at: Option<String>,
}

impl From<&Card> for CardView {
    fn from(card: &Card) -> Self {
        Self {
            id: card.id.to_string(),
            chat: card.chat.to_string(),
            turn: card.turn.to_string(),
            call_id: card.call_id.clone(),
            part: card.part,
            device: card.device.clone(),
            tool: card.tool.clone(),
            // What the reader wrote is JSON; were it not, the card would show no call rather than break the stream.
            call: RawValue::from_string(card.call.clone()).ok(),
            summary: card.summary.clone(),
            state: card.state.word(),
            message: card.message.clone(),
            created_at: moment(card.created_ms),
            created_at_ms: card.created_ms,
            deadline: moment(card.deadline_ms),
            deadline_ms: card.deadline_ms,
            closed_at: card.closed_ms.map(moment),
        }
    }
}

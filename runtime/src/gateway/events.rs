//! What happens, as numbered events for each person: live streams and resumed ones read the same ring.
//!
//! An event's id is `epoch-counter`. The epoch is drawn at each start of the server, the counter is the person's own: an
//! id from another start, another person, or from before what is still kept, is answered with `resync`, and the client
//! reads the state from the API. (facts.md, "Streams to phones".)

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use tokio::sync::watch;

use super::view::{CardView, MessageView};
use crate::ids::{ChatId, NoRandomness, PersonId, TurnId, secret};
use crate::store::{Card, Message};

/// How many of a person's events are kept for a stream that comes back.
const KEPT: usize = 4096;

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
    /// The turn that it belongs to.
    pub turn: TurnId,
    /// The one device that it is for, if it is for one.
    pub device: Option<String>,
    /// Its data, JSON in one line.
    pub data: String,
}

/// An event that has no number yet.
#[derive(Debug)]
pub struct News {
    kind: Kind,
    turn: TurnId,
    device: Option<String>,
    data: String,
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
        // Strings and numbers under string keys: there is nothing in it that JSON cannot say.
        let data = serde_json::to_string(&data).unwrap_or_else(|_| "{}".to_owned());
        Self { kind, turn: turn.clone(), device, data }
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

/// Everybody's events.
#[derive(Debug)]
pub struct Hub {
    epoch: String,
    rooms: Mutex<HashMap<PersonId, Arc<Room>>>,
}

#[derive(Debug)]
struct Room {
    ring: Mutex<VecDeque<Arc<Event>>>,
    /// The number of the newest event; who waits for more waits here.
    newest: watch::Sender<u64>,
}

impl Hub {
    /// An empty hub with a new epoch.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn new() -> Result<Self, NoRandomness> {
        let mut epoch = secret()?;
        epoch.truncate(8);
        Ok(Self { epoch, rooms: Mutex::default() })
    }

    /// The id of an event on the wire.
    #[must_use]
    pub fn id(&self, number: u64) -> String {
        format!("{}-{number}", self.epoch)
    }

    /// Tells a person's streams.
    pub fn publish(&self, person: &PersonId, news: News) {
        let room = self.room(person);
        // A poisoned lock means that a push panicked; the ring itself is whole.
        let mut ring = room.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let number = ring.back().map_or(0, |event| event.number) + 1;
        if ring.len() == KEPT {
            ring.pop_front();
        }
        let News { kind, turn, device, data } = news;
        ring.push_back(Arc::new(Event { number, kind, turn, device, data }));
        drop(ring);
        room.newest.send_modify(|newest| *newest = number.max(*newest));
    }

    /// Follows a person's events from now on.
    #[must_use]
    pub fn follow(&self, person: &PersonId) -> Follower {
        let room = self.room(person);
        let newest = room.newest.subscribe();
        let cursor = *newest.borrow();
        Follower { room, cursor, newest, lost: false }
    }

    /// Follows a person's events from behind the one with this id on.
    #[must_use]
    pub fn resume(&self, person: &PersonId, id: &str) -> Follower {
        let mut follower = self.follow(person);
        let number = id
            .strip_prefix(self.epoch.as_str())
            .and_then(|rest| rest.strip_prefix('-'))
            .and_then(|number| number.parse::<u64>().ok());
        match number {
            Some(number) if number <= follower.cursor => follower.cursor = number,
            _ => follower.lost = true,
        }
        follower
    }

    /// Follows a person's events from the oldest that is kept.
    #[must_use]
    pub fn replay(&self, person: &PersonId) -> Follower {
        let mut follower = self.follow(person);
        let ring = follower.room.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let before = ring.front().map_or(follower.cursor, |event| event.number - 1);
        drop(ring);
        follower.cursor = before;
        follower
    }

    fn room(&self, person: &PersonId) -> Arc<Room> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = rooms.get(person) {
            return Arc::clone(room);
        }
        let room = Arc::new(Room { ring: Mutex::default(), newest: watch::Sender::new(0) });
        rooms.insert(person.clone(), Arc::clone(&room));
        room
    }
}

/// What a follower reads next.
#[derive(Debug)]
pub enum Next {
    /// An event.
    Event(Arc<Event>),
    /// Events were missed that are not kept any more: the client reads the state anew. The number is the newest one.
    Resync(u64),
}

/// One reader of a person's events. It holds a place in the ring, never a queue of its own.
#[derive(Debug)]
pub struct Follower {
    room: Arc<Room>,
    cursor: u64,
    newest: watch::Receiver<u64>,
    lost: bool,
}

impl Follower {
    /// The number of the last event behind it.
    #[must_use]
    pub fn place(&self) -> u64 {
        self.cursor
    }

    /// The next event, once there is one.
    pub async fn next(&mut self) -> Next {
        loop {
            if let Some(next) = self.ready() {
                return next;
            }
            if self.newest.changed().await.is_err() {
                // The room lives as long as its followers do, so the sender cannot have gone; wait like a quiet stream.
                std::future::pending::<()>().await;
            }
        }
    }

    fn ready(&mut self) -> Option<Next> {
        let ring = self.room.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = ring.back().map_or(0, |event| event.number);
        let oldest = ring.front().map_or(1, |event| event.number);
        if std::mem::take(&mut self.lost) || self.cursor + 1 < oldest {
            self.cursor = newest;
            return Some(Next::Resync(newest));
        }
        let behind = usize::try_from(self.cursor + 1 - oldest).ok()?;
        let event = ring.get(behind)?;
        self.cursor = event.number;
        Some(Next::Event(Arc::clone(event)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> PersonId {
        PersonId::from_text(name)
    }

    fn say(hub: &Hub, who: &str, text: &str) {
        hub.publish(&person(who), News::delta(&ChatId::from_text("c"), &TurnId::from_text("t"), text));
    }

    async fn text(follower: &mut Follower) -> String {
        match follower.next().await {
            Next::Event(event) => event.data.clone(),
            Next::Resync(number) => format!("resync {number}"),
        }
    }

    #[tokio::test]
    async fn a_follower_reads_what_comes_in_order() {
        let hub = Hub::new().unwrap();
        say(&hub, "a", "before");
        let mut follower = hub.follow(&person("a"));
        say(&hub, "a", "one");
        say(&hub, "b", "of another person");
        say(&hub, "a", "two");
        assert_eq!(text(&mut follower).await, r#"{"chat":"c","turn":"t","text":"one"}"#);
        assert_eq!(text(&mut follower).await, r#"{"chat":"c","turn":"t","text":"two"}"#);
    }

    /// P133: a known id goes on behind it; one of another start of the server means nothing here.
    #[tokio::test]
    async fn p133_resuming_by_id() {
        let hub = Hub::new().unwrap();
        for word in ["one", "two", "three"] {
            say(&hub, "a", word);
        }
        assert!(text(&mut hub.resume(&person("a"), &hub.id(2))).await.contains("three"));
        assert_eq!(text(&mut hub.resume(&person("a"), "00000000-2")).await, "resync 3");
        assert_eq!(text(&mut hub.resume(&person("a"), &hub.id(4))).await, "resync 3");
        assert_eq!(text(&mut hub.resume(&person("a"), "nonsense")).await, "resync 3");
    }

    /// P135: an id counts for its owner alone; another's number replays nothing of theirs.
    #[tokio::test]
    async fn p135_replay_is_scoped_to_the_owner() {
        let hub = Hub::new().unwrap();
        say(&hub, "a", "secret");
        say(&hub, "b", "mine");
        let mut follower = hub.resume(&person("b"), &hub.id(0));
        assert!(text(&mut follower).await.contains("mine"));
    }

    #[tokio::test]
    async fn what_is_no_longer_kept_is_a_resync() {
        let hub = Hub::new().unwrap();
        let mut slow = hub.follow(&person("a"));
        for _ in 0..=KEPT {
            say(&hub, "a", "x");
        }
        assert_eq!(text(&mut slow).await, format!("resync {}", KEPT + 1));
        say(&hub, "a", "next");
        assert!(text(&mut slow).await.contains("next"));
    }
}

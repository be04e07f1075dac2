//! What happens, as numbered events for each person: live streams and resumed ones read the same ring.
//!
//! An event's id is `epoch-counter`. The epoch is a person's own, drawn anew at each start of the server, and so is the
//! counter: an id from another start, of another person, or from before what is still kept, is answered with `resync`,
//! and the client reads the state from the API.

mod news;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

pub use news::{Event, Kind, News};

use sha2::{Digest as _, Sha256};

use crate::ids::{NoRandomness, PersonId, hex, secret};

/// How many of a person's events are kept for a stream that comes back.
const KEPT: usize = 4096;
/// How many bytes of data they may have together; the newest is kept whatever it has.
const KEPT_BYTES: usize = 2 * 1024 * 1024;

/// Everybody's events.
#[derive(Debug)]
pub struct Hub {
    /// Drawn at this start; each person's epoch is made from it.
    seed: String,
    closed: AtomicBool,
    rooms: Mutex<HashMap<PersonId, Arc<Room>>>,
}

#[derive(Debug)]
struct Room {
    epoch: String,
    ring: Mutex<Ring>,
    /// The number of the newest event; who waits for more waits here.
    newest: watch::Sender<u64>,
}

/// The newest events, bounded by number and by size.
#[derive(Debug, Default)]
struct Ring {
    events: VecDeque<Arc<Event>>,
    bytes: usize,
}

impl Ring {
    fn newest(&self) -> u64 {
        self.events.back().map_or(0, |event| event.number)
    }

    fn oldest(&self) -> Option<u64> {
        self.events.front().map(|event| event.number)
    }

    fn push(&mut self, event: Event) {
        self.bytes += event.data.len();
        self.events.push_back(Arc::new(event));
        while self.events.len() > KEPT || (self.bytes > KEPT_BYTES && self.events.len() > 1) {
            let gone = self.events.pop_front();
            self.bytes -= gone.map_or(0, |event| event.data.len());
        }
    }
}

impl Room {
    fn ring(&self) -> std::sync::MutexGuard<'_, Ring> {
        // A poisoned lock means that a push panicked; the ring itself is whole.
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hub {
    /// An empty hub with new epochs.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn new() -> Result<Self, NoRandomness> {
        Ok(Self { seed: secret()?, closed: AtomicBool::new(false), rooms: Mutex::default() })
    }

    /// Tells nothing more: the streams end behind what they were told. A turn that goes on nevertheless is begun anew at
    /// the next start.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Tells a person's streams.
    pub fn publish(&self, person: &PersonId, news: News) {
        if self.closed.load(Ordering::Relaxed) {
            return;
        }
        let room = self.room(person);
        let mut ring = room.ring();
        let number = ring.newest() + 1;
        let News { kind, turn, device, data } = news;
        ring.push(Event { number, kind, turn, device, data });
        drop(ring);
        room.newest.send_modify(|newest| *newest = number.max(*newest));
    }

    /// Forgets what happened to a person who is no more. Who follows them still is told nothing further.
    pub fn forget(&self, person: &PersonId) {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).remove(person);
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
            .strip_prefix(follower.room.epoch.as_str())
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
        let oldest = follower.room.ring().oldest();
        follower.cursor = oldest.map_or(follower.cursor, |number| number - 1);
        follower
    }

    fn room(&self, person: &PersonId) -> Arc<Room> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = rooms.get(person) {
            return Arc::clone(room);
        }
        // Made from the person as well, so that another's id is no place in this ring, whatever its number (P135).
        let mut epoch = hex(&Sha256::digest(format!("{}:{person}", self.seed)));
        epoch.truncate(12);
        let room = Arc::new(Room { epoch, ring: Mutex::default(), newest: watch::Sender::new(0) });
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
    /// The id of the last event behind it: where to resume from.
    #[must_use]
    pub fn place(&self) -> String {
        self.id(self.cursor)
    }

    /// The id of an event on the wire.
    #[must_use]
    pub fn id(&self, number: u64) -> String {
        format!("{}-{number}", self.room.epoch)
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

    /// The next event, where there is one already.
    pub fn ready(&mut self) -> Option<Next> {
        let ring = self.room.ring();
        let (newest, oldest) = (ring.newest(), ring.oldest().unwrap_or(1));
        if std::mem::take(&mut self.lost) || self.cursor + 1 < oldest {
            self.cursor = newest;
            return Some(Next::Resync(newest));
        }
        let behind = usize::try_from(self.cursor + 1 - oldest).ok()?;
        let event = ring.events.get(behind)?;
        self.cursor = event.number;
        Some(Next::Event(Arc::clone(event)))
    }
}

#[cfg(test)]
mod tests;

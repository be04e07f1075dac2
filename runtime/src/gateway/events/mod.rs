//! What happens, as numbered events for each person: live streams and resumed ones read the same ring.
//!
//! An event's id is `epoch-counter`. The epoch is drawn at each start of the server, the counter is the person's own: an
//! id from another start, another person, or from before what is still kept, is answered with `resync`, and the client
//! reads the state from the API. (facts.md, "Streams to phones".)

mod news;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

pub use news::{Event, Kind, News};

use crate::ids::{NoRandomness, PersonId, secret};

/// How many of a person's events are kept for a stream that comes back.
const KEPT: usize = 4096;

/// Everybody's events.
#[derive(Debug)]
pub struct Hub {
    epoch: String,
    closed: AtomicBool,
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
        Ok(Self { epoch, closed: AtomicBool::new(false), rooms: Mutex::default() })
    }

    /// The id of an event on the wire.
    #[must_use]
    pub fn id(&self, number: u64) -> String {
        format!("{}-{number}", self.epoch)
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
mod tests;

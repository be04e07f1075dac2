//! Who has a stream open: so many a person, and each ends at once when its device is revoked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tokio::sync::oneshot;

use super::error::ApiError;
use crate::ids::{DeviceId, PersonId};

/// The open streams of everybody.
#[derive(Debug)]
pub(super) struct Streams {
    limit: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    persons: HashMap<PersonId, Vec<Entry>>,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    device: DeviceId,
    /// Dropped to end the stream.
    _ends: oneshot::Sender<()>,
}

impl Streams {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, open: Mutex::default() })
    }

    /// A place for one more stream of the person's.
    pub(super) fn enter(self: &Arc<Self>, person: &PersonId, device: &DeviceId) -> Result<Seat, ApiError> {
        let mut open = self.open();
        let number = open.next;
        open.next += 1;
        let entries = open.persons.entry(person.clone()).or_default();
        if entries.len() >= self.limit {
            let message = format!("You have {} streams open, which is as many as may be.", self.limit);
            return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", message)
                .hint("Close one; one stream of /api/events carries everything that happens.")
                .retry_after(5));
        }
        let (ends, ended) = oneshot::channel();
        entries.push(Entry { number, device: device.clone(), _ends: ends });
        Ok(Seat { streams: Arc::clone(self), person: person.clone(), number, ended })
    }

    /// Ends the streams of a device.
    pub(super) fn end(&self, person: &PersonId, device: &DeviceId) {
        if let Some(entries) = self.open().persons.get_mut(person) {
            entries.retain(|entry| entry.device != *device);
        }
    }

    /// Ends every stream of a person's.
    pub(super) fn end_all(&self, person: &PersonId) {
        if let Some(entries) = self.open().persons.get_mut(person) {
            entries.clear();
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        // The map is whole whatever panicked beside it.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream's place, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    streams: Arc<Streams>,
    person: PersonId,
    number: u64,
    ended: oneshot::Receiver<()>,
}

impl Seat {
    /// Resolves when the stream has to end.
    pub(super) async fn ended(&mut self) {
        // Nobody ever sends: the other end is dropped.
        let _ = (&mut self.ended).await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.streams.open();
        if let Some(entries) = open.persons.get_mut(&self.person) {
            entries.retain(|entry| entry.number != self.number);
            if entries.is_empty() {
                open.persons.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn places_are_bounded_given_back_and_taken_away() {
        let streams = Streams::new(2);
        let (ann, bob) = (PersonId::from_text("a"), PersonId::from_text("b"));
        let (phone, tablet) = (DeviceId::from_text("p"), DeviceId::from_text("t"));
        let mut first = streams.enter(&ann, &phone).unwrap();
        let mut second = streams.enter(&ann, &tablet).unwrap();
        assert_eq!(streams.enter(&ann, &phone).unwrap_err().status, StatusCode::TOO_MANY_REQUESTS);
        let other = streams.enter(&bob, &phone).unwrap();
        streams.end(&ann, &phone);
        first.ended().await;
        assert!(second.ended.try_recv().is_err_and(|error| error == oneshot::error::TryRecvError::Empty));
        drop(first);
        let third = streams.enter(&ann, &tablet).unwrap();
        drop((second, third, other));
        assert!(streams.open().persons.is_empty(), "nothing is remembered of streams that are over");
    }
}

//! Counters of this process, and how Prometheus reads them.
//!
//! One static registry: what counts is deep inside (the writer, the desk), and an atomic addition is all it costs there.
//! No label holds anything of a person's: routes are templates, never paths.

mod histogram;
mod render;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

pub use histogram::Histogram;
pub use render::render;

use crate::store::{CardState, InviteState, RingOutcome, SentRing};
use crate::voice::speech;

/// Everything that is counted.
pub static METRICS: Metrics = Metrics::new();

/// What grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// One more.
    pub fn add_one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// So many more.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// How many so far.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What rises and falls.
#[derive(Debug, Default)]
pub struct Gauge(AtomicI64);

impl Gauge {
    const fn new() -> Self {
        Self(AtomicI64::new(0))
    }

    /// Sets it.
    pub fn set(&self, value: i64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// What it shows.
    #[must_use]
    pub fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts one more until the guard is dropped.
    #[must_use]
    pub fn hold(&'static self) -> Held {
        self.0.fetch_add(1, Ordering::Relaxed);
        Held(self)
    }
}

/// One more of a gauge, as long as it lives.
#[derive(Debug)]
pub struct Held(&'static Gauge);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Requests of one route, by method and status.
type Answers = BTreeMap<(&'static str, u16), u64>;

/// The registry.
#[derive(Debug)]
pub struct Metrics {
    requests: Mutex<BTreeMap<String, Answers>>,
    /// Turns that ended with their reply.
    pub turns_finished: Counter,
    /// Turns that ended without one.
    pub turns_failed: Counter,
    /// Turns that a stop left for the next start.
    pub turns_left: Counter,
    /// Turns under way, those that wait for a card among them.
    pub turns_running: Gauge,
    /// Cards laid down.
    pub cards_opened: Counter,
    cards_closed: [Counter; CardState::ALL.len()],
    /// Cards whose chat was deleted while they waited.
    pub cards_withdrawn: Counter,
    /// Answers that came too late.
    pub answers_too_late: Counter,
    /// Invites that were made.
    pub invites_opened: Counter,
    invites_closed: [Counter; InviteState::ALL.len()],
    /// Rings that were handed to the bell.
    pub rings_due: Counter,
    /// Calls that ended.
    pub calls_ended: Counter,
    /// Calls that are alive.
    pub lines: Gauge,
    /// Recordings that came over their sockets.
    pub utterances: Counter,
    /// Replies that somebody spoke over.
    pub interruptions: Counter,
    /// Event streams that are open.
    pub streams: Gauge,
    /// How many jobs shared a transaction.
    pub batch: Histogram<9>,
    /// How long a transaction took with its commit, in seconds.
    pub commit: Histogram<11>,
    /// 1 while the store takes no writes.
    pub degraded: Gauge,
    /// Characters that speech services were asked for.
    pub speech_characters: Counter,
    speech_spoken: Counter,
    speech_failed: [Counter; speech::Code::ALL.len()],
    /// How long a speech service took for a piece, in seconds.
    pub speech_took: Histogram<10>,
    rings: [Counter; RingOutcome::ALL.len()],
    /// How much later than due a ring was sent, in seconds.
    pub ring_late: Histogram<10>,
    /// How long a push service took to accept one, in seconds.
    pub ring_accepted: Histogram<10>,
}

impl Metrics {
    const fn new() -> Self {
        Self {
            requests: Mutex::new(BTreeMap::new()),
            turns_finished: Counter::new(),
            turns_failed: Counter::new(),
            turns_left: Counter::new(),
            turns_running: Gauge::new(),
            cards_opened: Counter::new(),
            cards_closed: [const { Counter::new() }; CardState::ALL.len()],
            cards_withdrawn: Counter::new(),
            answers_too_late: Counter::new(),
            invites_opened: Counter::new(),
            invites_closed: [const { Counter::new() }; InviteState::ALL.len()],
            rings_due: Counter::new(),
            calls_ended: Counter::new(),
            lines: Gauge::new(),
            utterances: Counter::new(),
            interruptions: Counter::new(),
            streams: Gauge::new(),
            batch: Histogram::new([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0]),
            commit: Histogram::new([0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0]),
            degraded: Gauge::new(),
            speech_characters: Counter::new(),
            speech_spoken: Counter::new(),
            speech_failed: [const { Counter::new() }; speech::Code::ALL.len()],
            speech_took: Histogram::new([0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 2.0, 5.0, 15.0]),
            rings: [const { Counter::new() }; RingOutcome::ALL.len()],
            ring_late: Histogram::new([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 2.0]),
            ring_accepted: Histogram::new([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0]),
        }
    }

    /// Counts an answered request. The route is its template.
    pub fn request(&self, route: &str, method: &'static str, status: u16) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answers) = requests.get_mut(route) {
            *answers.entry((method, status)).or_default() += 1;
        } else {
            requests.insert(route.to_owned(), Answers::from([((method, status), 1)]));
        }
    }

    /// Counts an invite that was resolved in a state.
    pub fn invite_closed(&self, state: InviteState) {
        if let Some(counter) =
            InviteState::ALL.iter().zip(&self.invites_closed).find(|(known, _)| **known == state)
        {
            counter.1.add_one();
        }
    }

    /// Counts a card that was closed in a state.
    pub fn card_closed(&self, state: CardState) {
        if let Some(counter) =
            CardState::ALL.iter().zip(&self.cards_closed).find(|(known, _)| **known == state)
        {
            counter.1.add_one();
        }
    }

    /// Counts what came of a piece that was to be spoken.
    pub fn spoken(&self, failed: Option<speech::Code>) {
        let Some(code) = failed else { return self.speech_spoken.add_one() };
        if let Some((_, counter)) =
            speech::Code::ALL.iter().zip(&self.speech_failed).find(|(known, _)| **known == code)
        {
            counter.add_one();
        }
    }

    /// Counts what came of a ring at one device.
    pub fn ring(&self, ring: &SentRing) {
        if let Some((_, counter)) =
            RingOutcome::ALL.iter().zip(&self.rings).find(|(known, _)| **known == ring.outcome)
        {
            counter.add_one();
        }
        // A difference of some seconds.
        let seconds = |from_ms: i64, to_ms: i64| (to_ms - from_ms).max(0) as f64 / 1000.0;
        let Some(sent_ms) = ring.sent_ms else { return };
        self.ring_late.observe(seconds(ring.due_ms, sent_ms));
        if let (RingOutcome::Accepted, Some(answered_ms)) = (ring.outcome, ring.answered_ms) {
            self.ring_accepted.observe(seconds(sent_ms, answered_ms));
        }
    }
}

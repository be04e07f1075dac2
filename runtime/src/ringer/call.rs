//! One call as a pure machine, from the answer to its end: `(state, event, now) → (state, effects)`.
//!
//! The device says what happens on the line and, at the end, how long it was. A device may also fall silent, for it has crashed or
//! its battery is empty: so each state has an end of its own, and no call goes on for ever. (Document 2: hanging up, records.)

use serde::Serialize;

use super::linger::{self, Linger};
use super::record::{Leaves, Limits};
use crate::store::{CallState, EndedBy};

/// How long an answered call waits for the first sign of its device, in milliseconds. Every word that is said in it is one, and
/// a device that was only slow still has its record.
pub const JOIN_WITHIN_MS: i64 = 10 * 60 * 1000;
/// How long a call goes on without any sign of its device, in milliseconds: longer than what is read aloud at bedtime.
pub const SILENT_FOR_MS: i64 = 60 * 60 * 1000;
/// How long a call goes on at most, in milliseconds.
pub const LONGEST_MS: i64 = 12 * 60 * 60 * 1000;
/// How long the device has to end the call after the companion has hung up, in milliseconds.
pub const CLOSE_WITHIN_MS: i64 = 60 * 1000;
/// How much longer a call may be said to have been than has passed since its answer, in milliseconds: what two clocks and the
/// way of a request make of it.
pub const LONGER_BY_MS: i64 = 2 * 1000;

/// What the machine knows of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Where it stands.
    pub state: CallState,
    /// When it was answered, in milliseconds since the Unix epoch.
    pub began_ms: i64,
    /// When its device was last heard from; the answer was the first time.
    pub seen_ms: i64,
    /// When the companion hung up, once it has.
    pub hung_up_ms: Option<i64>,
    /// Whether the companion is about to hang up.
    pub linger: Linger,
    /// How long it was, and who said so, once it has ended.
    pub end: Option<End>,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// How long it was, in milliseconds.
    pub length_ms: i64,
    /// Who ended it.
    pub by: EndedBy,
    /// What it leaves.
    pub leaves: Leaves,
}

/// What may happen to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The device says that it is there.
    Joined,
    /// What concerns the companion's hanging up; all of it but a marker and the time comes from the device.
    Line(linger::Event),
    /// The device ends the call.
    Ended {
        /// How long it says that it was, in milliseconds. It was no longer than has passed since the answer.
        length_ms: i64,
        /// From which length on it leaves what.
        limits: Limits,
        /// Whether anything is there that could be summed up.
        told: bool,
        /// Who ends it: the device, or the server in its stead.
        by: EndedBy,
    },
    /// Time has passed.
    Tick {
        /// From which length on a call leaves what that ends now.
        limits: Limits,
    },
}

/// What the one who brought the event is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The call goes on.
    GoesOn,
    /// It has ended, now or before, and leaves a record.
    Recorded,
    /// It has ended, now or before, and was too short to leave anything.
    TooShort,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 3] = [Self::GoesOn, Self::Recorded, Self::TooShort];

    /// The word that it is kept as; the same as it is sent as.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::GoesOn => "goes_on",
            Self::Recorded => "recorded",
            Self::TooShort => "too_short",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}

/// What the shell has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Tell the one who brought the event.
    Tell(Outcome),
    /// Tell the devices that the call stands differently.
    Show,
    /// Record the end. What it leaves is written now, or, where that is a summary, once that is there or its time is over.
    Close(End),
}

impl Call {
    /// A call that was answered now.
    #[must_use]
    pub const fn new(now_ms: i64) -> Self {
        Self {
            state: CallState::Accepted,
            began_ms: now_ms,
            seen_ms: now_ms,
            hung_up_ms: None,
            linger: Linger::Open,
            end: None,
        }
    }

    /// When it ends by itself; never, once it has ended.
    #[must_use]
    pub fn ends_ms(&self) -> Option<i64> {
        let ends_ms = match self.state {
            CallState::Accepted => self.began_ms.saturating_add(JOIN_WITHIN_MS),
            CallState::Going => {
                self.seen_ms.saturating_add(SILENT_FOR_MS).min(self.began_ms.saturating_add(LONGEST_MS))
            }
            CallState::HungUp => self.hung_up_ms.unwrap_or(self.seen_ms).saturating_add(CLOSE_WITHIN_MS),
            CallState::Ended => return None,
        };
        Some(ends_ms)
    }

    /// When it has to be looked at again; never, once it has ended.
    #[must_use]
    pub fn wakes_ms(&self) -> Option<i64> {
        let ends_ms = self.ends_ms()?;
        Some(self.linger.wakes_ms().map_or(ends_ms, |wakes_ms| wakes_ms.min(ends_ms)))
    }

    /// Takes an event.
    #[must_use]
    pub fn on(mut self, event: Event, now_ms: i64) -> (Self, Vec<Effect>) {
        if let Some(end) = self.end {
            // A device that was given up comes back: what it knows of the call is more than nothing.
            let given_up = end.by == EndedBy::Server && end.leaves == Leaves::Nothing;
            if !given_up || !matches!(event, Event::Ended { .. }) {
                return (self, vec![Effect::Tell(outcome(end.leaves))]);
            }
        }
        match event {
            Event::Joined => {
                let shown = self.seen(now_ms);
                (self, going(shown))
            }
            Event::Line(event) => {
                let marked = matches!(event, linger::Event::Marked { .. });
                // A marker is the companion's doing and no sign of the device.
                let shown = !marked && event != linger::Event::Tick && self.seen(now_ms);
                let changed = self.line(event, now_ms);
                (self, going(shown || changed))
            }
            Event::Ended { length_ms, limits, told, by } => {
                let passed_ms = now_ms.saturating_sub(self.began_ms).max(0);
                let length_ms = length_ms.min(passed_ms.saturating_add(LONGER_BY_MS));
                let leaves = match limits.of(length_ms) {
                    Leaves::Summary if !told => Leaves::Duration,
                    leaves => leaves,
                };
                self.close(End { length_ms, by, leaves })
            }
            Event::Tick { limits } => {
                if self.ends_ms().is_some_and(|ends_ms| now_ms >= ends_ms) {
                    // Nobody knows more of it than when its device was last heard from.
                    let length_ms = self.seen_ms.saturating_sub(self.began_ms).max(0);
                    let leaves = match limits.of(length_ms) {
                        Leaves::Summary => Leaves::Duration,
                        leaves => leaves,
                    };
                    return self.close(End { length_ms, by: EndedBy::Server, leaves });
                }
                let changed = self.line(linger::Event::Tick, now_ms);
                (self, going(changed))
            }
        }
    }

    /// The device was heard from; true where the call thereby goes on that was only answered before.
    fn seen(&mut self, now_ms: i64) -> bool {
        self.seen_ms = self.seen_ms.max(now_ms);
        let joined = self.state == CallState::Accepted;
        if joined {
            self.state = CallState::Going;
        }
        joined
    }

    /// Brings an event to the companion's hanging up; true where the devices have to know.
    fn line(&mut self, event: linger::Event, now_ms: i64) -> bool {
        if self.state == CallState::HungUp {
            return false;
        }
        let (linger, effect) = std::mem::take(&mut self.linger).on(event, now_ms);
        self.linger = linger;
        if effect == Some(linger::Effect::HangUp) {
            (self.state, self.hung_up_ms) = (CallState::HungUp, Some(now_ms));
            // Up to here the line was open.
            self.seen_ms = self.seen_ms.max(now_ms);
        }
        effect.is_some()
    }

    fn close(mut self, end: End) -> (Self, Vec<Effect>) {
        (self.state, self.linger, self.end) = (CallState::Ended, Linger::Open, Some(end));
        (self, vec![Effect::Tell(outcome(end.leaves)), Effect::Show, Effect::Close(end)])
    }
}

const fn outcome(leaves: Leaves) -> Outcome {
    match leaves {
        Leaves::Nothing => Outcome::TooShort,
        Leaves::Duration | Leaves::Summary => Outcome::Recorded,
    }
}

fn going(changed: bool) -> Vec<Effect> {
    let mut effects = vec![Effect::Tell(Outcome::GoesOn)];
    if changed {
        effects.push(Effect::Show);
    }
    effects
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ringer::linger::Bounds;

    const LIMITS: Limits = Limits { min_call_ms: 5_000, min_summary_ms: 20_000 };
    const BOUNDS: Bounds = Bounds { min_ms: 15_000, max_ms: 20_000 };

    fn ended(length_ms: i64, told: bool) -> Event {
        Event::Ended { length_ms, limits: LIMITS, told, by: EndedBy::Device }
    }

    fn tick() -> Event {
        Event::Tick { limits: LIMITS }
    }

    fn marked() -> Event {
        Event::Line(linger::Event::Marked { turn: "t".to_owned(), at: 3 })
    }

    fn played() -> Event {
        Event::Line(linger::Event::Played { turn: "t".to_owned(), heard: None, bounds: BOUNDS, chance: 0 })
    }

    fn told(effects: &[Effect]) -> Outcome {
        let Effect::Tell(outcome) = effects[0] else { panic!("the first effect tells") };
        outcome
    }

    #[test]
    fn a_call_ends_once_and_is_told_the_same_again() {
        let (call, effects) = Call::new(0).on(Event::Joined, 1_000);
        assert_eq!((call.state, &effects[1..]), (CallState::Going, &[Effect::Show][..]));
        let (call, effects) = call.on(ended(137_000, true), 140_000);
        let end = End { length_ms: 137_000, by: EndedBy::Device, leaves: Leaves::Summary };
        assert_eq!(effects, [Effect::Tell(Outcome::Recorded), Effect::Show, Effect::Close(end)]);
        for event in [ended(3, false), tick(), Event::Joined, marked()] {
            assert_eq!(
                call.clone().on(event, 150_000),
                (call.clone(), vec![Effect::Tell(Outcome::Recorded)])
            );
        }
        assert_eq!(call.wakes_ms(), None);
    }

    #[test]
    fn what_a_call_leaves_depends_on_its_length() {
        for (length_ms, said, expected) in [
            (4_999, true, Leaves::Nothing),
            (5_000, true, Leaves::Duration),
            (20_000, true, Leaves::Summary),
            (20_000, false, Leaves::Duration),
        ] {
            let (call, effects) = Call::new(0).on(ended(length_ms, said), 30_000);
            assert_eq!(call.end.map(|end| end.leaves), Some(expected), "{length_ms}");
            assert_eq!(told(&effects) == Outcome::TooShort, expected == Leaves::Nothing);
        }
    }

    #[test]
    fn a_call_was_no_longer_than_has_passed_since_its_answer() {
        for (said_ms, now_ms, length_ms) in [
            (60_000, 60_000, 60_000),
            (62_000, 60_000, 62_000),
            (62_001, 60_000, 62_000),
            (86_400_000, 60_000, 62_000),
            // The server's clock was put back: nothing is known but that little can have passed.
            (86_400_000, -9_000, LONGER_BY_MS),
        ] {
            let (call, effects) = Call::new(0).on(ended(said_ms, true), now_ms);
            assert_eq!(call.end.map(|end| end.length_ms), Some(length_ms), "{said_ms} at {now_ms}");
            assert_eq!(told(&effects) == Outcome::TooShort, length_ms < 5_000);
        }
    }

    #[test]
    fn a_device_that_falls_silent_ends_the_call() {
        // Never there at all.
        let call = Call::new(0);
        assert_eq!(call.clone().on(tick(), JOIN_WITHIN_MS - 1).0, call);
        let (over, effects) = call.on(tick(), JOIN_WITHIN_MS);
        assert_eq!((over.state, told(&effects)), (CallState::Ended, Outcome::TooShort));
        // It was only slow: it still has its record, once.
        let (closed, effects) = over.on(ended(137_000, true), JOIN_WITHIN_MS + 1);
        assert_eq!((told(&effects), effects.len()), (Outcome::Recorded, 3));
        assert_eq!(closed.on(ended(9_000, true), JOIN_WITHIN_MS + 2).1, [Effect::Tell(Outcome::Recorded)]);
        // There for a while, then gone: the call was as long as is known.
        let (call, _) = Call::new(0).on(Event::Joined, 1_000);
        let (call, _) = call.on(Event::Line(linger::Event::Speech), 61_000);
        assert_eq!(call.wakes_ms(), Some(61_000 + SILENT_FOR_MS));
        let (over, _) = call.on(tick(), 61_000 + SILENT_FOR_MS);
        let end = End { length_ms: 61_000, by: EndedBy::Server, leaves: Leaves::Duration };
        assert_eq!(over.end, Some(end));
        // Heard from all the time: there is an end nevertheless.
        let (call, _) = Call::new(0).on(Event::Joined, LONGEST_MS - 1);
        assert_eq!(call.on(tick(), LONGEST_MS).0.state, CallState::Ended);
    }

    #[test]
    fn the_companion_hangs_up_and_the_device_says_how_long_it_was() {
        let (call, _) = Call::new(0).on(Event::Joined, 1_000);
        let (call, effects) = call.on(marked(), 30_000);
        assert_eq!(effects, [Effect::Tell(Outcome::GoesOn)], "nobody need know yet");
        let (call, effects) = call.on(played(), 33_000);
        assert_eq!((effects.len(), call.wakes_ms()), (2, Some(48_000)));
        let (hung, effects) = call.on(tick(), 48_000);
        assert_eq!((hung.state, effects.len()), (CallState::HungUp, 2));
        let (closed, _) = hung.clone().on(ended(47_000, true), 48_500);
        assert_eq!(closed.end.map(|end| (end.length_ms, end.leaves)), Some((47_000, Leaves::Summary)));
        // Where the device says nothing any more, the server ends it, up to the hanging up.
        let (over, _) = hung.on(tick(), 48_000 + CLOSE_WITHIN_MS);
        assert_eq!(over.end.map(|end| (end.length_ms, end.by)), Some((48_000, EndedBy::Server)));
    }

    fn any_event() -> impl Strategy<Value = Event> {
        prop_oneof![
            Just(Event::Joined),
            Just(marked()),
            Just(played()),
            Just(Event::Line(linger::Event::Speech)),
            Just(tick()),
            Just(tick()),
            (0..60_000i64, any::<bool>()).prop_map(|(length_ms, told)| ended(length_ms, told)),
        ]
    }

    proptest! {
        /// At most one record, whoever brings the end; a call that is looked at when it asks for it does not go on for ever.
        #[test]
        fn one_end(events in prop::collection::vec((any_event(), 0..4_000_000i64), 1..30)) {
            let (mut call, mut now, mut closed, mut left) = (Call::new(0), 0, 0, None);
            for (event, later) in events {
                now += later;
                let before = call.clone();
                let (after, effects) = call.on(event.clone(), now);
                prop_assert!(matches!(effects[0], Effect::Tell(_)));
                for effect in &effects {
                    let Effect::Close(end) = effect else { continue };
                    prop_assert!(left.is_none_or(|leaves| leaves == Leaves::Nothing), "it had left something");
                    left = Some(end.leaves);
                    closed += 1;
                }
                prop_assert!(closed <= 2);
                prop_assert_eq!(closed >= 1, after.state == CallState::Ended);
                prop_assert_eq!(after.state == CallState::Ended, after.end.is_some());
                if before.end.is_some_and(|end| end.by == EndedBy::Device || end.leaves != Leaves::Nothing) {
                    prop_assert_eq!(&before, &after);
                }
                if matches!(event, Event::Tick { .. }) && now >= LONGEST_MS + CLOSE_WITHIN_MS + linger::HEARD_WITHIN_MS {
                    prop_assert_eq!(after.state, CallState::Ended);
                }
                call = after;
            }
            while let Some(wakes_ms) = call.wakes_ms() {
                prop_assert!(wakes_ms <= now.max(LONGEST_MS) + CLOSE_WITHIN_MS + SILENT_FOR_MS);
                now = now.max(wakes_ms);
                call = call.on(tick(), now).0;
            }
        }
    }
}

//! The companion's hanging up, as a pure machine: `(state, event, now) → (state, effects)`.
//!
//! A marker in a reply hangs up, but not at once. What is said before it has to be heard first; then the line stays open for
//! a few breaths, and who speaks in them keeps it open. (Document 2: the lingering window.)

/// How long a marker waits to be heard, in milliseconds. A device that has not said in this time what it played has gone
/// wrong, and the call goes on without the marker: ending it in the midst of a sentence would be worse.
pub const HEARD_WITHIN_MS: i64 = 10 * 60 * 1000;

/// Where the companion's hanging up stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Linger {
    /// Nobody hangs up.
    #[default]
    Open,
    /// A reply bears the marker, and is not known to be heard yet.
    Marked {
        /// The reply's turn.
        turn: String,
        /// How many characters of the reply, as it is shown, stand before the marker.
        at: u64,
        /// When the marker is forgotten.
        until_ms: i64,
    },
    /// The reply was heard, and the line lingers.
    Lingering {
        /// When the call ends, unless somebody speaks.
        until_ms: i64,
    },
}

/// The bounds of the window, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The least.
    pub min_ms: i64,
    /// The most.
    pub max_ms: i64,
}

impl Bounds {
    /// A length between the bounds, both of them among what can be drawn. Bounds the wrong way round are one: the least.
    #[must_use]
    pub fn draw(&self, chance: u64) -> i64 {
        let least = self.min_ms.max(0);
        let room = u64::try_from(self.max_ms.saturating_sub(least)).unwrap_or(0);
        let drawn = chance % room.saturating_add(1);
        least.saturating_add(i64::try_from(drawn).unwrap_or(0))
    }
}

/// What may happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A reply of the companion's bears the marker. A newer one takes the older one's place.
    Marked {
        /// The reply's turn.
        turn: String,
        /// How many characters of the reply stand before the marker.
        at: u64,
    },
    /// A device has played what it will play of a reply.
    Played {
        /// The reply's turn.
        turn: String,
        /// How many characters were heard, where it was not all.
        heard: Option<u64>,
        /// Between what the window's length is drawn.
        bounds: Bounds,
        /// What it is drawn by.
        chance: u64,
    },
    /// The person speaks, or says something in another way.
    Speech,
    /// Time has passed.
    Tick,
}

/// What the shell has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Tell the devices that the line lingers.
    Linger {
        /// Until when.
        until_ms: i64,
    },
    /// Tell the devices that the call goes on.
    GoesOn,
    /// The companion hangs up.
    HangUp,
}

impl Linger {
    /// When it has to be looked at again, if ever.
    #[must_use]
    pub const fn wakes_ms(&self) -> Option<i64> {
        match self {
            Self::Open => None,
            Self::Marked { until_ms, .. } | Self::Lingering { until_ms } => Some(*until_ms),
        }
    }

    /// Takes an event.
    #[must_use]
    pub fn on(self, event: Event, now_ms: i64) -> (Self, Option<Effect>) {
        match (self, event) {
            (before, Event::Marked { turn, at }) => {
                let goes_on = matches!(before, Self::Lingering { .. }).then_some(Effect::GoesOn);
                (Self::Marked { turn, at, until_ms: now_ms.saturating_add(HEARD_WITHIN_MS) }, goes_on)
            }
            (Self::Marked { turn, at, .. }, Event::Played { turn: played, heard, bounds, chance })
                if turn == played =>
            {
                if heard.is_some_and(|heard| heard < at) {
                    // She has interrupted, and never heard the goodbye.
                    return (Self::Open, None);
                }
                let until_ms = now_ms.saturating_add(bounds.draw(chance));
                (Self::Lingering { until_ms }, Some(Effect::Linger { until_ms }))
            }
            (Self::Marked { .. }, Event::Speech) => (Self::Open, None),
            (Self::Marked { until_ms, .. }, Event::Tick) if now_ms >= until_ms => (Self::Open, None),
            // Not performed yet is not ended: the line is held for who is not ready to let go.
            (Self::Lingering { .. }, Event::Speech) => (Self::Open, Some(Effect::GoesOn)),
            (Self::Lingering { until_ms }, Event::Tick) if now_ms >= until_ms => {
                (Self::Open, Some(Effect::HangUp))
            }
            (state, _) => (state, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOUNDS: Bounds = Bounds { min_ms: 15_000, max_ms: 20_000 };

    fn marked(turn: &str, at: u64) -> Event {
        Event::Marked { turn: turn.to_owned(), at }
    }

    fn played(turn: &str, heard: Option<u64>) -> Event {
        Event::Played { turn: turn.to_owned(), heard, bounds: BOUNDS, chance: 2_000 }
    }

    fn run(events: Vec<(Event, i64)>) -> (Linger, Vec<Effect>) {
        let mut effects = Vec::new();
        let linger = events.into_iter().fold(Linger::Open, |linger, (event, now_ms)| {
            let (after, effect) = linger.on(event, now_ms);
            effects.extend(effect);
            after
        });
        (linger, effects)
    }

    #[test]
    fn heard_then_silent_then_ended() {
        let (linger, effects) = run(vec![
            (marked("t", 12), 0),
            (played("t", None), 1_000),
            (Event::Tick, 17_999),
            (Event::Tick, 18_000),
        ]);
        assert_eq!(effects, [Effect::Linger { until_ms: 18_000 }, Effect::HangUp]);
        assert_eq!(linger, Linger::Open);
    }

    #[test]
    fn speech_in_the_window_keeps_the_line() {
        let (linger, effects) = run(vec![
            (marked("t", 12), 0),
            (played("t", Some(12)), 1_000),
            (Event::Speech, 17_999),
            (Event::Tick, 18_000),
        ]);
        assert_eq!((linger, &effects[1..]), (Linger::Open, &[Effect::GoesOn][..]));
    }

    #[test]
    fn a_marker_in_a_part_never_heard_is_not_performed() {
        for events in [
            vec![(marked("t", 12), 0), (played("t", Some(11)), 9), (Event::Tick, i64::MAX)],
            vec![(marked("t", 12), 0), (Event::Speech, 5), (played("t", None), 9), (Event::Tick, i64::MAX)],
            vec![(marked("t", 12), 0), (played("other", None), 9), (Event::Tick, i64::MAX)],
            vec![
                (marked("t", 12), 0),
                (Event::Tick, HEARD_WITHIN_MS),
                (played("t", None), HEARD_WITHIN_MS + 1),
            ],
            vec![(played("t", None), 9), (Event::Tick, i64::MAX)],
        ] {
            assert_eq!(run(events.clone()), (Linger::Open, vec![]), "{events:?}");
        }
    }

    /// P177: “say goodbye to long queues”. Words alone end nothing: only the marker does.
    #[test]
    fn p177_no_marker_no_end() {
        assert_eq!(run(vec![(played("t", None), 1), (Event::Tick, i64::MAX)]).1, []);
    }

    #[test]
    fn a_window_is_drawn_between_its_bounds() {
        assert_eq!((BOUNDS.draw(0), BOUNDS.draw(5_000), BOUNDS.draw(5_001)), (15_000, 20_000, 15_000));
        assert_eq!(Bounds { min_ms: 9, max_ms: 3 }.draw(77), 9);
    }

    fn any_event() -> impl Strategy<Value = Event> {
        let turn = || prop_oneof![Just("a".to_owned()), Just("b".to_owned())];
        prop_oneof![
            (turn(), 0..9u64).prop_map(|(turn, at)| Event::Marked { turn, at }),
            (turn(), prop::option::of(0..9u64), any::<u64>())
                .prop_map(|(turn, heard, chance)| Event::Played { turn, heard, bounds: BOUNDS, chance }),
            Just(Event::Speech),
            Just(Event::Tick),
        ]
    }

    proptest! {
        /// Nobody hangs up but after a marker that was heard, a whole window, and no word in it.
        #[test]
        fn hung_up_only_after_a_silent_window(
            events in prop::collection::vec((any_event(), 0..30_000i64), 1..40),
        ) {
            let (mut linger, mut now, mut window, mut bearer) = (Linger::Open, 0, None, None);
            for (event, later) in events {
                now += later;
                let (after, effect) = linger.on(event.clone(), now);
                match effect {
                    Some(Effect::Linger { until_ms }) => {
                        prop_assert!((now + BOUNDS.min_ms..=now + BOUNDS.max_ms).contains(&until_ms));
                        let Event::Played { turn, .. } = &event else { panic!("only what was played opens it") };
                        prop_assert_eq!(bearer.as_ref(), Some(turn));
                        window = Some(until_ms);
                    }
                    Some(Effect::HangUp) => prop_assert!(window.take().is_some_and(|until_ms| now >= until_ms)),
                    Some(Effect::GoesOn) => window = None,
                    None => {}
                }
                match event {
                    Event::Marked { turn, .. } => (bearer, window) = (Some(turn), None),
                    Event::Speech => (bearer, window) = (None, None),
                    _ => {}
                }
                linger = after;
            }
        }
    }
}

//! When a phone rings, as a pure machine: `(state, event, now) → (state, effects)`.
//!
//! One push is one buzz, so a phone that keeps ringing is a sequence of pushes. Their due times are absolute: counted from
//! the invite's creation, so that no send, slow push service or restart moves the next one. (Document 2: the burst.)

/// When an invite rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// When the first ring is due, in milliseconds since the Unix epoch.
    pub created_ms: i64,
    /// From one ring to the next, in milliseconds.
    pub interval_ms: i64,
    /// How many rings follow the first.
    pub extra: u32,
    /// When the invite ends: nothing rings then or later.
    pub expires_ms: i64,
}

impl Plan {
    /// When a ring is due; the first has the number 0.
    #[must_use]
    pub fn due_ms(&self, sequence: u32) -> i64 {
        self.created_ms.saturating_add(self.interval_ms.saturating_mul(i64::from(sequence)))
    }

    /// How many rings there are: those that are due before the end.
    #[must_use]
    pub fn rings(&self) -> u32 {
        let room = self.expires_ms.saturating_sub(self.created_ms);
        if room <= 0 {
            return 0;
        }
        // Rings that follow at no interval would all be one.
        let follow = if self.interval_ms > 0 { (room - 1) / self.interval_ms } else { 0 };
        u32::try_from(follow).unwrap_or(u32::MAX).min(self.extra).saturating_add(1)
    }

    /// The first ring that is due at a moment or later, among all that could ever be.
    fn first_from(&self, now_ms: i64) -> u32 {
        let past = now_ms.saturating_sub(self.created_ms);
        if past <= 0 {
            return 0;
        }
        if self.interval_ms <= 0 {
            return u32::MAX;
        }
        u32::try_from(past.saturating_add(self.interval_ms - 1) / self.interval_ms).unwrap_or(u32::MAX)
    }
}

/// A burst under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Burst {
    /// When it rings.
    pub plan: Plan,
    /// The number of the ring that comes next.
    pub next: u32,
    /// Whether nothing rings any more.
    pub over: bool,
}

/// What may happen to a burst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Time has passed.
    Tick,
    /// The server was started again: what was due meanwhile is past.
    Restarted,
    /// The invite is pending no more.
    Resolved,
}

/// What the shell has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Ring once.
    Ring {
        /// The ring's number, from 0.
        sequence: u32,
        /// Whether no ring follows.
        last: bool,
        /// When it was due.
        due_ms: i64,
    },
}

impl Burst {
    /// A burst that begins.
    #[must_use]
    pub const fn new(plan: Plan) -> Self {
        Self { plan, next: 0, over: false }
    }

    /// When it has to be looked at again; never, once nothing is left of it.
    #[must_use]
    pub fn wakes_ms(&self) -> Option<i64> {
        (!self.over && self.next < self.plan.rings()).then(|| self.plan.due_ms(self.next))
    }

    /// Takes an event. Where several rings are due at once, since nobody looked in time, the newest of them rings: the
    /// others would be one buzz with it.
    #[must_use]
    pub fn on(mut self, event: Event, now_ms: i64) -> (Self, Option<Effect>) {
        let rings = self.plan.rings();
        match event {
            Event::Resolved => self.over = true,
            Event::Restarted => self.next = self.next.max(self.plan.first_from(now_ms)),
            Event::Tick if self.over || now_ms >= self.plan.expires_ms => self.over = true,
            Event::Tick => {
                // Those that are due at this very moment too, so one behind the first that is due later.
                let later = self.plan.first_from(now_ms.saturating_add(1)).min(rings);
                if later > self.next {
                    let sequence = later - 1;
                    self.next = later;
                    let (last, due_ms) = (later == rings, self.plan.due_ms(sequence));
                    return (self, Some(Effect::Ring { sequence, last, due_ms }));
                }
            }
        }
        (self, None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plan(interval_ms: i64, extra: u32, expires_ms: i64) -> Plan {
        Plan { created_ms: 1_000, interval_ms, extra, expires_ms }
    }

    /// Ticks at each moment that the burst asks for, plus a delay; what rang, as (number, due, last).
    fn rung(mut burst: Burst, delay_ms: i64) -> Vec<(u32, i64, bool)> {
        let mut rung = Vec::new();
        while let Some(wakes_ms) = burst.wakes_ms() {
            let (after, effect) = burst.on(Event::Tick, wakes_ms + delay_ms);
            if let Some(Effect::Ring { sequence, last, due_ms }) = effect {
                rung.push((sequence, due_ms, last));
            }
            assert!(after != burst, "it moves on");
            burst = after;
        }
        rung
    }

    #[test]
    fn due_times_are_counted_from_the_start() {
        // Each look 300 ms late: a loop of sleeps would ring at 0, 2.3, 4.6 s.
        let rung = rung(Burst::new(plan(2_000, 10, 31_000)), 300);
        let due: Vec<i64> = rung.iter().map(|(_, due_ms, _)| *due_ms).collect();
        assert_eq!(due, (0..=10).map(|ring| 1_000 + ring * 2_000).collect::<Vec<_>>());
        assert_eq!(rung.iter().filter(|(_, _, last)| *last).count(), 1);
        assert!(rung[10].2);
    }

    #[test]
    fn rings_at_the_end_or_later_are_dropped_and_the_last_is_the_last_that_rings() {
        for (expires_ms, expected) in
            [(1_000, 0), (1_001, 1), (3_000, 1), (3_001, 2), (9_000, 4), (90_000, 11)]
        {
            let rung = rung(Burst::new(plan(2_000, 10, expires_ms)), 0);
            assert_eq!(rung.len(), expected, "{expires_ms}");
            assert!(rung.iter().all(|(_, due_ms, _)| *due_ms < expires_ms));
            assert_eq!(rung.last().is_some_and(|(_, _, last)| *last), expected > 0);
        }
        assert_eq!(rung(Burst::new(plan(2_000, 0, 31_000)), 0), [(0, 1_000, true)], "a burst of one");
        assert_eq!(plan(0, 10, 31_000).rings(), 1);
    }

    #[test]
    fn a_restart_leaves_the_rings_still_due() {
        let burst = Burst::new(plan(2_000, 10, 31_000));
        for (now_ms, first) in
            [(999, 0), (1_000, 0), (1_001, 1), (3_000, 1), (3_001, 2), (20_999, 10), (21_000, 10)]
        {
            let (after, effect) = burst.on(Event::Restarted, now_ms);
            assert_eq!((effect, after.next), (None, first), "{now_ms}");
            assert_eq!(after.wakes_ms(), Some(burst.plan.due_ms(first)));
        }
        assert_eq!(burst.on(Event::Restarted, 21_001).0.wakes_ms(), None);
    }

    #[test]
    fn who_looks_late_rings_once() {
        let (after, effect) = Burst::new(plan(2_000, 10, 31_000)).on(Event::Tick, 8_500);
        assert_eq!(effect, Some(Effect::Ring { sequence: 3, last: false, due_ms: 7_000 }));
        assert_eq!(after.wakes_ms(), Some(9_000));
    }

    fn any_event() -> impl Strategy<Value = Event> {
        prop_oneof![8 => Just(Event::Tick), 1 => Just(Event::Restarted), 1 => Just(Event::Resolved)]
    }

    proptest! {
        /// However it is looked at: no ring before its time, at the end, twice, or after the resolution, and the numbers rise.
        #[test]
        fn rings_are_in_time(
            interval in 1..5_000i64,
            extra in 0..70u32,
            room in 0..120_000i64,
            events in prop::collection::vec((any_event(), 0..7_000i64), 1..60),
        ) {
            let plan = Plan { created_ms: 50, interval_ms: interval, extra, expires_ms: 50 + room };
            let (mut burst, mut now, mut resolved, mut newest) = (Burst::new(plan), 50, false, None);
            for (event, later) in events {
                now += later;
                resolved |= event == Event::Resolved;
                let (after, effect) = burst.on(event, now);
                if let Some(Effect::Ring { sequence, last, due_ms }) = effect {
                    prop_assert!(!resolved && now < plan.expires_ms);
                    prop_assert_eq!(due_ms, plan.created_ms + i64::from(sequence) * interval);
                    prop_assert!(due_ms <= now && due_ms < plan.expires_ms && sequence <= extra);
                    prop_assert!(newest.is_none_or(|newest| sequence > newest));
                    let next_due = due_ms + interval;
                    prop_assert_eq!(last, sequence == extra || next_due >= plan.expires_ms);
                    newest = Some(sequence);
                }
                burst = after;
            }
        }
    }
}

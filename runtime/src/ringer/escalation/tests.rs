//! Whatever happens, in every zone that is known and over its clock's changes: at most one call a local date, and each with
//! every condition of document 2, looked at here as plainly as can be.

use std::collections::BTreeSet;
use std::time::Duration;

use handset_spec::settings::{ClockTime, Settings};
use jiff::tz::{TimeZone, db};
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use proptest::prelude::*;

use super::*;
use crate::ringer::escalation::window::Window;
use crate::zone;

const HOUR: i64 = 3_600_000;
const MINUTE: i64 = 60_000;

fn ms(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

fn state(zone: TimeZone, rules: Rules) -> State {
    State { rules, zone, dnd: false, heard_ms: None, escalated: None, invited: false, in_call: false }
}

fn by_default(zone: &str) -> State {
    state(zone::named(zone).unwrap().1, Rules::from(&Settings::default()))
}

fn rules(silence_minutes: u64, from: u16, until: u16) -> Rules {
    #[expect(clippy::cast_possible_truncation, reason = "minutes of a day")]
    let clock = |minutes: u16| ClockTime { hour: (minutes / 60) as u8, minute: (minutes % 60) as u8 };
    Rules {
        enabled: true,
        silence: Duration::from_secs(silence_minutes * 60),
        window: Window { from: clock(from), until: clock(until) },
    }
}

/// Looks every so many minutes from `from_ms` to `until_ms`; the moments and dates of the calls.
fn looked(state: &mut State, from_ms: i64, until_ms: i64, step: i64) -> Vec<(i64, jiff::civil::Date)> {
    let mut rings = Vec::new();
    let mut now = from_ms;
    while now < until_ms {
        let (after, ring) = state.clone().on(Event::Look, now);
        *state = after;
        rings.extend(ring.map(|ring| (now, ring.day)));
        now += step * MINUTE;
    }
    rings
}

/// Every condition, each on its own, of what is known a moment before the call.
fn may(state: &State, now_ms: i64) -> bool {
    let local = state.zone.to_datetime(Timestamp::from_millisecond(now_ms).unwrap());
    let of_day = u16::try_from(local.hour()).unwrap() * 60 + u16::try_from(local.minute()).unwrap();
    let [from, until] = [state.rules.window.from, state.rules.window.until]
        .map(|time| u16::from(time.hour) * 60 + u16::from(time.minute));
    let hour = match from.cmp(&until) {
        std::cmp::Ordering::Less => of_day >= from && of_day < until,
        std::cmp::Ordering::Greater => of_day >= from || of_day < until,
        std::cmp::Ordering::Equal => true,
    };
    let silence = i64::try_from(state.rules.silence.as_millis()).unwrap();
    let quiet = state.heard_ms.is_some_and(|heard| now_ms - heard >= silence);
    state.rules.enabled && !state.dnd && !state.invited && !state.in_call && hour && quiet
}

/// Something that happens, or a while in which nothing does.
#[derive(Debug, Clone)]
enum Step {
    Happens(Event),
    Looks { minutes: i64, step: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    let events = prop_oneof![
        3 => Just(Event::Message),
        1 => Just(Event::Invited),
        2 => Just(Event::Resolved),
        1 => Just(Event::CallBegan),
        2 => Just(Event::CallEnded),
        1 => any::<bool>().prop_map(Event::Dnd),
        2 => Just(Event::Dnd(false)),
        1 => (30u64..600, 0u16..1440, 0u16..1440).prop_map(|(silence, from, until)| Event::Rules(rules(silence, from, until))),
    ];
    prop_oneof![
        1 => events.prop_map(Step::Happens),
        2 => (60i64..1800, 1i64..40).prop_map(|(minutes, step)| Step::Looks { minutes, step }),
    ]
}

/// Any zone, and a moment a day before one of its clock's changes, if it has any then.
fn place() -> impl Strategy<Value = (TimeZone, i64)> {
    let names: Vec<String> = db().available().map(|name| name.to_string()).collect();
    (0..names.len(), 0i64..2_000_000_000).prop_filter_map("no zone", move |(name, seconds)| {
        let zone = zone::named(&names[name])?.1;
        let moment = Timestamp::from_second(seconds).ok()?;
        let change = zone.following(moment).next().map_or(moment, |change| change.timestamp());
        Some((zone, change.as_millisecond() - 24 * HOUR))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn at_most_one_a_local_date_whatever_happens(
        (zone, start) in place(),
        silence in 30u64..600,
        from in 0u16..1440,
        until in 0u16..1440,
        steps in proptest::collection::vec(step(), 1..16),
    ) {
        let mut state = state(zone, rules(silence, from, until)).on(Event::Message, start).0;
        let (mut now, mut days) = (start, BTreeSet::new());
        for step in steps {
            match step {
                Step::Happens(event) => state = state.on(event, now).0,
                Step::Looks { minutes, step } => {
                    let end = now + minutes * MINUTE;
                    while now < end {
                        let before = state.clone();
                        let (after, ring) = state.on(Event::Look, now);
                        state = after;
                        if let Some(ring) = ring {
                            prop_assert!(may(&before, now), "{before:?} at {now}");
                            let local = before.zone.to_datetime(Timestamp::from_millisecond(now).unwrap());
                            prop_assert_eq!(ring.day, local.date());
                            prop_assert!(days.insert(ring.day), "twice on {}", ring.day);
                        }
                        now += step * MINUTE;
                    }
                }
            }
        }
    }

    /// The moment to look again is the first at which anything could be otherwise: not a minute late.
    #[test]
    fn the_next_look_is_the_first_that_can_matter(
        (zone, start) in place(),
        silence in 30u64..2000,
        from in 0u16..1440,
        until in 0u16..1440,
        had in proptest::option::of(-2i32..2),
        offset in 0i64..3000,
    ) {
        let mut state = state(zone, rules(silence, from, until)).on(Event::Message, start).0;
        let now = start + offset * MINUTE;
        let today = state.zone.to_datetime(Timestamp::from_millisecond(now).unwrap()).date();
        state.escalated = had.map(|days| state::Escalated {
            day: today.checked_add(days.days()).unwrap(),
            times: 1,
            at_ms: start,
        });
        if let Decision::Wait { until_ms, .. } = state.decide(now) {
            let until = until_ms.unwrap();
            prop_assert!(until > now);
            prop_assert!(matches!(state.decide(until), Decision::Ring(_)), "{:?}", state.decide(until));
            let mut moment = now;
            while moment < until {
                prop_assert!(matches!(state.decide(moment), Decision::Wait { .. }), "at {moment}, before {until}");
                moment += MINUTE;
            }
        }
    }
}

/// In every zone there is, over the whole of 2026 and the years with the oddest changes: one a local date that the zone has,
/// and none besides.
#[test]
fn one_a_local_date_in_every_zone() {
    let names: Vec<String> = db().available().map(|name| name.to_string()).collect();
    assert!(names.len() > 400, "{}", names.len());
    for name in names {
        let Some((_, zone)) = zone::named(&name) else { continue };
        for change in [ms("2026-01-10T00:00:00Z"), ms("2026-06-10T00:00:00Z"), ms("2011-12-01T00:00:00Z")] {
            let from = Timestamp::from_millisecond(change).unwrap();
            let change = zone.following(from).next().map_or(from, |change| change.timestamp());
            let start = change.checked_sub(SignedDuration::from_hours(36)).unwrap().as_millisecond();
            let end = start + 84 * HOUR;
            // Any hour will do, after half an hour's silence.
            let mut state = state(zone.clone(), rules(30, 0, 0)).on(Event::Message, start).0;
            let rings = looked(&mut state, start + HOUR, end, 30);
            let days: BTreeSet<_> = rings.iter().map(|(_, day)| *day).collect();
            assert_eq!(days.len(), rings.len(), "{name}: {rings:?}");
            let there: BTreeSet<_> = (0..(84 - 1) * 2)
                .map(|step| Timestamp::from_millisecond(start + HOUR + step * 30 * MINUTE).unwrap())
                .map(|moment| zone.to_datetime(moment).date())
                .collect();
            assert_eq!(days, there, "{name}");
        }
    }
}

/// P111: Santiago leaves midnight out on 6 September 2026, and has an hour twice on 4 April 2027.
#[test]
fn p111_a_day_whose_midnight_is_not_there_has_its_call() {
    let mut state = by_default("America/Santiago");
    state.rules = rules(300, 0, 0);
    state = state.on(Event::Message, ms("2026-09-04T12:00:00Z")).0;
    let rings = looked(&mut state, ms("2026-09-05T03:00:00Z"), ms("2026-09-07T04:30:00Z"), 1);
    let told: Vec<_> = rings.iter().map(|(_, day)| day.to_string()).collect();
    assert_eq!(told, ["2026-09-04", "2026-09-05", "2026-09-06", "2026-09-07"]);
    assert_eq!(rings[2].0, ms("2026-09-06T04:00:00Z"), "01:00, the first there is of that day");
}

/// Apia had no 30 December 2011.
#[test]
fn a_day_that_is_not_there_has_no_call() {
    let mut state = by_default("Pacific/Apia");
    state = state.on(Event::Message, ms("2011-12-28T12:00:00Z")).0;
    let rings = looked(&mut state, ms("2011-12-29T00:00:00Z"), ms("2012-01-01T12:00:00Z"), 1);
    let told: Vec<_> = rings.iter().map(|(_, day)| day.to_string()).collect();
    assert_eq!(told, ["2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01"]);
}

/// In St. John's the clock went back over midnight: a date began, was left for an hour, and began again.
#[test]
fn a_day_that_begins_twice_has_one_call() {
    let mut state = by_default("America/St_Johns");
    state.rules = rules(30, 0, 0);
    state = state.on(Event::Message, ms("2006-10-28T00:00:00Z")).0;
    let rings = looked(&mut state, ms("2006-10-28T12:00:00Z"), ms("2006-10-30T12:00:00Z"), 1);
    let days: BTreeSet<_> = rings.iter().map(|(_, day)| day.to_string()).collect();
    assert_eq!(days.len(), rings.len(), "{rings:?}");
}

/// P113: the zone is the person's, and the one moment is another day for another person.
#[test]
fn p113_the_day_is_the_persons_own() {
    let now = ms("2026-07-01T11:30:00Z");
    for (zone, day) in [("Pacific/Kiritimati", "2026-07-02"), ("Pacific/Pago_Pago", "2026-07-01")] {
        let mut state = by_default(zone);
        state.rules = rules(300, 0, 0);
        state = state.on(Event::Message, now - 6 * HOUR).0;
        let Decision::Ring(ring) = state.decide(now) else { panic!("{zone}") };
        assert_eq!(ring.day.to_string(), day);
    }
}

/// Whoever moves west has the same date twice, and one call on it.
#[test]
fn a_journey_brings_no_second_call() {
    let mut state = by_default("Pacific/Kiritimati");
    state.rules = rules(300, 0, 0);
    let start = ms("2026-07-01T12:00:00Z");
    state = state.on(Event::Message, start - 6 * HOUR).0;
    assert_eq!(looked(&mut state, start, start + HOUR, 10).len(), 1, "on 2 July");
    state = state.on(Event::Zone(zone::or_utc("Pacific/Honolulu")), start + HOUR).0;
    let rings = looked(&mut state, start + HOUR, start + 72 * HOUR, 10);
    let told: Vec<_> = rings.iter().map(|(_, day)| day.to_string()).collect();
    assert_eq!(told, ["2026-07-03", "2026-07-04"]);
    // A date that a wrong clock left behind silences nobody for years.
    state.escalated = Some(state::Escalated { day: "2090-01-01".parse().unwrap(), times: 1, at_ms: start });
    assert_eq!(looked(&mut state, start + 72 * HOUR, start + 73 * HOUR, 10).len(), 1);
}

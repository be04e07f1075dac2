//! Hours of the day in a named zone: whether a moment is within them, and when they are next.

use handset_spec::settings::ClockTime;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

/// From a time of day to another. The first counts, the second does not; a window whose start is after its end runs
/// through midnight; one whose ends are the same is the whole day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The first minute.
    pub from: ClockTime,
    /// The first minute that is not in it any more.
    pub until: ClockTime,
}

fn minutes(time: ClockTime) -> i32 {
    i32::from(time.hour) * 60 + i32::from(time.minute)
}

impl Window {
    /// Whether a moment is in it.
    #[must_use]
    pub fn holds(self, moment: Timestamp, zone: &TimeZone) -> bool {
        let time = zone.to_datetime(moment).time();
        let now = i32::from(time.hour()) * 60 + i32::from(time.minute());
        let (from, until) = (minutes(self.from), minutes(self.until));
        if from < until { (from..until).contains(&now) } else { now >= from || now < until }
    }

    /// The first moment in it, from `moment` on. Where the zone's clock jumps, its hours begin where it lands; hours that
    /// come twice begin twice.
    #[must_use]
    pub fn next(self, moment: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        if self.holds(moment, zone) {
            return Some(moment);
        }
        let start = Time::new(self.from.hour.cast_signed(), self.from.minute.cast_signed(), 0, 0).ok()?;
        let today = zone.to_datetime(moment).date();
        // Three days: on one of them the start may fall into a gap, and so may the whole window.
        let days = (-1..=3).filter_map(|days| today.checked_add(days.days()).ok());
        let starts = days.flat_map(|day| {
            let start = zone.to_ambiguous_zoned_datetime(day.to_datetime(start));
            [start.clone().earlier(), start.later()].into_iter().flatten().map(|start| start.timestamp())
        });
        let end = moment.checked_add(96.hours()).ok()?;
        let jumps = zone.following(moment).map(|jump| jump.timestamp()).take_while(|&jump| jump <= end);
        let candidates = starts.chain(jumps);
        candidates.filter(|&candidate| candidate >= moment && self.holds(candidate, zone)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zone;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn clock(hour: u8, minute: u8) -> ClockTime {
        ClockTime { hour, minute }
    }

    /// P103: hours that run through midnight, and those that do not.
    #[test]
    fn p103_a_window_may_run_through_midnight() {
        let night = Window { from: clock(21, 0), until: clock(7, 0) };
        let day = Window { from: clock(12, 0), until: clock(23, 0) };
        for (time, in_night, in_day) in [
            ("00:30", true, false),
            ("06:59", true, false),
            ("07:00", false, false),
            ("11:59", false, false),
            ("12:00", false, true),
            ("20:59", false, true),
            ("21:00", true, true),
            ("22:59", true, true),
            ("23:00", true, false),
        ] {
            let moment = at(&format!("2026-07-01T{time}:00Z"));
            assert_eq!(night.holds(moment, &TimeZone::UTC), in_night, "{time}");
            assert_eq!(day.holds(moment, &TimeZone::UTC), in_day, "{time}");
        }
        for time in [clock(0, 0), clock(12, 0)] {
            assert!(Window { from: time, until: time }.holds(at("2026-07-01T12:00:00Z"), &TimeZone::UTC));
        }
    }

    /// P105: in the person's own zone, not in the server's.
    #[test]
    fn p105_hours_are_the_persons_own() {
        let window = Window { from: clock(22, 0), until: clock(7, 0) };
        let zone = zone::or_utc("Europe/Moscow");
        assert!(window.holds(at("2026-07-01T19:00:00Z"), &zone), "22:00 there");
        assert!(!window.holds(at("2026-07-01T05:00:00Z"), &zone), "08:00 there");
    }

    /// P107: the same hours by the wall clock before and after each change.
    #[test]
    fn p107_hours_follow_the_wall_clock() {
        let window = Window { from: clock(12, 0), until: clock(23, 0) };
        let zone = zone::or_utc("Europe/Berlin");
        for (before, first) in [
            ("2026-10-24T22:00:00Z", "2026-10-25T11:00:00Z"),
            ("2026-10-25T23:00:00Z", "2026-10-26T11:00:00Z"),
            ("2026-03-28T23:00:00Z", "2026-03-29T10:00:00Z"),
            ("2026-03-27T23:00:00Z", "2026-03-28T11:00:00Z"),
        ] {
            assert_eq!(window.next(at(before), &zone), Some(at(first)), "{before}");
        }
    }

    /// P111: a time that the night of the change leaves out, and one that it has twice.
    #[test]
    fn p111_hours_that_lack_and_hours_that_come_twice() {
        let zone = zone::or_utc("Europe/Berlin");
        let window = Window { from: clock(2, 30), until: clock(4, 0) };
        // On 29 March 02:30 is not there: the clock goes from 01:59 to 03:00, which is within.
        assert_eq!(window.next(at("2026-03-29T00:30:00Z"), &zone), Some(at("2026-03-29T01:00:00Z")));
        let short = Window { from: clock(2, 15), until: clock(2, 45) };
        assert_eq!(short.next(at("2026-03-29T00:30:00Z"), &zone), Some(at("2026-03-30T00:15:00Z")));
        // On 25 October 02:15 is there twice.
        assert_eq!(short.next(at("2026-10-24T23:00:00Z"), &zone), Some(at("2026-10-25T00:15:00Z")));
        assert_eq!(short.next(at("2026-10-25T00:45:00Z"), &zone), Some(at("2026-10-25T01:15:00Z")));
        // Santiago goes from 23:59 on 5 September to 01:00 on the 6th.
        let zone = zone::or_utc("America/Santiago");
        let midnight = Window { from: clock(0, 0), until: clock(1, 30) };
        assert_eq!(midnight.next(at("2026-09-06T03:30:00Z"), &zone), Some(at("2026-09-06T04:00:00Z")));
        // Apia has no 30 December 2011.
        let zone = zone::or_utc("Pacific/Apia");
        let noon = Window { from: clock(12, 0), until: clock(13, 0) };
        assert_eq!(
            noon.next(at("2011-12-30T00:00:00Z"), &zone),
            Some(at("2011-12-30T22:00:00Z")),
            "on the 31st"
        );
    }
}

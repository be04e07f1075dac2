//! Time as data: whole milliseconds since 1970-01-01T00:00:00Z, read through a trait so that tests hold it.

use std::fmt::Write as _;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

/// Where the present moment comes from.
pub trait Clock: Send + Sync + 'static {
    /// The present moment, in milliseconds since the Unix epoch.
    fn now_ms(&self) -> i64;
    /// Resolves once the clock shows `until_ms` or later.
    fn sleep_until(&self, until_ms: i64) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// The machine's own clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            // A clock set before 1970 is wrong, but it is no reason to stop.
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        }
    }

    fn sleep_until(&self, until_ms: i64) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            loop {
                let left = until_ms.saturating_sub(self.now_ms());
                if left <= 0 {
                    return;
                }
                // At most a minute at once: a sleep does not notice that the wall clock was set forward.
                tokio::time::sleep(Duration::from_millis(left.unsigned_abs().min(60_000))).await;
            }
        })
    }
}

/// A clock that stands still until it is moved: deadlines without waiting.
#[derive(Debug)]
pub struct ManualClock(watch::Sender<i64>);

impl ManualClock {
    /// A clock that shows `now_ms`.
    #[must_use]
    pub fn new(now_ms: i64) -> Self {
        Self(watch::Sender::new(now_ms))
    }

    /// Moves it on and wakes whoever waited for that moment.
    pub fn advance(&self, ms: i64) {
        self.0.send_modify(|now| *now += ms);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> i64 {
        *self.0.borrow()
    }

    fn sleep_until(&self, until_ms: i64) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            // The sender is this clock, so it cannot be gone.
            let _ = self.0.subscribe().wait_for(|now| *now >= until_ms).await;
        })
    }
}

/// Writes a moment as RFC 3339 in UTC with milliseconds, `2027-03-04T10:00:00.000Z`.
#[must_use]
pub fn rfc3339(ms: i64) -> String {
    let days = ms.div_euclid(86_400_000);
    let of_day = ms.rem_euclid(86_400_000);
    let (year, month, day) = civil(days);
    let (seconds, millis) = (of_day / 1000, of_day % 1000);
    let mut out = String::with_capacity(24);
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{millis:03}Z",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    out
}

/// The civil date of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
///
/// Years are counted from 1 March, so that the leap day is a year's last; eras of 400 years repeat exactly.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Reads a moment written as RFC 3339, with `Z` or an offset; parts of a millisecond are dropped.
#[must_use]
pub fn from_rfc3339(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
    };
    let separators = [(4, b"-" as &[u8]), (7, b"-"), (10, b"Tt "), (13, b":"), (16, b":")];
    if separators.iter().any(|&(at, any)| bytes.get(at).is_none_or(|byte| !any.contains(byte))) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    // A leap second, written 60, reads as the second after it.
    if !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let days = days_from_civil(year, month, day);
    if civil(days) != (year, month, day) {
        return None;
    }
    let mut rest = text.get(19..)?;
    let mut millis = 0;
    if let Some(fraction) = rest.strip_prefix('.') {
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        let kept = fraction.get(..digits.min(3)).filter(|kept| !kept.is_empty())?;
        millis = kept.parse::<i64>().ok()? * [100, 10, 1].get(kept.len() - 1)?;
        rest = fraction.get(digits..)?;
    }
    let offset = match rest.as_bytes() {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let at = text.len() - 5;
            let (hours, minutes) = (number(at, at + 2)?, number(at + 3, at + 5)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let minutes = hours * 60 + minutes;
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => return None,
    };
    Some((((days * 24 + hour) * 60 + minute - offset) * 60 + second) * 1000 + millis)
}

/// The day of a civil date, counted from 1970-01-01; the other way round from [`civil`].
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_rfc_3339() {
        for (ms, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_804_154_400_123, "2027-03-04T10:00:00.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(rfc3339(ms), expected);
            assert_eq!(from_rfc3339(expected), Some(ms));
        }
    }

    #[test]
    fn moments_are_read_from_rfc_3339() {
        for (text, expected) in [
            ("2027-03-04T10:00:00Z", Some(1_804_154_400_000)),
            ("2027-03-04t11:00:00.5+01:00", Some(1_804_154_400_500)),
            ("2027-03-04 04:30:00.1239-05:30", Some(1_804_154_400_123)),
            ("2027-02-29T10:00:00Z", None),
            ("2027-03-04T24:00:00Z", None),
            ("2027-03-04T10:00:00", None),
            ("2027-03-04T10:00:00.Z", None),
            ("2027-03-04T10:00:00+0100", None),
            ("2027-03-04T10:00:00+24:00", None),
            ("2027-03-04T10:00:00-01:60", None),
            ("早027-03-04T10:00:00Z", None),
            ("", None),
        ] {
            assert_eq!(from_rfc3339(text), expected, "{text}");
        }
    }

    #[tokio::test]
    async fn a_sleep_ends_when_the_clock_says_so() {
        let clock = ManualClock::new(1_000);
        let moves = async {
            clock.advance(60_000);
            clock.advance(65_000);
        };
        tokio::join!(clock.sleep_until(126_000), moves);
        assert_eq!(clock.now_ms(), 126_000);
        clock.sleep_until(5).await;
    }
}

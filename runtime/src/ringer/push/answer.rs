//! What a push service's answer means.

use crate::clock::from_rfc3339;
use crate::store::{Fate, RingOutcome};

/// How long a service is left alone that wants fewer pushes and does not say for how long, in milliseconds: one ring.
const PAUSE_MS: i64 = 3_000;
/// The longest pause that is heeded, in milliseconds: a day.
const LONGEST_MS: i64 = 24 * 60 * 60 * 1000;

/// What a service's status means, without 401 and 403: what those mean depends on what it answers others.
#[must_use]
pub(super) fn of_status(status: u16, retry_after: Option<&str>, now_ms: i64) -> (RingOutcome, Fate) {
    let pause = retry_after.and_then(|value| until(value, now_ms));
    match status {
        200..300 => (RingOutcome::Accepted, Fate::Works),
        404 | 410 => (RingOutcome::Gone, Fate::Gone),
        401 | 403 => (RingOutcome::Unauthorized, Fate::Failed),
        413 => (RingOutcome::TooLarge, Fate::Failed),
        408 => (RingOutcome::ServiceFailed, Fate::Failed),
        429 => (RingOutcome::Limited, Fate::Paused(pause.unwrap_or(now_ms + PAUSE_MS))),
        500.. => (RingOutcome::ServiceFailed, pause.map_or(Fate::Failed, Fate::Paused)),
        // A redirect is not followed: it would lead where nobody has checked.
        _ => (RingOutcome::Refused, Fate::Refused),
    }
}

/// The moment that `Retry-After` names: seconds from now, or a date (RFC 9110, section 10.2.3).
fn until(value: &str, now_ms: i64) -> Option<i64> {
    let value = value.trim();
    let moment = if value.bytes().all(|byte| byte.is_ascii_digit()) && !value.is_empty() {
        let seconds: i64 = value.parse().unwrap_or(i64::MAX);
        now_ms.saturating_add(seconds.saturating_mul(1000))
    } else {
        date(value)?
    };
    Some(moment.clamp(now_ms, now_ms + LONGEST_MS))
}

/// Reads a date as HTTP writes it, `Sun, 06 Nov 1994 08:49:37 GMT`.
fn date(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_, date) = text.split_once(", ")?;
    let mut parts = date.split(' ');
    let (day, month, year, time) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let month = MONTHS.iter().position(|known| *known == month)? + 1;
    (parts.next() == Some("GMT")).then(|| from_rfc3339(&format!("{year}-{month:02}-{day}T{time}Z")))?
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 784_111_777_000;

    #[test]
    fn each_status_has_its_meaning() {
        use {Fate::*, RingOutcome as O};
        for (status, retry_after, outcome, fate) in [
            (200, None, O::Accepted, Works),
            (201, None, O::Accepted, Works),
            (202, None, O::Accepted, Works),
            (301, None, O::Refused, Refused),
            (307, None, O::Refused, Refused),
            (400, None, O::Refused, Refused),
            (401, None, O::Unauthorized, Failed),
            (403, None, O::Unauthorized, Failed),
            (404, None, O::Gone, Gone),
            (405, None, O::Refused, Refused),
            (408, None, O::ServiceFailed, Failed),
            (410, None, O::Gone, Gone),
            (413, None, O::TooLarge, Failed),
            (429, None, O::Limited, Paused(NOW_MS + PAUSE_MS)),
            (429, Some("7"), O::Limited, Paused(NOW_MS + 7_000)),
            (429, Some("soon"), O::Limited, Paused(NOW_MS + PAUSE_MS)),
            (429, Some("99999999999999999999"), O::Limited, Paused(NOW_MS + LONGEST_MS)),
            (429, Some("Sun, 06 Nov 1994 08:49:38 GMT"), O::Limited, Paused(NOW_MS + 1_000)),
            (429, Some("Sun, 06 Nov 1994 08:49:30 GMT"), O::Limited, Paused(NOW_MS)),
            (500, None, O::ServiceFailed, Failed),
            (503, None, O::ServiceFailed, Failed),
            (503, Some("120"), O::ServiceFailed, Paused(NOW_MS + 120_000)),
            (599, Some(""), O::ServiceFailed, Failed),
        ] {
            assert_eq!(of_status(status, retry_after, NOW_MS), (outcome, fate), "{status} {retry_after:?}");
        }
    }
}

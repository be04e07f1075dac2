//! `/api/events?type=swpush&value=…`: a device's worker reports that a ring has arrived (document 2 names the route).
//!
//! `POST` is the way of a write. `GET` does the same where a type is given, since that is what the workers in the field ask
//! with; without one it is the stream.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::Query;
use crate::clock::from_rfc3339;
use crate::ids::InviteId;
use crate::store::Arrival;

/// The one type of report there is.
const TYPE: &str = "swpush";
/// How long a report may be, in bytes.
const MAX_BYTES: usize = 512;
/// How long one of its words may be, in characters.
const MAX_WORD: usize = 64;
/// The highest number of a ring: no burst has a tenth of it.
const MAX_SEQUENCE: u32 = 999;
/// How far a device's clock may be off, in milliseconds: a day, which no zone's mistake exceeds.
const MAX_OFF_MS: i64 = 24 * 60 * 60 * 1000;

#[derive(Deserialize)]
pub(super) struct Report {
    r#type: Option<String>,
    value: Option<String>,
}

/// What a worker writes.
#[derive(Debug, PartialEq)]
struct Said {
    version: String,
    kind: String,
    id: String,
    sequence: u32,
    at_ms: i64,
}

pub(super) async fn report(
    State(app): State<App>,
    who: Who,
    Query(report): Query<Report>,
) -> Result<StatusCode, ApiError> {
    take(&app, &who, report.r#type.as_deref(), report.value.as_deref()).await
}

/// Takes a report.
pub(super) async fn take(
    app: &App,
    who: &Who,
    kind: Option<&str>,
    value: Option<&str>,
) -> Result<StatusCode, ApiError> {
    if kind != Some(TYPE) {
        let found = kind.map_or_else(|| "It names none".to_owned(), |kind| format!("It says {kind:?}"));
        return Err(ApiError::invalid(format!("The type of a report is {TYPE:?}. {found}."))
            .hint("To follow what happens, ask GET /api/events without a type."));
    }
    let now_ms = app.gateway.clock.now_ms();
    let said = read(value.unwrap_or_default(), now_ms).map_err(|reason| {
        ApiError::invalid(reason).hint(
            "value is VERSION|KIND|INVITE|SEQUENCE|TIME, or an object with version, kind, id, sequence and at; the time \
             is RFC 3339 or milliseconds.",
        )
    })?;
    let invite = InviteId::from_text(said.id);
    let known = app.push.as_ref().is_some_and(|push| push.rang(&invite, &who.person));
    let arrival = Arrival {
        person: who.person.clone(),
        invite,
        device: who.token.clone(),
        sequence: said.sequence,
        worker: said.version,
        kind: said.kind,
        arrived_ms: said.at_ms,
        reported_ms: now_ms,
    };
    if app.gateway.store.keep_arrival(arrival, known).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found("call"))
    }
}

fn read(value: &str, now_ms: i64) -> Result<Said, String> {
    let value = value.trim();
    if value.is_empty() {
        return Err("value is missing.".to_owned());
    }
    if value.len() > MAX_BYTES {
        return Err(format!("value has {} bytes; it may have {MAX_BYTES}.", value.len()));
    }
    let said = if value.starts_with('{') { object(value)? } else { compact(value)? };
    for (name, text) in [("the version", &said.version), ("the kind", &said.kind), ("the invite", &said.id)] {
        if text.trim().is_empty() {
            return Err(format!("In value, {name} is blank."));
        }
        if text.chars().count() > MAX_WORD || text.chars().any(char::is_control) {
            return Err(format!(
                "In value, {name} may have {MAX_WORD} characters, none a control character."
            ));
        }
    }
    if said.sequence > MAX_SEQUENCE {
        return Err(format!("In value, the sequence is {}; no burst has so many rings.", said.sequence));
    }
    if said.at_ms.abs_diff(now_ms) > MAX_OFF_MS.unsigned_abs() {
        return Err("In value, the time is more than a day off; the device's clock is wrong.".to_owned());
    }
    Ok(said)
}

fn object(value: &str) -> Result<Said, String> {
    #[derive(Deserialize)]
    struct Object {
        version: String,
        kind: String,
        id: String,
        sequence: u32,
        at: serde_json::Value,
    }
    let object: Object =
        serde_json::from_str(value).map_err(|error| format!("value cannot be read: {error}."))?;
    let at_ms = object.at.as_i64().or_else(|| from_rfc3339(object.at.as_str()?));
    Ok(Said {
        version: object.version,
        kind: object.kind,
        id: object.id,
        sequence: object.sequence,
        at_ms: at_ms.ok_or("In value, at is no time.")?,
    })
}

fn compact(value: &str) -> Result<Said, String> {
    let parts: Vec<&str> = value.split('|').map(str::trim).collect();
    let [version, kind, id, sequence, at] = parts[..] else {
        return Err(format!("value has {} parts between its strokes; it has five.", parts.len()));
    };
    Ok(Said {
        version: version.to_owned(),
        kind: kind.to_owned(),
        id: id.to_owned(),
        sequence: sequence.parse().map_err(|_| format!("In value, {sequence:?} is no ring's number."))?,
        at_ms: at
            .parse()
            .ok()
            .or_else(|| from_rfc3339(at))
            .ok_or_else(|| format!("In value, {at:?} is no time."))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_804_154_400_000;

    #[test]
    fn both_ways_of_writing_say_the_same() {
        let expected = Said {
            version: "2027-ring3".to_owned(),
            kind: "call".to_owned(),
            id: "abc".to_owned(),
            sequence: 4,
            at_ms: NOW_MS + 5,
        };
        for value in [
            "2027-ring3|call|abc|4|1804154400005",
            " 2027-ring3 | call | abc | 4 | 2027-03-04T10:00:00.005Z ",
            r#"{"version":"2027-ring3","kind":"call","id":"abc","sequence":4,"at":1804154400005,"more":1}"#,
            r#"{"version":"2027-ring3","kind":"call","id":"abc","sequence":4,"at":"2027-03-04T10:00:00.005Z"}"#,
        ] {
            assert_eq!(read(value, NOW_MS).as_ref(), Ok(&expected), "{value}");
        }
    }

    #[test]
    fn what_cannot_be_kept_says_why() {
        for (value, reason) in [
            ("", "value is missing."),
            ("v|call|1804154400005", "value has 3 parts"),
            ("v|call|abc|-1|1804154400005", "\"-1\" is no ring's number"),
            ("v|call|abc|1000|1804154400005", "no burst has so many"),
            ("v|call|abc|1|soon", "\"soon\" is no time"),
            ("v|call|abc|1|1904154400005", "more than a day off"),
            ("v|call|abc|1|-9223372036854775808", "more than a day off"),
            ("v||abc|1|1804154400005", "the kind is blank"),
            ("v|call||1|1804154400005", "the invite is blank"),
            ("{", "value cannot be read"),
            (r#"{"version":"v"}"#, "missing field `kind`"),
            (
                r#"{"version":"v","kind":"call","id":"a","sequence":4294967296,"at":1}"#,
                "value cannot be read",
            ),
            (
                r#"{"version":"v\u0000","kind":"call","id":"a","sequence":1,"at":1804154400005}"#,
                "the version may have",
            ),
            (r#"{"version":"v","kind":"call","id":"a","sequence":1,"at":1.5}"#, "at is no time"),
        ] {
            let error = read(value, NOW_MS).unwrap_err();
            assert!(error.contains(reason), "{value}: {error}");
        }
        let long = format!("{}|call|abc|1|1804154400005", "v".repeat(MAX_WORD + 1));
        assert!(read(&long, NOW_MS).unwrap_err().contains("the version may have"));
        assert!(read(&"v".repeat(MAX_BYTES + 1), NOW_MS).unwrap_err().contains("it may have 512"));
    }
}

//! Values for conformance cases: one that a check passes, one that it refuses.

use super::json::{boolean, list, number, object, text, texts};
use crate::model::{Kind, Name};
use crate::read::Node;

/// A value that passes.
pub(super) fn right(kind: Option<&Kind>, field: &str) -> Node {
    match kind {
        None => text(super::begun(field)),
        Some(Kind::ClockTime) => text("07:30"),
        Some(Kind::Weekdays) => texts(["mon", "tue"]),
        Some(Kind::Integer { min, .. }) => number(min),
        Some(Kind::DateOrDatetime) => text("2027-01-15T09:00"),
        Some(Kind::NonEmptyStrings) => texts(["Anna"]),
        Some(Kind::PhoneNumber { min_digits }) => text(digits(*min_digits)),
        Some(Kind::Place) => object([("query", text("bakery"))]),
        Some(Kind::Places) => list([object([("query", text("bakery"))])]),
        Some(Kind::SchemaEnum { values }) => text(values.first().map_or("", Name::as_str)),
        Some(Kind::HttpUrl) => text("https://example.org/"),
        Some(Kind::Boolean) => boolean(true),
        Some(Kind::StringMap) => object([("name", text("Anna"))]),
    }
}

/// Values that are refused, each with what sets it apart.
pub(super) fn wrong(kind: &Kind) -> Vec<(&'static str, Node)> {
    match kind {
        Kind::ClockTime => vec![("one-digit", text("7:30")), ("behind-midnight", text("24:00"))],
        Kind::Weekdays => vec![("an-unknown-day", texts(["monday"]))],
        Kind::Integer { min, max } => {
            let below = min.checked_sub(1).map(|number| ("less-than-the-least", number));
            let above = max.checked_add(1).map(|number| ("more-than-the-most", number));
            let beyond = below.into_iter().chain(above).map(|(name, value)| (name, number(value)));
            beyond.chain([("a-number-as-text", text(min.to_string()))]).collect()
        }
        Kind::DateOrDatetime => vec![("a-word", text("tomorrow"))],
        Kind::NonEmptyStrings => vec![("a-blank-in-it", texts(["Anna", " "]))],
        Kind::PhoneNumber { min_digits } => match min_digits {
            0 | 1 => vec![("letters", text("call me"))],
            most => vec![("too-few-digits", text(digits(most - 1))), ("letters", text("call me"))],
        },
        Kind::Place => vec![("text-alone", text("bakery"))],
        Kind::Places => vec![("a-text-in-it", texts(["bakery"]))],
        Kind::SchemaEnum { values } => {
            let first = values.first().map_or("", Name::as_str);
            vec![("capitals", text(first.to_uppercase()))]
        }
        Kind::HttpUrl => vec![("no-scheme", text("example.org"))],
        Kind::Boolean => vec![("text", text("true"))],
        Kind::StringMap => vec![("a-number-in-it", object([("name", number(1))]))],
    }
}

fn digits(count: u64) -> String {
    (0..count.max(1)).map(|index| char::from(b'0' + u8::try_from(index % 10).unwrap_or(0))).collect()
}

//! The fields of a new action, as the command line gives them: `label`, `times:integer=1..10`, `mode?:schema_enum=a,b`.

use super::json::{number, object, text, texts};
use super::said;
use crate::model::{Kind, Name, Phone};
use crate::nearest::proposal;
use crate::read::Node;

/// The kinds of checks, and the word for none.
const KINDS: [&str; 13] = [
    "text",
    "clock_time",
    "weekdays",
    "integer",
    "date_or_datetime",
    "non_empty_strings",
    "phone_number",
    "place",
    "places",
    "schema_enum",
    "http_url",
    "boolean",
    "string_map",
];

/// A field of a new action.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// Its check; none for one that travels as it comes.
    pub(super) kind: Option<Kind>,
    /// Whether the spec has it already, for other actions.
    pub(super) known: bool,
}

/// A word of the command line: one field, or several of which one is enough.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) fields: Vec<Field>,
    pub(super) required: bool,
}

/// Reads one word.
pub(super) fn read(word: &str, phone: &Phone) -> Result<Given, String> {
    let (names, kind) = match word.split_once(':') {
        Some((names, kind)) => (names, Some(kind)),
        None => (word, None),
    };
    let optional = names.ends_with('?');
    let names: Vec<&str> = names.trim_end_matches('?').split('|').collect();
    if names.len() > 1 && optional {
        return Err(format!(
            "`{word}`: of a group one field is enough, so it is never optional; leave out the `?`"
        ));
    }
    if names.len() > 1 && kind.is_some() {
        return Err(format!(
            "`{word}`: the fields of a group have their kinds each; give them as words of their own first, with a `?`"
        ));
    }
    let field = |name: &&str| -> Result<Field, String> {
        let known = phone.fields.iter().find(|field| field.name.as_str() == *name);
        match (known, kind) {
            (Some(known), None) => Ok(Field {
                name: (*name).to_owned(),
                kind: known.check.as_ref().map(|check| check.kind.clone()),
                known: true,
            }),
            (Some(_), Some(_)) => Err(format!(
                "`{name}` is a field already, and is checked alike for every action; write it without a kind, or give it another name"
            )),
            (None, kind) => Ok(Field {
                name: (*name).to_owned(),
                kind: self::kind(name, kind.unwrap_or("text"))?,
                known: false,
            }),
        }
    };
    Ok(Given { fields: names.iter().map(field).collect::<Result<_, _>>()?, required: !optional })
}

fn kind(field: &str, given: &str) -> Result<Option<Kind>, String> {
    let (kind, bounds) = match given.split_once('=') {
        Some((kind, bounds)) => (kind, Some(bounds)),
        None => (given, None),
    };
    if !KINDS.contains(&kind) {
        return Err(format!("`{kind}` is no kind of check; {}", proposal(kind, &KINDS)));
    }
    let range = || -> Option<(i64, i64)> {
        let (min, max) = bounds?.split_once("..")?;
        Some((min.parse().ok()?, max.parse().ok()?))
    };
    let found = match kind {
        "integer" => {
            let (min, max) =
                range().ok_or_else(|| format!("`{field}` needs its bounds: `{field}:integer=MIN..MAX`"))?;
            Kind::Integer { min, max }
        }
        "phone_number" => Kind::PhoneNumber {
            min_digits: match bounds {
                None => 3,
                Some(digits) => digits
                    .parse()
                    .map_err(|_| format!("`{field}` needs a number of digits: `{field}:phone_number=3`"))?,
            },
        },
        "schema_enum" => {
            let values = bounds.unwrap_or_default().split(',').map(str::trim);
            let values = values.filter(|value| !value.is_empty()).map(|value| {
                Name::new(value)
                    .ok_or_else(|| format!("`{value}` cannot name a value; values are like `on_foot`"))
            });
            let values = values.collect::<Result<Vec<_>, _>>()?;
            if values.is_empty() {
                return Err(format!("`{field}` needs its values: `{field}:schema_enum=one,other`"));
            }
            Kind::SchemaEnum { values }
        }
        _ if bounds.is_some() => {
            return Err(format!("`{kind}` takes no bounds; write `{field}:{kind}`"));
        }
        "clock_time" => Kind::ClockTime,
        "weekdays" => Kind::Weekdays,
        "date_or_datetime" => Kind::DateOrDatetime,
        "non_empty_strings" => Kind::NonEmptyStrings,
        "place" => Kind::Place,
        "places" => Kind::Places,
        "http_url" => Kind::HttpUrl,
        "boolean" => Kind::Boolean,
        "string_map" => Kind::StringMap,
        _ => return Ok(None),
    };
    Ok(Some(found))
}

impl Field {
    /// The phrase that completes “must be”.
    pub(super) fn phrase(&self) -> Option<String> {
        Some(match self.kind.as_ref()? {
            Kind::ClockTime => "a time of day as HH:MM on the 24-hour clock, such as 07:30".to_owned(),
            Kind::Weekdays => "a list with any of mon, tue, wed, thu, fri, sat and sun".to_owned(),
            Kind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Kind::DateOrDatetime => {
                "a date as YYYY-MM-DD or a date and time as YYYY-MM-DDTHH:MM".to_owned()
            }
            Kind::NonEmptyStrings => "a list of texts, none of them blank".to_owned(),
            Kind::PhoneNumber { min_digits } => format!("a phone number with at least {min_digits} digits"),
            Kind::Place => {
                "a place: an object with the numbers lat and lon, or with a query, or with a name".to_owned()
            }
            Kind::Places => {
                "a list of places, each an object with the numbers lat and lon, or with a query, or with a name"
                    .to_owned()
            }
            Kind::SchemaEnum { values } => match &**values {
                [only] => only.to_string(),
                [one, other] => format!("either {one} or {other}"),
                [first @ .., last] => {
                    let first: Vec<&str> = first.iter().map(Name::as_str).collect();
                    format!("one of {} and {last}", first.join(", "))
                }
                [] => return None,
            },
            Kind::HttpUrl => "a whole web address, beginning with http:// or https://".to_owned(),
            Kind::Boolean => "true or false".to_owned(),
            Kind::StringMap => "an object whose values are all text".to_owned(),
        })
    }

    /// The entry of `phone.check`.
    pub(super) fn check(&self) -> Option<Node> {
        let (is, bounds): (&str, Vec<(&str, Node)>) = match self.kind.as_ref()? {
            Kind::ClockTime => ("clock_time", Vec::new()),
            Kind::Weekdays => ("weekdays", Vec::new()),
            Kind::Integer { min, max } => ("integer", vec![("min", number(min)), ("max", number(max))]),
            Kind::DateOrDatetime => ("date_or_datetime", Vec::new()),
            Kind::NonEmptyStrings => ("non_empty_strings", Vec::new()),
            Kind::PhoneNumber { min_digits } => ("phone_number", vec![("min_digits", number(min_digits))]),
            Kind::Place => ("place", Vec::new()),
            Kind::Places => ("places", Vec::new()),
            Kind::SchemaEnum { .. } => ("schema_enum", Vec::new()),
            Kind::HttpUrl => ("http_url", Vec::new()),
            Kind::Boolean => ("boolean", Vec::new()),
            Kind::StringMap => ("string_map", Vec::new()),
        };
        Some(object([("field", text(&*self.name)), ("is", text(is))].into_iter().chain(bounds)))
    }

    /// The property of the tool's schema.
    pub(super) fn property(&self, action: &str) -> Node {
        let words = match self.phrase() {
            Some(phrase) => format!("For {action}: {}, {phrase}.", said(&self.name)),
            None => format!("For {action}: {}.", said(&self.name)),
        };
        let strings = || object([("type", text("string"))]);
        let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
        let place = || {
            let part = |ty: &str, words: &str| object([("type", text(ty)), ("description", text(words))]);
            object([
                ("lat", part("number", "Latitude in degrees, -90 to 90; together with lon.")),
                ("lon", part("number", "Longitude in degrees, -180 to 180; together with lat.")),
                ("query", part("string", "What to look for on the map.")),
                ("name", part("string", "What the place is called.")),
            ])
        };
        let (ty, more): (&str, Vec<(&str, Node)>) = match &self.kind {
            None
            | Some(Kind::ClockTime | Kind::DateOrDatetime | Kind::PhoneNumber { .. } | Kind::HttpUrl) => {
                ("string", Vec::new())
            }
            Some(Kind::Weekdays) => {
                ("array", vec![("items", object([("type", text("string")), ("enum", texts(days))]))])
            }
            Some(Kind::Integer { .. }) => ("integer", Vec::new()),
            Some(Kind::NonEmptyStrings) => ("array", vec![("items", strings())]),
            Some(Kind::Place) => ("object", vec![("properties", place())]),
            Some(Kind::Places) => {
                ("array", vec![("items", object([("type", text("object")), ("properties", place())]))])
            }
            Some(Kind::SchemaEnum { values }) => {
                ("string", vec![("enum", texts(values.iter().map(Name::as_str)))])
            }
            Some(Kind::Boolean) => ("boolean", Vec::new()),
            Some(Kind::StringMap) => ("object", vec![("additionalProperties", strings())]),
        };
        object([("type", text(ty)), ("description", text(words))].into_iter().chain(more))
    }
}

//! `/api/lab`: what the running spec makes of a call, or of a reply. Nothing is kept and nothing carried out.
//!
//! The reader and the scanner that answer are the ones that turns use.

use axum::Json;
use handset_spec::markers::{self, DELIMITERS, MAX_CHARS};
use handset_spec::phone::{self, Call, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::auth::Who;
use super::error::ApiError;
use super::extract::Body;

/// How many pieces of plain text are explained at most.
const MAX_PLAIN: usize = 40;
/// How far a closer is looked for, in characters: some times as far as a marker may reach.
const REACH: usize = 4 * MAX_CHARS;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    /// A call's arguments, as a model sends them.
    arguments: String,
}

#[derive(Serialize)]
pub(super) struct Calls {
    /// The spec's version.
    spec: &'static str,
    calls: Vec<Verdict>,
}

/// What becomes of one call.
#[derive(Serialize)]
#[serde(untagged)]
enum Verdict {
    /// It passes.
    Ok {
        /// What the phone receives.
        call: Box<RawValue>,
        /// The members that the action does not read.
        dropped: Vec<String>,
    },
    /// It is refused.
    Refused {
        /// The sentence that the model reads.
        refused: String,
        /// What made it.
        rule: Rule,
    },
}

/// The rule that refused a call. What does not apply is left out.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Rule {
    /// The path of its text in the spec.
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'static str>,
    /// The field that is not what it should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    /// The kind of its check.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'static str>,
    /// What the field should be, in the spec's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<&'static str>,
    /// The required entries that are missing, each a field or several of which one is enough.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<Vec<&'static str>>,
}

pub(super) async fn call(_who: Who, Body(given): Body<Arguments>) -> Result<Json<Calls>, ApiError> {
    let mut calls = Vec::new();
    let mut fault = None;
    phone::read(given.arguments.as_bytes(), |call| match verdict(call, &given.arguments) {
        Ok(verdict) => calls.push(verdict),
        Err(error) => fault = Some(error),
    });
    match fault {
        None => Ok(Json(Calls { spec: handset_spec::VERSION, calls })),
        Some(error) => {
            tracing::error!(%error, "a call that passed is no JSON");
            Err(ApiError::new(
                axum::http::StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "A call that passed is no JSON: a fault of the program.",
            ))
        }
    }
}

fn verdict(call: Result<Call<'_>, Refusal>, arguments: &str) -> Result<Verdict, serde_json::Error> {
    Ok(match call {
        Ok(call) => {
            Verdict::Ok { call: RawValue::from_string(call.to_json())?, dropped: dropped(&call, arguments) }
        }
        Err(refusal) => Verdict::Refused { refused: refusal.text().into_owned(), rule: rule(&refusal) },
    })
}

/// The members of the arguments that did not become part of the call, where the arguments are one object.
fn dropped(call: &Call<'_>, arguments: &str) -> Vec<String> {
    let Ok(Value::Object(given)) = serde_json::from_str(arguments) else { return Vec::new() };
    let read = |name: &str| {
        ["action", "summary"].contains(&name)
            || call.action().fields().iter().any(|field| field.name() == name)
    };
    given.into_iter().map(|(name, _)| name).filter(|name| !read(name)).collect()
}

fn rule(refusal: &Refusal) -> Rule {
    let section = if matches!(refusal, Refusal::Arguments(_)) { "tools" } else { "phone" };
    let mut rule = Rule { text: format!("{section}.texts.{}", refusal.key()), ..Rule::default() };
    match refusal {
        Refusal::Missing { action, entries } => {
            rule.action = Some(action.name());
            let entries = action.required().iter().enumerate().filter(|(bit, _)| entries >> bit & 1 == 1);
            rule.missing =
                entries.map(|(_, entry)| entry.iter().map(|field| field.name()).collect()).collect();
        }
        Refusal::Bad { action, field } => {
            (rule.action, rule.field) = (Some(action.name()), Some(field.name()));
            (rule.check, rule.what) = (field.check(), field.what());
        }
        _ => {}
    }
    rule
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reply {
    /// What a companion writes.
    reply: String,
}

#[derive(Serialize)]
pub(super) struct Read {
    /// The spec's version.
    spec: &'static str,
    /// What the person sees.
    text: String,
    markers: Vec<Found>,
    /// What looks like a marker and is left as text.
    plain: Vec<Plain>,
    /// The most characters of a marker.
    max_chars: usize,
}

#[derive(Serialize)]
struct Found {
    kind: &'static str,
    argument: Option<String>,
    /// What its argument is; null where it takes none.
    takes: Option<&'static str>,
    /// How often in a conversation it is performed; null for as often as it comes.
    per_conversation: Option<u64>,
}

/// Something between two delimiters that no marker was made of.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Plain {
    text: String,
    why: Why,
    /// The marker that it begins like.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
}

/// Why something is plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Why {
    /// By itself it is a marker; here it stands in code, in a quotation, or in a link.
    Quoted,
    /// It names no marker.
    Unknown,
    /// It is opened, and not closed.
    Unclosed,
    /// It is longer than a marker may be.
    TooLong,
    /// It begins with a marker's name and goes on as none does.
    Shape,
}

pub(super) async fn reply(_who: Who, Body(given): Body<Reply>) -> Json<Read> {
    let reading = markers::read(&given.reply);
    let found = |marker: markers::Marker| Found {
        kind: marker.kind.name(),
        argument: marker.argument,
        takes: marker.kind.argument(),
        per_conversation: marker.kind.per_conversation(),
    };
    let plain = plain(&reading.text);
    Json(Read {
        spec: handset_spec::VERSION,
        text: reading.text,
        markers: reading.markers.into_iter().map(found).collect(),
        plain,
        max_chars: MAX_CHARS,
    })
}

/// What looks like a marker in a text that has none any more. Whether a piece would be one by itself is asked of the scanner.
fn plain(text: &str) -> Vec<Plain> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && found.len() < MAX_PLAIN
    {
        let is_opener = |c: char| DELIMITERS.iter().any(|(open, _)| *open == c);
        let Some(opens) = rest.find(is_opener) else { break };
        let piece = rest.get(opens..).unwrap_or_default();
        let opener = piece.chars().next().map_or(1, char::len_utf8);
        let (plain, behind) = explained(piece);
        at += opens + behind.max(opener);
        found.extend(plain);
    }
    found
}

/// What begins with an opener: why it is no marker, where it looks like one, and up to where that was looked at.
fn explained(piece: &str) -> (Option<Plain>, usize) {
    let is_closer = |c: char| DELIMITERS.iter().any(|(_, close)| *close == c);
    let opener = piece.chars().next().unwrap_or_default();
    let inside = piece.get(opener.len_utf8()..).unwrap_or_default();
    let kind = named(inside);
    let closes =
        piece.char_indices().skip(1).take(REACH).take_while(|(_, c)| *c != '\n').find(|(_, c)| is_closer(*c));
    let Some((closes, closer)) = closes else {
        // A bracket that is opened is common; one that a marker's name follows is not.
        let line: String = piece.chars().take(MAX_CHARS).take_while(|c| *c != '\n').collect();
        let plain = kind.map(|kind| Plain { text: line, why: Why::Unclosed, kind: Some(kind) });
        return (plain, 0);
    };
    let behind = closes + closer.len_utf8();
    let whole = piece.get(..behind).unwrap_or_default();
    let alone = markers::read(whole);
    let why = if !alone.markers.is_empty() && alone.text.is_empty() {
        Why::Quoted
    } else if kind.is_some() && whole.chars().count() > MAX_CHARS {
        Why::TooLong
    } else if kind.is_some() {
        Why::Shape
    } else if opener == '[' {
        // A list's box, a link, a footnote: nothing that was meant as a marker.
        return (None, 0);
    } else {
        Why::Unknown
    };
    (Some(Plain { text: whole.to_owned(), why, kind }), behind)
}

/// The marker whose name a text begins with, if it does.
fn named(text: &str) -> Option<&'static str> {
    let begins: String =
        text.trim_start().chars().take(MAX_CHARS).map(|c| if c == '：' { ':' } else { c }).collect();
    let begins = begins.to_lowercase();
    let kinds = markers::Kind::ALL.iter();
    let mut named =
        kinds.filter(|kind| kind.names().iter().any(|name| begins.starts_with(&name.to_lowercase())));
    named.next().map(|kind| kind.name())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(arguments: &str) -> Vec<Value> {
        let mut told = Vec::new();
        phone::read(arguments.as_bytes(), |call| {
            told.push(serde_json::to_value(verdict(call, arguments).unwrap()).unwrap());
        });
        told
    }

    #[test]
    fn a_refusal_names_the_rule_that_made_it() {
        let bad = &told(r#"{"action": "timer", "seconds": 0}"#)[0];
        assert_eq!(bad["rule"]["text"], "phone.texts.bad");
        assert_eq!(
            (&bad["rule"]["field"], &bad["rule"]["check"]),
            (&"seconds".into(), &"integer".into()),
            "{bad}"
        );
        assert!(bad["refused"].as_str().unwrap().contains(bad["rule"]["what"].as_str().unwrap()));
        let missing = &told(r#"{"action": "add_stop"}"#)[0]["rule"];
        assert_eq!(
            (missing["text"].as_str(), missing["missing"].as_array().map(Vec::len)),
            (Some("phone.texts.missing"), Some(2))
        );
        assert_eq!(told("nonsense")[0]["rule"]["text"], "tools.texts.not_json");
        assert_eq!(told(r#"{"action": "fly"}"#)[0]["rule"]["text"], "phone.texts.unknown_action");
        let both = told(r#"{"action":"torch","on":true,"time":"07:30","x":1}{"action":"torch"}"#);
        assert_eq!(both.len(), 2);
        let ok = &told(r#"{"action":"torch","on":true,"time":"07:30","x":1}"#)[0];
        assert_eq!(ok["call"]["on"], true);
        assert_eq!(ok["dropped"], serde_json::json!(["time", "x"]));
    }

    #[test]
    fn what_is_no_marker_is_told_with_its_reason() {
        let why = |reply: &str| {
            let left = markers::read(reply).text;
            plain(&left).into_iter().map(|plain| (plain.text, plain.why)).collect::<Vec<_>>()
        };
        assert_eq!(why("Sleep well. [hangup]"), []);
        assert_eq!(why("`[hangup]` ends a call"), [("[hangup]".to_owned(), Why::Quoted)]);
        assert_eq!(why("[x] [link](y) [1]"), []);
        assert_eq!(why("⟪hugs⟫"), [("⟪hugs⟫".to_owned(), Why::Unknown)]);
        assert_eq!(why("⟪hangup now⟫"), [("⟪hangup now⟫".to_owned(), Why::Shape)]);
        let long = format!("⟪dial:{}⟫", "x".repeat(MAX_CHARS));
        assert_eq!(why(&long), [(long.clone(), Why::TooLong)]);
    }

    proptest! {
        #[test]
        fn any_reply_is_explained(reply in "([a-z `:\\n]|⟪|⟫|《|》|【|】|\\[|\\]|dial|hangup|拨号|：){0,60}") {
            let left = markers::read(&reply).text;
            for plain in plain(&left) {
                prop_assert!(left.contains(&plain.text));
            }
        }
    }
}

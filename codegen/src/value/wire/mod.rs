//! What goes between the server and a client.

mod routes;

use serde::Serialize;

pub use routes::{Answer, Body, Code, Header, Operation, Path, Place, Topic};

use super::{Named, name};
use crate::model::wire::{self, Presence, Shape};

/// Routes, words, records and events.
#[derive(Debug, Serialize)]
pub struct Wire {
    /// Lists of strings of which one is meant. A newer server may send others.
    pub words: Vec<Words>,
    /// Objects.
    pub records: Vec<Record>,
    /// The events of a stream.
    pub events: Vec<Event>,
    /// The chapters of the routes.
    pub topics: Vec<Topic>,
    /// The routes, by their path.
    pub paths: Vec<Path>,
}

/// Strings of which one is meant.
#[derive(Debug, Serialize)]
pub struct Words {
    /// The name of the list.
    pub name: Named,
    /// What it tells.
    pub doc: &'static str,
    /// Whether clients alone write them, so that there are no others.
    pub sent: bool,
    /// The strings.
    pub values: Vec<Value>,
}

/// One string of a list.
#[derive(Debug, Serialize)]
pub struct Value {
    /// The string, as `snake`.
    pub name: Named,
    /// What it means.
    pub doc: &'static str,
}

/// An object.
#[derive(Debug, Serialize)]
pub struct Record {
    /// Its name.
    pub name: Named,
    /// What it is.
    pub doc: &'static str,
    /// Whether a client writes it, and does not read it.
    pub sent: bool,
    /// Whether what a client writes may hold more than the server reads of it.
    pub open: bool,
    /// In the order in which they are written.
    pub members: Vec<Member>,
    /// The names of those that are never left out.
    pub always: Vec<Named>,
}

/// A member of an object.
#[derive(Debug, Serialize)]
pub struct Member {
    /// Its key, as `snake`.
    pub name: Named,
    /// What it is.
    pub r#type: Type,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether it may be left out.
    pub optional: bool,
    /// The least that it may be, and of a text the fewest characters; else null.
    pub min: Option<i64>,
    /// The most that it may be, and of a text the most characters; else null.
    pub max: Option<i64>,
    /// What it means.
    pub doc: &'static str,
}

/// What a value is.
#[derive(Debug, Serialize)]
pub struct Type {
    /// `text`, `integer`, `number`, `boolean`, `json`, `moment`, `milliseconds`, `words`, `record`, `call`, `settings`,
    /// `change`, `list`.
    pub is: &'static str,
    /// The name of the words or the record; else null.
    pub name: Option<Named>,
    /// What is listed; else null.
    pub of: Option<Box<Type>>,
}

/// An event.
#[derive(Debug, Serialize)]
pub struct Event {
    /// Its name on the wire, as `snake`.
    pub name: Named,
    /// When it comes.
    pub doc: &'static str,
    /// The name of the record that is its data.
    pub data: Named,
}

impl Wire {
    pub(super) fn new() -> Self {
        let value = |(word, doc): &(&'static str, &'static str)| Value { name: name::own(word), doc };
        let words = |words: &wire::Words| Words {
            name: name::own(words.name),
            doc: words.doc,
            sent: words.sent,
            values: words.values.iter().map(value).collect(),
        };
        let record = |record: &wire::Record| Record {
            name: name::own(record.name),
            doc: record.doc,
            sent: record.sent,
            open: record.open,
            members: record.members.iter().map(Member::new).collect(),
            always: record
                .members
                .iter()
                .filter(|member| !is_optional(member))
                .map(|member| name::own(member.name))
                .collect(),
        };
        let event = |event: &wire::Event| Event {
            name: name::own(event.name),
            doc: event.doc,
            data: name::own(event.data),
        };
        Self {
            words: wire::words().map(words).collect(),
            records: wire::records().map(record).collect(),
            events: wire::events().map(event).collect(),
            topics: routes::topics(),
            paths: routes::paths(),
        }
    }
}

fn is_optional(member: &wire::Member) -> bool {
    matches!(member.presence, Presence::Optional | Presence::Either)
}

impl Member {
    fn new(member: &wire::Member) -> Self {
        Self {
            name: name::own(member.name),
            r#type: Type::new(member.shape),
            nullable: matches!(member.presence, Presence::Nullable | Presence::Either),
            optional: is_optional(member),
            min: member.limits.map(|(least, _)| least),
            max: member.limits.map(|(_, most)| most),
            doc: member.doc,
        }
    }
}

impl Type {
    fn new(shape: Shape) -> Self {
        let (is, name, of) = match shape {
            Shape::Text => ("text", None, None),
            Shape::Integer => ("integer", None, None),
            Shape::Number => ("number", None, None),
            Shape::Boolean => ("boolean", None, None),
            Shape::Json => ("json", None, None),
            Shape::Moment => ("moment", None, None),
            Shape::Milliseconds => ("milliseconds", None, None),
            Shape::Words(name) => ("words", Some(name::own(name)), None),
            Shape::Record(name) => ("record", Some(name::own(name)), None),
            Shape::Call => ("call", None, None),
            Shape::Settings => ("settings", None, None),
            Shape::Change => ("change", None, None),
            Shape::List(of) => ("list", None, Some(Box::new(Self::new(*of)))),
        };
        Self { is, name, of }
    }
}

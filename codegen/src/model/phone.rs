//! `phone` of loop.json: the actions, their fields, and what is checked of each (document 1 §2; spec-format, "phone").

use super::Name;

/// The section `phone`, without its texts.
#[derive(Clone, Debug)]
pub struct Phone {
    /// What a client declares with a message.
    pub capability: String,
    /// How long a card waits for its answer, in seconds.
    pub wait_seconds: u64,
    /// How long after that an answer stamped in time may still arrive, in seconds.
    pub answer_grace_seconds: u64,
    /// The most characters (Unicode scalar values) of an answer's message.
    pub message_max_chars: u64,
    /// In the spec's order; [`ActionId`] indexes it.
    pub actions: Vec<Action>,
    /// Every field that an action reads, in the order of the tool's properties; [`FieldId`] indexes it.
    pub fields: Vec<Field>,
    /// `phone.check`: the order in which present fields are checked, and so the order of refusals.
    pub checks: Vec<FieldId>,
}

/// Index into [`Phone::actions`].
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ActionId(pub usize);

/// Index into [`Phone::fields`].
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct FieldId(pub usize);

/// One action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name, unique also as an identifier.
    pub name: Name,
    /// The fields it reads, in the spec's order.
    pub fields: Vec<FieldId>,
    /// What must be present, in the spec's order.
    pub required: Vec<Entry>,
}

/// An entry of `phone.required`: one field, or several of which one is enough. Never empty.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Entry(pub Vec<FieldId>);

/// A field that at least one action reads.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name, unique also as an identifier.
    pub name: Name,
    /// The description of its property in the tool's schema.
    pub description: String,
    /// What the tool's schema says it is.
    pub shape: Shape,
    /// Its check; a field without one never refuses a call.
    pub check: Option<Check>,
}

/// The type that the tool's schema gives a property.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// `"string"`.
    String,
    /// `"integer"`.
    Integer,
    /// `"number"`.
    Number,
    /// `"boolean"`.
    Boolean,
    /// `"array"`.
    Array,
    /// `"object"`.
    Object,
}

/// One entry of `phone.check` with its phrase.
#[derive(Clone, Debug)]
pub struct Check {
    /// What the value must be.
    pub kind: Kind,
    /// `phone.what`: the phrase for `{{what}}`.
    pub what: String,
}

/// A kind of check (`is`).
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Kind {
    /// `HH:MM`, 00:00 to 23:59.
    ClockTime,
    /// A list of `mon` … `sun`.
    Weekdays,
    /// An integral number within the bounds, both included.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`.
    DateOrDatetime,
    /// A list of strings, each with something in it.
    NonEmptyStrings,
    /// Digits, spaces and `+ ( ) - . / # *`.
    PhoneNumber {
        /// The least number of digits.
        min_digits: u64,
    },
    /// Coordinates, a query or a name.
    Place,
    /// A list of places.
    Places,
    /// One of the values that the tool's schema lists.
    SchemaEnum {
        /// In the schema's order.
        values: Vec<Name>,
    },
    /// `http://` or `https://` and something behind it.
    HttpUrl,
    /// `true` or `false`.
    Boolean,
    /// An object of strings.
    StringMap,
}

impl Kind {
    /// What the spec calls it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::ClockTime => "clock_time",
            Self::Weekdays => "weekdays",
            Self::Integer { .. } => "integer",
            Self::DateOrDatetime => "date_or_datetime",
            Self::NonEmptyStrings => "non_empty_strings",
            Self::PhoneNumber { .. } => "phone_number",
            Self::Place => "place",
            Self::Places => "places",
            Self::SchemaEnum { .. } => "schema_enum",
            Self::HttpUrl => "http_url",
            Self::Boolean => "boolean",
            Self::StringMap => "string_map",
        }
    }
}

impl Phone {
    /// The action with this index.
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.0]
    }

    /// The field with this index.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.0]
    }
}

//! `phone`, with every reference resolved.

use serde::Serialize;

use super::Named;
use crate::model::{self, FieldId, Kind, Shape};

/// The section `phone`, without its texts.
#[derive(Debug, Serialize)]
pub struct Phone {
    /// What a client declares with a message that comes from a phone.
    pub capability: String,
    /// How long a card waits, in seconds.
    pub wait_seconds: u64,
    /// How much later an answer given in time may arrive, in seconds.
    pub answer_grace_seconds: u64,
    /// The most characters of an answer's message.
    pub message_max_chars: u64,
    /// In the order in which they are listed to a model.
    pub actions: Vec<Action>,
    /// Every field that an action reads, in the order of the tool's properties.
    pub fields: Vec<Field>,
    /// The fields with a check, in the order of refusals.
    pub checked: Vec<Field>,
    /// The fields whose check is a list of values.
    pub listed: Vec<Field>,
}

/// One action.
#[derive(Debug, Serialize)]
pub struct Action {
    /// Its name.
    pub name: Named,
    /// The fields that it reads, in the spec's order.
    pub fields: Vec<Field>,
    /// What must be present: entries, of each of which one field is enough.
    pub required: Vec<Vec<Named>>,
    /// Its fields with a check, in the order of refusals.
    pub checked: Vec<Field>,
    /// Whether no entry of `required` has more than one field.
    pub plain: bool,
}

/// A field, as an action reads it.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// Its name.
    pub name: Named,
    /// What the tool's schema tells a model of it.
    pub description: String,
    /// The type that the tool's schema gives it: `string`, `integer`, `number`, `boolean`, `array`, `object`.
    pub shape: &'static str,
    /// What it must be; null for a field that is not checked and travels as it came.
    pub check: Option<Check>,
    /// Whether the action cannot do without this very field; false beside no action.
    pub required: bool,
}

/// What a field must be.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// The kind, `is` in the spec: `clock_time`, `integer`, …
    pub kind: Named,
    /// The phrase for the hole `what` of the text `bad`.
    pub what: String,
    /// The least, of an `integer`; else null.
    pub min: Option<i64>,
    /// The greatest, of an `integer`; else null.
    pub max: Option<i64>,
    /// The least number of digits, of a `phone_number`; else null.
    pub min_digits: Option<u64>,
    /// The values, of a `schema_enum`; else empty.
    pub values: Vec<Named>,
}

impl Phone {
    pub(super) fn new(phone: &model::Phone) -> Self {
        let all = |ids: &mut dyn Iterator<Item = FieldId>| -> Vec<Field> {
            ids.map(|id| Field::new(phone.field(id), false)).collect()
        };
        let fields = all(&mut (0..phone.fields.len()).map(FieldId));
        let listed = |field: &&Field| field.check.as_ref().is_some_and(|check| !check.values.is_empty());
        Self {
            capability: phone.capability.clone(),
            wait_seconds: phone.wait_seconds,
            answer_grace_seconds: phone.answer_grace_seconds,
            message_max_chars: phone.message_max_chars,
            actions: phone.actions.iter().map(|action| Action::new(phone, action)).collect(),
            checked: all(&mut phone.checks.iter().copied()),
            listed: fields.iter().filter(listed).cloned().collect(),
            fields,
        }
    }
}

impl Action {
    fn new(phone: &model::Phone, action: &model::Action) -> Self {
        let required = |id: FieldId| action.required.iter().any(|entry| entry.0 == [id]);
        let field = |id: FieldId| Field::new(phone.field(id), required(id));
        let entry =
            |entry: &model::Entry| entry.0.iter().map(|id| Named::new(&phone.field(*id).name)).collect();
        Self {
            name: Named::new(&action.name),
            fields: action.fields.iter().copied().map(field).collect(),
            required: action.required.iter().map(entry).collect(),
            checked: phone
                .checks
                .iter()
                .copied()
                .filter(|id| action.fields.contains(id))
                .map(field)
                .collect(),
            plain: action.required.iter().all(|entry| entry.0.len() == 1),
        }
    }
}

impl Field {
    fn new(field: &model::Field, required: bool) -> Self {
        Self {
            name: Named::new(&field.name),
            description: field.description.clone(),
            shape: match field.shape {
                Shape::String => "string",
                Shape::Integer => "integer",
                Shape::Number => "number",
                Shape::Boolean => "boolean",
                Shape::Array => "array",
                Shape::Object => "object",
            },
            check: field.check.as_ref().map(Check::new),
            required,
        }
    }
}

impl Check {
    fn new(check: &model::Check) -> Self {
        let (min, max, min_digits) = match &check.kind {
            Kind::Integer { min, max } => (Some(*min), Some(*max), None),
            Kind::PhoneNumber { min_digits } => (None, None, Some(*min_digits)),
            _ => (None, None, None),
        };
        let values = match &check.kind {
            Kind::SchemaEnum { values } => values.iter().map(Named::new).collect(),
            _ => Vec::new(),
        };
        Self {
            kind: super::name::own(check.kind.word()),
            what: check.what.clone(),
            min,
            max,
            min_digits,
            values,
        }
    }
}

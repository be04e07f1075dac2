//! What the demo has understood: an action's name and its fields, by their names in the spec.

use serde_json::{Map, Value, json};

use crate::gateway::model::Said;

/// An action to propose.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The action's name.
    pub action: String,
    /// Its fields.
    pub fields: Map<String, Value>,
}

impl Proposal {
    /// An action without fields.
    pub(super) fn new(action: &str) -> Self {
        Self { action: action.to_owned(), fields: Map::new() }
    }

    /// With one field more.
    pub(super) fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// With one field more, where it was said.
    pub(super) fn maybe(self, field: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(field, value),
            None => self,
        }
    }

    /// Fills in what the person said earlier in the chat: where the running route leads, as they told it then
    /// (document 1, section 4).
    pub(super) fn recall(&mut self, said: &[Said]) {
        if self.action != "add_stop" || self.fields.contains_key("destination") {
            return;
        }
        let earlier = said.iter().rev().find_map(|said| match said {
            Said::Call { arguments, .. } => {
                let call: Value = serde_json::from_str(arguments).ok()?;
                call.get("destination").cloned()
            }
            _ => None,
        });
        if let Some(destination) = earlier {
            self.fields.insert("destination".to_owned(), destination);
        }
    }

    /// The call's arguments, JSON.
    pub(super) fn arguments(&self, summary: &str) -> String {
        let mut call = Map::new();
        call.insert("action".to_owned(), self.action.as_str().into());
        call.insert("summary".to_owned(), summary.into());
        // A field of the action that is called like one of the two would be the action's to read.
        call.extend(self.fields.iter().map(|(name, value)| (name.clone(), value.clone())));
        Value::Object(call).to_string()
    }
}

/// A place that the person named.
pub(super) fn place(name: &str) -> Value {
    json!({ "query": name })
}

/// A list of places, or nothing where there is none.
pub(super) fn places(names: &[&str]) -> Option<Value> {
    (!names.is_empty()).then(|| Value::Array(names.iter().map(|name| place(name)).collect()))
}

/// A list of words, or nothing where there is none.
pub(super) fn list<T: AsRef<str>>(words: &[T]) -> Option<Value> {
    (!words.is_empty()).then(|| Value::Array(words.iter().map(|word| word.as_ref().into()).collect()))
}

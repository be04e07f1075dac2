//! A call that passed.

use serde::{Serialize, Serializer, ser::Error};

use super::{Action, Request};
use crate::support::{Source, Text, View, WriteJson};

/// The action that the phone receives (document 1 §2): checked, cleaned, and holding only what the action reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Call<'a> {
    /// The line that the phone shows; the action's name where the model gave none.
    pub summary: Text<'a>,
    /// The action with its fields.
    pub request: Request<'a>,
}

impl<'a> Call<'a> {
    #[inline]
    pub(crate) fn new(action: Action, summary: Option<impl Source<'a>>, request: Request<'a>) -> Self {
        let summary = match summary.map(Source::view) {
            Some(View::Text(text)) if !text.is_empty() => text,
            _ => Text::Borrowed(action.name()),
        };
        Self { summary, request }
    }

    /// What it asks for.
    pub fn action(&self) -> Action {
        self.request.action()
    }

    /// The call as it travels: `{"action", "summary", FIELD: …}`, in the spec's order of fields.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(128);
        self.write_json(&mut out);
        out
    }
}

impl WriteJson for Call<'_> {
    fn write_json(&self, out: &mut String) {
        out.push_str("{\"action\":\"");
        out.push_str(self.action().name());
        out.push_str("\",\"summary\":");
        self.summary.write_json(out);
        self.request.write_fields(out);
        out.push('}');
    }
}

/// As [`Call::to_json`], raw into `serde_json`'s output, so that a number keeps all its digits.
impl Serialize for Call<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::value::RawValue::from_string(self.to_json())
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

/// The type that the tool's schema gives a field.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// A string.
    String,
    /// An integral number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A list.
    Array,
    /// An object.
    Object,
}

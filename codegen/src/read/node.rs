//! What a JSON text is read into.

use std::fmt::Write;

/// A place in a text: bytes from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

impl Span {
    /// From `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Whether `other` lies inside.
    pub fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// From its first to its last character, quotes and brackets too.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// As it is written: `60`, `60.0`, `6e1`.
    Number(String),
    /// With its escapes resolved.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// As it is written: repeated keys too.
    Object(Vec<Member>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// With its escapes resolved.
    pub key: String,
    /// With its quotes.
    pub key_span: Span,
    /// What stands behind the colon.
    pub value: Node,
}

impl Node {
    /// What kind of value it is, as a sentence says it: "a string".
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn as_array(&self) -> Option<&[Self]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object, as they are written.
    pub fn as_object(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The value of the first member with this key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// The place at which a sentence about the whole value points: an object's or list's opening bracket, any other
    /// value itself.
    pub fn head(&self) -> Span {
        match self.value {
            Value::Array(_) | Value::Object(_) => Span::new(self.span.start, self.span.start + 1),
            _ => self.span,
        }
    }

    /// The JSON pointer (RFC 6901) of the innermost value that holds `place`; a key belongs to its member.
    pub fn pointer(&self, place: Span) -> String {
        let mut pointer = String::new();
        let mut node = self;
        loop {
            let step = match &node.value {
                Value::Array(items) => {
                    // Elements, and members below, stand in order: the one that may hold the place is found by halving.
                    let index = items.partition_point(|item| item.span.end <= place.start);
                    items
                        .get(index)
                        .filter(|item| item.span.holds(place))
                        .map(|item| (index.to_string(), item))
                }
                Value::Object(members) => members
                    .get(members.partition_point(|member| member.value.span.end <= place.start))
                    .filter(|member| Span::new(member.key_span.start, member.value.span.end).holds(place))
                    .map(|member| (member.key.replace('~', "~0").replace('/', "~1"), &member.value)),
                _ => None,
            };
            let Some((name, inner)) = step else { return pointer };
            pointer.push('/');
            pointer.push_str(&name);
            node = inner;
        }
    }

    /// As JSON text without blanks; keys and numbers as they are written.
    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match &self.value {
            Value::Null => out.push_str("null"),
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Value::Number(text) => out.push_str(text),
            Value::String(text) => write_string(text, out),
            Value::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                for (index, member) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(&member.key, out);
                    out.push(':');
                    member.value.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// A JSON string, with the escapes that JSON demands and no others.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

//! A value that somebody has parsed already. What parsing has lost (the digits of a number beyond 64 bits) is lost.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::escape::write_string;
use super::source::{Fields, Source, View};
use super::text::{clean, is_visible};
use super::{Json, Number};

impl<'a> Source<'a> for &'a Value {
    #[inline]
    fn view(self) -> View<'a, impl Iterator<Item = Self>, impl Iterator<Item = (Cow<'a, str>, Self)>> {
        match self {
            Value::Null => View::Null,
            Value::Bool(value) => View::Boolean(*value),
            Value::Number(number) => View::Number(Number::Parsed(number)),
            Value::String(text) => View::Text(clean(text)),
            Value::Array(items) => View::List(items.iter()),
            Value::Object(members) => {
                View::Object(members.iter().map(|(key, value)| (Cow::Borrowed(key.as_str()), value)))
            }
        }
    }

    #[inline]
    fn string(self) -> Option<Cow<'a, str>> {
        self.as_str().map(Cow::Borrowed)
    }

    #[inline]
    fn present(self) -> bool {
        match self {
            Value::Null => false,
            Value::String(text) => is_visible(text),
            Value::Array(items) => !items.is_empty(),
            Value::Object(members) => !members.is_empty(),
            _ => true,
        }
    }

    fn json(self) -> Json<'a> {
        let mut out = String::new();
        write(self, &mut out);
        Json::new(out)
    }
}

impl<'a> Fields<'a> for &'a Map<String, Value> {
    type Value = &'a Value;

    #[inline]
    fn value(&self, _: usize, name: &'static str) -> Option<&'a Value> {
        self.get(name)
    }
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&Number::Parsed(number).normal()),
        Value::String(text) => write_string(&clean(text), out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}

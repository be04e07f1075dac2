//! A field that the spec does not check: it never refuses, so its type holds whatever came.

use super::source::{Source, View};
use super::{Json, Text, WriteJson};

/// A value of the type that the tool's schema gives, or any other as the model gave it (spec-format, "phone").
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Given<'a, T> {
    /// Of the schema's type.
    Typed(T),
    /// Of another.
    Other(Json<'a>),
}

impl<'a, T: GivenType<'a>> Given<'a, T> {
    /// Takes any value.
    #[inline]
    pub fn read(value: impl Source<'a>) -> Self {
        match T::read(value) {
            Some(value) => Self::Typed(value),
            None => Self::Other(value.json()),
        }
    }

    /// The value, if it is of the schema's type.
    pub fn typed(&self) -> Option<&T> {
        match self {
            Self::Typed(value) => Some(value),
            Self::Other(_) => None,
        }
    }
}

impl<T: WriteJson> WriteJson for Given<'_, T> {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Typed(value) => value.write_json(out),
            Self::Other(value) => value.write_json(out),
        }
    }
}

/// A type of the schema that a value may or may not be of.
pub trait GivenType<'a>: Sized {
    /// The value, if it is of this type.
    fn read(value: impl Source<'a>) -> Option<Self>;
}

impl<'a> GivenType<'a> for Text<'a> {
    #[inline]
    fn read(value: impl Source<'a>) -> Option<Self> {
        match value.view() {
            View::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl<'a> GivenType<'a> for bool {
    #[inline]
    fn read(value: impl Source<'a>) -> Option<Self> {
        match value.view() {
            View::Boolean(value) => Some(value),
            _ => None,
        }
    }
}

impl<'a> GivenType<'a> for i64 {
    #[inline]
    fn read(value: impl Source<'a>) -> Option<Self> {
        match value.view() {
            View::Number(number) => number.as_i64(),
            _ => None,
        }
    }
}

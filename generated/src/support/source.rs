//! A value as the checks see it, whether it stands in the text of the arguments or was parsed by somebody else.

use std::borrow::Cow;

use super::{Json, Number, Text};

/// A JSON value that can be looked at and can travel on.
pub trait Source<'a>: Copy {
    /// What it is.
    fn view(self) -> View<'a, impl Iterator<Item = Self>, impl Iterator<Item = (Cow<'a, str>, Self)>>;

    /// The string that it is, not cleaned.
    fn string(self) -> Option<Cow<'a, str>>;

    /// Whether a field with this value is present: it is not null, not an empty string after cleaning, not an empty
    /// list or object (document 1 §2).
    fn present(self) -> bool;

    /// The value as it travels: its strings cleaned at any depth, its integral numbers as integers.
    fn json(self) -> Json<'a>;
}

/// What a value is. Strings are cleaned (spec-format, reading order 3), the keys of objects left alone.
#[derive(Clone, Debug)]
pub enum View<'a, L, O> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number.
    Number(Number<'a>),
    /// A string.
    Text(Text<'a>),
    /// A list.
    List(L),
    /// An object, its members as they come: a repeated key comes again.
    Object(O),
}

/// The fields of one call.
pub trait Fields<'a> {
    /// Their values.
    type Value: Source<'a>;

    /// The value of the key with this index and name, whatever it is.
    fn value(&self, index: usize, name: &'static str) -> Option<Self::Value>;

    /// The value of a field that is present.
    fn field(&self, index: usize, name: &'static str) -> Option<Self::Value> {
        self.value(index, name).filter(|value| value.present())
    }
}

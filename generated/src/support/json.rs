//! A JSON value that travels on.

use std::borrow::Cow;
use std::fmt;

/// One whole JSON value as text, its strings cleaned, its integral numbers written as integers, every other number as
/// the model wrote it, each key of an object once.
#[derive(Clone, Eq, PartialEq)]
pub struct Json<'a>(Cow<'a, str>);

impl Json<'_> {
    pub(crate) fn new(text: String) -> Self {
        Self(Cow::Owned(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same, on its own.
    pub fn into_owned(self) -> Json<'static> {
        Json(Cow::Owned(self.0.into_owned()))
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

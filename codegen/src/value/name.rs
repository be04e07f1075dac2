//! A name in the styles of all languages.

use serde::Serialize;

use crate::model::Name;

/// A name of the spec and the identifiers that it becomes, by the one rule of [`Name`].
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// As the spec writes it: `calendar_event`.
    pub snake: String,
    /// `calendarEvent`.
    pub camel: String,
    /// `CalendarEvent`.
    pub pascal: String,
    /// `CALENDAR_EVENT`.
    pub screaming: String,
}

impl Named {
    /// The name in all styles.
    #[must_use]
    pub fn new(name: &Name) -> Self {
        Self {
            snake: name.to_string(),
            camel: name.camel(),
            pascal: name.pascal(),
            screaming: name.screaming(),
        }
    }
}

/// A name of the compiler's own, which has the shape of one.
pub(super) fn own(name: &str) -> Named {
    let plain = || Named {
        snake: name.to_owned(),
        camel: name.to_owned(),
        pascal: name.to_owned(),
        screaming: name.to_owned(),
    };
    Name::new(name).map_or_else(plain, |name| Named::new(&name))
}

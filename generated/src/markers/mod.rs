//! Markers in a companion's reply (document 2; spec-format, "markers"): found, taken out, and reported.
//!
//! [`Scanner`] takes a reply in pieces and hands out the text without its markers and the markers in their places;
//! [`read`] takes it whole. However a reply is cut, the two say the same, but for blanks at its end, which a stream may
//! have sent already. [`harmless`] is for everybody else's words.

mod bytes;
mod candidate;
mod delimiter;
mod fence;
mod find;
mod foreign;
mod scanner;

#[rustfmt::skip]
mod kinds;
#[rustfmt::skip]
mod tables;

pub use bytes::ByteScanner;
pub use foreign::harmless;
pub use kinds::{DELIMITERS, Kind, MAX_CHARS};
pub use scanner::Scanner;

/// What a scanner hands out, in the order of the reply.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Event<'t> {
    /// Text to show, never empty.
    Text(&'t str),
    /// A marker, which is not shown.
    Marker {
        /// What it asks for.
        kind: Kind,
        /// What stood behind the colon, trimmed of spaces and tabs; none for a kind that takes no argument.
        argument: Option<&'t str>,
    },
}

/// A marker that was found.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Marker {
    /// What it asks for.
    pub kind: Kind,
    /// What stood behind the colon; none for a kind that takes no argument.
    pub argument: Option<String>,
}

/// A whole reply, read.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Reading {
    /// What is shown, trimmed at its end.
    pub text: String,
    /// Every marker, in the order of the reply: budgets are for whoever performs them.
    pub markers: Vec<Marker>,
}

impl Reading {
    /// Takes what a scanner hands out.
    pub fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) => self.text.push_str(text),
            Event::Marker { kind, argument } => {
                self.markers.push(Marker { kind, argument: argument.map(str::to_owned) });
            }
        }
    }

    /// Trims the text at its end, as it is saved.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        self.text.truncate(self.text.trim_end().len());
        self
    }
}

/// Reads a whole reply.
#[must_use]
pub fn read(reply: &str) -> Reading {
    let mut reading = Reading { text: String::with_capacity(reply.len()), markers: Vec::new() };
    Scanner::whole(reply, &mut |event| reading.take(event));
    reading.trimmed()
}

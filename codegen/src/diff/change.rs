//! One change.

use super::{Bump, ChangeRule, Class};
use crate::read::Span;

/// Which of the two specs.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Which {
    /// The one before.
    Old,
    /// The one behind.
    New,
}

/// A place of one of the two specs.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// Of which.
    pub which: Which,
    /// The file, below the specs' folder.
    pub file: String,
    /// Where in it.
    pub span: Span,
    /// Its JSON pointer.
    pub pointer: String,
}

/// One change.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its kind.
    pub rule: &'static ChangeRule,
    /// Its class: the rule's, but where the rule speaks of other changes.
    pub class: Class,
    /// The place in the new spec; in the old one, where it is there alone.
    pub place: Place,
    /// Where the place is the old spec's: what held it, in the new one.
    pub beside: Option<Place>,
    /// What changed.
    pub message: String,
    /// What it was, in few words.
    pub was: Option<String>,
    /// What it is now.
    pub now: Option<String>,
    /// What to do: the rule's advice, or better one.
    pub help: String,
}

impl Change {
    pub(super) fn new(rule: &'static ChangeRule, place: Place, message: impl Into<String>) -> Self {
        Self {
            rule,
            class: rule.class,
            place,
            beside: None,
            message: message.into(),
            was: None,
            now: None,
            help: rule.todo.to_owned(),
        }
    }

    pub(super) fn beside(mut self, place: Place) -> Self {
        self.beside = Some(place);
        self
    }

    pub(super) fn between(mut self, was: impl Into<String>, now: impl Into<String>) -> Self {
        self.was = Some(was.into());
        self.now = Some(now.into());
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Whether it is about the version, which counts with no class and is told last.
    pub fn is_of_version(&self) -> bool {
        self.rule.bump == Bump::None && self.place.pointer == "/version"
    }

    /// What changes are sorted by.
    pub(super) fn key(&self) -> (bool, Class, &str, Span, Which, &str, &str) {
        (
            self.is_of_version(),
            self.class,
            &self.place.file,
            self.place.span,
            self.place.which,
            self.rule.id,
            &self.message,
        )
    }
}

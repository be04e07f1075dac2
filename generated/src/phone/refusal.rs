//! Why a call is not put to the person, in the spec's words.

use std::borrow::Cow;
use std::fmt;

use super::{Action, Field, sentences};
use crate::support::{Fault, FaultKind};
use crate::texts;

/// The result of a call that does not pass (document 1 §2).
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// The arguments are no call at all.
    Arguments(Fault),
    /// `action` is none of the actions.
    UnknownAction,
    /// Required entries are missing.
    Missing {
        /// The action.
        action: Action,
        /// A bit an entry of [`Action::required`], the first lowest: those that are missing.
        entries: u64,
    },
    /// A field is not what it should be.
    Bad {
        /// The action.
        action: Action,
        /// The first such field, in the order of `phone.check`.
        field: Field,
    },
}

impl Refusal {
    #[cold]
    pub(crate) fn missing(action: Action, entries: u64) -> Self {
        Self::Missing { action, entries }
    }

    #[cold]
    pub(crate) fn bad(action: Action, field: Field) -> Self {
        Self::Bad { action, field }
    }

    /// The key of its text, below `phone.texts` or `tools.texts`.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Arguments(fault) => match fault.kind {
                FaultKind::NotJson => "not_json",
                FaultKind::NotAnObject => "not_an_object",
                FaultKind::NumberTooLarge => "number_too_large",
                FaultKind::LoneSurrogate => "lone_surrogate",
            },
            Self::UnknownAction => "unknown_action",
            Self::Missing { .. } => "missing",
            Self::Bad { .. } => "bad",
        }
    }

    /// The sentence that the model reads.
    pub fn text(&self) -> Cow<'static, str> {
        match self {
            Self::Arguments(fault) => match fault.kind {
                FaultKind::NotJson => texts::tools::not_json(fault.at).into(),
                FaultKind::NotAnObject => texts::tools::not_an_object().into(),
                FaultKind::NumberTooLarge => texts::tools::number_too_large().into(),
                FaultKind::LoneSurrogate => texts::tools::lone_surrogate().into(),
            },
            Self::UnknownAction => sentences::UNKNOWN_ACTION.into(),
            Self::Missing { action, entries } => match sentences::missing(*action, *entries) {
                Some(sentence) => sentence.into(),
                None => texts::phone::missing(action.name(), missing(*action, *entries)).into(),
            },
            Self::Bad { action, field } => match sentences::bad(*action, *field) {
                Some(sentence) => sentence.into(),
                None => {
                    texts::phone::bad(action.name(), field.name(), field.what().unwrap_or_default()).into()
                }
            },
        }
    }

    /// What fills the holes of its text, by their names.
    pub fn holes(&self) -> Vec<(&'static str, Cow<'static, str>)> {
        match self {
            Self::Arguments(Fault { kind: FaultKind::NotJson, at }) => vec![("at", at.to_string().into())],
            Self::Arguments(_) => Vec::new(),
            Self::UnknownAction => vec![("actions", Action::NAMES.into())],
            Self::Missing { action, entries } => {
                vec![("action", action.name().into()), ("fields", missing(*action, *entries).into())]
            }
            Self::Bad { action, field } => vec![
                ("action", action.name().into()),
                ("field", field.name().into()),
                ("what", field.what().unwrap_or_default().into()),
            ],
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for Refusal {}

/// The missing entries: a field by its name, a group as its names joined with `or`, the entries with `and`.
fn missing(action: Action, entries: u64) -> String {
    let mut text = String::new();
    for (bit, entry) in action.required().iter().enumerate() {
        if entries >> bit & 1 == 0 {
            continue;
        }
        if !text.is_empty() {
            text.push_str(" and ");
        }
        for (at, field) in entry.iter().enumerate() {
            if at > 0 {
                text.push_str(" or ");
            }
            text.push_str(field.name());
        }
    }
    text
}

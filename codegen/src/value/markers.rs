//! `markers`.

use serde::Serialize;

use super::Named;
use crate::model::{self, folded};

/// The section `markers`.
#[derive(Debug, Serialize)]
pub struct Markers {
    /// In the spec's order.
    pub delimiters: Vec<Delimiter>,
    /// The most characters of a whole marker, both delimiters too.
    pub max_chars: u64,
    /// In the spec's order.
    pub kinds: Vec<Marker>,
}

/// A pair of delimiters.
#[derive(Debug, Serialize)]
pub struct Delimiter {
    /// One character.
    pub open: String,
    /// One character.
    pub close: String,
    /// Whether Markdown writes links with it: `[` and `]`.
    pub link: bool,
}

/// One kind of marker.
#[derive(Debug, Serialize)]
pub struct Marker {
    /// Its name in the spec.
    pub name: Named,
    /// What a companion writes for it.
    pub spellings: Vec<Spelling>,
    /// What its argument is; null where it takes none.
    pub argument: Option<Named>,
    /// How often in a conversation it is performed; null for as often as it comes.
    pub per_conversation: Option<u64>,
    /// The sentence that the system prompt teaches.
    pub rule: String,
}

/// A spelling of a marker's name.
#[derive(Debug, Serialize)]
pub struct Spelling {
    /// As the spec has it.
    pub text: String,
    /// As it is compared: lower case, one colon for the two.
    pub folded: String,
}

impl Markers {
    pub(super) fn new(markers: &model::Markers) -> Self {
        let delimiter = |&(open, close): &(char, char)| Delimiter {
            open: open.to_string(),
            close: close.to_string(),
            link: (open, close) == ('[', ']'),
        };
        Self {
            delimiters: markers.delimiters.iter().map(delimiter).collect(),
            max_chars: markers.max_chars,
            kinds: markers.kinds.iter().map(Marker::new).collect(),
        }
    }
}

impl Marker {
    fn new(kind: &model::MarkerKind) -> Self {
        let spelling =
            |text: &String| Spelling { text: text.clone(), folded: text.chars().map(folded).collect() };
        Self {
            name: Named::new(&kind.name),
            spellings: kind.names.iter().map(spelling).collect(),
            argument: kind.argument.as_ref().map(Named::new),
            per_conversation: kind.per_conversation,
            rule: kind.rule.clone(),
        }
    }
}

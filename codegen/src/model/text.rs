//! The texts of the spec: templates with `{{name}}` holes, for a model (one string) or for a person (one a language).

use super::Name;

/// The texts of one section of loop.json.
#[derive(Clone, Debug)]
pub struct TextSection {
    /// `phone`, `tools`, `demo`, …
    pub section: Name,
    /// Whether it goes to a program whole, as data; else each text is a function.
    pub table: bool,
    /// In the spec's order.
    pub texts: Vec<Text>,
}

/// One text.
#[derive(Clone, Debug)]
pub struct Text {
    /// Its key.
    pub key: Name,
    /// Every hole that the text may have, in a fixed order: the arguments of the generated function. A text need not
    /// use them all, so that leaving one out is an edit of the spec alone.
    pub holes: Vec<Name>,
    /// Who reads it, and so how many wordings it has.
    pub audience: Audience,
}

/// Who reads a text.
#[derive(Clone, Debug)]
pub enum Audience {
    /// A model: one wording.
    Model(Template),
    /// A person: one wording in every language, in the order of [`Language::ALL`].
    Person(Vec<(Language, Template)>),
}

/// A language in which every text for a person is written.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; 2] = [Self::En, Self::Zh];

    /// The key in the spec: `en`, `zh`.
    pub fn key(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }
}

/// A text cut at its holes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Template {
    /// Literal parts and holes as they come; no two literals stand side by side, none is empty.
    pub parts: Vec<Part>,
}

/// A part of a template.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Part {
    /// Text as it stands.
    Literal(String),
    /// `{{name}}`.
    Hole(Name),
}

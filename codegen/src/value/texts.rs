//! Texts, cut at their holes.

use serde::Serialize;

use super::Named;
use crate::model::{self, Audience, Template};

/// The texts of one section.
#[derive(Debug, Serialize)]
pub struct Texts {
    /// `phone`, `tools`, …
    pub section: Named,
    /// In the spec's order.
    pub texts: Vec<Text>,
}

/// One text.
#[derive(Debug, Serialize)]
pub struct Text {
    /// Its key.
    pub key: Named,
    /// Every hole that it may have; a wording need not use them all.
    pub holes: Vec<Named>,
    /// Who reads it: `model` or `person`.
    pub audience: &'static str,
    /// Whether a person reads it, in their language.
    pub spoken: bool,
    /// One for a model; for a person one in every language, in the order of `languages`.
    pub wordings: Vec<Wording>,
}

/// A text in one language.
#[derive(Debug, Serialize)]
pub struct Wording {
    /// `en`, `zh`; null for a text that a model reads.
    pub language: Option<&'static str>,
    /// The text as the spec has it, holes as `{{name}}`.
    pub template: String,
    /// The same in pieces.
    pub parts: Vec<Part>,
}

/// A piece of a text: one of the two is null.
#[derive(Debug, Serialize)]
pub struct Part {
    /// Text as it stands.
    pub literal: Option<String>,
    /// A hole.
    pub hole: Option<Named>,
}

impl Texts {
    pub(super) fn new(section: &model::TextSection) -> Self {
        Self { section: Named::new(&section.section), texts: section.texts.iter().map(Text::new).collect() }
    }
}

impl Text {
    fn new(text: &model::Text) -> Self {
        let (audience, wordings) = match &text.audience {
            Audience::Model(template) => ("model", vec![Wording::new(None, template)]),
            Audience::Person(wordings) => {
                let wording = |(language, template): &(model::Language, Template)| {
                    Wording::new(Some(language.key()), template)
                };
                ("person", wordings.iter().map(wording).collect())
            }
        };
        Self {
            key: Named::new(&text.key),
            holes: text.holes.iter().map(Named::new).collect(),
            audience,
            spoken: audience == "person",
            wordings,
        }
    }
}

impl Wording {
    fn new(language: Option<&'static str>, template: &Template) -> Self {
        let part = |part: &model::Part| match part {
            model::Part::Literal(text) => Part { literal: Some(text.clone()), hole: None },
            model::Part::Hole(name) => Part { literal: None, hole: Some(Named::new(name)) },
        };
        let written = template.parts.iter().map(|part| match part {
            model::Part::Literal(text) => text.clone(),
            model::Part::Hole(name) => format!("{{{{{name}}}}}"),
        });
        Self { language, template: written.collect(), parts: template.parts.iter().map(part).collect() }
    }
}

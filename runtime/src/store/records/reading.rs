//! Texts to read aloud from. Places are characters of the text.

use handset_spec::Language;

use crate::ids::{PersonId, ReadingId};

/// A text that a person put in, without its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Its id.
    pub id: ReadingId,
    /// What it is called.
    pub title: String,
    /// The language that it is in.
    pub language: Language,
    /// How long it is.
    pub chars: i64,
    /// From where it is read on.
    pub bookmark: i64,
    /// When it was put in.
    pub created_ms: i64,
    /// When it was read from last.
    pub read_ms: Option<i64>,
    /// How it goes on at the bookmark: its first characters.
    pub next: String,
}

/// A text to take in.
#[derive(Debug, Clone)]
pub struct NewReading {
    /// Whose it is.
    pub person: PersonId,
    /// What it is called.
    pub title: String,
    /// The language that it is in.
    pub language: Language,
    /// Its words.
    pub text: String,
    /// The present moment.
    pub now_ms: i64,
}

/// What is to change of a text; what is nothing stays.
#[derive(Debug, Clone, Default)]
pub struct ReadingChange {
    /// What it is called.
    pub title: Option<String>,
    /// From where it is read on; beyond its end is its end.
    pub bookmark: Option<i64>,
}

/// A passage that a reply reads out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPassage {
    /// Of which text.
    pub reading: ReadingId,
    /// Behind how many characters of the reply it stands.
    pub place: i64,
    /// Where it begins in the text, and where it ends.
    pub from: i64,
    /// Where it ends.
    pub to: i64,
    /// Where the text is read on when it was heard.
    pub bookmark: i64,
}

/// The passage that a text was last read by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastPassage {
    /// Of which text.
    pub reading: ReadingId,
    /// Behind how many characters of the reply it stands.
    pub place: i64,
    /// Where it begins in the text.
    pub from: i64,
    /// Its words.
    pub text: String,
}

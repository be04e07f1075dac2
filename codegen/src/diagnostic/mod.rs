//! What is wrong with a spec, where, why, and what to write instead.

mod github;
mod human;
mod json;
mod lines;
mod window;

use std::collections::BTreeMap;
use std::str::FromStr;

pub(crate) use github::{escape_data, escape_property};
pub use lines::{Lines, Position};

use crate::read::Span;
use crate::rules::Rule;

/// The folder of the specs, as a diagnostic names it: below the workspace's root.
pub const SPECS: &str = "specs";

/// One fault of the spec.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// The file, below `specs/`.
    pub file: String,
    /// The place.
    pub span: Span,
    /// The JSON pointer of the place; empty for the whole file.
    pub pointer: String,
    /// What was found, and what should be there.
    pub message: String,
    /// A few words for the marked place; may be empty.
    pub label: String,
    /// Other places that matter, such as the first of two that are the same.
    pub also: Vec<Secondary>,
    /// What to do; usually with the nearest valid name.
    pub help: Option<String>,
}

/// Another place of a fault.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Secondary {
    /// The file, below `specs/`.
    pub file: String,
    /// The place.
    pub span: Span,
    /// A few words for it.
    pub label: String,
}

/// Where a file's faults stand among the others: a fault of loop.json has others follow from it, of its tools and of
/// its cases, and one of a case has none.
fn rank(file: &str) -> u8 {
    match file {
        "loop.json" => 0,
        _ if file.starts_with("conformance/") => 2,
        _ => 1,
    }
}

/// All faults of all files, by file and place, with the texts they point into.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    /// loop.json's, then the tools', then the cases'; of each by file, then place.
    pub list: Vec<Diagnostic>,
    /// The texts of the files that have a fault or that one points to.
    sources: BTreeMap<String, String>,
    /// The folder of the specs as it is shown; none is [`SPECS`].
    folder: Option<String>,
}

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Format {
    /// For a person: the line with the place marked.
    #[default]
    Human,
    /// For a program: a JSON object a line.
    Json,
    /// For GitHub Actions: `::error file=…`.
    Github,
}

impl Format {
    /// All of them, with their names on the command line.
    pub const ALL: [(Self, &str); 3] =
        [(Self::Human, "human"), (Self::Json, "json"), (Self::Github, "github")];
}

impl FromStr for Format {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(_, name)| *name == text).map(|(format, _)| *format).ok_or(())
    }
}

impl Diagnostics {
    /// Sorts the faults and keeps the texts that they need.
    pub(crate) fn new(mut list: Vec<Diagnostic>, texts: &BTreeMap<String, String>) -> Self {
        list.sort_by(|a, b| {
            let (first, second) = (rank(&a.file), rank(&b.file));
            (first, &a.file, a.span, a.rule.id, &a.message)
                .cmp(&(second, &b.file, b.span, b.rule.id, &b.message))
        });
        let mut sources = BTreeMap::new();
        let files = list
            .iter()
            .flat_map(|fault| std::iter::once(&fault.file).chain(fault.also.iter().map(|also| &also.file)));
        for file in files {
            if let Some(text) = texts.get(file)
                && !sources.contains_key(file)
            {
                sources.insert(file.clone(), text.clone());
            }
        }
        Self { list, sources, folder: None }
    }

    /// All of them in this format; `colour` matters to [`Format::Human`] alone.
    pub fn render(&self, format: Format, colour: bool) -> String {
        match format {
            Format::Human => human::render(self, colour),
            Format::Json => json::render(self),
            Format::Github => github::render(self),
        }
    }

    /// Has the files shown below this folder, in place of [`SPECS`].
    #[must_use]
    pub fn shown_below(mut self, folder: impl Into<String>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// A file as it is shown: `specs/loop.json`.
    pub fn shown(&self, file: &str) -> String {
        match self.folder.as_deref() {
            Some("") => file.to_owned(),
            Some(folder) if folder.ends_with('/') => format!("{folder}{file}"),
            Some(folder) => format!("{folder}/{file}"),
            None => format!("{SPECS}/{file}"),
        }
    }

    /// The lines of every kept text, so that each text is walked once.
    fn lines(&self) -> BTreeMap<&str, Lines<'_>> {
        self.sources.iter().map(|(file, text)| (file.as_str(), Lines::new(text))).collect()
    }
}

impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.render(Format::Human, false))
    }
}

impl std::error::Error for Diagnostics {}

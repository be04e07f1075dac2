//! Edits of a spec by the compiler: a new action, tool, knob, text or name of a marker. Only bytes are added, none of
//! what a person wrote changes, and what comes of it has been checked.
//!
//! [`add`] is pure: files in, files out.

mod action;
mod edit;
mod field;
mod json;
mod knob;
mod marker_name;
mod sample;
mod text;
mod tool;

use std::collections::BTreeMap;

use crate::check::check;
use crate::diagnostic::{Diagnostics, Lines, Position};
use crate::model::Spec;
use crate::specs::Specs;
use edit::Edit;

/// What can be added, as the command line names it.
pub const KINDS: [&str; 5] = ["action", "tool", "knob", "text", "marker-name"];

/// What was added.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Added {
    /// What it is, for a sentence: "the action `flash`".
    pub what: String,
    /// The whole new texts of the files that change, by their paths below `specs/`.
    pub files: BTreeMap<String, String>,
    /// What the author should word, in the order of the files.
    pub wordings: Vec<Wording>,
    /// What else there is to know.
    pub notes: Vec<String>,
}

/// Words that were guessed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Wording {
    /// The file, below `specs/`.
    pub file: String,
    /// Where they stand in its new text.
    pub position: Position,
    /// What they are there for.
    pub why: String,
}

/// Why nothing was added.
#[derive(Debug)]
pub enum Refused {
    /// What was asked for cannot be; a sentence, with what to write instead.
    Request(String),
    /// The spec has faults already.
    Before(Diagnostics),
    /// The spec would have faults.
    Behind(Diagnostics),
}

/// Adds what the words ask for: a kind of [`KINDS`], a name, and what belongs to the kind.
///
/// # Errors
/// Why not; nothing has changed then.
pub fn add(specs: &Specs, words: &[String]) -> Result<Added, Refused> {
    let mut words = words.iter().map(String::as_str);
    let kind = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    if !KINDS.contains(&kind) {
        let known = crate::nearest::proposal(kind, &KINDS);
        let found =
            if kind.is_empty() { "say what is new".to_owned() } else { format!("nothing new is a `{kind}`") };
        return Err(Refused::Request(format!("{found}; {known}")));
    }
    let Some((name, rest)) = rest.split_first() else {
        return Err(Refused::Request(format!("a new {kind} has a name: `cargo spec new {kind} NAME`")));
    };
    let spec = check(specs).map_err(Refused::Before)?;
    let mut edit = Edit::new(specs);
    let done = match kind {
        "action" => action::add(&mut edit, &spec, name, rest),
        "tool" => tool::add(&mut edit, &spec, name, rest),
        "knob" => knob::add(&mut edit, &spec, name, rest),
        "text" => text::add(&mut edit, &spec, name, rest),
        _ => marker_name::add(&mut edit, &spec, name, rest),
    };
    let what = done.map_err(Refused::Request)?;
    let (files, wordings, notes) = edit.done();
    let mut changed = specs.clone();
    for (file, text) in &files {
        changed.insert(file, text.clone().into_bytes());
    }
    check(&changed).map_err(Refused::Behind)?;
    Ok(Added { what, wordings: placed(&files, wordings), files, notes })
}

/// Words by their bytes become words by their places.
fn placed(files: &BTreeMap<String, String>, wordings: Vec<edit::Words>) -> Vec<Wording> {
    let lines: BTreeMap<&str, Lines<'_>> =
        files.iter().map(|(file, text)| (file.as_str(), Lines::new(text))).collect();
    let place = |words: edit::Words| {
        let position = lines.get(words.file.as_str())?.position(words.at);
        Some(Wording { file: words.file, position, why: words.why })
    };
    wordings.into_iter().filter_map(place).collect()
}

/// The words of a name, as a sentence says them: `water_plants` is `water plants`.
fn said(name: &str) -> String {
    name.replace('_', " ")
}

/// The same at the beginning of a sentence.
fn begun(name: &str) -> String {
    let said = said(name);
    let mut letters = said.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// `SECTION.NAME`, taken apart.
fn sectioned<'n>(name: &'n str, what: &str, sections: &[&str]) -> Result<(&'n str, &'n str), String> {
    let Some((section, key)) = name.split_once('.') else {
        return Err(format!(
            "a {what} stands in a section: write `SECTION.{name}`; {}",
            crate::nearest::list(sections)
        ));
    };
    if !sections.contains(&section) {
        return Err(format!(
            "there is no section `{section}`; {}",
            crate::nearest::proposal(section, sections)
        ));
    }
    Ok((section, key))
}

/// Whether a name may be given to what is new, of several that are there.
fn fresh<'n>(
    text: &str,
    what: &str,
    used: crate::check::Use,
    others: impl IntoIterator<Item = &'n str>,
) -> Result<(), String> {
    let others: std::collections::BTreeSet<&str> = others.into_iter().collect();
    if let Some((message, help)) = crate::check::name_refused(text, what, used, &others) {
        return Err(format!("{message}; {help}"));
    }
    if others.contains(text) {
        let other = crate::check::other_name(text, used, &others);
        return Err(format!("there is {what} `{text}` already; another name is free, such as `{other}`"));
    }
    Ok(())
}

/// Where something of the spec is not, though the check passed: a fault of the compiler.
fn lacks(what: &str) -> String {
    format!("{what} is not where it was looked for; report it")
}

/// The spec's number of a section that has knobs.
fn knobs_of<'s>(spec: &'s Spec, section: &str) -> Vec<&'s str> {
    let of = spec.numbers.iter().filter(|numbers| numbers.section.as_str() == section);
    of.flat_map(|numbers| {
        let knobs = numbers.knobs.iter().map(|knob| knob.key.as_str());
        knobs.chain(numbers.constants.iter().map(|constant| constant.key.as_str()))
    })
    .collect()
}

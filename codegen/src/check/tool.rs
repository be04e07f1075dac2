//! `tools/NAME.json` (document 1 §1): the gate before a tool and the schema of its calls.

use super::names;
use super::page::{Page, Word};
use super::published::published;
use super::reserved::Use;
use super::schema;
use crate::model::{Confirm, Name, Requirement, Risk, Scope, Session, Shape, Tool};
use crate::nearest::proposal;
use crate::read::{Node, Span};
use crate::rules;

/// A tool as far as it could be read.
#[derive(Debug)]
pub(super) struct ToolDraft<'a> {
    /// Its file.
    pub(super) page: Page<'a>,
    /// The properties of its schema, in the file's order.
    pub(super) properties: Option<Vec<Property<'a>>>,
    /// Where the properties stand.
    pub(super) properties_head: Span,
    /// The tool, if it is whole.
    pub(super) tool: Option<Tool>,
}

/// A property of a tool's schema.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub(super) name: Word<'a>,
    pub(super) node: &'a Node,
    pub(super) description: Option<&'a str>,
    pub(super) shape: Option<Shape>,
    /// `enum`, where it is a list of strings.
    pub(super) values: Option<Vec<Word<'a>>>,
}

/// Reads the file `tools/STEM.json`.
pub(super) fn read<'a>(page: Page<'a>, root: &'a Node, stem: &str) -> ToolDraft<'a> {
    const KEYS: &[&str] = &[
        "name",
        "description",
        "parameters",
        "scope",
        "sessions",
        "requires",
        "confirm",
        "risk",
        "unavailable",
    ];
    let mut draft = ToolDraft { page, properties: None, properties_head: root.head(), tool: None };
    let Some(object) = page.object(root, "a tool", KEYS, &["$schema"]) else { return draft };
    if let Some(node) = object.get("$schema") {
        page.string(node, "`$schema`");
    }
    let name = object.get("name").and_then(|node| named(&page, node, stem));
    let description = object.get("description").and_then(|node| page.text(node, "the tool's description"));
    let parameters = object.get("parameters");
    if let Some(node) = parameters {
        if let Some(properties) = node.get("properties") {
            draft.properties_head = properties.head();
        }
        draft.properties = schema::parameters(&page, node);
    }
    let scope = object.get("scope").and_then(|node| gate(&page, node, "scope", Scope::ALL));
    let sessions = object.get("sessions").and_then(|node| gate(&page, node, "sessions", Session::ALL));
    let requires = object.get("requires").and_then(|node| gate(&page, node, "requires", Requirement::ALL));
    let confirm = object.get("confirm").and_then(|node| gate(&page, node, "confirm", Confirm::ALL));
    let risk = object.get("risk").and_then(|node| gate(&page, node, "risk", Risk::ALL));
    let unavailable = object.get("unavailable").and_then(|node| page.text(node, "`unavailable`"));
    if let Some(text) = unavailable {
        super::holes::none(&page, text, "`unavailable`, which is given word for word and has no holes");
    }
    let whole = || {
        Some(Tool {
            name: name?,
            description: description?.text.to_owned(),
            parameters: published(parameters?).compact(),
            scope: scope?,
            sessions: sessions?,
            requires: requires?,
            confirm: confirm?,
            risk: risk?,
            unavailable: unavailable?.text.to_owned(),
        })
    };
    ToolDraft { tool: whole(), ..draft }
}

fn named(page: &Page<'_>, node: &Node, stem: &str) -> Option<Name> {
    let word = page.string(node, "`name`")?;
    if word.text != stem {
        page.fault(
            &rules::FILE_NAME_DIFFERS,
            word.span,
            format!("the tool `{}` stands in the file {stem}.json", word.text),
        )
        .label("not the file's name")
        .help(format!("write \"{stem}\", or rename the file"))
        .report();
        return None;
    }
    names::name(page, word, "a tool", Use::Type)
}

/// A value of the gate, with the nearest proposed where it is unknown.
fn gate<T: Copy>(page: &Page<'_>, node: &Node, key: &str, all: &[(T, &str, &str, &str)]) -> Option<T> {
    let word = page.string(node, &format!("`{key}`"))?;
    let found = all.iter().find(|(_, name, _, _)| *name == word.text);
    if found.is_none() {
        let names: Vec<&str> = all.iter().map(|(_, name, _, _)| *name).collect();
        page.fault(
            &rules::UNKNOWN_VALUE,
            word.span,
            format!("`{key}` does not know the value `{}`", word.text),
        )
        .label("unknown value")
        .help(proposal(word.text, &names))
        .report();
    }
    found.map(|(value, _, _, _)| *value)
}

//! A further name of a marker: `cargo spec new marker-name KIND NAME`.

use super::edit::Edit;
use super::json::{list, object, text};
use super::lacks;
use crate::model::{Spec, folded};
use crate::nearest::proposal;
use crate::read::Node;

const LOOP: &str = "loop.json";
const CASES: &str = "conformance/markers.json";

pub(super) fn add(edit: &mut Edit<'_>, spec: &Spec, kind: &str, words: &[&str]) -> Result<String, String> {
    let kinds: Vec<&str> = spec.markers.kinds.iter().map(|kind| kind.name.as_str()).collect();
    let Some(marker) = spec.markers.kinds.iter().find(|marker| marker.name.as_str() == kind) else {
        return Err(format!("there is no marker `{kind}`; {}", proposal(kind, &kinds)));
    };
    let name = match *words {
        [name] => name,
        [] => return Err(format!("say the name: `cargo spec new marker-name {kind} NAME`")),
        [_, extra, ..] => {
            return Err(format!("`{extra}` is one word too many; a name of several words stands in quotes"));
        }
    };
    let fold = |name: &str| -> String { name.chars().map(folded).collect() };
    let same = |other: &&String| fold(other) == fold(name);
    for other in &spec.markers.kinds {
        if let Some(there) = other.names.iter().find(same) {
            return Err(format!(
                "the marker `{}` is known as `{there}` already, and case does not count; give another name",
                other.name
            ));
        }
    }
    edit.items(LOOP, &["markers", "kinds", kind, "names"], &[text(name)])
        .ok_or_else(|| lacks("the marker's `names`"))?;
    cases(edit, spec, kind, name, marker.argument.is_some());
    edit.note(format!(
        "a companion writes the new name where it knows it: `rule` of specs/{LOOP} at /markers/kinds/{kind}/rule teaches one of them"
    ));
    Ok(format!("the name `{name}` of the marker `{kind}`"))
}

fn cases(edit: &mut Edit<'_>, spec: &Spec, kind: &str, name: &str, argument: bool) {
    let Some((open, close)) = spec.markers.delimiters.first() else { return };
    let known: Vec<String> = edit
        .node(CASES, &["cases"])
        .and_then(Node::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(|case| Some(case.get("name")?.as_str()?.to_owned()))
        .collect();
    if known.is_empty() {
        edit.note(format!("there is no specs/{CASES}, so no cases were added"));
        return;
    }
    let stem = kind.replace('_', "-");
    let number = (2_u32..).find(|number| !known.contains(&format!("{stem}-by-name-{number}"))).unwrap_or(2);
    let marker = |argument: Option<&str>| {
        let argument = argument.map(|argument| ("argument", text(argument)));
        list([object([("kind", text(kind))].into_iter().chain(argument))])
    };
    let case = |name: String, reply: String, markers: Node| {
        object([
            ("name", text(name)),
            ("reply", text(reply)),
            ("expect", object([("text", text("Well.")), ("markers", markers)])),
        ])
    };
    let mut new = vec![case(
        format!("{stem}-by-name-{number}"),
        format!("Well.{open}{name}{close}"),
        marker(argument.then_some("")),
    )];
    if argument {
        new.push(case(
            format!("{stem}-by-name-{number}-with-an-argument"),
            format!("Well.{open}{name}: tea {close}"),
            marker(Some("tea")),
        ));
    }
    edit.items(CASES, &["cases"], &new);
}

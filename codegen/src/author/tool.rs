//! A new tool: `cargo spec new tool NAME`.

use super::edit::Edit;
use super::json::{list, object, text};
use super::{begun, fresh};
use crate::check::Use;
use crate::model::Spec;

pub(super) fn add(edit: &mut Edit<'_>, spec: &Spec, name: &str, words: &[&str]) -> Result<String, String> {
    if let Some(word) = words.first() {
        return Err(format!("`{word}` is one word too many: a new tool has a name alone"));
    }
    fresh(name, "a tool", Use::Type, spec.tools.iter().map(|tool| tool.name.as_str()))?;
    // The gate of the tool that is there, which is shut as far as the compiler knows how.
    let Some(like) = spec.tools.first() else {
        return Err("there is no tool to take the gate of".to_owned());
    };
    let words = begun(name);
    let none: [(&str, crate::read::Node); 0] = [];
    let parameters = object([("type", text("object")), ("properties", object(none)), ("required", list([]))]);
    let value = object([
        ("$schema", text("../schema/tool.schema.json")),
        ("name", text(name)),
        ("description", text(format!("{words}."))),
        ("parameters", parameters),
        ("scope", text(like.scope.key())),
        ("sessions", text(like.sessions.key())),
        ("requires", text(like.requires.key())),
        ("confirm", text(like.confirm.key())),
        ("risk", text(like.risk.key())),
        ("unavailable", text("This cannot be reached just now, and nothing was done.")),
    ]);
    let file = format!("tools/{name}.json");
    edit.create(&file, &value);
    edit.word_created(
        &file,
        "\"description\"",
        "the description tells a model what the tool does, and when to call it",
    );
    edit.word_created(&file, "\"properties\"", "the properties are the arguments of a call");
    edit.word_created(&file, "\"unavailable\"", "the answer to a call that can reach nobody");
    edit.note("a tool is offered once the runtime performs it: that is code, not an edit of the spec");
    Ok(format!("the tool `{name}`"))
}

//! What the assembler must know of JSON: where a whole object ends.

use serde_json::Value;
use serde_json::value::RawValue;

/// How often an encoded string is unwrapped at most (spec-format: three layers).
const LAYERS: usize = 3;

/// Whether the text is exactly one whole JSON object.
#[must_use]
pub fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(text).is_ok()
}

/// Leaves out each object that only repeats the one before it: a last chunk that says everything again (P021).
///
/// Text that is not whole objects through and through stays as it is; the reader will say what is wrong with it.
pub(super) fn without_repeats(text: String) -> String {
    // One object, or none, is the rule; it costs one look.
    if !text.trim_start().starts_with('{') || is_object(&text) {
        return text;
    }
    let objects: Result<Vec<&RawValue>, _> = serde_json::Deserializer::from_str(&text).into_iter().collect();
    let Ok(objects) = objects else { return text };
    let mut kept: Vec<&str> = Vec::with_capacity(objects.len());
    for object in objects {
        let object = object.get();
        if kept.last().is_none_or(|last| !same(last, object)) {
            kept.push(object);
        }
    }
    kept.concat()
}

/// Whether two texts are the same JSON.
fn same(a: &str, b: &str) -> bool {
    let read = serde_json::from_str::<Value>;
    a == b || matches!((read(a), read(b)), (Ok(a), Ok(b)) if a == b)
}

/// The form in which a call's arguments are kept and replayed to a model (P005): the object, unwrapped where it was
/// encoded; nothing and null as `{}`; and what is no single object as it was sent, never swapped for `{}`.
#[must_use]
pub fn canonical(arguments: &str) -> String {
    let mut text = arguments.trim().to_owned();
    for _ in 0..LAYERS {
        match serde_json::from_str::<String>(&text) {
            Ok(inner) => inner.trim().clone_into(&mut text),
            Err(_) => break,
        }
    }
    if text.is_empty() || text == "null" {
        return "{}".to_owned();
    }
    if is_object(&text) { text } else { arguments.to_owned() }
}

//! What is wrong with a template, in words of templates: the engine's own speak of its parser.

use std::collections::BTreeSet;

use handlebars::{Context, RenderError, RenderErrorReason, TemplateError, TemplateErrorReason};
use serde_json::Value;

use crate::nearest::nearest;

/// Why a template could not be read.
pub(super) fn unread(text: &str, error: &TemplateError) -> String {
    let message = match error.reason() {
        // The engine lists the rules of its grammar.
        TemplateErrorReason::InvalidSyntax(_) => match unclosed(text) {
            Some((name, line)) => {
                return format!(
                    "line {line}: the block `{{{{#{name}}}}}` is not closed: write `{{{{/{name}}}}}`"
                );
            }
            None => "what stands here between `{{` and `}}` is no expression, or is not closed".to_owned(),
        },
        TemplateErrorReason::MismatchingClosedHelper(open, close) => {
            format!(
                "`{{{{/{close}}}}}` stands where the block `{{{{#{open}}}}}` is open: write `{{{{/{open}}}}}`"
            )
        }
        reason => reason.to_string(),
    };
    match error.pos() {
        Some((line, column)) => format!("line {line}, column {column}: {message}"),
        None => message,
    }
}

/// The innermost block that is not closed, and its line.
fn unclosed(text: &str) -> Option<(&str, usize)> {
    let mut open = Vec::new();
    for (at, _) in text.match_indices("{{") {
        let tag = text[at + 2..].trim_start_matches(['{', '~']);
        let line = || text[..at].matches('\n').count() + 1;
        if let Some(block) = tag.strip_prefix('#') {
            let block = block.trim_start_matches(['>', '*']).trim_start();
            let end = block.find(|character: char| character.is_whitespace() || "}~".contains(character));
            open.push((&block[..end.unwrap_or(block.len())], line()));
        } else if tag.starts_with('/') {
            open.pop();
        }
    }
    open.pop()
}

/// Why a template could not be filled, with the place.
pub(super) fn unfilled(error: &RenderError, context: &Context) -> String {
    let place = match (error.line_no, error.column_no) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        _ => String::new(),
    };
    let message = match error.reason() {
        RenderErrorReason::MissingVariable(Some(path)) => missing(path, context.data()),
        reason => reason.to_string(),
    };
    format!("{place}{message}")
}

/// That a path is not in the model, with the key that it most likely means.
fn missing(path: &str, model: &Value) -> String {
    let mut keys = BTreeSet::new();
    let mut open = vec![model];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    keys.insert(key.as_str());
                    open.push(member);
                }
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    let unknown = path.split(['.', '/']).find(|part| {
        part.starts_with(|first: char| first.is_ascii_alphabetic()) && !keys.contains(part) && *part != "this"
    });
    let help = match unknown.map(|key| (key, nearest(key, keys.iter().copied()))) {
        Some((key, Some(meant))) => format!("nothing has the key `{key}`: did you mean `{meant}`?"),
        Some((key, None)) => format!("nothing has the key `{key}`; `cargo spec model` prints what there is"),
        None => "it is not where this template looks; `cargo spec model` prints what is where".to_owned(),
    };
    format!("`{path}` is not in the model: {help}")
}

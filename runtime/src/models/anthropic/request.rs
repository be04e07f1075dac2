//! The request's body: tools, system prompt, conversation, in the order in which the provider's prompt cache reads them.
//!
//! Each of the two sides speaks in blocks; results are blocks of the person's side, and the person's words may stand
//! behind them. What stays the same comes first, and the conversation only grows.

use std::borrow::Cow;

use handset_spec_macros::text;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::gateway::model::Prompt;
use crate::models::exchange::Endpoint;
use crate::models::history::{Line, lines};
use crate::models::write::{fields, json};

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text { text: Cow<'a, str> },
    ToolUse { id: Cow<'a, str>, name: Cow<'a, str>, input: Box<RawValue> },
    ToolResult { tool_use_id: Cow<'a, str>, content: &'a str },
}

#[derive(Serialize)]
struct System<'a> {
    r#type: &'static str,
    text: &'a str,
    /// Tools and system prompt stay the same for as long as the chat's tools do.
    cache_control: CacheControl,
}

#[derive(Serialize)]
struct CacheControl {
    r#type: &'static str,
}

pub(super) fn body(endpoint: &Endpoint, prompt: &Prompt) -> String {
    let lines = lines(&prompt.said);
    let mut body = fields(endpoint, "max_tokens");
    let offered = !prompt.tools.is_empty();
    if offered {
        body.push_str(",\"tools\":[");
        body.push_str(&prompt.tools.iter().map(|tool| tool.anthropic).collect::<Vec<_>>().join(","));
        body.push(']');
    }
    let cache_control = CacheControl { r#type: "ephemeral" };
    let system = System { r#type: "text", text: &prompt.system, cache_control };
    body.push_str(",\"system\":");
    body.push_str(&json(&[system]));
    body.push_str(",\"messages\":[");
    for (place, turn) in turns(lines, offered).iter().enumerate() {
        if place > 0 {
            body.push(',');
        }
        body.push_str(&json(turn));
    }
    body.push_str("]}");
    body
}

/// The two sides in turn. The API takes no call without a list of tools: where none is offered and the model called some all
/// the same, that is told in words.
fn turns(lines: Vec<Line<'_>>, offered: bool) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for line in lines {
        let (role, blocks) = match line {
            Line::Person(words) => ("user", vec![Block::Text { text: words }]),
            Line::Companion { words, calls } => {
                let words = (!words.is_empty()).then_some(Block::Text { text: words });
                let calls = calls.into_iter().map(|call| match offered {
                    true => Block::ToolUse {
                        id: id(call.id),
                        name: name(call.tool),
                        input: object(&call.arguments),
                    },
                    false => {
                        let text = text!(prompt.called, tool = call.tool, arguments = call.arguments);
                        Block::Text { text: text.into() }
                    }
                });
                ("assistant", words.into_iter().chain(calls).collect())
            }
            Line::Results(results) => {
                let block = |(call, content)| match offered {
                    true => Block::ToolResult { tool_use_id: id(call), content },
                    false => Block::Text { text: Cow::Borrowed(content) },
                };
                ("user", results.into_iter().map(block).collect())
            }
        };
        match turns.last_mut() {
            Some(turn) if turn.role == role => turn.content.extend(blocks),
            _ => turns.push(Turn { role, content: blocks }),
        }
    }
    turns
}

/// An id in the letters that this API takes: a chat may have begun with a model that uses others. Those are written as
/// their numbers, so that two ids stay two.
fn id(id: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !id.is_empty() && id.bytes().all(|byte| plain(byte) || byte == b'_') {
        return Cow::Borrowed(id);
    }
    let mut out = String::from("_");
    for byte in id.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("_{byte:02x}"));
        }
    }
    Cow::Owned(out)
}

/// A tool's name in the letters and the length that this API takes; a model may have made one up.
fn name(name: &str) -> Cow<'_, str> {
    const MAX: usize = 64;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.len() <= MAX && name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    let name: String = name.chars().take(MAX).map(|c| if fits(c) { c } else { '_' }).collect();
    Cow::Owned(if name.is_empty() { "_".to_owned() } else { name })
}

fn object(arguments: &str) -> Box<RawValue> {
    // The history's arguments are objects, always; were they not, the API would say so.
    RawValue::from_string(arguments.to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::model::Said;

    /// The model called a tool in a chat that has none.
    #[test]
    fn calls_without_a_list_of_tools_are_words() {
        let said = [
            Said::Person { sent: String::new(), text: "torch".to_owned(), capabilities: Vec::new() },
            Said::Call { id: "1".to_owned(), tool: "light".to_owned(), arguments: "{}".to_owned() },
            Said::Result { id: "1".to_owned(), text: "none".to_owned() },
        ];
        let words = json(&turns(lines(&said), false));
        assert!(!words.contains("tool_use") && !words.contains("tool_result"), "{words}");
        assert!(words.contains("light") && words.contains("none"), "{words}");
        let calls = json(&turns(lines(&said), true));
        assert!(calls.contains("tool_use") && calls.contains("tool_result"), "{calls}");
    }

    #[test]
    fn ids_and_names_are_made_to_fit() {
        assert_eq!(id("toolu_01-A"), "toolu_01-A");
        assert_eq!(id("functions.a:0"), "_functions_2ea_3a0");
        assert_ne!(id("a.b"), id("a:b"));
        assert_eq!(id(""), "_");
        assert_eq!((name("fax me"), name("")), ("fax_me".into(), "_".into()));
    }
}

//! The request's body. What stays the same from message to message comes first and is written the same, byte for byte;
//! the conversation stands at the end and only grows.

use serde::Serialize;

use crate::gateway::model::Prompt;
use crate::models::exchange::Endpoint;
use crate::models::history::{Call, Line, lines};
use crate::models::write::{fields, json};

#[derive(Serialize)]
struct Words<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct Calls<'a> {
    role: &'static str,
    content: Option<&'a str>,
    tool_calls: Vec<ToolCall<'a>>,
}

#[derive(Serialize)]
struct ToolCall<'a> {
    id: &'a str,
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct ToolResult<'a> {
    role: &'static str,
    tool_call_id: &'a str,
    content: &'a str,
}

pub(super) fn body(endpoint: &Endpoint, prompt: &Prompt) -> String {
    let mut body = fields(endpoint, most(endpoint));
    if !prompt.tools.is_empty() {
        body.push_str(",\"tools\":[");
        body.push_str(&prompt.tools.iter().map(|tool| tool.openai).collect::<Vec<_>>().join(","));
        body.push(']');
    }
    body.push_str(",\"messages\":[");
    body.push_str(&json(&Words { role: "system", content: &prompt.system }));
    for line in lines(&prompt.said) {
        match line {
            Line::Person(words) => one(&mut body, &Words { role: "user", content: &words }),
            Line::Companion { words, calls } if calls.is_empty() => {
                one(&mut body, &Words { role: "assistant", content: &words });
            }
            Line::Companion { words, calls } => {
                let content = (!words.is_empty()).then_some(&*words);
                let tool_calls = calls.iter().map(call).collect();
                one(&mut body, &Calls { role: "assistant", content, tool_calls });
            }
            Line::Results(results) => {
                for (tool_call_id, content) in results {
                    one(&mut body, &ToolResult { role: "tool", tool_call_id, content });
                }
            }
        }
    }
    body.push_str("]}");
    body
}

/// What the endpoint calls the most tokens of a reply. OpenAI's own newer models refuse the old name; the others know no
/// other.
fn most(endpoint: &Endpoint) -> &'static str {
    let own = |host: &str| host == "api.openai.com" || host.ends_with(".openai.azure.com");
    if endpoint.url.host_str().is_some_and(own) { "max_completion_tokens" } else { "max_tokens" }
}

fn one(body: &mut String, message: &impl Serialize) {
    body.push(',');
    body.push_str(&json(message));
}

fn call<'a>(call: &'a Call<'_>) -> ToolCall<'a> {
    let function = Function { name: call.tool, arguments: &call.arguments };
    ToolCall { id: call.id, r#type: "function", function }
}

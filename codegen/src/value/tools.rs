//! The tools as models' APIs take them.

use serde::Serialize;

use super::Named;
use crate::model::{self, Confirm, Requirement, Risk, Scope, Session};

/// One tool. What is JSON text keeps its keys in the file's order, which a model reads them in.
#[derive(Debug, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: Named,
    /// What a model reads of it.
    pub description: String,
    /// The JSON Schema of its arguments, null allowed where nothing is required: JSON text.
    pub parameters: String,
    /// The definition as OpenAI-style APIs of chat completions take it: JSON text.
    pub openai: String,
    /// The definition as Anthropic's API takes it: JSON text.
    pub anthropic: String,
    /// The definition as Gemini's API takes it, a member of `functionDeclarations`: JSON text.
    pub gemini: String,
    /// The gate before it, in the order `scope`, `sessions`, `requires`, `confirm`, `risk`.
    pub gates: Vec<Gate>,
    /// The result of a call that can reach nobody.
    pub unavailable: String,
}

/// One part of a tool's gate.
#[derive(Debug, Serialize)]
pub struct Gate {
    /// `scope`, …
    pub key: &'static str,
    /// What the spec says.
    pub value: &'static str,
    /// What that means.
    pub meaning: &'static str,
}

impl Tool {
    pub(super) fn new(tool: &model::Tool) -> Self {
        let model::Tool { name, description, parameters, unavailable, .. } = tool;
        let (name_json, description_json) =
            (serde_json::Value::from(name.as_str()), serde_json::Value::from(description.as_str()));
        let head = format!(r#""name":{name_json},"description":{description_json}"#);
        Self {
            name: Named::new(name),
            description: description.clone(),
            parameters: parameters.clone(),
            openai: format!(r#"{{"type":"function","function":{{{head},"parameters":{parameters}}}}}"#),
            anthropic: format!(r#"{{{head},"input_schema":{parameters}}}"#),
            gemini: format!(r#"{{{head},"parametersJsonSchema":{parameters}}}"#),
            gates: vec![
                gate("scope", tool.scope, Scope::ALL),
                gate("sessions", tool.sessions, Session::ALL),
                gate("requires", tool.requires, Requirement::ALL),
                gate("confirm", tool.confirm, Confirm::ALL),
                gate("risk", tool.risk, Risk::ALL),
            ],
            unavailable: unavailable.clone(),
        }
    }
}

fn gate<T: PartialEq>(
    key: &'static str,
    value: T,
    all: &[(T, &'static str, &'static str, &'static str)],
) -> Gate {
    let (value, meaning) = all
        .iter()
        .find(|(other, ..)| *other == value)
        .map_or(("", ""), |(_, value, _, meaning)| (*value, *meaning));
    Gate { key, value, meaning }
}

//! `/api/tools`: what companions can be offered, as models' APIs take it.

use axum::Json;
use axum::http::StatusCode;
use handset_spec::tools::PHONE_ACTION;
use serde::Serialize;
use serde_json::value::RawValue;

use super::auth::Who;
use super::error::ApiError;

#[derive(Serialize)]
pub(super) struct Tools {
    /// The spec's version.
    spec: &'static str,
    /// What a client declares with a message that was written on a phone.
    capability: &'static str,
    tools: Vec<Tool>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    description: &'static str,
    parameters: &'static RawValue,
    openai: &'static RawValue,
    anthropic: &'static RawValue,
}

pub(super) async fn list(_who: Who) -> Result<Json<Tools>, ApiError> {
    let tool = Tool {
        name: PHONE_ACTION.name,
        description: PHONE_ACTION.description,
        parameters: raw(PHONE_ACTION.parameters)?,
        openai: raw(PHONE_ACTION.openai)?,
        anthropic: raw(PHONE_ACTION.anthropic)?,
    };
    let capability = handset_spec::phone::CAPABILITY;
    Ok(Json(Tools { spec: handset_spec::VERSION, capability, tools: vec![tool] }))
}

/// The compiler wrote JSON; a test asks this route.
fn raw(text: &'static str) -> Result<&'static RawValue, ApiError> {
    serde_json::from_str(text).map_err(|error| {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "bad_tool",
            format!("A tool's definition is no JSON: {error}"),
        )
    })
}

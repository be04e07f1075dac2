//! Writing requests.

use serde::Serialize;

use super::exchange::Endpoint;

/// A value as JSON. What is written here are strings, lists and numbers under string keys, which cannot fail.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// The opening of a body: what both formats begin with. `most` is what the format calls the most tokens of a reply.
pub(super) fn fields(endpoint: &Endpoint, most: &str) -> String {
    let mut body = format!("{{\"model\":{},\"stream\":true", json(&endpoint.model));
    if let Some(tokens) = endpoint.max_tokens {
        body.push_str(&format!(",\"{most}\":{tokens}"));
    }
    if let Some(temperature) = endpoint.temperature {
        body.push_str(&format!(",\"temperature\":{}", json(&temperature)));
    }
    body
}

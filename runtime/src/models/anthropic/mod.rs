//! Anthropic's messages.

mod reply;
mod request;

pub use reply::Message;

use std::sync::Arc;

use super::exchange::{Endpoint, Provider};
use crate::gateway::model::Prompt;

/// The version of the API, which every request names.
const VERSION: &str = "2023-06-01";

/// The wire format.
#[derive(Debug)]
pub(super) struct Anthropic;

impl Provider for Anthropic {
    type Decoder = Message;

    fn body(&self, endpoint: &Endpoint, prompt: &Prompt) -> String {
        request::body(endpoint, prompt)
    }

    fn headers(&self, endpoint: &Endpoint) -> Vec<(&'static str, Arc<str>)> {
        let mut headers = vec![("anthropic-version", Arc::from(VERSION))];
        headers.extend(endpoint.key.as_ref().map(|key| ("x-api-key", Arc::from(key.expose()))));
        headers
    }

    fn decoder(&self) -> Message {
        Message::default()
    }
}

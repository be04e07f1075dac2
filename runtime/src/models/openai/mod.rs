//! OpenAI's chat completions, which Ollama, llama.cpp, vLLM, OpenRouter and many others speak as well.

mod reply;
mod request;

pub use reply::Completion;

use std::sync::Arc;

use super::exchange::{Endpoint, Provider};
use crate::gateway::model::Prompt;

/// The wire format.
#[derive(Debug)]
pub(super) struct OpenAi;

impl Provider for OpenAi {
    type Decoder = Completion;

    fn body(&self, endpoint: &Endpoint, prompt: &Prompt) -> String {
        request::body(endpoint, prompt)
    }

    fn headers(&self, endpoint: &Endpoint) -> Vec<(&'static str, Arc<str>)> {
        let bearer = |key: &str| ("authorization", Arc::from(format!("Bearer {key}")));
        endpoint.key.as_ref().map(|key| bearer(key.expose())).into_iter().collect()
    }

    fn decoder(&self) -> Completion {
        Completion::default()
    }
}

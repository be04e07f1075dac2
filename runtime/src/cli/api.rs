//! The server's API from a terminal: one request, one answer of JSON, errors as the server words them.

use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderValue};
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;

/// How long a connection may take to come about.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// How long an answer may take that does not stream.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// Why a request came to nothing.
#[derive(Debug)]
pub(super) enum Fault {
    /// The server could not be reached, or broke off: the same request may be sent again.
    Unreachable(String),
    /// The server said no.
    Refused {
        /// The status.
        status: StatusCode,
        /// The sentence, with its hint.
        message: String,
    },
}

impl Fault {
    /// Whether the same request may do better in a moment.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Refused { status, .. } => {
                status.is_server_error()
                    || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(status)
            }
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreachable(reason) => write!(f, "no answer from the server at {reason}"),
            Self::Refused { message, .. } => f.write_str(message),
        }
    }
}

/// A server's API.
#[derive(Debug, Clone)]
pub(super) struct Api {
    http: reqwest::Client,
    /// Where it is, without a slash at the end.
    pub(super) base: String,
    token: Option<String>,
}

impl Api {
    /// The API at an address as `http://HOST:PORT`; a path in front of `/api` may be part of it.
    pub(super) fn new(address: &str, token: Option<String>) -> Result<Self, String> {
        let with_scheme =
            if address.contains("://") { address.to_owned() } else { format!("http://{address}") };
        let url = Url::parse(&with_scheme).map_err(|error| {
            format!("{address:?} is no address ({error}); it is one like http://127.0.0.1:8787")
        })?;
        let mut http = reqwest::Client::builder().connect_timeout(CONNECT_WITHIN);
        if matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            // A proxy does not know this machine's own addresses.
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| format!("the HTTP client does not start: {error}"))?;
        Ok(Self { http, base: with_scheme.trim_end_matches('/').to_owned(), token })
    }

    /// Asks and reads the answer; what has no body is null.
    pub(super) async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Fault> {
        let mut request = self.request(method, path).timeout(ANSWER_WITHIN);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = checked(request.send().await.map_err(unreachable)?).await?;
        let bytes = answer.bytes().await.map_err(unreachable)?;
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    /// Opens an event stream; with a body it is what a message is answered with.
    pub(super) async fn stream(
        &self,
        path: &str,
        last_id: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Response, Fault> {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let mut request =
            self.request(method, path).header(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(id) = last_id {
            request = request.header("last-event-id", id);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        checked(request.send().await.map_err(unreachable)?).await
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }
}

pub(super) fn unreachable(error: reqwest::Error) -> Fault {
    // The outermost error says only that sending failed; the innermost says why.
    let mut inner: &dyn std::error::Error = &error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    let host = error.url().map(Url::authority).unwrap_or_default();
    let doubt = if error.is_connect() { " (does it run, and is this its address?)" } else { "" };
    Fault::Unreachable(format!("{host}: {inner}{doubt}"))
}

async fn checked(answer: Response) -> Result<Response, Fault> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let body = answer.bytes().await.unwrap_or_default();
    Err(Fault::Refused { status, message: refusal(status, &body) })
}

/// What the server says of a refusal, in a line.
pub(super) fn refusal(status: StatusCode, body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let error = &body["error"];
    match (error["message"].as_str(), error["hint"].as_str()) {
        (Some(message), Some(hint)) => format!("{message} {hint}"),
        (Some(message), None) => message.to_owned(),
        _ => format!("the server answered {status} and nothing that can be read"),
    }
}

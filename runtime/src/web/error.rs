//! Every error as JSON: `{"error": {"code", "message", "hint"?}}`.

use axum::Json;
use axum::extract::Request;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::guarded::Guarded;
use crate::ids::NoRandomness;
use crate::store;

/// Why a request was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    pub(super) status: StatusCode,
    pub(super) body: Fault,
    /// After how many seconds it is worth trying again.
    retry_after: Option<u64>,
}

/// What the client is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<&'static str>,
}

#[derive(Serialize)]
struct Body {
    error: Fault,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, body: Fault { code, message: message.into(), hint: None }, retry_after: None }
    }

    /// After how many seconds it is worth trying again.
    pub(super) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    pub(super) fn hint(mut self, hint: &'static str) -> Self {
        self.body.hint = Some(hint);
        self
    }

    /// What does not exist, and what is another person's: the two answer alike.
    pub(super) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("There is no such {what}."))
    }

    /// `who` as a sentence begins: somebody, or something, that bears the name already.
    pub(super) fn name_taken(who: &str) -> Self {
        Self::new(StatusCode::CONFLICT, "name_taken", format!("{who} is called so."))
            .hint("Choose another name, or take the one away that has it.")
    }

    /// A body that has not come whole in its time.
    pub(super) fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The request did not come whole in its time.")
            .hint("Send it again, in one piece.")
    }

    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(Body { error: self.body })).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            let value = axum::http::HeaderValue::from_static("Bearer");
            response.headers_mut().insert(axum::http::header::WWW_AUTHENTICATE, value);
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(axum::http::header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Gone => Self::not_found("chat"),
            store::Error::Reused => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "client_id_reused",
                "This client_id came before, with another request.",
            )
            .hint("A client_id names one request and its repetitions; take a new one for each."),
            store::Error::Busy | store::Error::Closed => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "The server cannot write just now.")
                    .hint("Send the same request again, with its client_id, in a moment.")
            }
            store::Error::Degraded(reason) => {
                tracing::error!(reason, "the store is degraded");
                Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "degraded",
                    "This cannot be done: the server's database is damaged, read-only, or on a full disk.",
                )
                .hint("GET /readyz says why; on the server, handset doctor says what to do.")
            }
            error => {
                tracing::error!(%error, "the store failed");
                Self::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "store_failed",
                    "The server could not read or write.",
                )
                .hint("The server's log says why; GET /readyz tells when it works again.")
            }
        }
    }
}

impl From<NoRandomness> for ApiError {
    fn from(error: NoRandomness) -> Self {
        store::Error::from(error).into()
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> Self {
        let message = sentence(&rejection);
        let status = rejection.status();
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Self::new(status, "too_large", "The request's body is too large.").hint(
                    "A request's body may have 256 KiB; that which ends a call with its transcript, 3 MiB.",
                )
            }
            StatusCode::UNPROCESSABLE_ENTITY => Self::invalid(message),
            status => Self::new(status, "not_json", message),
        }
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_query", sentence(&rejection))
    }
}

impl From<PathRejection> for ApiError {
    fn from(_: PathRejection) -> Self {
        Self::not_found("route")
    }
}

/// What a reader found, without what the library says around it: the innermost error alone says it. Where it begins with the
/// field that it is about, that stands as it is written.
fn sentence(error: &(dyn std::error::Error + 'static)) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    let text = inner.to_string();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    if text.split(' ').next().is_some_and(|word| word.ends_with(':')) {
        return format!("{text}{end}");
    }
    let mut characters = text.chars();
    let first: String = characters.next().map(char::to_uppercase).into_iter().flatten().collect();
    format!("{first}{}{end}", characters.as_str())
}

/// A panic in a request's handler ends that request, told as any other error.
pub(super) async fn guarded(request: Request, next: Next) -> Response {
    Guarded::new(next.run(request)).await.unwrap_or_else(|_| {
        // The panic's own message is in the log already, with its place.
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "A fault of the program ended this request.")
            .hint("The server's log says where. Nothing was half written; sending it again is safe with a client_id.")
            .into_response()
    })
}

pub(super) async fn no_such_route(method: Method, uri: Uri) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "no_such_route", format!("There is no {method} {}.", uri.path()))
        .hint(
            "The page is at /, and everything else but /transcribe, /healthz and /readyz stands under /api.",
        )
}

pub(super) async fn no_such_method(method: Method, uri: Uri) -> ApiError {
    let message = format!("{} does not take {method}.", uri.path());
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "no_such_method", message)
}

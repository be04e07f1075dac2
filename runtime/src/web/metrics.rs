//! `/metrics` for Prometheus, and the counting of requests.
//!
//! It stands on the server's own port behind the operator's token: a second port would be one more thing to keep closed,
//! and what it tells (how many people talk, and when) is nobody else's. The token is compared by its hash with the
//! operator's, without a question to the store, so that it answers while the store does not.

use std::sync::Arc;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::auth::hash;
use super::error::ApiError;
use crate::gateway::Gateway;
use crate::metrics::{METRICS, render};

#[derive(Clone)]
struct Scene {
    gateway: Arc<Gateway>,
    operator: Option<Arc<str>>,
}

/// The route, for who bears the token with this hash.
pub fn router(gateway: Arc<Gateway>, operator: Option<String>) -> Router {
    let scene = Scene { gateway, operator: operator.map(Arc::from) };
    Router::new().route("/metrics", get(show)).with_state(scene)
}

async fn show(State(scene): State<Scene>, headers: HeaderMap) -> Result<Response, ApiError> {
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = given.and_then(|value| value.split_once(' ')).map(|(_, token)| token.trim());
    let operator = scene.operator.as_deref();
    let hashed = token.map(hash);
    if hashed.is_none() || hashed.as_deref() != operator {
        let known = match hashed {
            Some(hashed) => scene.gateway.store.bearer(hashed).await.is_ok_and(|bearer| bearer.is_some()),
            None => false,
        };
        if known {
            let message = "The metrics are the operator's.";
            return Err(ApiError::new(StatusCode::FORBIDDEN, "operator_only", message)
                .hint("Ask with the token that stands in the data folder."));
        }
        let message = "The metrics are the operator's.";
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
            .hint("Send the header Authorization: Bearer TOKEN with the token of the data folder."));
    }
    let page = render(&METRICS, scene.gateway.desk.waiting_cards());
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page).into_response())
}

/// Counts a request by its route's template once its answer begins.
pub(super) async fn count(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = word(request.method());
    let response = next.run(request).await;
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    METRICS.request(route, method, response.status().as_u16());
    response
}

/// A method that is known; what a client makes up is no label.
fn word(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

//! HTTP: JSON under `/api`, live streams by server-sent events, health for whoever watches the process.
//!
//! | route | what |
//! |---|---|
//! | `GET`, `POST /api/chats` | the person's chats; open one |
//! | `GET`, `DELETE /api/chats/{id}` | one chat; delete it, which ends its cards |
//! | `GET /api/chats/{id}/messages?after=SEQ` | what was said |
//! | `POST /api/chats/{id}/messages` | say something; with `Accept: text/event-stream` the turn streams |
//! | `POST /api/chats/{id}/stop` | stop what the companion is saying |
//! | `GET /api/events?device=ID` | everything that happens, resumable |
//! | `GET /api/cards?device=ID` | the open cards |
//! | `GET /api/cards/{id}`, `POST /api/cards/{id}/answer` | one card; answer it |
//! | `GET /api/tools` | what companions can be offered |
//! | `GET /healthz`, `/readyz` | alive; able to write |
//! | `GET /metrics` | the operator's counters ([`metrics`]) |

mod auth;
mod cards;
mod chats;
mod error;
mod events;
mod extract;
mod health;
mod messages;
pub mod metrics;
mod tools;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use tokio::sync::watch;

pub use auth::hash;

use crate::gateway::Gateway;

/// How large a request's body may be, in bytes. Words, not files, come here.
const MAX_BODY: usize = 256 * 1024;

/// What every request can reach.
#[derive(Clone)]
pub struct App {
    gateway: Arc<Gateway>,
    /// Becomes true when the server stops, so that streams end.
    stopping: watch::Receiver<bool>,
}

/// The server's routes.
pub fn router(gateway: Arc<Gateway>, stopping: watch::Receiver<bool>) -> Router {
    let api = Router::new()
        .route("/chats", get(chats::list).post(chats::create))
        .route("/chats/{chat}", get(chats::show).delete(chats::delete))
        .route("/chats/{chat}/messages", get(messages::list).post(messages::send))
        .route("/chats/{chat}/stop", post(chats::stop))
        .route("/events", get(events::follow))
        .route("/cards", get(cards::list))
        .route("/cards/{card}", get(cards::show))
        .route("/cards/{card}/answer", post(cards::answer))
        .route("/tools", get(tools::list));
    Router::new()
        .nest("/api", api)
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .fallback(error::no_such_route)
        .method_not_allowed_fallback(error::no_such_method)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(axum::middleware::from_fn(metrics::count))
        .with_state(App { gateway, stopping })
}

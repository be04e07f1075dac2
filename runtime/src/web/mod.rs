//! HTTP: JSON under `/api`, live streams by server-sent events, health for whoever watches the process.
//!
//! What there is to ask for stands in [`ROUTES`]; README.md says what each does.

mod auth;
mod belongings;
mod bucket;
mod calls;
mod cards;
mod chats;
mod codes;
mod companion;
mod devices;
mod error;
mod events;
mod extract;
mod flags;
mod form;
mod guard;
mod health;
mod lab;
mod limits;
mod listen;
mod live;
mod messages;
pub mod metrics;
mod openapi;
mod page;
mod peer;
mod people;
mod picture;
mod poll;
mod push;
mod readings;
mod refused;
mod reports;
mod rings;
mod routes;
mod secrets;
mod settings;
mod streams;
mod tools;
mod transcribe;
mod voice_print;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::{Semaphore, watch};

pub use auth::hash;
pub use codes::first as first_link;
pub use limits::{Limits, Rate};
pub use listen::serve;
pub use routes::{Access, ROUTES, Route};
pub use transcribe::Ears;

use self::guard::Guard;
use self::secrets::Secrets;
use self::streams::Streams;
use crate::gateway::Gateway;
use crate::ids::NoRandomness;
use crate::ringer::push::Push;
use crate::voice::speech::Mouth;

/// How the server stands in the world.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whether a proxy stands before it, whose forwarded addresses are believed. Without one, anybody could write them.
    pub behind_proxy: bool,
    /// How much of everything one client may have.
    pub limits: Limits,
    /// What rings phones; without it none is rung.
    pub push: Option<Push>,
    /// What a voice is heard with.
    pub ears: Ears,
    /// What replies are spoken with.
    pub mouth: Mouth,
}

/// What every request can reach.
#[derive(Clone)]
pub struct App {
    gateway: Arc<Gateway>,
    /// Becomes true when the server stops, so that streams end.
    stopping: watch::Receiver<bool>,
    guard: Arc<Guard>,
    streams: Arc<Streams>,
    secrets: Secrets,
    push: Option<Push>,
    ears: Ears,
    /// What replies are spoken with on a call.
    mouth: Mouth,
    live: Arc<live::Live>,
    /// How many recordings may be taken apart at once.
    listening: Arc<Semaphore>,
    behind_proxy: bool,
    body_within: Duration,
}

/// The server's routes.
///
/// # Errors
/// When the system gives no random bytes.
pub fn router(
    gateway: Arc<Gateway>,
    stopping: watch::Receiver<bool>,
    options: &Options,
) -> Result<Router, NoRandomness> {
    let app = App {
        gateway,
        stopping,
        guard: Arc::new(Guard::new(&options.limits)),
        streams: Streams::new(options.limits.streams),
        secrets: Secrets::new()?,
        push: options.push.clone(),
        ears: options.ears.clone(),
        mouth: options.mouth.clone(),
        live: Arc::default(),
        listening: Arc::new(Semaphore::new(std::thread::available_parallelism().map_or(1, usize::from))),
        behind_proxy: options.behind_proxy,
        body_within: options.limits.body,
    };
    live::reopen(&app);
    Ok(routes::all()
        .merge(page::router())
        .fallback(no_such_route)
        .method_not_allowed_fallback(error::no_such_method)
        .layer(DefaultBodyLimit::max(limits::MAX_BODY))
        .layer(axum::middleware::from_fn(error::guarded))
        .layer(axum::middleware::from_fn(metrics::count))
        .with_state(app))
}

/// Says that nothing is there: to a browser by the page, to everybody else as JSON.
async fn no_such_route(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    match page::lost(&method, &uri, &headers) {
        Some(shown) => shown.into_response(),
        None => error::no_such_route(method, uri).await.into_response(),
    }
}

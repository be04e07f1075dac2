//! `GET /api/call/live`: a call's own socket. What goes over it is [`crate::voice::line::frames`]; docs/voice.md, "The live call".
//!
//! | file | what |
//! |---|---|
//! | `socket` | one connection: frames in, frames out, and nothing that knows of calls |
//! | `line` | one call: drives [`crate::voice::line::session`], whoever is connected |
//! | `ears` | what a person says, recording by recording |

mod ears;
mod line;
mod socket;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::mpsc;

use self::line::Input;
use super::App;
use super::auth::{self, Who};
use super::error::ApiError;
use super::extract::Query;
use crate::ids::{InviteId, PersonId};
use crate::store::Call;

/// The name of what is spoken over a socket, for browsers, which offer their token beside it.
const PROTOCOL: &str = "handset";
/// How large a text frame may be, in bytes.
const MAX_TEXT: usize = 16 * 1024;
/// What a line's inbox holds.
const INBOX: usize = 256;

/// The lines of this server, by their calls.
#[derive(Debug, Default)]
pub(super) struct Live {
    lines: Mutex<HashMap<InviteId, mpsc::Sender<Input>>>,
    /// The number of the next socket.
    next: AtomicU64,
}

impl Live {
    /// A number that no other socket has.
    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<InviteId, mpsc::Sender<Input>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The way to a call's line, which begins where there is none.
    fn line(&self, app: &App, call: &Call) -> mpsc::Sender<Input> {
        let mut lines = self.lines();
        if let Some(line) = lines.get(&call.id)
            && !line.is_closed()
        {
            return line.clone();
        }
        let (inbox, received) = mpsc::channel(INBOX);
        lines.insert(call.id.clone(), inbox.clone());
        drop(lines);
        line::begin(app, call, inbox.clone(), received);
        inbox
    }

    fn forget(&self, call: &InviteId) {
        self.lines().remove(call);
    }
}

/// Takes up the lines that the last run of the server had: their devices may come back.
pub(super) fn reopen(app: &App) {
    // Tests make routers without a runtime.
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
    let app = app.clone();
    runtime.spawn(async move {
        let left = match app.gateway.store.open_lines().await {
            Ok(left) => left,
            Err(error) => return tracing::error!(%error, "the lines of calls that go on are not taken up"),
        };
        for (person, call) in left {
            if let Ok(Some(call)) = app.gateway.store.call(person, call).await
                && call.is_live()
            {
                app.live.line(&app, &call);
            }
        }
    });
}

#[derive(Deserialize)]
pub(super) struct Asked {
    /// The call's id.
    call: String,
}

pub(super) async fn open(
    State(app): State<App>,
    who: Who,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let call = app.gateway.store.call(who.person.clone(), InviteId::from_text(asked.call)).await?;
    let call = call.ok_or_else(|| ApiError::not_found("call"))?;
    if !call.is_live() {
        return Err(ApiError::new(StatusCode::CONFLICT, "call_ended", "This call is over."));
    }
    let upgrade = upgrade.map_err(|_| {
        ApiError::new(StatusCode::UPGRADE_REQUIRED, "not_websocket", "This is a WebSocket's address.")
            .hint("Open it as a WebSocket: docs/voice.md says what goes over it.")
    })?;
    if auth::offered(&headers).is_some() && !same_origin(&headers) {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "other_origin",
            "This page is not of this server, and may not open a call's socket.",
        ));
    }
    let seat = app.streams.enter(&who.person, &who.token)?;
    who.still_known(&app).await?;
    let most = app.ears.limits.bytes().max(MAX_TEXT);
    let upgrade = upgrade.max_message_size(most).max_frame_size(most).protocols([PROTOCOL]);
    let Who { person, device, .. } = who;
    Ok(upgrade.on_upgrade(move |socket: WebSocket| async move {
        let line = app.live.line(&app, &call);
        socket::run(app, person, device, line, seat, socket).await;
    }))
}

/// Whether a browser's page is of the host that it asks. What is no browser says no origin.
fn same_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let host = headers.get("x-forwarded-host").or_else(|| headers.get(HOST));
    let (Ok(origin), Some(Ok(host))) = (origin.to_str(), host.map(|host| host.to_str())) else {
        return false;
    };
    origin.split_once("://").is_some_and(|(_, of)| of.eq_ignore_ascii_case(host.trim()))
}

/// Whose line it is, for its log.
fn named(person: &PersonId, call: &InviteId) -> tracing::Span {
    tracing::info_span!("line", %person, %call)
}

/// A shared [`App`], as lines hold it.
type Shared = Arc<App>;

//! `/api/export` and `/api/erase`: everything of a person's, taken along or erased.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Json;
use axum::body::Body as Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, mpsc};

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::Body;
use crate::clock::rfc3339;
use crate::store::Error;

/// Exports that may be written at once: each holds one of the store's few readers for as long as its client takes.
static WRITTEN: Semaphore = Semaphore::const_new(2);
/// How many pieces of an export may wait for whoever reads them.
const AHEAD: usize = 4;

/// Everything of a person's as one JSON object: what wrote it and when, then a member a table.
pub(super) async fn export(State(app): State<App>, who: Who) -> Result<Response, ApiError> {
    let permit = WRITTEN.try_acquire().map_err(|_| {
        let message = "Other exports are being written just now.";
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_exports", message)
            .hint("Ask again in a moment.")
            .retry_after(5)
    })?;
    if let Some(push) = &app.push {
        push.settled().await;
    }
    let now_ms = app.gateway.clock.now_ms();
    let moment = rfc3339(now_ms);
    let (sender, pieces) = mpsc::channel(AHEAD);
    let begins = format!(
        "{{\"handset\":\"{}\",\n\"spec\":\"{}\",\n\"exported_at\":\"{moment}\",\n\"exported_at_ms\":{now_ms},\n",
        env!("CARGO_PKG_VERSION"),
        handset_spec::VERSION,
    );
    let store = app.gateway.store.clone();
    tokio::spawn(async move {
        let _permit = permit;
        let (sink, mut from) = mpsc::channel(1);
        let ended = store.export(who.person, sink);
        let out = sender.clone();
        // The other end goes with this block: where nobody reads any more, nothing is written any more.
        let forward = async move {
            if out.send(Ok(begins.into_bytes())).await.is_err() {
                return;
            }
            while let Some(piece) = from.recv().await {
                if out.send(Ok(piece)).await.is_err() {
                    return;
                }
            }
        };
        let (ended, ()) = tokio::join!(ended, forward);
        match ended {
            Ok(()) => drop(sender.send(Ok(b"\n}\n".to_vec())).await),
            // The body breaks off, which no reader takes for its end.
            Err(error) => {
                if error != Error::Closed {
                    tracing::error!(%error, "an export broke off");
                }
                drop(sender.send(Err(error)).await);
            }
        }
    });
    let mut response = Response::new(Bytes::from_stream(Pieces(pieces)));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let day = moment.get(..10).unwrap_or_default();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"handset-{day}.json\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// A channel as the body of a response.
struct Pieces(mpsc::Receiver<Result<Vec<u8>, Error>>);

impl Stream for Pieces {
    type Item = Result<Vec<u8>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Erase {
    /// The person's own name.
    confirm: String,
}

#[derive(Serialize)]
pub(super) struct Erased {
    erased: bool,
    /// Whether the person goes on as the operator, with the token that stands in the data folder.
    operator: bool,
}

/// Erases everything of a person's, if they wrote their own name: their rows, their tokens, their streams.
pub(super) async fn erase(
    State(app): State<App>,
    who: Who,
    Body(erase): Body<Erase>,
) -> Result<Json<Erased>, ApiError> {
    let found = app.gateway.store.person(who.person.clone()).await?;
    let found = found.ok_or_else(|| ApiError::not_found("person"))?;
    if erase.confirm.trim() != found.name {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "not_confirmed",
            "confirm is not the person's name. Nothing was erased.",
        )
        .hint("Write the name as GET /api/people tells it."));
    }
    if let Some(push) = &app.push {
        // What is on its way to the store belongs to it.
        push.settled().await;
    }
    let erased = app.gateway.erase(&who.person).await?;
    let erased = erased.ok_or_else(|| ApiError::not_found("person"))?;
    app.streams.end_all(&who.person);
    if let Some(push) = &app.push {
        push.forget(&who.person);
    }
    tracing::info!(person = %who.person, "everything of a person's was erased");
    Ok(Json(Erased { erased: true, operator: erased.operator.is_some() }))
}

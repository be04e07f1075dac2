//! `/api/events/poll`: everything that the event stream says, for who cannot stream.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::events::is_elsewhere;
use super::extract::{Query, word};
use crate::gateway::events::{Follower, Next};

/// How long a poll may wait, in seconds: below the minute after which proxies close what is silent.
const MAX_WAIT: u64 = 50;
/// How many events one answer holds at most, and how many bytes of data: more are fetched at once, by the next poll.
const MAX_EVENTS: usize = 500;
const MAX_BYTES: usize = 512 * 1024;

#[derive(Deserialize)]
pub(super) struct Ask {
    after: Option<String>,
    wait: Option<u64>,
    device: Option<String>,
}

#[derive(Default, Serialize)]
pub(super) struct Told {
    events: Vec<Line>,
    /// What to ask with next time.
    last_id: String,
    /// Whether events were missed that are not kept any more: read the state anew, as `fetch` says.
    resync: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fetch: Vec<&'static str>,
}

/// One event, as the stream tells it.
#[derive(Serialize)]
struct Line {
    id: String,
    event: &'static str,
    data: Option<Box<RawValue>>,
}

/// What has happened behind an event, at once where something has; else what happens first within the time that the
/// client waits. Without `after` it says from where to ask.
pub(super) async fn poll(
    State(app): State<App>,
    who: Who,
    Query(ask): Query<Ask>,
) -> Result<Json<Told>, ApiError> {
    let wait = Duration::from_secs(ask.wait.unwrap_or(0).min(MAX_WAIT));
    let device = who.device.clone().or(word("device", ask.device)?);
    let hub = &app.gateway.hub;
    let mut follower = match ask.after.as_deref() {
        Some(id) => hub.resume(&who.person, id),
        None => hub.follow(&who.person),
    };
    let mut told = Told::default();
    told.gather(&mut follower, &device);
    if told.is_empty() && ask.after.is_some() && !wait.is_zero() {
        let mut seat = app.streams.enter(&who.person, &who.token)?;
        who.still_known(&app).await?;
        let mut stopping = app.stopping.clone();
        let something = async {
            while told.is_empty() {
                let next = follower.next().await;
                told.take(next, &follower, &device);
            }
        };
        tokio::select! {
            () = something => {}
            () = tokio::time::sleep(wait) => {}
            () = seat.ended() => {}
            // An error means that the server is gone altogether.
            _ = stopping.wait_for(|stopping| *stopping) => {}
        }
        // Where it was revoked while it waited, nothing is told any more.
        who.still_known(&app).await?;
        told.gather(&mut follower, &device);
    }
    told.last_id = follower.place();
    Ok(Json(told))
}

impl Told {
    fn is_empty(&self) -> bool {
        self.events.is_empty() && !self.resync
    }

    /// Takes what is there already.
    fn gather(&mut self, follower: &mut Follower, device: &Option<String>) {
        let mut bytes = 0;
        while self.events.len() < MAX_EVENTS && bytes < MAX_BYTES {
            let Some(next) = follower.ready() else { return };
            if let Next::Event(event) = &next {
                bytes += event.data.len();
            }
            self.take(next, follower, device);
        }
    }

    fn take(&mut self, next: Next, follower: &Follower, device: &Option<String>) {
        match next {
            Next::Resync(_) => {
                self.events.clear();
                self.resync = true;
                self.fetch = super::events::FETCH.to_vec();
            }
            Next::Event(event) if is_elsewhere(device, &event.device) => {}
            Next::Event(event) => self.events.push(Line {
                id: follower.id(event.number),
                event: event.kind.name(),
                // It was written as JSON; were it not, the answer would lack it rather than break.
                data: RawValue::from_string(event.data.clone()).ok(),
            }),
        }
    }
}

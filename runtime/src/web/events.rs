//! Server-sent events: everything that is the person's, or one turn to its end.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_core::Stream;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Query, word};
use super::reports;
use super::streams::Seat;
use crate::gateway::events::{Follower, Kind, News, Next};
use crate::ids::TurnId;
use crate::metrics::METRICS;
use crate::store::{Message, Role, Turn, TurnState};

/// How often a quiet stream sends a comment: proxies close what is silent for a minute (P137).
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The last event of a stream that the server ends because it stops: the client comes back in a moment.
const STOPPING: &str = "stopping";
/// How many events a stream may be ahead of its socket.
const AHEAD: usize = 32;

/// What a client reads anew that has missed events: its chats, what was said behind what it has, the open
/// cards, what rings, and what is set.
pub(super) const FETCH: &[&str] = &[
    "/api/chats",
    "/api/chats/{chat}/messages?after=SEQ",
    "/api/cards",
    "/api/call/invite",
    "/api/settings",
];

#[derive(Deserialize)]
pub(super) struct Follow {
    device: Option<String>,
    after: Option<String>,
    /// A report, in the way of the workers in the field.
    r#type: Option<String>,
    value: Option<String>,
}

/// Everything that is the person's, from now on or from behind `Last-Event-ID` (or `after`, for clients that cannot set
/// a header); with a device, without other devices' cards.
pub(super) async fn follow(
    State(app): State<App>,
    who: Who,
    Query(query): Query<Follow>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if query.r#type.is_some() {
        let taken = reports::take(&app, &who, query.r#type.as_deref(), query.value.as_deref()).await?;
        return Ok(taken.into_response());
    }
    let device = who.device.clone().or(word("device", query.device)?);
    let hub = &app.gateway.hub;
    // The header is newer: a client that reconnects by itself asks with the address that it was given first.
    let header = headers.get("last-event-id").map(|id| id.to_str().unwrap_or_default().to_owned());
    let after = header.or(query.after);
    let follower = match &after {
        Some(id) => hub.resume(&who.person, id),
        None => hub.follow(&who.person),
    };
    let seat = app.streams.enter(&who.person, &who.token)?;
    who.still_known(&app).await?;
    let (sender, events) = mpsc::channel(AHEAD);
    // A place to resume from, before the first event: an id without data is remembered and not dispatched.
    let start = Event::default().comment("following").id(follower.place());
    if after.is_none() {
        // The channel is new and empty.
        let _ = sender.try_send(start);
    }
    let pump = Pump { app, sender, seat, only: None, device };
    tokio::spawn(pump.run(follower));
    Ok(stream(events))
}

/// The events of one turn, until it ends.
pub(super) fn of_turn(app: &App, seat: Seat, turn: TurnId, follower: Follower) -> Response {
    let (sender, events) = mpsc::channel(AHEAD);
    let pump = Pump { app: app.clone(), sender, seat, only: Some(turn), device: None };
    tokio::spawn(pump.run(follower));
    stream(events)
}

/// The events of a turn that is over, from what is stored: for a message that was sent again.
pub(super) fn of_past_turn(turn: &Turn, messages: &[Message]) -> Response {
    let (sender, events) = mpsc::channel(messages.len() + 1);
    let last = messages.len().saturating_sub(1);
    for (place, message) in messages.iter().enumerate() {
        let kind = match message.role {
            Role::Call => Kind::Call,
            Role::Result => Kind::Result,
            Role::Companion if place == last && has_reply(turn) => Kind::Reply,
            Role::Companion | Role::Person => Kind::Message,
        };
        // The channel has room for all of them.
        let _ = sender.try_send(wire(kind, News::message(kind, message).data()));
    }
    let replied = has_reply(turn) && messages.last().is_some_and(|last| last.role == Role::Companion);
    if !replied {
        let code = turn.code.as_deref().unwrap_or("failed");
        let news = News::failed(&turn.chat, &turn.id, code, "this turn ended without a reply");
        let _ = sender.try_send(wire(Kind::Failed, news.data()));
    }
    stream(events)
}

/// Whether a turn's last words are its reply: a whole one, or what was said before the person stopped it.
fn has_reply(turn: &Turn) -> bool {
    matches!(turn.state, TurnState::Finished | TurnState::Interrupted)
}

fn wire(kind: Kind, data: &str) -> Event {
    Event::default().event(kind.name()).data(data)
}

/// Carries events from a follower to a socket.
struct Pump {
    app: App,
    sender: mpsc::Sender<Event>,
    seat: Seat,
    only: Option<TurnId>,
    device: Option<String>,
}

impl Pump {
    async fn run(mut self, mut follower: Follower) {
        let _counted = METRICS.streams.hold();
        loop {
            let next = tokio::select! {
                // What has happened is told before the end is.
                biased;
                next = follower.next() => Some(next),
                () = self.sender.closed() => return,
                () = self.seat.ended() => return,
                // An error means that the server is gone altogether.
                _ = self.app.stopping.wait_for(|stopping| *stopping) => None,
            };
            let Some(next) = next else {
                // Without an id: whoever comes back resumes behind the last event that was one.
                let _ = self.sender.send(Event::default().event(STOPPING).data("{}")).await;
                return;
            };
            let (event, last) = match next {
                Next::Resync(number) => {
                    let data = serde_json::json!({ "fetch": FETCH }).to_string();
                    let event = Event::default().event("resync").id(follower.id(number)).data(data);
                    (event, self.only.is_some())
                }
                Next::Event(event) => {
                    if self.only.is_some() && self.only != event.turn
                        || is_elsewhere(&self.device, &event.device)
                    {
                        continue;
                    }
                    let id = follower.id(event.number);
                    let last = self.only.is_some() && event.kind.ends_turn();
                    (wire(event.kind, &event.data).id(id), last)
                }
            };
            let sent = tokio::select! {
                sent = self.sender.send(event) => sent,
                // A socket that takes nothing must not keep a revoked device's stream.
                () = self.seat.ended() => return,
            };
            if sent.is_err() || last {
                return;
            }
        }
    }
}

/// Whether an event is for another device than this one.
pub(super) fn is_elsewhere(mine: &Option<String>, theirs: &Option<String>) -> bool {
    matches!((mine, theirs), (Some(mine), Some(theirs)) if mine != theirs)
}

/// A channel as the body of a response.
struct Events(mpsc::Receiver<Event>);

impl Stream for Events {
    type Item = Result<Event, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}

fn stream(events: mpsc::Receiver<Event>) -> Response {
    let mut response =
        Sse::new(Events(events)).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies that collect a response before they send it on would hold a card back until it has expired.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

#[cfg(test)]
mod tests {
    use axum::body::HttpBody as _;

    use super::*;

    /// P137: a quiet stream says something every 15 seconds, which no client takes for an event.
    #[tokio::test(start_paused = true)]
    async fn p137_a_quiet_stream_says_something() {
        let (sender, events) = mpsc::channel(AHEAD);
        let mut body = stream(events).into_body();
        for beat in 1..=8 {
            let started = tokio::time::Instant::now();
            let frame = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
            let line = frame.unwrap().unwrap().into_data().unwrap();
            assert!(line.starts_with(b":") && line.ends_with(b"\n\n"), "{beat}: {line:?}");
            assert_eq!(started.elapsed().as_secs(), HEARTBEAT.as_secs());
        }
        drop(sender);
    }
}

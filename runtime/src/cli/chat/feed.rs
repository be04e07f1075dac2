//! The person's event stream, kept up: broken off, it is resumed behind the last event.

use std::time::{Duration, Instant};

use reqwest::Response;
use tokio::sync::mpsc;

use super::sse::{Event, Reader};
use crate::cli::api::Api;

/// How long a stream may be silent: three heartbeats.
const SILENCE: Duration = Duration::from_secs(45);
/// How long a broken stream waits before it is resumed, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// How long the server may be away before it is given up: longer than a restart takes.
const AWAY: Duration = Duration::from_secs(60);
/// How many events may wait to be printed.
const AHEAD: usize = 256;

/// What the feed tells.
#[derive(Debug)]
pub(in crate::cli) enum Fed {
    /// It follows: whatever happens from here on is told.
    Following,
    /// Something happened.
    Event(Event),
    /// It cannot follow, and trying again would not help.
    Ended(String),
}

/// Starts to follow the events at a path; ends when the receiver is dropped.
pub(in crate::cli) fn follow(api: Api, path: String) -> mpsc::Receiver<Fed> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    tokio::spawn(async move {
        let mut last_id = String::new();
        let mut pause = PAUSE.0;
        let mut there = Instant::now();
        loop {
            let known = (!last_id.is_empty()).then(|| last_id.clone());
            match api.stream(&path, known.as_deref(), None).await {
                Ok(stream) => {
                    pause = PAUSE.0;
                    if once(stream, &mut last_id, &sender).await.is_none() {
                        return;
                    }
                    there = Instant::now();
                }
                Err(error) if error.may_pass() && there.elapsed() < AWAY => {
                    tracing::debug!(%error, "the stream is not there");
                    pause = (pause * 2).min(PAUSE.1);
                }
                Err(error) => {
                    let _ = sender.send(Fed::Ended(error.to_string())).await;
                    return;
                }
            }
            tokio::time::sleep(pause).await;
        }
    });
    receiver
}

/// Hands on what one connection brings, to its end; nothing when nobody listens any more.
async fn once(mut stream: Response, last_id: &mut String, sender: &mpsc::Sender<Fed>) -> Option<()> {
    // A reader of its own for each connection: half an event of the last one is told again, whole.
    let mut reader = Reader::after(last_id);
    let mut following = false;
    loop {
        if !following && !reader.last_id.is_empty() {
            following = true;
            sender.send(Fed::Following).await.ok()?;
        }
        let chunk = match tokio::time::timeout(SILENCE, stream.chunk()).await {
            Ok(Ok(Some(chunk))) => chunk,
            broken => {
                tracing::debug!(?broken, "the stream broke off");
                return Some(());
            }
        };
        for event in reader.push(&chunk) {
            // Only what was handed on is behind us.
            let id = event.id.clone();
            sender.send(Fed::Event(event)).await.ok()?;
            *last_id = id;
        }
        if last_id.is_empty() {
            last_id.clone_from(&reader.last_id);
        }
    }
}

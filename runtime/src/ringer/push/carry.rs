//! One ring to one device: what is looked at, in which order, and what comes of it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::client::{AT_ONCE, LastLook, TooLate, innermost};
use super::guard::Endpoint;
use super::keys::Keys;
use super::lanes::Place;
use super::{Shared, answer, payload, seal};
use crate::ids::DeviceId;
use crate::ringer::bell::Ring;
use crate::store::{Fate, RingOutcome, SentRing, Subscription};

/// How long a service may take to answer. A ring comes every two seconds: what took longer than a few of them is past.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// How much of an answer is read, in bytes, so that its connection can be used again.
const ANSWER_BYTES: usize = 16 << 10;
/// How many characters of a refusal stand in the log.
const QUOTED: usize = 200;
/// How often it is said that a service does not accept this server, in milliseconds.
const SAID_EVERY_MS: i64 = 60_000;

/// Where a device is rung, ready to be used.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) row: Subscription,
    /// None where the row holds what this program would not keep.
    pub(super) keys: Option<Keys>,
    /// Until when its service asked to be left alone, in milliseconds since the Unix epoch.
    pub(super) paused_ms: AtomicI64,
    /// Whether its service does not know it any more.
    pub(super) gone: AtomicBool,
}

impl Target {
    pub(super) fn new(row: Subscription, before: Option<&Self>) -> Self {
        // One that came anew since is tried anew, though it be the same address.
        let same =
            |before: &&Self| (&before.row.endpoint, before.row.created_ms) == (&row.endpoint, row.created_ms);
        let before = before.filter(same);
        let paused_ms = before.map_or(0, |before| before.paused_ms.load(Ordering::Relaxed));
        Self {
            keys: Keys::kept(&row.p256dh, &row.auth),
            paused_ms: AtomicI64::new(paused_ms.max(row.paused_ms.unwrap_or(0))),
            gone: AtomicBool::new(before.is_some_and(|before| before.gone.load(Ordering::Relaxed))),
            row,
        }
    }
}

/// A push service, as far as this process has come to know it.
#[derive(Debug)]
pub(super) struct Service {
    /// How many pushes may be on their way there.
    room: Semaphore,
    /// Which device's push it accepted last, and when: then it accepts this server's key.
    accepted: Mutex<Option<(DeviceId, i64)>>,
    /// When it was last said that it does not.
    said_ms: AtomicI64,
}

/// The services that were met. There are as many as the guard lets through.
#[derive(Debug, Default)]
pub(super) struct Services(Mutex<HashMap<String, Arc<Service>>>);

impl Services {
    fn of(&self, origin: &str) -> Arc<Service> {
        let mut services = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(service) = services.get(origin) {
            return Arc::clone(service);
        }
        let service = Arc::new(Service {
            room: Semaphore::new(AT_ONCE),
            accepted: Mutex::default(),
            said_ms: AtomicI64::new(i64::MIN),
        });
        services.insert(origin.to_owned(), Arc::clone(&service));
        service
    }
}

impl Service {
    fn accepts(&self, device: &DeviceId, now_ms: i64) {
        *self.accepted.lock().unwrap_or_else(PoisonError::into_inner) = Some((device.clone(), now_ms));
    }

    /// Whether it accepted this server from another device: then it is not the key that it refuses.
    fn accepts_others(&self, device: &DeviceId) -> bool {
        let accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        accepted.as_ref().is_some_and(|(other, _)| other != device)
    }

    /// Whether it is time to say again that it does not accept this server.
    fn say(&self, now_ms: i64) -> bool {
        let said_ms = self.said_ms.load(Ordering::Relaxed);
        let due = now_ms.saturating_sub(said_ms) >= SAID_EVERY_MS;
        due && self.said_ms.compare_exchange(said_ms, now_ms, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// What came of it, in short.
struct Came {
    outcome: RingOutcome,
    fate: Fate,
    status: Option<u16>,
    sent_ms: Option<i64>,
}

impl Came {
    /// It was not sent.
    fn unsent(outcome: RingOutcome) -> Self {
        Self { outcome, fate: Fate::Untouched, status: None, sent_ms: None }
    }
}

impl Shared {
    /// Carries a ring to a device and notes what came of it. Nothing where the device's subscription is known to be gone.
    pub(super) async fn carry(
        self: Arc<Self>,
        target: Arc<Target>,
        ring: Arc<Ring>,
        payload: Arc<[u8]>,
        place: Place,
    ) -> Option<SentRing> {
        if target.gone.load(Ordering::Relaxed) {
            return None;
        }
        let came = self.send(&target, &ring, &payload, &place).await;
        // The lane is free before anything is written.
        drop(place);
        let answered_ms = came.sent_ms.map(|_| self.clock.now_ms());
        let sent = SentRing {
            person: ring.person.clone(),
            invite: ring.invite.clone(),
            device: target.row.device.clone(),
            sequence: ring.sequence,
            due_ms: ring.due_ms,
            sent_ms: came.sent_ms,
            answered_ms,
            outcome: came.outcome,
            status: came.status,
            fate: came.fate,
            endpoint: target.row.endpoint.clone(),
        };
        crate::metrics::METRICS.ring(&sent);
        match came.fate {
            Fate::Gone => {
                target.gone.store(true, Ordering::Relaxed);
                tracing::info!(device = %sent.device, status = came.status, "a subscription is gone and was deleted");
                // At once, and not with the others.
                if let Err(error) = self.store.keep_rings(vec![sent.clone()]).await {
                    tracing::warn!(%error, "a subscription that is gone was not deleted");
                }
            }
            fate => {
                if let Fate::Paused(until_ms) = fate {
                    target.paused_ms.store(until_ms, Ordering::Relaxed);
                }
                self.ledger.note(sent.clone());
            }
        }
        Some(sent)
    }

    /// Why a ring is not to be sent now, if so.
    fn obstacle(&self, target: &Target, ring: &Ring, place: &Place) -> Option<RingOutcome> {
        let now_ms = self.clock.now_ms();
        if let Some(over) = over(ring, now_ms) {
            Some(over)
        } else if place.is_overtaken() {
            Some(RingOutcome::Overtaken)
        } else if now_ms < target.paused_ms.load(Ordering::Relaxed) {
            Some(RingOutcome::Paused)
        } else {
            None
        }
    }

    async fn send(&self, target: &Target, ring: &Ring, payload: &[u8], place: &Place) -> Came {
        let row = &target.row;
        let Some(_turn) = place.turn().await else { return Came::unsent(RingOutcome::Overtaken) };
        if let Some(outcome) = self.obstacle(target, ring, place) {
            return Came::unsent(outcome);
        }
        if row.server_key != self.signer.key().public() {
            return Came::unsent(RingOutcome::OtherKey);
        }
        // Once more, as the list may have been made shorter since it was kept.
        let endpoint = match self.guard.check(&row.endpoint) {
            Ok(endpoint) => endpoint,
            Err(refusal) => {
                tracing::warn!(device = %row.device, %refusal, "a subscription leads where pushes may not go");
                return Came::unsent(RingOutcome::NotAllowed);
            }
        };
        let service = self.services.of(&endpoint.origin);
        // The semaphore is never closed.
        let Ok(_room) = service.room.acquire().await else { return Came::unsent(RingOutcome::Overtaken) };
        let sealed = target.keys.as_ref().and_then(|keys| seal(keys, payload).ok());
        let subject = self.subject.as_deref().or(row.site.as_deref());
        let now_ms = self.clock.now_ms();
        let signed = self.signer.authorization(&endpoint.origin, subject, now_ms).ok();
        let (Some(sealed), Some(signed)) = (sealed, signed) else {
            tracing::warn!(device = %row.device, "a push could not be encrypted or signed");
            return Came::unsent(RingOutcome::NotSealed);
        };
        if let Some(outcome) = self.obstacle(target, ring, place) {
            return Came::unsent(outcome);
        }
        let client = match self.clients.of(&endpoint) {
            Ok(client) => client,
            Err(reason) => {
                tracing::warn!(reason, "no push service can be reached");
                return Came::unsent(RingOutcome::Unreachable);
            }
        };
        let sent_ms = Arc::new(AtomicI64::new(0));
        let body = LastLook {
            sealed: Some(Bytes::from(sealed)),
            live: ring.live.clone(),
            expires_ms: ring.expires_ms,
            clock: Arc::clone(&self.clock),
            sent_ms: Arc::clone(&sent_ms),
        };
        let request = client
            .post(endpoint.url.clone())
            .header(AUTHORIZATION, signed)
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(CONTENT_TYPE, "application/octet-stream")
            .header("TTL", (ring.expires_ms - now_ms).max(0) / 1000)
            .header("Urgency", "high")
            .header("Topic", payload::topic(&ring.invite, ring.sequence))
            .body(reqwest::Body::wrap(body));
        let deadline = Instant::now() + ANSWER_WITHIN;
        let answered = timeout_at(deadline, request.send()).await;
        let was_sent = || Some(sent_ms.load(Ordering::Relaxed)).filter(|at| *at != 0);
        let host = endpoint.host();
        let failed = |outcome| Came { outcome, fate: Fate::Failed, status: None, sent_ms: was_sent() };
        match answered {
            Ok(Ok(response)) => {
                let came = self.read(response, deadline, &service, &endpoint, row).await;
                Came { sent_ms: was_sent(), ..came }
            }
            Ok(Err(error)) if has_cause::<TooLate>(&error) => {
                // It was over when the connection looked, however it ended.
                Came::unsent(over(ring, self.clock.now_ms()).unwrap_or(RingOutcome::Expired))
            }
            Ok(Err(error)) => {
                let outcome = if error.is_connect() { RingOutcome::Unreachable } else { RingOutcome::Closed };
                let reason = innermost(&error.without_url());
                tracing::info!(host, reason, outcome = outcome.word(), "a push was not answered");
                failed(outcome)
            }
            Err(_) if was_sent().is_none() => {
                tracing::info!(host, "a push service could not be reached in time");
                failed(RingOutcome::Unreachable)
            }
            Err(_) => {
                tracing::info!(host, "a push was not answered in time");
                failed(RingOutcome::NoAnswer)
            }
        }
    }

    /// Reads a service's answer.
    async fn read(
        &self,
        mut response: reqwest::Response,
        deadline: Instant,
        service: &Service,
        endpoint: &Endpoint,
        row: &Subscription,
    ) -> Came {
        let status = response.status().as_u16();
        let now_ms = self.clock.now_ms();
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let (outcome, mut fate) = answer::of_status(status, retry_after, now_ms);
        let mut said = Vec::new();
        let reading = async {
            while said.len() < ANSWER_BYTES
                && let Ok(Some(bytes)) = response.chunk().await
            {
                said.extend_from_slice(&bytes);
            }
        };
        // The status was the answer; what has come of the rest by then is enough.
        let _ = timeout_at(deadline, reading).await;
        let said = || {
            let said = String::from_utf8_lossy(&said);
            said.chars().filter(|c| !c.is_control()).take(QUOTED).collect::<String>()
        };
        let host = endpoint.host();
        match outcome {
            RingOutcome::Accepted => service.accepts(&row.device, now_ms),
            RingOutcome::Unauthorized if service.accepts_others(&row.device) => {
                // Others' pushes bear the same key and pass: it is this one's own fault.
                fate = Fate::Refused;
                tracing::warn!(host, status, device = %row.device, said = said(), "a push service refused one device");
            }
            RingOutcome::Unauthorized if service.say(now_ms) => {
                tracing::error!(
                    host,
                    status,
                    said = said(),
                    "a push service does not accept this server: see push.subject and the push key (handset doctor)"
                );
            }
            RingOutcome::Gone | RingOutcome::Unauthorized => {}
            _ => tracing::warn!(host, status, device = %row.device, said = said(), "a push was not accepted"),
        }
        Came { outcome, fate, status: Some(status), sent_ms: None }
    }
}

/// Whether an error was caused by one of a kind.
fn has_cause<E: std::error::Error + 'static>(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.is::<E>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Why a call rings no more, if so. Its time comes first: a call that expired is not pending either, and nobody answered it.
fn over(ring: &Ring, now_ms: i64) -> Option<RingOutcome> {
    if now_ms >= ring.expires_ms {
        Some(RingOutcome::Expired)
    } else if !ring.live.is_pending() {
        Some(RingOutcome::Answered)
    } else {
        None
    }
}

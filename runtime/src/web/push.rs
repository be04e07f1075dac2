//! `/api/push`: where the person's devices are rung, and a ring to try one out.

use axum::Json;
use axum::extract::State;
use axum::http::header::{ACCEPT_LANGUAGE, ORIGIN, USER_AGENT};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use handset_spec::Language;
use serde::{Deserialize, Serialize};

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, OptionalBody, Query, once, word};
use crate::clock::rfc3339;
use crate::config::is_push_subject;
use crate::ids::{DeviceId, InviteId};
use crate::ringer::push::{Keys, Push, Refusal};
use crate::store::{Device, NewSubscription, SentRing, Subscribed, Subscription};

/// How many characters of a browser's own name are kept.
const AGENT_CHARS: usize = 200;

/// The bell, where there is one.
fn bell(app: &App) -> Result<&Push, ApiError> {
    app.push.as_ref().ok_or_else(|| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "push_off", "This server rings no phone just now.")
            .hint("Its data folder takes no file, so that it has no key to sign with; handset doctor says what to do.")
    })
}

#[derive(Serialize)]
pub(super) struct Key {
    /// What a page subscribes with, as `applicationServerKey`.
    key: String,
    /// How push services reach the operator; without it, each is told the page that a device subscribed from.
    subject: Option<String>,
}

pub(super) async fn key(State(app): State<App>, _: Who) -> Result<Json<Key>, ApiError> {
    let push = bell(&app)?;
    Ok(Json(Key { key: push.key().to_owned(), subject: push.subject().map(str::to_owned) }))
}

/// A subscription as JSON. Its address is a secret and is not told again.
#[derive(Serialize)]
struct SubscriptionView {
    /// The device: its id and its name.
    device: String,
    name: Option<String>,
    /// Whether it is the one that asks.
    current: bool,
    /// The push service's host.
    service: String,
    user_agent: Option<String>,
    created_at: String,
    created_at_ms: i64,
    /// The server's key that it was made for.
    server_key: String,
    /// Whether a ring would be sent there now.
    rings: bool,
    /// Why not: `other_key`, `not_allowed`, `paused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'static str>,
    /// What came of the last push, with the service's status.
    last_outcome: Option<&'static str>,
    last_status: Option<i64>,
    last_at: Option<String>,
    last_at_ms: Option<i64>,
    /// When one was last accepted, exact to a minute.
    last_success_at: Option<String>,
    last_success_at_ms: Option<i64>,
    /// How many in a row were not.
    failures: i64,
    paused_until: Option<String>,
    paused_until_ms: Option<i64>,
}

impl SubscriptionView {
    fn new(of: &Subscription, devices: &[Device], who: &Who, push: &Push, now_ms: i64) -> Self {
        let endpoint = push.guard().check(&of.endpoint);
        let paused_ms = of.paused_ms.filter(|until_ms| now_ms < *until_ms);
        let why_not = if of.server_key != push.key() {
            Some("other_key")
        } else if endpoint.is_err() {
            Some("not_allowed")
        } else {
            paused_ms.map(|_| "paused")
        };
        Self {
            device: of.device.to_string(),
            name: devices.iter().find(|device| device.id == of.device).map(|device| device.name.clone()),
            current: of.device == who.token,
            service: endpoint.map_or_else(|_| String::new(), |endpoint| endpoint.host().to_owned()),
            user_agent: of.agent.clone(),
            created_at: rfc3339(of.created_ms),
            created_at_ms: of.created_ms,
            server_key: of.server_key.clone(),
            rings: why_not.is_none(),
            why_not,
            last_outcome: of.outcome.map(|outcome| outcome.word()),
            last_status: of.status,
            last_at: of.outcome_ms.map(rfc3339),
            last_at_ms: of.outcome_ms,
            last_success_at: of.succeeded_ms.map(rfc3339),
            last_success_at_ms: of.succeeded_ms,
            failures: of.failures,
            paused_until: paused_ms.map(rfc3339),
            paused_until_ms: paused_ms,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Subscriptions {
    subscriptions: Vec<SubscriptionView>,
    /// The server's key now, to compare with the page's own subscription on each load.
    key: String,
}

pub(super) async fn list(State(app): State<App>, who: Who) -> Result<Json<Subscriptions>, ApiError> {
    let push = bell(&app)?;
    let (store, now_ms) = (&app.gateway.store, app.gateway.clock.now_ms());
    // What came of a ring that was answered a moment ago belongs to it.
    push.settled().await;
    let devices = store.devices(who.person.clone()).await?;
    let found = store.subscriptions(who.person.clone()).await?;
    let view = |of| SubscriptionView::new(of, &devices, &who, push, now_ms);
    Ok(Json(Subscriptions { subscriptions: found.iter().map(view).collect(), key: push.key().to_owned() }))
}

/// A browser's `PushSubscription` as JSON, whatever else is in it.
#[derive(Deserialize)]
pub(super) struct Subscribe {
    endpoint: String,
    keys: SubscribeKeys,
    /// The server's key that the page subscribed with, to be told where that was another.
    server_key: Option<String>,
}

#[derive(Deserialize)]
struct SubscribeKeys {
    p256dh: String,
    auth: String,
}

#[derive(Serialize)]
pub(super) struct Kept {
    subscription: SubscriptionView,
}

/// Keeps where the device that asks is rung, in the place of what was kept for it before. Repeating it changes nothing.
pub(super) async fn subscribe(
    State(app): State<App>,
    who: Who,
    headers: HeaderMap,
    Body(given): Body<Subscribe>,
) -> Result<Json<Kept>, ApiError> {
    let push = bell(&app)?;
    let endpoint = push.guard().check(&given.endpoint).map_err(|refusal| refused(&refusal))?;
    let keys = Keys::read(&given.keys.p256dh, &given.keys.auth).map_err(|fault| {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_keys", format!("{fault}."))
            .hint("Send what the browser's PushSubscription gives as JSON, unchanged.")
    })?;
    let other_key = given.server_key.is_some_and(|key| key.trim_end_matches('=') != push.key());
    if other_key {
        let message = "The subscription was made for another key than this server's.";
        return Err(ApiError::new(StatusCode::CONFLICT, "other_key", message)
            .hint("Unsubscribe in the browser, and subscribe anew with the key of GET /api/push/key."));
    }
    let header = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    // The page that subscribes says who answers for its pushes, unless the operator did.
    let site = header(ORIGIN).filter(|origin| is_push_subject(origin)).map(str::to_owned);
    if endpoint.wants_subject() && push.subject().is_none() && site.is_none() {
        let message = format!("{} takes pushes only from who says how to be reached.", endpoint.host());
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "no_subject", message).hint(
            "On the server, set push.subject in handset.toml to mailto: and an address; or open the page at its https address.",
        ));
    }
    let agent = header(USER_AGENT).map(|agent| agent.trim().chars().take(AGENT_CHARS).collect());
    let (store, now_ms) = (&app.gateway.store, app.gateway.clock.now_ms());
    let subscription = NewSubscription {
        person: who.person.clone(),
        device: who.token.clone(),
        endpoint: endpoint.url.to_string(),
        p256dh: keys.p256dh(),
        auth: keys.auth(),
        server_key: push.key().to_owned(),
        site,
        agent,
        now_ms,
    };
    let kept = match store.subscribe(subscription).await? {
        Subscribed::Kept { subscription, from } => {
            push.forget(&who.person);
            if let Some(before) = from {
                push.forget(&before);
            }
            subscription
        }
        Subscribed::TooMany => {
            let message = "You have as many devices that are rung as may be.";
            return Err(ApiError::new(StatusCode::CONFLICT, "too_many_subscriptions", message)
                .hint("Revoke a device that you do not use any more: DELETE /api/devices/{device}."));
        }
        Subscribed::Taken => {
            let message = "This subscription is another person's.";
            return Err(ApiError::new(StatusCode::CONFLICT, "subscription_taken", message)
                .hint("Unsubscribe in the browser, and subscribe anew."));
        }
    };
    let devices = store.devices(who.person.clone()).await?;
    Ok(Json(Kept { subscription: SubscriptionView::new(&kept, &devices, &who, push, now_ms) }))
}

fn refused(refusal: &Refusal) -> ApiError {
    let message = match refusal {
        Refusal::Unknown(_) => format!("{refusal}."),
        refusal => format!("The {refusal}."),
    };
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "endpoint_refused", message).hint(
        "Send the browser's own endpoint, unchanged. The operator adds a push service in handset.toml: push.hosts, or \
         push.origins for one of their own.",
    )
}

/// Which device, where it is not the one that asks.
#[derive(Deserialize)]
pub(super) struct Which {
    device: Option<String>,
    client_id: Option<String>,
}

pub(super) async fn unsubscribe(
    State(app): State<App>,
    who: Who,
    Query(which): Query<Which>,
) -> Result<StatusCode, ApiError> {
    let once = once(&app, which.client_id)?;
    let device = which.device.map_or_else(|| who.token.clone(), DeviceId::from_text);
    let gone = app.gateway.store.unsubscribe(who.person.clone(), device, once).await?;
    if let Some(push) = &app.push {
        push.forget(&who.person);
    }
    if gone { Ok(StatusCode::NO_CONTENT) } else { Err(ApiError::not_found("subscription")) }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Test {
    device: Option<String>,
    client_id: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Tested {
    /// Under which its arrival is reported: `GET /api/calls/{id}/rings`.
    id: String,
    /// What came of it: `accepted`, or what went wrong.
    outcome: &'static str,
    /// What the push service answered.
    status: Option<u16>,
    /// How long it took, in milliseconds.
    took_ms: Option<i64>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
}

/// Rings a device once, as a call would, and says what its push service made of it. Repeated, it rings no second time.
pub(super) async fn test(
    State(app): State<App>,
    who: Who,
    headers: HeaderMap,
    OptionalBody(test): OptionalBody<Test>,
) -> Result<Json<Tested>, ApiError> {
    let push = bell(&app)?;
    let (store, now_ms) = (&app.gateway.store, app.gateway.clock.now_ms());
    let once = once(&app, test.client_id)?;
    let device = word("device", test.device)?.map_or_else(|| who.token.clone(), DeviceId::from_text);
    let known = store.subscriptions(who.person.clone()).await?;
    if !known.iter().any(|subscription| subscription.device == device) {
        return Err(ApiError::not_found("subscription")
            .hint("Subscribe first: PUT /api/push/subscription, with the device's own token."));
    }
    app.guard.tested(&who.person, now_ms)?;
    let offered = InviteId::new(now_ms)?;
    let id = store.name_test(who.person.clone(), offered.clone(), once).await?;
    let sent = if id == offered {
        let personal = store.settings(who.person.clone()).await?;
        let theirs = personal.and_then(|personal| personal.language.or(personal.spoken));
        let language = theirs.unwrap_or_else(|| language(&headers));
        let sent = push.test(&who.person, &device, id.clone(), language).await;
        // A repetition of this request finds it.
        push.settled().await;
        sent
    } else {
        push.settled().await;
        store.rings(who.person.clone(), id.clone()).await?.sent.pop()
    };
    let sent = sent.ok_or_else(|| ApiError::not_found("subscription"))?;
    Ok(Json(told(&sent)))
}

fn told(sent: &SentRing) -> Tested {
    use crate::store::RingOutcome as Outcome;
    let hint = match sent.outcome {
        Outcome::Accepted => None,
        Outcome::Gone | Outcome::OtherKey => Some("Unsubscribe in the browser, and subscribe anew."),
        Outcome::Limited | Outcome::Paused => Some("Wait: the push service wants fewer pushes just now."),
        Outcome::Unauthorized => Some(
            "The push service does not accept this server: see push.subject, and handset doctor on the server.",
        ),
        _ => Some("Try again in a moment; the server's log says more."),
    };
    Tested {
        id: sent.invite.to_string(),
        outcome: sent.outcome.word(),
        status: sent.status,
        took_ms: sent.sent_ms.zip(sent.answered_ms).map(|(sent_ms, answered_ms)| answered_ms - sent_ms),
        hint,
    }
}

/// The language that the browser asks for first, for who has chosen none and said nothing yet.
fn language(headers: &HeaderMap) -> Language {
    let first = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let primary = first.split([',', ';', '-']).next().unwrap_or_default().trim().to_ascii_lowercase();
    Language::from_key(&primary).unwrap_or_default()
}

//! Who asks: the bearer of a token, known by its hash.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, SEC_WEBSOCKET_PROTOCOL};
use axum::http::request::Parts;
use sha2::{Digest as _, Sha256};

use super::App;
use super::error::ApiError;
use super::peer;
use crate::ids::{DeviceId, PersonId, hex};
use crate::store::{Bearer, DeviceKind, Error};

/// How often it is noted that a device was seen, in milliseconds; the store holds itself to the same.
const SEEN_EVERY_MS: i64 = 60_000;

/// The person who asks, and the device that the token was made for.
#[derive(Debug, Clone)]
pub(super) struct Who {
    pub(super) person: PersonId,
    /// The token's own id.
    pub(super) token: DeviceId,
    pub(super) device: Option<String>,
    /// Whether it is the operator's own token, which stands in the data folder. A device of the operator's is a device
    /// like any other: losing a phone must not lose the server.
    pub(super) operator: bool,
    hash: String,
}

/// A token's hash, as the store keeps it: SHA-256 in hexadecimal digits. The token has 256 random bits, so that a slow
/// hash would protect nothing more.
#[must_use]
pub fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

impl Who {
    /// Whether the token is still known. For streams: one that is opened while its device is revoked looks again when it
    /// already has its place, so that one of the two ends it.
    pub(super) async fn still_known(&self, app: &App) -> Result<(), ApiError> {
        match app.gateway.store.bearer(self.hash.clone()).await? {
            Some(_) => Ok(()),
            None => Err(unauthorized("This token is not known here.")),
        }
    }
}

impl FromRequestParts<App> for Who {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = header.and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        let Some(token) = token.or_else(|| offered(&parts.headers)) else {
            return Err(unauthorized("This request bears no token."));
        };
        let hash = hash(token);
        let now_ms = app.gateway.clock.now_ms();
        let store = &app.gateway.store;
        let found = match (store.bearer(hash.clone()).await, store.degraded()) {
            // What a damaged file answers is its damage, whatever it says.
            (Err(_), Some(reason)) => Err(Error::Degraded(reason.to_owned())),
            (found, _) => found,
        };
        let Some(bearer) = found? else {
            app.guard.unknown_token(peer::address(parts, app.behind_proxy), now_ms)?;
            if let Some(reason) = store.degraded() {
                // It may be one of those that the damage took: a client that is told 401 throws its token away.
                return Err(Error::Degraded(reason.to_owned()).into());
            }
            return Err(unauthorized("This token is not known here."));
        };
        note_seen(app, &bearer, now_ms);
        Ok(Self {
            person: bearer.person,
            token: bearer.id,
            device: bearer.device,
            operator: bearer.kind == DeviceKind::Operator,
            hash,
        })
    }
}

/// The token that a browser offers for a socket among its subprotocols, as `bearer.TOKEN`: it can set no header there.
pub(super) fn offered(headers: &HeaderMap) -> Option<&str> {
    let offers = headers.get_all(SEC_WEBSOCKET_PROTOCOL).into_iter().filter_map(|value| value.to_str().ok());
    offers.flat_map(|value| value.split(',')).find_map(|offer| offer.trim().strip_prefix("bearer."))
}

/// Notes that the device was seen, beside the request: nobody waits for it, and nothing fails with it.
fn note_seen(app: &App, bearer: &Bearer, now_ms: i64) {
    if bearer.seen_ms.is_some_and(|seen_ms| now_ms - seen_ms < SEEN_EVERY_MS) {
        return;
    }
    let (store, device) = (app.gateway.store.clone(), bearer.id.clone());
    tokio::spawn(async move {
        if let Err(error) = store.saw_device(device, now_ms).await {
            tracing::debug!(%error, "it was not noted that a device was seen");
        }
    });
}

fn unauthorized(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
        .hint("Send the header Authorization: Bearer TOKEN; the server prints its token when it starts.")
}

/// Where a request comes from that bears no token.
pub(super) struct From(pub(super) IpAddr);

impl FromRequestParts<App> for From {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        Ok(Self(peer::address(parts, app.behind_proxy)))
    }
}

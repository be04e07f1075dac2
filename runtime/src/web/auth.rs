//! Who asks: the bearer of a token, known by its hash.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use sha2::{Digest as _, Sha256};

use super::App;
use super::error::ApiError;
use crate::ids::{PersonId, hex};

/// The person who asks, and the device that the token was made for.
#[derive(Debug, Clone)]
pub(super) struct Who {
    pub(super) person: PersonId,
    pub(super) device: Option<String>,
}

/// A token's hash, as the store keeps it: SHA-256 in hexadecimal digits. The token has 256 random bits, so that a slow
/// hash would protect nothing more.
#[must_use]
pub fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

impl FromRequestParts<App> for Who {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = header.and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        let Some(token) = token else {
            return Err(unauthorized("This request bears no token."));
        };
        let bearer = app.gateway.store.bearer(hash(token)).await?;
        let bearer = bearer.ok_or_else(|| unauthorized("This token is not known here."))?;
        Ok(Self { person: bearer.person, device: bearer.device })
    }
}

fn unauthorized(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
        .hint("Send the header Authorization: Bearer TOKEN; the server prints its token when it starts.")
}

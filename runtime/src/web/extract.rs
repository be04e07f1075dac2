//! Parts of a request, read so that what cannot be read is answered as JSON.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::App;
use super::error::ApiError;

/// A body of JSON, whatever the request calls it: no form of a page can bear a token, and curl's `-d` calls everything a
/// form.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let bytes = Bytes::from_request(request, app).await.map_err(JsonRejection::from)?;
        Ok(Self(Json::<T>::from_bytes(&bytes)?.0))
    }
}

/// A query string.
pub(super) struct Query<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Self(axum::extract::Query::<T>::from_request_parts(parts, app).await?.0))
    }
}

/// The one id in a path.
pub(super) struct Id(pub(super) String);

impl FromRequestParts<App> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Self(Path::<String>::from_request_parts(parts, app).await?.0))
    }
}

/// A short word that a client chooses: a device, its own id for a message. Trimmed; a blank one is none.
pub(super) fn word(name: &str, given: Option<String>) -> Result<Option<String>, ApiError> {
    const MAX_CHARS: usize = 128;
    let Some(given) = given else { return Ok(None) };
    let word = given.trim();
    if word.chars().count() > MAX_CHARS || word.chars().any(char::is_control) {
        return Err(ApiError::invalid(format!(
            "{name} may have {MAX_CHARS} characters, none a control character."
        )));
    }
    Ok((!word.is_empty()).then(|| word.to_owned()))
}

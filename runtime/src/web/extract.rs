//! Parts of a request, read so that what cannot be read is answered as JSON.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::App;
use super::error::ApiError;
use super::limits::{MAX_DEPTH, MAX_TEXT_BODY, MAX_TRANSCRIPT_BODY};
use crate::store::Once;

/// A body of JSON, whatever the request calls it: no form of a page can bear a token, and curl's `-d` calls everything a
/// form.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        read(&whole(request, app).await?).map(Self)
    }
}

/// A body of JSON that brings a call's transcript, and may be larger for that.
pub(super) struct Transcript<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<App> for Transcript<T> {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, app: &App) -> Result<Self, ApiError> {
        DefaultBodyLimit::max(MAX_TRANSCRIPT_BODY).apply(&mut request);
        read(&whole(request, app).await?).map(Self)
    }
}

/// A body of JSON that brings a whole text, and may be larger for that.
pub(super) struct LargeText<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<App> for LargeText<T> {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, app: &App) -> Result<Self, ApiError> {
        DefaultBodyLimit::max(MAX_TEXT_BODY).apply(&mut request);
        read(&whole(request, app).await?).map(Self)
    }
}

/// A body of JSON that may be left out.
pub(super) struct OptionalBody<T>(pub(super) T);

impl<T: DeserializeOwned + Default> FromRequest<App> for OptionalBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let bytes = whole(request, app).await?;
        if bytes.trim_ascii().is_empty() { Ok(Self(T::default())) } else { read(&bytes).map(Self) }
    }
}

/// The whole body, bounded in size by the router and in time here.
pub(super) async fn whole(request: Request, app: &App) -> Result<Bytes, ApiError> {
    let reading = Bytes::from_request(request, app);
    let bytes = tokio::time::timeout(app.body_within, reading).await.map_err(|_| ApiError::too_slow())?;
    Ok(bytes.map_err(JsonRejection::from)?)
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    if is_deeper_than(MAX_DEPTH, bytes) {
        let message = format!("The body's objects and lists stand deeper in each other than {MAX_DEPTH}.");
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "too_deep", message));
    }
    if bytes.trim_ascii_start().first().is_some_and(|first| *first != b'{') {
        // Whether it is JSON at all is said first.
        let _ = Json::<IgnoredAny>::from_bytes(bytes)?;
        return Err(ApiError::invalid("The body must be a JSON object."));
    }
    Ok(Json::<T>::from_bytes(bytes)?.0)
}

/// Whether brackets are open deeper than `limit` anywhere, in one pass and without recursion, whatever the bytes are.
fn is_deeper_than(limit: usize, bytes: &[u8]) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match (in_text, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_text = !in_text,
            (false, b'[' | b'{') => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            (false, b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
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

/// How many capabilities a client may declare.
const MAX_CAPABILITIES: usize = 32;

/// What a client can do, in words.
pub(super) fn capabilities(given: Vec<String>) -> Result<Vec<String>, ApiError> {
    let bad = |capability: &String| capability.trim().is_empty() || capability.chars().count() > 64;
    if given.len() > MAX_CAPABILITIES || given.iter().any(bad) {
        return Err(ApiError::invalid(format!(
            "capabilities holds at most {MAX_CAPABILITIES} words of 1 to 64 characters."
        )));
    }
    Ok(given)
}

/// A word that has to be there.
pub(super) fn needed(name: &str, given: String) -> Result<String, ApiError> {
    word(name, Some(given))?.ok_or_else(|| ApiError::invalid(format!("{name} is blank.")))
}

/// The client's own id for a write, which makes it repeatable.
pub(super) fn once(app: &App, client_id: Option<String>) -> Result<Option<Once>, ApiError> {
    let client_id = word("client_id", client_id)?;
    Ok(client_id.map(|client_id| Once { client_id, now_ms: app.gateway.clock.now_ms() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_outside_of_texts() {
        for (text, depth) in [
            ("", 0),
            ("[]", 1),
            (r#"{"a": [{}]}"#, 3),
            (r#"{"a": "[[[["}"#, 1),
            (r#"{"a": "\"[[[["}"#, 1),
            (r#"{"a": "\\", "b": [[]]}"#, 3),
            ("]]]][[", 2),
        ] {
            assert!(!is_deeper_than(depth, text.as_bytes()), "{text}");
            assert!(depth == 0 || is_deeper_than(depth - 1, text.as_bytes()), "{text}");
        }
    }
}

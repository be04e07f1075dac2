//! `/api/companion`: who the companion is to the person who asks. Its picture is served to nobody else.

use axum::Json;
use axum::body::Body as Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use handset_spec::Language;
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, Query, once, whole};
use super::picture::{self, Fault};
use crate::ids::hex;
use crate::store::{Companion, CompanionChange, Picture};

/// How long a name may be, in characters: it stands on a small card, and in a notification's title.
const MAX_NAME: usize = 40;
/// How long a persona may be, in bytes: every request to the model bears it.
const MAX_PERSONA: usize = 16 * 1024;
/// How many digits of a picture's hash tell it from others.
const TAG_DIGITS: usize = 16;
/// The keys of a change.
const KEYS: [&str; 3] = ["name", "persona", "client_id"];

/// Who the companion is, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct CompanionView {
    /// What the person calls it; null where they gave it no name.
    name: Option<String>,
    /// What it is called then, in the person's language.
    called: String,
    /// Who it is, in the person's words; null where the server says who.
    persona: Option<String>,
    /// Its picture; null for the one that is drawn.
    picture: Option<PictureView>,
    limits: Limits,
}

#[derive(Debug, Serialize)]
struct PictureView {
    kind: &'static str,
    size: i64,
    /// Another one for another picture.
    tag: String,
}

#[derive(Debug, Serialize)]
struct Limits {
    name_chars: usize,
    persona_bytes: usize,
    picture_bytes: usize,
}

impl CompanionView {
    fn new(companion: Companion, language: Language) -> Self {
        let called = companion.called(language).to_owned();
        let Companion { name, persona, picture } = companion;
        let picture = picture.map(|picture| PictureView {
            kind: picture.kind.word(),
            size: picture.size,
            tag: picture.tag,
        });
        let limits =
            Limits { name_chars: MAX_NAME, persona_bytes: MAX_PERSONA, picture_bytes: picture::MAX_BYTES };
        Self { name, called, persona, picture, limits }
    }
}

async fn view(app: &App, who: &Who, companion: Companion) -> Result<Json<CompanionView>, ApiError> {
    let personal = app.gateway.store.settings(who.person.clone()).await?;
    let language = personal.map(|personal| personal.reads()).unwrap_or_default();
    Ok(Json(CompanionView::new(companion, language)))
}

pub(super) async fn show(State(app): State<App>, who: Who) -> Result<Json<CompanionView>, ApiError> {
    let companion = app.gateway.store.companion(who.person.clone()).await?;
    view(&app, &who, companion).await
}

/// Changes what is named, and nothing else; null is as the server has it.
pub(super) async fn change(
    State(app): State<App>,
    who: Who,
    Body(change): Body<Map<String, Value>>,
) -> Result<Json<CompanionView>, ApiError> {
    if let Some(unknown) = change.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let unknown: String = unknown.chars().take(64).collect();
        return Err(ApiError::invalid(format!("There is no {unknown:?} here; there are name and persona."))
            .hint("A picture is sent by PUT /api/companion/picture, as it is."));
    }
    let text = |key: &str| match change.get(key) {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(Value::String(text)) => Ok(Some(Some(text.clone()))),
        Some(_) => Err(ApiError::invalid(format!("{key} must be a string or null."))),
    };
    let once = once(&app, text("client_id")?.flatten())?;
    let change = CompanionChange {
        name: text("name")?.map(|name| name.map_or(Ok(None), name_of)).transpose()?,
        persona: text("persona")?.map(|persona| persona.map_or(Ok(None), persona_of)).transpose()?,
        picture: None,
    };
    changed(&app, &who, change, once).await
}

async fn changed(
    app: &App,
    who: &Who,
    change: CompanionChange,
    once: Option<crate::store::Once>,
) -> Result<Json<CompanionView>, ApiError> {
    let changed = app.gateway.change_companion(&who.person, change, once).await?;
    if let Some(push) = &app.push {
        push.forget(&who.person);
    }
    view(app, who, changed.ok_or_else(|| ApiError::not_found("person"))?).await
}

/// A name in one line; a blank one is none.
fn name_of(name: String) -> Result<Option<String>, ApiError> {
    let name = name.trim();
    if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(ApiError::invalid(format!(
            "name may have {MAX_NAME} characters, none a control character."
        )));
    }
    Ok((!name.is_empty()).then(|| name.to_owned()))
}

/// A persona, its line breaks LF; a blank one is none.
fn persona_of(persona: String) -> Result<Option<String>, ApiError> {
    let persona = persona.replace("\r\n", "\n");
    let persona = persona.trim();
    if persona.len() > MAX_PERSONA {
        let found = persona.len();
        return Err(ApiError::invalid(format!("persona has {found} bytes; it may have {MAX_PERSONA}.")));
    }
    if persona.chars().any(|char| char.is_control() && !matches!(char, '\n' | '\t')) {
        return Err(ApiError::invalid("persona may hold no control character but line breaks and tabs."));
    }
    Ok((!persona.is_empty()).then(|| persona.to_owned()))
}

/// The picture itself. A browser that opens it alone may do nothing with it but show it.
pub(super) async fn picture(
    State(app): State<App>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let found = app.gateway.store.picture(who.person).await?;
    let picture = found.ok_or_else(|| ApiError::not_found("picture"))?;
    let tag = format!("\"{}\"", picture.tag);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Bytes::from(picture.bytes))
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, picture.kind.word()),
        (header::CACHE_CONTROL, "private, no-cache"),
        (header::VARY, "Authorization"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    Ok(response)
}

/// A write without a body of JSON says its client id in the query.
#[derive(serde::Deserialize)]
pub(super) struct Repeat {
    client_id: Option<String>,
}

/// Takes a picture, its bytes as the body. What it is shows in them; what the request calls it counts for nothing.
pub(super) async fn put_picture(
    State(app): State<App>,
    who: Who,
    Query(repeat): Query<Repeat>,
    request: Request,
) -> Result<Json<CompanionView>, ApiError> {
    let once = once(&app, repeat.client_id)?;
    let bytes = whole(request, &app).await?;
    let kind = picture::kind(&bytes).map_err(refused)?;
    let mut tag = hex(&Sha256::digest(&bytes));
    tag.truncate(TAG_DIGITS);
    let picture = Picture { kind, bytes: bytes.into(), tag };
    let change = CompanionChange { picture: Some(Some(picture)), ..CompanionChange::default() };
    changed(&app, &who, change, once).await
}

pub(super) async fn drop_picture(
    State(app): State<App>,
    who: Who,
    Query(repeat): Query<Repeat>,
) -> Result<Json<CompanionView>, ApiError> {
    let once = once(&app, repeat.client_id)?;
    changed(&app, &who, CompanionChange { picture: Some(None), ..CompanionChange::default() }, once).await
}

fn refused(fault: Fault) -> ApiError {
    let (status, code, message) = match fault {
        Fault::Large(found) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("The picture has {found} bytes; it may have {}.", picture::MAX_BYTES),
        ),
        Fault::NoPicture => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "not_a_picture",
            "The body is no PNG, JPEG or WebP picture.".to_owned(),
        ),
        Fault::Side(width, height) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "not_a_picture",
            format!(
                "The picture has {width} × {height} pixels; either side may have 1 to {}.",
                picture::MAX_SIDE
            ),
        ),
    };
    ApiError::new(status, code, message).hint("Send the picture's own bytes as the body, scaled down.")
}

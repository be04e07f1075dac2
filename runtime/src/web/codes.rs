//! One-time codes: sign-in links, pairing codes, and what they are redeemed for.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::auth::{From, Who, hash};
use super::devices::DeviceView;
use super::error::ApiError;
use super::extract::{Body, Id, OptionalBody, needed, once, word};
use super::people::{self, PersonView};
use super::{App, secrets};
use crate::clock::{Clock, rfc3339};
use crate::ids::{PersonId, secret};
use crate::store::{CodeKind, Error, NewCode, Redeem, Store};

/// How long a sign-in link holds, in milliseconds: 15 minutes.
const LINK_MS: i64 = 15 * 60 * 1000;
/// How long a pairing code holds, in milliseconds: 10 minutes.
const PAIRING_MS: i64 = 10 * 60 * 1000;
/// What a device is called that does not say.
const NAMELESS: &str = "device";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Make {
    client_id: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Code {
    code: String,
    /// The path of a sign-in link; a browser does not send what stands behind the `#` to any server or proxy.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    expires_at: String,
    expires_at_ms: i64,
}

/// Makes a link that signs a person in: oneself, or whomever the operator names.
pub(super) async fn link(
    State(app): State<App>,
    who: Who,
    Id(person): Id,
    OptionalBody(make): OptionalBody<Make>,
) -> Result<(StatusCode, Json<Code>), ApiError> {
    let client_id = word("client_id", make.client_id)?;
    let person = people::about(&app, &who, Some(person)).await?;
    let purpose = ["link", who.person.as_str(), person.as_str()];
    let code = app.secrets.make(&purpose, client_id.as_deref())?;
    let kept = hash(&code);
    let expires_ms = keep(&app, &who, person, CodeKind::Link, kept, LINK_MS).await?;
    Ok((StatusCode::CREATED, Json(shown(code.clone(), Some(format!("/sign-in#{code}")), expires_ms))))
}

/// Makes a code that adds a device to one's own.
pub(super) async fn pair(
    State(app): State<App>,
    who: Who,
    OptionalBody(make): OptionalBody<Make>,
) -> Result<(StatusCode, Json<Code>), ApiError> {
    let client_id = word("client_id", make.client_id)?;
    let code = app.secrets.pairing(who.person.as_str(), client_id.as_deref())?;
    let (kept, person) = (app.secrets.pairing_hash(&code), who.person.clone());
    let expires_ms = keep(&app, &who, person, CodeKind::Pairing, kept, PAIRING_MS).await?;
    Ok((StatusCode::CREATED, Json(shown(secrets::readable(&code), None, expires_ms))))
}

/// A link for the operator, made at the start of a server that only this machine reaches: whoever reads it could read the
/// token beside it as well, and it holds for less long and for one browser. Nothing where there is nobody yet.
pub async fn first(store: &dyn Store, clock: &dyn Clock) -> Result<Option<String>, Error> {
    let Some(person) = store.first_person().await? else { return Ok(None) };
    let (code, now_ms) = (secret()?, clock.now_ms());
    let (hash, expires_ms) = (hash(&code), now_ms + LINK_MS);
    store.open_code(NewCode { hash, kind: CodeKind::Link, person, now_ms, expires_ms }).await?;
    Ok(Some(format!("/sign-in#{code}")))
}

async fn keep(
    app: &App,
    who: &Who,
    person: PersonId,
    kind: CodeKind,
    hash: String,
    holds_ms: i64,
) -> Result<i64, ApiError> {
    let now_ms = app.gateway.clock.now_ms();
    if !who.operator {
        app.guard.made(&who.person, now_ms)?;
    }
    let code = NewCode { hash, kind, person, now_ms, expires_ms: now_ms + holds_ms };
    Ok(app.gateway.store.open_code(code).await?)
}

fn shown(code: String, path: Option<String>, expires_at_ms: i64) -> Code {
    Code { code, path, expires_at: rfc3339(expires_at_ms), expires_at_ms }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bring {
    code: String,
    name: Option<String>,
    client_id: Option<String>,
}

#[derive(Serialize)]
pub(super) struct In {
    /// Said this once; the store keeps its hash alone.
    token: String,
    person: PersonView,
    device: DeviceView,
}

/// Signs in with the code of a link.
pub(super) async fn sign_in(
    State(app): State<App>,
    from: From,
    Body(bring): Body<Bring>,
) -> Result<(StatusCode, Json<In>), ApiError> {
    let code = bring.code.trim();
    let kept = (!code.is_empty()).then(|| hash(code));
    let device = bring.name.unwrap_or_else(|| NAMELESS.to_owned());
    enter(&app, from, CodeKind::Link, kept, device, bring.client_id).await
}

/// Joins a person's devices with a code that another device of theirs shows.
pub(super) async fn redeem(
    State(app): State<App>,
    from: From,
    Body(bring): Body<Bring>,
) -> Result<(StatusCode, Json<In>), ApiError> {
    let kept = secrets::typed(&bring.code).map(|code| app.secrets.pairing_hash(&code));
    let device = bring.name.unwrap_or_else(|| NAMELESS.to_owned());
    enter(&app, from, CodeKind::Pairing, kept, device, bring.client_id).await
}

async fn enter(
    app: &App,
    from: From,
    kind: CodeKind,
    code: Option<String>,
    name: String,
    client_id: Option<String>,
) -> Result<(StatusCode, Json<In>), ApiError> {
    let (name, once) = (needed("name", name)?, once(app, client_id)?);
    let now_ms = app.gateway.clock.now_ms();
    app.guard.code(from.0, now_ms)?;
    let code = code.ok_or_else(not_valid)?;
    let client_id = once.map(|once| once.client_id);
    let token = app.secrets.make(&["redeem", &code], client_id.as_deref())?;
    let brought = Redeem { code, kind, token: hash(&token), name, client_id, now_ms };
    let redeemed = app.gateway.store.redeem(brought).await?.ok_or_else(not_valid)?;
    tracing::info!(device = %redeemed.device.id, kind = kind.word(), "a device was added");
    let device = DeviceView::new(&redeemed.device, Some(&redeemed.device.id));
    Ok((StatusCode::CREATED, Json(In { token, person: PersonView::from(&redeemed.person), device })))
}

/// Wrong, used and expired answer alike, so that nobody learns which codes there were.
fn not_valid() -> ApiError {
    let message = "This code is not known, was used before, or its time is over.";
    ApiError::new(StatusCode::FORBIDDEN, "code_not_valid", message)
        .hint("Ask for a new one: each holds for some minutes and lets one device in.")
}

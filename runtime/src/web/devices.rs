//! `/api/devices`: the devices that speak for a person, and their end.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::auth::{Who, hash};
use super::error::ApiError;
use super::extract::{Body, Id, Query, needed, once};
use super::{App, people};
use crate::clock::rfc3339;
use crate::ids::DeviceId;
use crate::store::{Device, DeviceKind, Error, NewDevice};

/// A device as JSON.
#[derive(Debug, Serialize)]
pub(super) struct DeviceView {
    id: String,
    name: String,
    kind: &'static str,
    created_at: String,
    created_at_ms: i64,
    /// When it last asked for something, exact to a minute.
    last_seen_at: Option<String>,
    last_seen_at_ms: Option<i64>,
    /// Whether it is the one that asks.
    current: bool,
}

impl DeviceView {
    pub(super) fn new(device: &Device, asking: Option<&DeviceId>) -> Self {
        Self {
            id: device.id.to_string(),
            name: device.name.clone(),
            kind: device.kind.word(),
            created_at: rfc3339(device.created_ms),
            created_at_ms: device.created_ms,
            last_seen_at: device.seen_ms.map(rfc3339),
            last_seen_at_ms: device.seen_ms,
            current: asking == Some(&device.id),
        }
    }
}

/// Whose devices, where the operator asks for another's.
#[derive(Deserialize)]
pub(super) struct Whose {
    person: Option<String>,
    client_id: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Devices {
    devices: Vec<DeviceView>,
}

pub(super) async fn list(
    State(app): State<App>,
    who: Who,
    Query(whose): Query<Whose>,
) -> Result<Json<Devices>, ApiError> {
    let person = people::about(&app, &who, whose.person).await?;
    let devices = app.gateway.store.devices(person).await?;
    let view = |device| DeviceView::new(device, Some(&who.token));
    Ok(Json(Devices { devices: devices.iter().map(view).collect() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    name: String,
    person: Option<String>,
    client_id: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Added {
    /// Said this once; the store keeps its hash alone.
    token: String,
    device: DeviceView,
}

pub(super) async fn add(
    State(app): State<App>,
    who: Who,
    Body(add): Body<Add>,
) -> Result<(StatusCode, Json<Added>), ApiError> {
    let once = once(&app, add.client_id)?;
    let (name, person) = (needed("name", add.name)?, people::about(&app, &who, add.person).await?);
    let now_ms = app.gateway.clock.now_ms();
    if !who.operator {
        app.guard.made(&who.person, now_ms)?;
    }
    let client_id = once.as_ref().map(|once| once.client_id.as_str());
    let token = app.secrets.make(&["device", who.person.as_str(), person.as_str()], client_id)?;
    let device = NewDevice { person, hash: hash(&token), name, now_ms };
    let device = match app.gateway.store.add_device(who.person, device, once).await {
        // Added before the server was last started: the key that the token was made with is no more.
        Err(Error::Gone) => return Err(not_again()),
        added => added?.ok_or_else(|| ApiError::name_taken("Another device"))?,
    };
    let device = DeviceView::new(&device, Some(&who.token));
    Ok((StatusCode::CREATED, Json(Added { token, device })))
}

fn not_again() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "token_not_kept",
        "This device was added before, and its token is kept nowhere.",
    )
    .hint("Revoke the device and add it again with a new client_id.")
}

/// Takes a device's token away: its next request is not known, and its open streams end now.
pub(super) async fn revoke(
    State(app): State<App>,
    who: Who,
    Id(device): Id,
    Query(whose): Query<Whose>,
) -> Result<StatusCode, ApiError> {
    let (store, device) = (&app.gateway.store, DeviceId::from_text(device));
    let once = once(&app, whose.client_id)?;
    let person = people::about(&app, &who, whose.person).await?;
    if store.revoke_device(who.person, person.clone(), device.clone(), once).await? {
        app.streams.end(&person, &device);
        if let Some(push) = &app.push {
            push.forget(&person);
        }
        tracing::info!(%device, "a device was revoked");
        return Ok(StatusCode::NO_CONTENT);
    }
    let found = store.device(person, device).await?;
    if found.is_some_and(|device| device.kind == DeviceKind::Operator) {
        let message = "The operator's own token is not revoked this way.";
        return Err(ApiError::new(StatusCode::CONFLICT, "operator_token", message).hint(
            "Delete the file token in the data folder and start the server again: it makes a new one.",
        ));
    }
    Err(ApiError::not_found("device"))
}

//! `/api/flags`: do-not-disturb (document 2: "The flag API doesn't care who calls it").

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, once};
use crate::gateway::flags::Flags;

pub(super) async fn show(State(app): State<App>, who: Who) -> Result<Json<Flags>, ApiError> {
    let personal = app.gateway.store.settings(who.person).await?;
    Ok(Json(Flags { dnd: personal.ok_or_else(|| ApiError::not_found("person"))?.dnd }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Set {
    dnd: bool,
    client_id: Option<String>,
}

pub(super) async fn set(
    State(app): State<App>,
    who: Who,
    Body(set): Body<Set>,
) -> Result<Json<Flags>, ApiError> {
    let once = once(&app, set.client_id)?;
    let dnd = app.gateway.set_dnd(&who.person, set.dnd, once).await?;
    Ok(Json(Flags { dnd: dnd.ok_or_else(|| ApiError::not_found("person"))? }))
}

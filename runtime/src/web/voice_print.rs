//! `/api/voice/print`: what is kept of a person's voice, shown to them and forgotten when they say so.

use axum::Json;
use axum::extract::State;

use super::App;
use super::auth::Who;
use super::error::ApiError;
use crate::gateway::voice::VoicePrint;

async fn print(app: &App, who: &Who) -> Result<Json<VoicePrint>, ApiError> {
    let personal = app.gateway.store.settings(who.person.clone()).await?;
    let personal = personal.ok_or_else(|| ApiError::not_found("person"))?;
    Ok(Json(app.gateway.voice_print(&who.person, &personal.settings.tone).await?))
}

pub(super) async fn show(State(app): State<App>, who: Who) -> Result<Json<VoicePrint>, ApiError> {
    print(&app, &who).await
}

/// Forgets it. A repetition finds nothing to forget.
pub(super) async fn forget(State(app): State<App>, who: Who) -> Result<Json<VoicePrint>, ApiError> {
    let samples = app.gateway.store.forget_voice(who.person.clone()).await?;
    tracing::info!(person = %who.person, samples, "a voice was forgotten");
    print(&app, &who).await
}

//! For whoever watches the process: alive, and able to do its work.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;

use super::App;
use super::error::ApiError;
use crate::store::Error;

/// How long readiness waits for its write.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Serialize)]
pub(super) struct Health {
    status: &'static str,
}

pub(super) async fn alive() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// P153: a real write and its commit, not a look at the process.
pub(super) async fn ready(State(app): State<App>) -> Result<Json<Health>, ApiError> {
    if app.gateway.draining() {
        let message = "The server is stopping.";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message));
    }
    let check = app.gateway.store.check(app.gateway.clock.now_ms());
    let (code, message) = match tokio::time::timeout(PATIENCE, check).await {
        Ok(Ok(())) => return Ok(Json(Health { status: "ok" })),
        Ok(Err(Error::Degraded(reason))) => ("degraded", format!("The store cannot write: {reason}.")),
        Ok(Err(error)) => ("not_ready", format!("The store cannot write: {error}.")),
        Err(_) => ("not_ready", "The store did not finish a write within two seconds.".to_owned()),
    };
    Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, code, message))
}

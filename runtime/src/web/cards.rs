//! `/api/cards`: what waits on a phone, and its answer.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use handset_spec::phone::Answer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::App;
use super::auth::Who;
use super::error::{ApiError, Fault};
use super::extract::{Body, Id, Query, once, word};
use crate::clock::from_rfc3339;
use crate::gateway::desk::slip::{Event, Outcome};
use crate::gateway::view::CardView;
use crate::ids::CardId;

#[derive(Deserialize)]
pub(super) struct Filter {
    device: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Cards {
    cards: Vec<CardView>,
    /// The server's time in milliseconds, to count a deadline down by.
    now_ms: i64,
}

/// The open cards: everything that the event stream says of them, for who does not stream.
pub(super) async fn list(
    State(app): State<App>,
    who: Who,
    Query(filter): Query<Filter>,
) -> Result<Json<Cards>, ApiError> {
    let device = who.device.or(word("device", filter.device)?);
    let cards = app.gateway.store.open_cards(who.person, device).await?;
    let now_ms = app.gateway.clock.now_ms();
    // What only waits out its grace is no longer shown.
    let shown = cards.iter().filter(|card| now_ms <= card.deadline_ms);
    Ok(Json(Cards { cards: shown.map(CardView::from).collect(), now_ms }))
}

pub(super) async fn show(State(app): State<App>, who: Who, Id(card): Id) -> Result<Json<CardView>, ApiError> {
    let card = app.gateway.store.card(who.person, CardId::from_text(card)).await?;
    Ok(Json(CardView::from(&card.ok_or_else(|| ApiError::not_found("card"))?)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Give {
    /// `done`, `declined` or `failed`; anything else is `failed` (document 1, section 3).
    status: Value,
    /// What the phone says; what is no string is nothing.
    #[serde(default)]
    message: Value,
    /// When the person pressed: RFC 3339, or milliseconds since the Unix epoch.
    #[serde(default)]
    answered_at: Value,
    #[serde(default)]
    device: Option<String>,
    /// The client's own id: repeated, the answer is told what it was told first.
    #[serde(default)]
    client_id: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Given {
    outcome: Outcome,
    card: CardView,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
}

pub(super) async fn answer(
    State(app): State<App>,
    who: Who,
    Id(card): Id,
    Body(given): Body<Give>,
) -> Result<(StatusCode, Json<Given>), ApiError> {
    let stamped_ms = match &given.answered_at {
        Value::Null => None,
        moment => Some(moment.as_i64().or_else(|| from_rfc3339(moment.as_str()?)).ok_or_else(|| {
            ApiError::invalid("answered_at is RFC 3339, such as 2027-03-04T10:00:00Z, or milliseconds.")
        })?),
    };
    let event = Event::Answered {
        device: who.device.or(word("device", given.device)?),
        answer: Answer::read(given.status.as_str().unwrap_or_default(), given.message.as_str()),
        stamped_ms,
    };
    let once = once(&app, given.client_id)?;
    let settled = app.gateway.desk.bring_once(&who.person, &CardId::from_text(card), event, once).await?;
    let settled = settled.ok_or_else(|| ApiError::not_found("card"))?;
    let error = fault(settled.outcome);
    let status = if error.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    Ok((status, Json(Given { outcome: settled.outcome, card: CardView::from(&settled.card), error })))
}

/// What an answer that does not count is told.
fn fault(outcome: Outcome) -> Option<Fault> {
    let (code, message) = match outcome {
        Outcome::Accepted | Outcome::Waiting | Outcome::Ended => return None,
        Outcome::AlreadyAnswered => ("already_answered", "Another answer was given before; it stands."),
        Outcome::TooLate => ("too_late", "The card's time was over; nothing was done with this answer."),
        Outcome::OtherDevice => ("other_device", "This card is on another device; it is answered there."),
    };
    Some(Fault { code, message: message.to_owned(), hint: None })
}

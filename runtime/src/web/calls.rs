//! `/api/call`: a phone that rings, its answer, the line, the end. docs/calls.md tells the whole of it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use handset_spec::Language;
use handset_spec::settings::call::NOTE_MAX_CHARS;
use handset_spec_macros::text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::App;
use super::auth::Who;
use super::error::{ApiError, Fault};
use super::extract::{Body, OptionalBody, Transcript, once, word};
use super::limits::{MAX_LINES, MAX_TRANSCRIPT};
use crate::gateway::view::MessageView;
use crate::ids::{InviteId, TurnId};
use crate::ringer::call::Outcome as LineOutcome;
use crate::ringer::invite::{Answer, Outcome};
use crate::ringer::summary::{Line, Speaker};
use crate::ringer::view::{CallView, InviteView};
use crate::ringer::{Invite, MAX_REASON, Refused, Sign};
use crate::store::{By, InviteState, SettledInvite};

/// How long a call may be said to have been, in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    #[serde(default)]
    reason: Value,
    #[serde(default)]
    force: Value,
    client_id: Option<String>,
}

#[derive(Serialize)]
struct Asked {
    ok: bool,
    /// Whether do-not-disturb is why it does not ring.
    #[serde(skip_serializing_if = "Option::is_none")]
    dnd: Option<bool>,
    /// The invite that was made, or the one that is pending already.
    #[serde(skip_serializing_if = "Option::is_none")]
    invite: Option<InviteView>,
    /// The call that goes on already.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<CallView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
}

/// Rings.
pub(super) async fn invite(
    State(app): State<App>,
    who: Who,
    OptionalBody(ask): OptionalBody<Ask>,
) -> Result<Response, ApiError> {
    let reason = words("reason", &ask.reason)?.unwrap_or_default();
    at_most("reason", "reason_too_long", &reason, MAX_REASON)?;
    let force = match ask.force {
        Value::Null => false,
        Value::Bool(force) => force,
        _ => return Err(ApiError::invalid("force is true or false.")),
    };
    let once = once(&app, ask.client_id)?;
    let new = Invite { reason, by: By::Api, chat: None, force };
    let asked = match app.gateway.ringer.invite(&who.person, new, once).await {
        Ok(invite) => (
            StatusCode::CREATED,
            Asked { ok: true, dnd: None, invite: Some((&invite).into()), call: None, error: None },
        ),
        Err(Refused::Store(error)) => return Err(error.into()),
        Err(refused) => refusal(&refused),
    };
    Ok((asked.0, Json(asked.1)).into_response())
}

fn refusal(refused: &Refused) -> (StatusCode, Asked) {
    let fault = |code, message: &str, hint| Some(Fault { code, message: message.to_owned(), hint });
    let mut asked = Asked { ok: false, dnd: None, invite: None, call: None, error: None };
    let status = match refused {
        Refused::Dnd => {
            asked.dnd = Some(true);
            let hint = "Wait until they are; \"force\": true rings nevertheless.";
            asked.error = fault("dnd", "The person does not want to be disturbed.", Some(hint));
            StatusCode::FORBIDDEN
        }
        Refused::Busy(invite) => {
            asked.invite = Some((&**invite).into());
            let hint = "Wait until it is resolved, or take it back by POST /api/call/cancel.";
            asked.error = fault("invite_pending", "A call is ringing already.", Some(hint));
            StatusCode::CONFLICT
        }
        Refused::InCall(call) => {
            asked.call = Some((&**call).into());
            asked.error = fault("call_going", "A call is going on.", None);
            StatusCode::CONFLICT
        }
        Refused::NotNow => {
            asked.error = fault("not_now", "The companion may not call of its own accord just now.", None);
            StatusCode::CONFLICT
        }
        Refused::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, asked)
}

#[derive(Serialize)]
pub(super) struct Ringing {
    /// The invite that is pending.
    invite: Option<InviteView>,
    /// The newest one, where it is resolved: who still shows it takes it off.
    last: Option<InviteView>,
    /// The call that goes on.
    call: Option<CallView>,
    /// Where it goes on.
    call_device: Option<CallDevice>,
    /// After how many seconds to ask again.
    poll_interval: f64,
    /// What a person may say to a call with one tap.
    chips: [Chip; 3],
    /// How many characters their own note may have.
    note_max_chars: usize,
    /// The server's time in milliseconds, to count `expires_at_ms` down by.
    now_ms: i64,
}

/// The device that a call goes on at.
#[derive(Serialize)]
struct CallDevice {
    /// Its id; left out where the person has no such device any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// What it is called.
    name: String,
    /// Whether it is the one that asks.
    here: bool,
}

#[derive(Serialize)]
struct Chip {
    key: &'static str,
    text: &'static str,
}

fn chips(language: Language) -> [Chip; 3] {
    [
        Chip { key: "busy", text: text!(call.chip_busy in language) },
        Chip { key: "outside", text: text!(call.chip_outside in language) },
        Chip { key: "text", text: text!(call.chip_text in language) },
    ]
}

/// What rings: everything that the event stream says of it, for who does not stream.
pub(super) async fn ringing(State(app): State<App>, who: Who) -> Result<Json<Ringing>, ApiError> {
    let ringer = &app.gateway.ringer;
    let ways = ringer.ways(&who.person).await?;
    let newest = ringer.newest(&who.person).await?;
    let call = ringer.live_call(&who.person).await?;
    let language = newest.as_ref().map(|invite| invite.language).unwrap_or(ways.reads);
    let answered = newest.as_ref().filter(|invite| call.as_ref().is_some_and(|call| call.id == invite.id));
    let call_device = match answered.and_then(|invite| invite.answered_by.as_deref()) {
        Some(by) => Some(goes_on_at(&app, &who, by).await?),
        None => None,
    };
    let (invite, last) = match &newest {
        Some(invite) if invite.state == InviteState::Pending => (Some(invite.into()), None),
        newest => (None, newest.as_ref().map(InviteView::from)),
    };
    Ok(Json(Ringing {
        invite,
        last,
        call: call.as_ref().map(CallView::from),
        call_device,
        poll_interval: ways.poll_ms as f64 / 1000.0,
        chips: chips(language),
        note_max_chars: NOTE_MAX_CHARS,
        now_ms: app.gateway.clock.now_ms(),
    }))
}

/// The device behind what an invite says of who answered it: the device's name, or its token's id.
async fn goes_on_at(app: &App, who: &Who, by: &str) -> Result<CallDevice, ApiError> {
    let devices = app.gateway.store.devices(who.person.clone()).await?;
    // No two of a person's devices are called the same.
    let device = devices.into_iter().find(|device| device.name == by || device.id.as_str() == by);
    let here = match &device {
        Some(device) => device.id == who.token,
        None => who.device.as_deref() == Some(by),
    };
    let name = device.as_ref().map_or_else(|| by.to_owned(), |device| device.name.clone());
    Ok(CallDevice { id: device.map(|device| device.id.to_string()), name, here })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Give {
    id: String,
    action: Value,
    #[serde(default)]
    note: Value,
    device: Option<String>,
    client_id: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Given {
    ok: bool,
    outcome: Outcome,
    invite: InviteView,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<CallView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
}

pub(super) async fn answer(
    State(app): State<App>,
    who: Who,
    Body(given): Body<Give>,
) -> Result<(StatusCode, Json<Given>), ApiError> {
    let answer = match given.action.as_str() {
        Some("accept") => Answer::Accept,
        Some("decline") => {
            let note = words("note", &given.note)?;
            if let Some(note) = &note {
                at_most("note", "note_too_long", note, NOTE_MAX_CHARS)?;
            }
            Answer::Decline { note }
        }
        _ => {
            let message = "action is \"accept\" or \"decline\".";
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_action", message));
        }
    };
    let device = device(&who, given.device)?;
    let once = once(&app, given.client_id)?;
    let id = InviteId::from_text(given.id);
    let settled = app.gateway.ringer.answer(&who.person, &id, Some(device), answer, once).await?;
    Ok(told(settled.ok_or_else(|| ApiError::not_found("invite"))?, Outcome::Accepted))
}

/// Which device speaks: the one that its token was made for, else the one that it says it is, else its token.
fn device(who: &Who, named: Option<String>) -> Result<String, ApiError> {
    let named = word("device", named)?;
    Ok(who.device.clone().or(named).unwrap_or_else(|| who.token.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TakeBack {
    id: String,
    client_id: Option<String>,
}

pub(super) async fn cancel(
    State(app): State<App>,
    who: Who,
    Body(taken): Body<TakeBack>,
) -> Result<(StatusCode, Json<Given>), ApiError> {
    let once = once(&app, taken.client_id)?;
    let settled = app.gateway.ringer.cancel(&who.person, &InviteId::from_text(taken.id), once).await?;
    Ok(told(settled.ok_or_else(|| ApiError::not_found("invite"))?, Outcome::Cancelled))
}

/// What whoever brought an event is told. That an invite was taken back is what they wished who take it back.
fn told(settled: SettledInvite, wished: Outcome) -> (StatusCode, Json<Given>) {
    let (code, message) = match settled.outcome {
        Outcome::Accepted | Outcome::Declined | Outcome::Waiting | Outcome::Ended => ("", ""),
        Outcome::Cancelled if wished == Outcome::Cancelled => ("", ""),
        Outcome::Cancelled => ("cancelled", "The call was taken back before this answer."),
        Outcome::AlreadyAnswered => ("already_answered", "This call has been answered; that answer stands."),
        Outcome::AnsweredElsewhere => {
            ("answered_elsewhere", "This call has been answered on another device.")
        }
        Outcome::TooLate => ("too_late", "The call's time was over; it has become a voicemail."),
    };
    let error = (!code.is_empty()).then(|| Fault { code, message: message.to_owned(), hint: None });
    let status = if error.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    let given = Given {
        ok: error.is_none(),
        outcome: settled.outcome,
        invite: (&settled.invite).into(),
        call: settled.call.as_ref().map(CallView::from),
        error,
    };
    (status, Json(given))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Says {
    id: String,
    r#type: Value,
    turn: Option<String>,
    #[serde(default)]
    heard: Value,
}

#[derive(Serialize)]
pub(super) struct Moved {
    ok: bool,
    outcome: LineOutcome,
    call: CallView,
    /// The record, where this request brought it.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<MessageView>,
}

/// What happens on the line.
pub(super) async fn event(
    State(app): State<App>,
    who: Who,
    Body(says): Body<Says>,
) -> Result<Json<Moved>, ApiError> {
    let sign = match says.r#type.as_str() {
        Some("joined") => Sign::Joined,
        Some("speech") => Sign::Speech,
        Some("played") => {
            let turn =
                word("turn", says.turn)?.ok_or_else(|| ApiError::invalid("turn says what was played."))?;
            let heard = match says.heard {
                Value::Null => None,
                heard => Some(heard.as_u64().ok_or_else(|| {
                    ApiError::invalid(
                        "heard is the number of characters that were heard, where it was not all.",
                    )
                })?),
            };
            Sign::Played { turn: TurnId::from_text(turn), heard }
        }
        _ => {
            let message = "type is \"joined\", \"played\" or \"speech\".";
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_event", message));
        }
    };
    let moved = app.gateway.ringer.sign(&who.person, &InviteId::from_text(says.id), sign).await?;
    let moved = moved.ok_or_else(|| ApiError::not_found("call"))?;
    Ok(Json(Moved { ok: true, outcome: moved.outcome, call: (&moved.call).into(), message: None }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HangUp {
    id: String,
    #[serde(default)]
    seconds: Value,
    #[serde(default)]
    transcript: Value,
    client_id: Option<String>,
}

/// Ends a call: how long it was, and what was on the screen.
pub(super) async fn end(
    State(app): State<App>,
    who: Who,
    Transcript(said): Transcript<HangUp>,
) -> Result<Json<Moved>, ApiError> {
    let seconds = said.seconds.as_f64().filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds));
    let seconds = seconds
        .ok_or_else(|| ApiError::invalid("seconds is a number from 0 to 86400: how long the call was."))?;
    let transcript = transcript(&said.transcript)?;
    let once = once(&app, said.client_id)?;
    let id = InviteId::from_text(said.id);
    let ringer = &app.gateway.ringer;
    // Within the bounds, so that it fits.
    let moved = ringer.end(&who.person, &id, (seconds * 1000.0) as i64, transcript, once).await?;
    let moved = moved.ok_or_else(|| ApiError::not_found("call"))?;
    let message = moved.record.as_ref().map(MessageView::from);
    Ok(Json(Moved { ok: true, outcome: moved.outcome, call: (&moved.call).into(), message }))
}

/// Reads a transcript: `[{"who": "person" | "companion", "text": …}, …]`, or one text. Blank lines are left out.
fn transcript(given: &Value) -> Result<Vec<Line>, ApiError> {
    let shape = || {
        ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad_transcript",
            "transcript is a list of {\"who\": \"person\" or \"companion\", \"text\": …}, or one text.",
        )
    };
    let mut lines = Vec::new();
    match given {
        Value::Null => {}
        Value::String(text) => {
            lines.extend(text.lines().map(|text| Line { who: None, text: clean(text) }));
        }
        Value::Array(list) => {
            for line in list {
                let who = match line.get("who").and_then(Value::as_str) {
                    Some("person") => Speaker::Person,
                    Some("companion") => Speaker::Companion,
                    _ => return Err(shape()),
                };
                let text = line.get("text").and_then(Value::as_str).ok_or_else(shape)?;
                lines.push(Line { who: Some(who), text: clean(text) });
            }
        }
        _ => return Err(shape()),
    }
    lines.retain(|line| !line.text.is_empty());
    let chars: usize = lines.iter().map(|line| line.text.chars().count()).sum();
    if lines.len() > MAX_LINES || chars > MAX_TRANSCRIPT {
        let message = format!(
            "A transcript may have {MAX_LINES} lines and {MAX_TRANSCRIPT} characters, and this one has {} and {chars}.",
            lines.len()
        );
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "transcript_too_long", message)
            .hint("Send the end of it, or none: the call is recorded without."));
    }
    Ok(lines)
}

/// A person's or a caller's words as one line: trimmed, without control characters. Blank ones are none.
fn words(name: &str, given: &Value) -> Result<Option<String>, ApiError> {
    match given {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(clean(text)).filter(|text| !text.is_empty())),
        _ => Err(ApiError::invalid(format!("{name} is a text."))),
    }
}

/// One line of text: line breaks and tabs are spaces, other control characters go.
fn clean(text: &str) -> String {
    let one_line = text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c });
    let kept: String = one_line.filter(|c| !c.is_control()).collect();
    kept.trim().to_owned()
}

fn at_most(name: &str, code: &'static str, text: &str, most: usize) -> Result<(), ApiError> {
    let chars = text.chars().count();
    if chars <= most {
        return Ok(());
    }
    let message = format!("A {name} may have {most} characters, and this one has {chars}.");
    Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, message).hint("Send a shorter one."))
}

//! Invites and calls as the API and the event streams show them.

use serde::Serialize;

use super::linger::Linger;
use crate::clock::rfc3339;
use crate::store::{Call, CallState, Invite, InviteState};

/// An invite as JSON. What it does not have is left out.
#[derive(Debug, Serialize)]
pub struct InviteView {
    id: String,
    reason: String,
    by: &'static str,
    state: &'static str,
    created_at: String,
    created_at_ms: i64,
    /// The one deadline, for the device's card as for the server.
    expires_at: String,
    expires_at_ms: i64,
    /// Whether it rings, and not only shows.
    rings: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    chat: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_at: Option<String>,
}

impl From<&Invite> for InviteView {
    fn from(invite: &Invite) -> Self {
        Self {
            id: invite.id.to_string(),
            reason: invite.shown_reason().to_owned(),
            by: invite.by.word(),
            state: invite.state.word(),
            created_at: rfc3339(invite.plan.created_ms),
            created_at_ms: invite.plan.created_ms,
            expires_at: rfc3339(invite.plan.expires_ms),
            expires_at_ms: invite.plan.expires_ms,
            rings: invite.rings && invite.state == InviteState::Pending,
            chat: invite.chat.as_ref().map(ToString::to_string),
            answered_by: invite.answered_by.clone(),
            note: invite.note.clone(),
            resolved_at: invite.resolved_ms.map(rfc3339),
        }
    }
}

/// A call as JSON. What it does not have is left out.
#[derive(Debug, Serialize)]
pub struct CallView {
    /// Its invite's.
    id: String,
    state: &'static str,
    began_at: String,
    began_at_ms: i64,
    /// Until when the line lingers behind a goodbye, while it does: then the call ends unless somebody speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    lingers_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lingers_until_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<i64>,
}

impl From<&Call> for CallView {
    fn from(call: &Call) -> Self {
        let line = &call.line;
        let lingers_until_ms = match line.linger {
            Linger::Lingering { until_ms } if line.state != CallState::Ended => Some(until_ms),
            _ => None,
        };
        Self {
            id: call.id.to_string(),
            state: line.state.word(),
            began_at: rfc3339(line.began_ms),
            began_at_ms: line.began_ms,
            lingers_until: lingers_until_ms.map(rfc3339),
            lingers_until_ms,
            ended_at: call.ended_ms.map(rfc3339),
            ended_by: line.end.map(|end| end.by.word()),
            seconds: line.end.map(|end| end.length_ms / 1000),
        }
    }
}

/// What an event tells of an invite, of a call, or of both.
#[derive(Debug, Serialize)]
pub struct Told {
    #[serde(skip_serializing_if = "Option::is_none")]
    invite: Option<InviteView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<CallView>,
}

impl Told {
    /// What is told.
    #[must_use]
    pub fn new(invite: Option<&Invite>, call: Option<&Call>) -> Self {
        Self { invite: invite.map(InviteView::from), call: call.map(CallView::from) }
    }
}

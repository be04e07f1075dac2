//! Invites and the calls that come of them.

use handset_spec::Language;
use handset_spec_macros::text;

use super::{By, CallState, InviteState, Message};
use crate::ids::{ChatId, InviteId, PersonId};
use crate::ringer::burst::Plan;
use crate::ringer::{call, invite};

/// An invite to open.
#[derive(Debug, Clone)]
pub struct NewInvite {
    /// Its id.
    pub id: InviteId,
    /// Whose phone rings.
    pub person: PersonId,
    /// The chat whose reply asked for it, if one did.
    pub chat: Option<ChatId>,
    /// What asked for it.
    pub by: By,
    /// Why it rings; blank where nobody said.
    pub reason: String,
    /// The language of what it leaves.
    pub language: Language,
    /// When it is made, and when it ends unanswered; how it rings in between.
    pub plan: Plan,
    /// Whether it rings at all.
    pub rings: bool,
    /// Whether it comes in spite of do-not-disturb.
    pub force: bool,
}

/// An invite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    /// Its id; the call that comes of it bears it too.
    pub id: InviteId,
    /// Whose phone rings.
    pub person: PersonId,
    /// The chat whose reply asked for it.
    pub chat: Option<ChatId>,
    /// What asked for it.
    pub by: By,
    /// Why it rings; blank where nobody said.
    pub reason: String,
    /// The language of what it leaves.
    pub language: Language,
    /// When it was made, and when it ends unanswered; how it rings in between.
    pub plan: Plan,
    /// Whether it rings at all.
    pub rings: bool,
    /// Where it stands.
    pub state: InviteState,
    /// Which device answered: its name, or its token's id.
    pub answered_by: Option<String>,
    /// What was said with a decline.
    pub note: Option<String>,
    /// When it left `pending`.
    pub resolved_ms: Option<i64>,
}

impl Invite {
    /// What the incoming call says.
    #[must_use]
    pub fn shown_reason(&self) -> &str {
        if self.reason.is_empty() { text!(call.fallback_reason in self.language) } else { &self.reason }
    }
}

/// What came of opening an invite.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Whether it was opened.
    pub opening: Opening,
    /// The person's former invite, where its time was over and nobody had performed it yet.
    pub expired: Option<Box<SettledInvite>>,
}

/// Whether an invite was opened, or why not.
#[derive(Debug, Clone)]
pub enum Opening {
    /// It is there; `fresh` is false where the same request had opened it before.
    Open {
        /// The invite as it is now.
        invite: Box<Invite>,
        /// Whether this request opened it.
        fresh: bool,
    },
    /// The person does not want to be disturbed.
    Dnd,
    /// Another invite is pending.
    Pending(Box<Invite>),
    /// A call goes on.
    InCall(Box<Call>),
    /// The companion may not call of its own accord just now: something has changed since it was decided.
    NotNow,
}

/// What became of an event at an invite.
#[derive(Debug, Clone)]
pub struct SettledInvite {
    /// The outcome for the one who brought the event.
    pub outcome: invite::Outcome,
    /// The invite as it stands now.
    pub invite: Invite,
    /// Whether this event closed it.
    pub closed: bool,
    /// What it left in the chat, where this event closed it.
    pub left: Vec<Message>,
    /// The call that has come of it, if one has.
    pub call: Option<Call>,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its invite's id.
    pub id: InviteId,
    /// Whose it is.
    pub person: PersonId,
    /// The language of its record.
    pub language: Language,
    /// Where it stands, as the machine knows it.
    pub line: call::Call,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// Until when its record waits for a summary, while it does.
    pub record_due_ms: Option<i64>,
}

impl Call {
    /// Whether it goes on.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.line.state != CallState::Ended
    }
}

/// What became of an event at a call.
#[derive(Debug, Clone)]
pub struct MovedCall {
    /// The outcome for the one who brought the event.
    pub outcome: call::Outcome,
    /// The call as it stands now.
    pub call: Call,
    /// Whether its devices have to know.
    pub shown: bool,
    /// Whether this event ended it.
    pub closed: bool,
    /// Its record, where this event wrote it.
    pub record: Option<Message>,
}

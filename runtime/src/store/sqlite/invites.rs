//! Invites: opened, read, and settled by one conditional update, with what they leave.

use handset_spec_macros::text;
use sqlx::{SqliteConnection, SqlitePool};

use super::house::{self, Words};
use super::once::{self, Repeatable};
use super::rows::{self, select};
use super::writer::Job;
use super::{Sqlite, calls, chats, conversation, settings};
use crate::ids::{ChatId, InviteId, PersonId};
use crate::ringer::call as line;
use crate::ringer::escalation::Decision;
use crate::ringer::invite::{self as machine, Effect, Event, Left, Outcome};
use crate::store::{
    Answer, By, Call, Chat, Error, Invite, InviteState, Invites, Message, MovedCall, NewInvite, Once, Opened,
    Opening, Role, SettledInvite,
};

pub(super) struct OpenInvite(pub(super) NewInvite);

impl Job for OpenInvite {
    type Out = Opened;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Opened, Error> {
        let new = &self.0;
        let now_ms = new.plan.created_ms;
        let mut expired = None;
        if let Some(invite) = pending_of(connection, &new.person).await? {
            if now_ms < invite.plan.expires_ms {
                return Ok(Opened { opening: Opening::Pending(Box::new(invite)), expired });
            }
            let settle = Settle { person: invite.person, invite: invite.id, event: Event::Tick, now_ms };
            expired = settle.run(connection).await?.map(Box::new);
        }
        let opening = self.open(connection).await?;
        Ok(Opened { opening, expired })
    }
}

impl OpenInvite {
    async fn open(&self, connection: &mut SqliteConnection) -> Result<Opening, Error> {
        let new = &self.0;
        if let Some(call) = calls::live_in_transaction(connection, &new.person).await? {
            return Ok(Opening::InCall(Box::new(call)));
        }
        if !new.force && undisturbed(connection, &new.person).await? {
            return Ok(Opening::Dnd);
        }
        if new.by == By::Escalation {
            // Nothing is pending and no call goes on, or it would not have come here.
            let decision = settings::claim(connection, &new.person, false, new.plan.created_ms).await?;
            if !matches!(decision, Some(Decision::Ring(_))) {
                return Ok(Opening::NotNow);
            }
        }
        let invite = Invite {
            id: new.id.clone(),
            person: new.person.clone(),
            chat: new.chat.clone(),
            by: new.by,
            reason: new.reason.clone(),
            language: new.language,
            plan: new.plan,
            rings: new.rings,
            state: InviteState::Pending,
            answered_by: None,
            note: None,
            resolved_ms: None,
        };
        sqlx::query(
            "INSERT INTO invites (id, person, chat, asked_by, reason, language, created_at, expires_at, \
             ring_interval, extra_rings, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(invite.id.as_str())
        .bind(invite.person.as_str())
        .bind(invite.chat.as_ref().map(ChatId::as_str))
        .bind(invite.by.word())
        .bind(&invite.reason)
        .bind(invite.language.key())
        .bind(invite.plan.created_ms)
        .bind(invite.plan.expires_ms)
        .bind(invite.rings.then_some(invite.plan.interval_ms))
        .bind(i64::from(invite.plan.extra))
        .bind(invite.state.word())
        .execute(connection)
        .await?;
        Ok(Opening::Open { invite: Box::new(invite), fresh: true })
    }
}

impl Repeatable for OpenInvite {
    fn writer(&self) -> &PersonId {
        &self.0.person
    }

    fn subject(&self) -> String {
        "invite".to_owned()
    }

    fn remember(&self, opened: &Opened) -> Option<String> {
        match &opened.opening {
            Opening::Open { invite, .. } => Some(invite.id.to_string()),
            _ => None,
        }
    }

    async fn recall(&self, connection: &mut SqliteConnection, id: &str) -> Result<Opened, Error> {
        let invite = in_transaction(connection, &self.0.person, &InviteId::from_text(id)).await?;
        let invite = Box::new(invite.ok_or(Error::Gone)?);
        Ok(Opened { opening: Opening::Open { invite, fresh: false }, expired: None })
    }
}

/// Whether the person does not want to be disturbed just now.
async fn undisturbed(connection: &mut SqliteConnection, person: &PersonId) -> Result<bool, Error> {
    let standing = settings::in_transaction(connection, person).await?;
    Ok(standing.is_some_and(|standing| standing.personal.dnd))
}

pub(super) struct Settle {
    pub(super) person: PersonId,
    pub(super) invite: InviteId,
    pub(super) event: Event,
    pub(super) now_ms: i64,
}

impl Job for Settle {
    type Out = Option<SettledInvite>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let Some(mut invite) = in_transaction(connection, &self.person, &self.invite).await? else {
            return Ok(None);
        };
        let before = machine::Invite {
            expires_ms: invite.plan.expires_ms,
            state: invite.state,
            answered_by: invite.answered_by.clone(),
            note: invite.note.clone(),
        };
        let (after, effects) = before.on(self.event.clone(), self.now_ms);
        let (mut outcome, mut left, mut closed) = (Outcome::Waiting, Vec::new(), false);
        for effect in effects {
            match effect {
                Effect::Tell(told) => outcome = told,
                Effect::Close(what) => {
                    invite.state = after.state;
                    invite.answered_by.clone_from(&after.answered_by);
                    invite.note.clone_from(&after.note);
                    invite.resolved_ms = Some(self.now_ms);
                    close(connection, &invite).await?;
                    left = leave(connection, &invite, what, self.now_ms).await?;
                    closed = true;
                }
            }
        }
        let call = match invite.state {
            InviteState::Accepted => calls::in_transaction(connection, &self.person, &self.invite).await?,
            _ => None,
        };
        Ok(Some(SettledInvite { outcome, invite, closed, left, call }))
    }
}

impl Repeatable for Settle {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        format!("call {}", self.invite)
    }

    fn remember(&self, settled: &Self::Out) -> Option<String> {
        settled.as_ref().map(|settled| settled.outcome.word().to_owned())
    }

    async fn recall(&self, connection: &mut SqliteConnection, outcome: &str) -> Result<Self::Out, Error> {
        let known = Outcome::from_word(outcome);
        let outcome =
            known.ok_or_else(|| Error::Row { column: "writes.outcome", found: outcome.to_owned() })?;
        let invite = in_transaction(connection, &self.person, &self.invite).await?;
        let call = calls::in_transaction(connection, &self.person, &self.invite).await?;
        Ok(invite.map(|invite| SettledInvite { outcome, invite, closed: false, left: Vec::new(), call }))
    }
}

/// Only from pending: whoever else settled the invite first has won, and this transaction does nothing.
async fn close(connection: &mut SqliteConnection, invite: &Invite) -> Result<(), Error> {
    let closed = sqlx::query(
        "UPDATE invites SET state = $1, answered_by = $2, note = $3, resolved_at = $4 \
         WHERE person = $5 AND id = $6 AND state = 'pending'",
    )
    .bind(invite.state.word())
    .bind(&invite.answered_by)
    .bind(&invite.note)
    .bind(invite.resolved_ms)
    .bind(invite.person.as_str())
    .bind(invite.id.as_str())
    .execute(connection)
    .await?;
    if closed.rows_affected() == 1 { Ok(()) } else { Err(Error::Busy) }
}

/// Leaves what a closed invite comes to.
async fn leave(
    connection: &mut SqliteConnection,
    invite: &Invite,
    left: Left,
    now_ms: i64,
) -> Result<Vec<Message>, Error> {
    let language = invite.language;
    let companion = |text: String| Words { role: Role::Companion, text, device: None };
    let words = match left {
        Left::Call => {
            calls::begin(connection, invite, now_ms).await?;
            Vec::new()
        }
        Left::Voicemail if invite.reason.is_empty() => {
            vec![companion(text!(call.missed_no_reason in language).to_owned())]
        }
        Left::Voicemail => vec![companion(text!(call.missed in language, reason = &invite.reason))],
        Left::Trace => vec![companion(text!(call.cancelled in language).to_owned())],
        Left::Note(note) => {
            let trace = companion(text!(call.declined_silent in language).to_owned());
            let device = invite.answered_by.clone();
            let note = note.map(|text| Words { role: Role::Person, text, device });
            [trace].into_iter().chain(note).collect()
        }
    };
    house::leave(connection, &invite.person, words, now_ms).await
}

async fn in_transaction(
    connection: &mut SqliteConnection,
    person: &PersonId,
    invite: &InviteId,
) -> Result<Option<Invite>, Error> {
    let found = sqlx::query(select!(invite, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(invite.as_str())
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(rows::invite).transpose()
}

async fn pending_of(connection: &mut SqliteConnection, person: &PersonId) -> Result<Option<Invite>, Error> {
    let found = sqlx::query(select!(invite, "WHERE person = $1 AND state = 'pending'"))
        .bind(person.as_str())
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(rows::invite).transpose()
}

async fn one(pool: &SqlitePool, person: PersonId, invite: InviteId) -> Result<Option<Invite>, Error> {
    in_transaction(&mut *pool.acquire().await?, &person, &invite).await
}

async fn newest(pool: &SqlitePool, person: PersonId) -> Result<Option<Invite>, Error> {
    let found = sqlx::query(select!(invite, "WHERE person = $1 ORDER BY id DESC LIMIT 1"))
        .bind(person.as_str())
        .fetch_optional(pool)
        .await?;
    found.as_ref().map(rows::invite).transpose()
}

async fn pending(pool: &SqlitePool) -> Result<Vec<Invite>, Error> {
    let found = sqlx::query(select!(invite, "WHERE state = 'pending' ORDER BY id")).fetch_all(pool).await?;
    found.iter().map(rows::invite).collect()
}

impl Invites for Sqlite {
    fn open_invite_once(&self, invite: NewInvite, once: Option<Once>) -> Answer<'_, Opened> {
        self.write(once::Once { job: OpenInvite(invite), once })
    }

    fn invite(&self, person: PersonId, invite: InviteId) -> Answer<'_, Option<Invite>> {
        Box::pin(one(&self.readers, person, invite))
    }

    fn newest_invite(&self, person: PersonId) -> Answer<'_, Option<Invite>> {
        Box::pin(newest(&self.readers, person))
    }

    fn pending_invites(&self) -> Answer<'_, Vec<Invite>> {
        Box::pin(pending(&self.readers))
    }

    fn settle_invite_once(
        &self,
        person: PersonId,
        invite: InviteId,
        event: Event,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<SettledInvite>> {
        self.write(once::Once { job: Settle { person, invite, event, now_ms }, once })
    }

    fn call(&self, person: PersonId, call: InviteId) -> Answer<'_, Option<Call>> {
        Box::pin(calls::one(&self.readers, person, call))
    }

    fn live_call(&self, person: PersonId) -> Answer<'_, Option<Call>> {
        Box::pin(calls::live(&self.readers, person))
    }

    fn open_calls(&self) -> Answer<'_, Vec<Call>> {
        Box::pin(calls::open(&self.readers))
    }

    fn move_call_once(
        &self,
        person: PersonId,
        call: InviteId,
        event: line::Event,
        record_due_ms: i64,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<MovedCall>> {
        self.write(once::Once { job: calls::Move { person, call, event, record_due_ms, now_ms }, once })
    }

    fn write_record(
        &self,
        person: PersonId,
        call: InviteId,
        summary: Option<String>,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>> {
        self.write(calls::WriteRecord { person, call, summary, now_ms })
    }

    fn house_message(&self, person: PersonId, role: Role, text: String, now_ms: i64) -> Answer<'_, Message> {
        self.write(house::HouseMessage { person, role, text, now_ms })
    }

    fn pin_chat_once(
        &self,
        person: PersonId,
        chat: ChatId,
        pinned: bool,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<Chat>> {
        self.write(once::Once { job: chats::PinChat { person, chat, pinned, now_ms }, once })
    }

    fn conversation_started_ms(
        &self,
        person: PersonId,
        chat: ChatId,
        gap_ms: i64,
        now_ms: i64,
    ) -> Answer<'_, i64> {
        Box::pin(async move {
            let mut connection = self.readers.acquire().await?;
            conversation::started_ms(&mut connection, &person, &chat, gap_ms, now_ms).await
        })
    }
}

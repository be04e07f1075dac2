//! Calls: begun by an answer, moved by events, ended once, with one record.

use handset_spec_macros::text;
use sqlx::{SqliteConnection, SqlitePool};

use super::house::{self, Words};
use super::once::Repeatable;
use super::rows::{self, select};
use super::settings;
use super::writer::Job;
use crate::ids::{InviteId, PersonId};
use crate::ringer::call::{self, Effect, Event, Outcome};
use crate::ringer::linger::Linger;
use crate::ringer::record::{self, Leaves};
use crate::store::{Call, CallState, Error, Invite, Message, MovedCall, Role};

/// Begins the call of an invite that was answered.
pub(super) async fn begin(
    connection: &mut SqliteConnection,
    invite: &Invite,
    now_ms: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO calls (id, person, language, state, began_at, seen_at) VALUES ($1, $2, $3, $4, $5, $5)",
    )
    .bind(invite.id.as_str())
    .bind(invite.person.as_str())
    .bind(invite.language.key())
    .bind(CallState::Accepted.word())
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) struct Move {
    pub(super) person: PersonId,
    pub(super) call: InviteId,
    pub(super) event: Event,
    /// Until when a record would wait for its summary.
    pub(super) record_due_ms: i64,
    pub(super) now_ms: i64,
}

impl Job for Move {
    type Out = Option<MovedCall>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let Some(mut call) = in_transaction(connection, &self.person, &self.call).await? else {
            return Ok(None);
        };
        let (line, effects) = call.line.clone().on(self.event.clone(), self.now_ms);
        let changed = line != call.line;
        call.line = line;
        let (mut outcome, mut shown, mut closed, mut record) = (Outcome::GoesOn, false, false, None);
        for effect in effects {
            match effect {
                Effect::Tell(told) => outcome = told,
                Effect::Show => shown = true,
                Effect::Close(end) => {
                    closed = true;
                    call.ended_ms = Some(self.now_ms);
                    settings::heard_call(connection, &self.person, self.now_ms).await?;
                    match end.leaves {
                        Leaves::Nothing => {}
                        Leaves::Summary => call.record_due_ms = Some(self.record_due_ms),
                        Leaves::Duration => record = write(connection, &call, None, self.now_ms).await?,
                    }
                }
            }
        }
        if changed {
            keep(connection, &call).await?;
        }
        Ok(Some(MovedCall { outcome, call, shown, closed, record }))
    }
}

impl Repeatable for Move {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        format!("line {}", self.call)
    }

    fn remember(&self, moved: &Self::Out) -> Option<String> {
        moved.as_ref().map(|moved| moved.outcome.word().to_owned())
    }

    async fn recall(&self, connection: &mut SqliteConnection, outcome: &str) -> Result<Self::Out, Error> {
        let known = Outcome::from_word(outcome);
        let outcome =
            known.ok_or_else(|| Error::Row { column: "writes.outcome", found: outcome.to_owned() })?;
        let call = in_transaction(connection, &self.person, &self.call).await?;
        Ok(call.map(|call| MovedCall { outcome, call, shown: false, closed: false, record: None }))
    }
}

/// Writes how a call stands; one that has ended stays as it is, unless its device was given up and it left nothing.
async fn keep(connection: &mut SqliteConnection, call: &Call) -> Result<(), Error> {
    let line = &call.line;
    let (turn, at, until_ms) = match &line.linger {
        Linger::Open => (None, None, None),
        Linger::Marked { turn, at, until_ms } => (Some(turn), i64::try_from(*at).ok(), Some(*until_ms)),
        Linger::Lingering { until_ms } => (None, None, Some(*until_ms)),
    };
    let kept = sqlx::query(
        "UPDATE calls SET state = $1, seen_at = $2, hung_up_at = $3, marked_turn = $4, marked_at = $5, \
         line_until = $6, ended_at = $7, ended_by = $8, length = $9, leaves = $10, record_due = $11 \
         WHERE person = $12 AND id = $13 \
         AND (state <> 'ended' OR (ended_by = 'server' AND leaves = 'nothing'))",
    )
    .bind(line.state.word())
    .bind(line.seen_ms)
    .bind(line.hung_up_ms)
    .bind(turn)
    .bind(at)
    .bind(until_ms)
    .bind(call.ended_ms)
    .bind(line.end.map(|end| end.by.word()))
    .bind(line.end.map(|end| end.length_ms))
    .bind(line.end.map(|end| end.leaves.word()))
    .bind(call.record_due_ms)
    .bind(call.person.as_str())
    .bind(call.id.as_str())
    .execute(connection)
    .await?;
    if kept.rows_affected() == 1 { Ok(()) } else { Err(Error::Busy) }
}

/// Writes a record that waits for its summary.
pub(super) struct WriteRecord {
    pub(super) person: PersonId,
    pub(super) call: InviteId,
    pub(super) summary: Option<String>,
    pub(super) now_ms: i64,
}

impl Job for WriteRecord {
    type Out = Option<Message>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        // Whoever writes it first has written it.
        let taken = sqlx::query(
            "UPDATE calls SET record_due = NULL WHERE person = $1 AND id = $2 AND record_due IS NOT NULL",
        )
        .bind(self.person.as_str())
        .bind(self.call.as_str())
        .execute(&mut *connection)
        .await?;
        if taken.rows_affected() == 0 {
            return Ok(None);
        }
        let Some(call) = in_transaction(connection, &self.person, &self.call).await? else { return Ok(None) };
        write(connection, &call, self.summary.as_deref(), self.now_ms).await
    }
}

/// Leaves a call's record in the chat.
async fn write(
    connection: &mut SqliteConnection,
    call: &Call,
    summary: Option<&str>,
    now_ms: i64,
) -> Result<Option<Message>, Error> {
    let Some(end) = call.line.end else { return Ok(None) };
    let duration = record::duration(end.length_ms);
    let text = match summary {
        Some(summary) => {
            text!(record.call_with_summary in call.language, duration = duration, summary = summary)
        }
        None => text!(record.call in call.language, duration = duration),
    };
    let words = [Words { role: Role::Companion, text, device: None }];
    Ok(house::leave(connection, &call.person, words, now_ms).await?.into_iter().next())
}

pub(super) async fn in_transaction(
    connection: &mut SqliteConnection,
    person: &PersonId,
    call: &InviteId,
) -> Result<Option<Call>, Error> {
    let found = sqlx::query(select!(call, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(call.as_str())
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(rows::call).transpose()
}

pub(super) async fn live_in_transaction(
    connection: &mut SqliteConnection,
    person: &PersonId,
) -> Result<Option<Call>, Error> {
    let found = sqlx::query(select!(call, "WHERE person = $1 AND state <> 'ended'"))
        .bind(person.as_str())
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(rows::call).transpose()
}

pub(super) async fn one(pool: &SqlitePool, person: PersonId, call: InviteId) -> Result<Option<Call>, Error> {
    in_transaction(&mut *pool.acquire().await?, &person, &call).await
}

pub(super) async fn live(pool: &SqlitePool, person: PersonId) -> Result<Option<Call>, Error> {
    live_in_transaction(&mut *pool.acquire().await?, &person).await
}

pub(super) async fn open(pool: &SqlitePool) -> Result<Vec<Call>, Error> {
    let found = sqlx::query(select!(call, "WHERE state <> 'ended' OR record_due IS NOT NULL ORDER BY id"))
        .fetch_all(pool)
        .await?;
    found.iter().map(rows::call).collect()
}

/// The columns of a call's end, together or not at all.
pub(super) fn end(
    by: Option<crate::store::EndedBy>,
    length_ms: Option<i64>,
    leaves: Option<Leaves>,
) -> Option<call::End> {
    Some(call::End { by: by?, length_ms: length_ms?, leaves: leaves? })
}

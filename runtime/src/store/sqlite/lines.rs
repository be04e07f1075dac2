//! Lines: how much of what is spoken in a call was heard, and what that makes of words and markers.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::rows::{self, select};
use super::turns::{in_transaction, required};
use super::writer::Job;
use super::{Sqlite, effects, house};
use crate::ids::{ChatId, InviteId, PersonId, TurnId};
use crate::store::{
    Answer, Error, Kept, Lines, Message, NewEffect, Progress, SpokenTurn, Turn, TurnState, budget, mark,
};

struct OpenLine {
    person: PersonId,
    call: InviteId,
    now_ms: i64,
}

impl Job for OpenLine {
    type Out = Option<ChatId>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let marked = sqlx::query("UPDATE calls SET live_at = $1 WHERE person = $2 AND id = $3")
            .bind(self.now_ms)
            .bind(self.person.as_str())
            .bind(self.call.as_str())
            .execute(&mut *connection)
            .await?;
        if marked.rows_affected() == 0 {
            return Ok(None);
        }
        let asked: Option<Option<String>> =
            sqlx::query_scalar("SELECT chat FROM invites WHERE person = $1 AND id = $2")
                .bind(self.person.as_str())
                .bind(self.call.as_str())
                .fetch_optional(&mut *connection)
                .await?;
        match asked.flatten() {
            Some(chat) => Ok(Some(ChatId::from_text(chat))),
            None => house::chat(connection, &self.person, self.now_ms).await.map(Some),
        }
    }
}

struct Hear {
    person: PersonId,
    progress: Progress,
    effects: Vec<NewEffect>,
    /// Whether it was heard to its end.
    out: bool,
    now_ms: i64,
}

impl Job for Hear {
    type Out = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), Error> {
        let Progress { turn, call, pieces, words } = &self.progress;
        let of = required(in_transaction(connection, &self.person, turn).await?)?;
        sqlx::query(
            "INSERT INTO spoken (turn, person, call, pieces, words, ended_at) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (turn) DO UPDATE SET pieces = excluded.pieces, words = excluded.words, \
             ended_at = excluded.ended_at",
        )
        .bind(turn.as_str())
        .bind(self.person.as_str())
        .bind(call.as_str())
        .bind(pieces)
        .bind(words)
        .bind(self.out.then_some(self.now_ms))
        .execute(&mut *connection)
        .await?;
        effects::record(connection, &of, self.effects.iter(), self.now_ms).await
    }
}

struct Cut {
    person: PersonId,
    turn: TurnId,
    kept: Vec<Kept>,
    heard: i64,
    now_ms: i64,
}

impl Job for Cut {
    type Out = Vec<Message>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let (person, turn) = (self.person.as_str(), self.turn.as_str());
        let mut left = Vec::with_capacity(self.kept.len());
        for Kept { message, chars } in &self.kept {
            let found = sqlx::query(select!(message, "WHERE m.person = $1 AND m.turn = $2 AND m.id = $3"))
                .bind(person)
                .bind(turn)
                .bind(message.as_str())
                .fetch_optional(&mut *connection)
                .await?;
            let Some(mut found) = found.as_ref().map(rows::message).transpose()? else { continue };
            let chars = usize::try_from(*chars).unwrap_or(usize::MAX);
            if let Some((end, _)) = found.text.char_indices().nth(chars) {
                found.text.truncate(end);
                found.text.truncate(found.text.trim_end().len());
                found.mark = Some(mark::INTERRUPTED.to_owned());
                sqlx::query("UPDATE messages SET text = $1, mark = $2 WHERE person = $3 AND id = $4")
                    .bind(&found.text)
                    .bind(&found.mark)
                    .bind(person)
                    .bind(message.as_str())
                    .execute(&mut *connection)
                    .await?;
                sqlx::query(
                    "UPDATE turns SET state = $1, code = $2 WHERE person = $3 AND id = $4 AND state = 'finished'",
                )
                .bind(TurnState::Interrupted.word())
                .bind(mark::INTERRUPTED)
                .bind(person)
                .bind(turn)
                .execute(&mut *connection)
                .await?;
            }
            left.push(found);
        }
        sqlx::query(
            "UPDATE effects SET state = 'refused', why = $1, settled_at = $2 \
             WHERE person = $3 AND turn = $4 AND state = 'unheard' AND number >= $5",
        )
        .bind(budget::UNHEARD)
        .bind(self.now_ms)
        .bind(person)
        .bind(turn)
        .bind(self.heard)
        .execute(&mut *connection)
        .await?;
        sqlx::query("UPDATE spoken SET ended_at = $1 WHERE person = $2 AND turn = $3 AND ended_at IS NULL")
            .bind(self.now_ms)
            .bind(person)
            .bind(turn)
            .execute(connection)
            .await?;
        Ok(left)
    }
}

struct DropUnheard(i64);

impl Job for DropUnheard {
    type Out = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), Error> {
        sqlx::query(
            "UPDATE effects SET state = 'refused', why = $1, settled_at = $2 WHERE state = 'unheard' AND turn NOT IN \
             (SELECT s.turn FROM spoken s JOIN calls c ON c.id = s.call WHERE c.state <> 'ended')",
        )
        .bind(budget::UNHEARD)
        .bind(self.0)
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// A row of the columns that [`spoken_turns`] and [`one`] ask for.
fn read(row: &SqliteRow) -> Result<SpokenTurn, Error> {
    let turn: Turn = rows::turn(row)?;
    let progress = Progress {
        turn: turn.id.clone(),
        call: InviteId::from_text(row.try_get::<String, _>(7)?),
        pieces: row.try_get(8)?,
        words: row.try_get(9)?,
    };
    Ok(SpokenTurn { turn, progress })
}

async fn spoken_turns(pool: &SqlitePool, person: PersonId, call: InviteId) -> Result<Vec<SpokenTurn>, Error> {
    let found = sqlx::query(
        "SELECT t.id, t.person, t.chat, t.message_seq, t.state, t.starts, t.code, s.call, s.pieces, s.words \
         FROM spoken s JOIN turns t ON t.id = s.turn \
         WHERE s.person = $1 AND s.call = $2 AND s.ended_at IS NULL ORDER BY t.message_seq",
    )
    .bind(person.as_str())
    .bind(call.as_str())
    .fetch_all(pool)
    .await?;
    found.iter().map(read).collect()
}

async fn one(pool: &SqlitePool, person: PersonId, turn: TurnId) -> Result<Option<SpokenTurn>, Error> {
    let found = sqlx::query(
        "SELECT t.id, t.person, t.chat, t.message_seq, t.state, t.starts, t.code, s.call, s.pieces, s.words \
         FROM spoken s JOIN turns t ON t.id = s.turn \
         WHERE s.person = $1 AND s.turn = $2 AND s.ended_at IS NULL",
    )
    .bind(person.as_str())
    .bind(turn.as_str())
    .fetch_optional(pool)
    .await?;
    found.as_ref().map(read).transpose()
}

async fn open(pool: &SqlitePool) -> Result<Vec<(PersonId, InviteId)>, Error> {
    let found = sqlx::query(
        "SELECT person, id FROM calls WHERE state <> 'ended' AND live_at IS NOT NULL ORDER BY id",
    )
    .fetch_all(pool)
    .await?;
    found
        .iter()
        .map(|row| {
            Ok((
                PersonId::from_text(row.try_get::<String, _>(0)?),
                InviteId::from_text(row.try_get::<String, _>(1)?),
            ))
        })
        .collect()
}

impl Lines for Sqlite {
    fn open_line(&self, person: PersonId, call: InviteId, now_ms: i64) -> Answer<'_, Option<ChatId>> {
        self.write(OpenLine { person, call, now_ms })
    }

    fn open_lines(&self) -> Answer<'_, Vec<(PersonId, InviteId)>> {
        Box::pin(open(&self.readers))
    }

    fn hear(
        &self,
        person: PersonId,
        progress: Progress,
        effects: Vec<NewEffect>,
        now_ms: i64,
    ) -> Answer<'_, ()> {
        self.write(Hear { person, progress, effects, out: false, now_ms })
    }

    fn heard_out(&self, person: PersonId, progress: Progress, now_ms: i64) -> Answer<'_, ()> {
        self.write(Hear { person, progress, effects: Vec::new(), out: true, now_ms })
    }

    fn cut(
        &self,
        person: PersonId,
        turn: TurnId,
        kept: Vec<Kept>,
        heard: i64,
        now_ms: i64,
    ) -> Answer<'_, Vec<Message>> {
        self.write(Cut { person, turn, kept, heard, now_ms })
    }

    fn spoken_turns(&self, person: PersonId, call: InviteId) -> Answer<'_, Vec<SpokenTurn>> {
        Box::pin(spoken_turns(&self.readers, person, call))
    }

    fn spoken_turn(&self, person: PersonId, turn: TurnId) -> Answer<'_, Option<SpokenTurn>> {
        Box::pin(one(&self.readers, person, turn))
    }

    fn drop_unheard(&self, now_ms: i64) -> Answer<'_, ()> {
        self.write(DropUnheard(now_ms))
    }
}

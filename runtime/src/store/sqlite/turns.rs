//! Turns: a message taken, what the companion adds, results, the reply.

use sqlx::{SqliteConnection, SqlitePool};

use super::rows::{self, select};
use super::writer::Job;
use super::{Sqlite, effects, readings, settings};
use crate::ids::{ChatId, MessageId, PersonId, TurnId};
use crate::store::{
    Answer, Begun, Ending, Error, Message, NewEntry, NewMessage, Role, Turn, TurnState, Turns,
};

pub(super) struct BeginTurn(pub(super) NewMessage);

impl Job for BeginTurn {
    type Out = Option<Begun>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let new = &self.0;
        if let Some(client_id) = &new.client_id
            && let Some(message) = by_client(&mut *connection, &new.person, client_id).await?
        {
            if message.chat != new.chat {
                // Of another chat it is another message, which would be lost if the first one were given for it.
                return Err(Error::Reused);
            }
            let turn = required(in_transaction(connection, &message.person, &message.turn).await?)?;
            return Ok(Some(Begun { message, turn, fresh: false }));
        }
        let Some(seq) = next_seq(connection, &new.person, &new.chat).await? else { return Ok(None) };
        if new.from_phone {
            sqlx::query(
                "UPDATE chats SET offered_since = $1 WHERE person = $2 AND id = $3 AND offered_since IS NULL",
            )
            .bind(seq)
            .bind(new.person.as_str())
            .bind(new.chat.as_str())
            .execute(&mut *connection)
            .await?;
        }
        let turn = Turn {
            id: TurnId::new(new.now_ms)?,
            person: new.person.clone(),
            chat: new.chat.clone(),
            message_seq: seq,
            state: TurnState::Running,
            code: None,
            starts: 1,
        };
        sqlx::query(
            "INSERT INTO turns (id, person, chat, message_seq, state, starts) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(turn.id.as_str())
        .bind(turn.person.as_str())
        .bind(turn.chat.as_str())
        .bind(turn.message_seq)
        .bind(turn.state.word())
        .bind(turn.starts)
        .execute(&mut *connection)
        .await?;
        let message = Message {
            capabilities: new.capabilities.clone(),
            device: new.device.clone(),
            client_id: new.client_id.clone(),
            voice: new.voice.clone().map(Box::new),
            ..blank(&turn, seq, Role::Person, new.text.clone(), new.now_ms)?
        };
        insert(connection, &message).await?;
        settings::heard_words(connection, &message).await?;
        Ok(Some(Begun { message, turn, fresh: true }))
    }
}

pub(super) struct CountStart {
    pub(super) person: PersonId,
    pub(super) turn: TurnId,
}

impl Job for CountStart {
    type Out = i64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<i64, Error> {
        let starts = sqlx::query_scalar(
            "UPDATE turns SET starts = starts + 1 WHERE person = $1 AND id = $2 RETURNING starts",
        )
        .bind(self.person.as_str())
        .bind(self.turn.as_str())
        .fetch_optional(connection)
        .await?;
        required(starts)
    }
}

pub(super) struct Append {
    pub(super) person: PersonId,
    pub(super) turn: TurnId,
    pub(super) entries: Vec<NewEntry>,
    pub(super) now_ms: i64,
}

impl Job for Append {
    type Out = Vec<Message>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let turn = required(in_transaction(connection, &self.person, &self.turn).await?)?;
        let mut stored = Vec::with_capacity(self.entries.len());
        let mut effects = Vec::new();
        for entry in &self.entries {
            let blank = |role, text: &String| blank(&turn, 0, role, text.clone(), self.now_ms);
            let message = match entry {
                // It has no message of its own.
                NewEntry::Effect(effect) => {
                    effects.push(effect);
                    continue;
                }
                NewEntry::Words(text) => blank(Role::Companion, text)?,
                NewEntry::Unfinished { text, mark } => {
                    Message { mark: Some(mark.clone()), ..blank(Role::Companion, text)? }
                }
                NewEntry::Call { call_id, tool, arguments } => Message {
                    tool: Some(tool.clone()),
                    call_id: Some(call_id.clone()),
                    ..blank(Role::Call, arguments)?
                },
            };
            let seq = required(next_seq(connection, &turn.person, &turn.chat).await?)?;
            let message = Message { seq, ..message };
            insert(connection, &message).await?;
            stored.push(message);
        }
        effects::record(connection, &turn, effects.into_iter(), self.now_ms).await?;
        Ok(stored)
    }
}

pub(super) struct RecordResult {
    pub(super) person: PersonId,
    pub(super) turn: TurnId,
    pub(super) call_id: String,
    pub(super) text: String,
    pub(super) now_ms: i64,
}

impl Job for RecordResult {
    type Out = Option<Message>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let turn = required(in_transaction(connection, &self.person, &self.turn).await?)?;
        record_result(connection, &turn, &self.call_id, &self.text, self.now_ms).await
    }
}

pub(super) struct FinishTurn {
    pub(super) person: PersonId,
    pub(super) turn: TurnId,
    pub(super) ending: Ending,
    pub(super) now_ms: i64,
}

impl Job for FinishTurn {
    type Out = Option<Message>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let ended = sqlx::query(
            "UPDATE turns SET state = $1, code = $2, ended_at = $3 \
             WHERE person = $4 AND id = $5 AND state = 'running' \
             RETURNING id, person, chat, message_seq, state, starts, code",
        )
        .bind(self.ending.state.word())
        .bind(&self.ending.code)
        .bind(self.now_ms)
        .bind(self.person.as_str())
        .bind(self.turn.as_str())
        .fetch_optional(&mut *connection)
        .await?;
        let (Some(ended), Some(reply)) = (ended, &self.ending.reply) else { return Ok(None) };
        let turn = rows::turn(&ended)?;
        let seq = required(next_seq(connection, &turn.person, &turn.chat).await?)?;
        let message = Message {
            mark: self.ending.code.clone(),
            ..blank(&turn, seq, Role::Companion, reply.clone(), self.now_ms)?
        };
        insert(connection, &message).await?;
        effects::record(connection, &turn, self.ending.effects.iter(), self.now_ms).await?;
        if let Some(passage) = &self.ending.reading {
            readings::read(connection, &turn.person, &turn.id, passage, self.now_ms).await?;
        }
        Ok(Some(message))
    }
}

/// Records a call's result where it has none yet.
pub(super) async fn record_result(
    connection: &mut SqliteConnection,
    turn: &Turn,
    call_id: &str,
    text: &str,
    now_ms: i64,
) -> Result<Option<Message>, Error> {
    let there: Option<String> = sqlx::query_scalar(
        "SELECT id FROM messages WHERE person = $1 AND chat = $2 AND call_id = $3 AND role = 'result'",
    )
    .bind(turn.person.as_str())
    .bind(turn.chat.as_str())
    .bind(call_id)
    .fetch_optional(&mut *connection)
    .await?;
    if there.is_some() {
        return Ok(None);
    }
    let seq = required(next_seq(connection, &turn.person, &turn.chat).await?)?;
    let message = Message {
        call_id: Some(call_id.to_owned()),
        ..blank(turn, seq, Role::Result, text.to_owned(), now_ms)?
    };
    insert(connection, &message).await?;
    Ok(Some(message))
}

/// One turn, read inside the writer's transaction.
pub(super) async fn in_transaction(
    connection: &mut SqliteConnection,
    person: &PersonId,
    turn: &TurnId,
) -> Result<Option<Turn>, Error> {
    let found = sqlx::query(select!(turn, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(turn.as_str())
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(rows::turn).transpose()
}

pub(super) async fn one(pool: &SqlitePool, person: PersonId, turn: TurnId) -> Result<Option<Turn>, Error> {
    let found = sqlx::query(select!(turn, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(turn.as_str())
        .fetch_optional(pool)
        .await?;
    found.as_ref().map(rows::turn).transpose()
}

pub(super) async fn unfinished(pool: &SqlitePool) -> Result<Vec<Turn>, Error> {
    let found = sqlx::query(select!(turn, "WHERE state = 'running' ORDER BY id")).fetch_all(pool).await?;
    found.iter().map(rows::turn).collect()
}

/// Turns are read in the order in which they began, each whole: a message that was typed while a card waited stands
/// behind the turn that it found running, so that a call and its result stay together.
pub(super) async fn history(
    pool: &SqlitePool,
    person: PersonId,
    turn: TurnId,
) -> Result<Vec<Message>, Error> {
    let found = sqlx::query(select!(
        message,
        "JOIN turns t ON t.id = m.turn JOIN turns mine ON mine.chat = t.chat \
         WHERE m.person = $1 AND mine.person = $1 AND mine.id = $2 AND t.message_seq <= mine.message_seq \
         ORDER BY t.message_seq, m.seq"
    ))
    .bind(person.as_str())
    .bind(turn.as_str())
    .fetch_all(pool)
    .await?;
    found.iter().map(rows::message).collect()
}

pub(super) async fn messages(
    pool: &SqlitePool,
    person: PersonId,
    turn: TurnId,
) -> Result<Vec<Message>, Error> {
    let found = sqlx::query(select!(message, "WHERE m.person = $1 AND m.turn = $2 ORDER BY m.seq"))
        .bind(person.as_str())
        .bind(turn.as_str())
        .fetch_all(pool)
        .await?;
    found.iter().map(rows::message).collect()
}

async fn by_client(
    executor: impl sqlx::SqliteExecutor<'_>,
    person: &PersonId,
    client_id: &str,
) -> Result<Option<Message>, Error> {
    let found = sqlx::query(select!(message, "WHERE m.person = $1 AND m.client_id = $2"))
        .bind(person.as_str())
        .bind(client_id)
        .fetch_optional(executor)
        .await?;
    found.as_ref().map(rows::message).transpose()
}

/// Takes the chat's next sequence number; nothing where the person has no such chat.
pub(super) async fn next_seq(
    connection: &mut SqliteConnection,
    person: &PersonId,
    chat: &ChatId,
) -> Result<Option<i64>, Error> {
    Ok(sqlx::query_scalar(
        "UPDATE chats SET last_seq = last_seq + 1 WHERE person = $1 AND id = $2 RETURNING last_seq",
    )
    .bind(person.as_str())
    .bind(chat.as_str())
    .fetch_optional(connection)
    .await?)
}

pub(super) fn blank(turn: &Turn, seq: i64, role: Role, text: String, now_ms: i64) -> Result<Message, Error> {
    Ok(Message {
        id: MessageId::new(now_ms)?,
        person: turn.person.clone(),
        chat: turn.chat.clone(),
        turn: turn.id.clone(),
        seq,
        role,
        text,
        tool: None,
        call_id: None,
        capabilities: Vec::new(),
        device: None,
        client_id: None,
        mark: None,
        voice: None,
        created_ms: now_ms,
    })
}

pub(super) async fn insert(connection: &mut SqliteConnection, message: &Message) -> Result<(), Error> {
    let capabilities = serde_json::to_string(&message.capabilities)
        .map_err(|error| Error::Database(format!("capabilities cannot be written: {error}")))?;
    let voice = message.voice.as_ref().map(serde_json::to_string).transpose();
    let voice = voice.map_err(|error| Error::Database(format!("a voice cannot be written: {error}")))?;
    sqlx::query(
        "INSERT INTO messages (id, person, chat, turn, seq, role, text, tool, call_id, capabilities, device, \
         client_id, created_at, mark, voice) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )
    .bind(message.id.as_str())
    .bind(message.person.as_str())
    .bind(message.chat.as_str())
    .bind(message.turn.as_str())
    .bind(message.seq)
    .bind(message.role.word())
    .bind(&message.text)
    .bind(&message.tool)
    .bind(&message.call_id)
    .bind(capabilities)
    .bind(&message.device)
    .bind(&message.client_id)
    .bind(message.created_ms)
    .bind(&message.mark)
    .bind(voice)
    .execute(connection)
    .await?;
    Ok(())
}

/// A row that must be there unless its chat was deleted meanwhile.
pub(super) fn required<T>(found: Option<T>) -> Result<T, Error> {
    found.ok_or(Error::Gone)
}

impl Turns for Sqlite {
    fn begin_turn(&self, message: NewMessage) -> Answer<'_, Option<Begun>> {
        self.write(BeginTurn(message))
    }

    fn turn(&self, person: PersonId, turn: TurnId) -> Answer<'_, Option<Turn>> {
        Box::pin(one(&self.readers, person, turn))
    }

    fn unfinished_turns(&self) -> Answer<'_, Vec<Turn>> {
        Box::pin(unfinished(&self.readers))
    }

    fn count_start(&self, person: PersonId, turn: TurnId) -> Answer<'_, i64> {
        self.write(CountStart { person, turn })
    }

    fn history(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Message>> {
        Box::pin(history(&self.readers, person, turn))
    }

    fn message_of(&self, person: PersonId, client_id: String) -> Answer<'_, Option<Message>> {
        Box::pin(async move { by_client(&self.readers, &person, &client_id).await })
    }

    fn turn_messages(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Message>> {
        Box::pin(messages(&self.readers, person, turn))
    }

    fn append(
        &self,
        person: PersonId,
        turn: TurnId,
        entries: Vec<NewEntry>,
        now_ms: i64,
    ) -> Answer<'_, Vec<Message>> {
        self.write(Append { person, turn, entries, now_ms })
    }

    fn record_result(
        &self,
        person: PersonId,
        turn: TurnId,
        call_id: String,
        text: String,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>> {
        self.write(RecordResult { person, turn, call_id, text, now_ms })
    }

    fn finish_turn(
        &self,
        person: PersonId,
        turn: TurnId,
        ending: Ending,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>> {
        self.write(FinishTurn { person, turn, ending, now_ms })
    }
}

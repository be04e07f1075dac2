//! Chats and the reading of their messages.

use sqlx::{SqliteConnection, SqlitePool};

use super::Sqlite;
use super::once::{self, Repeatable};
use super::rows::{self, select};
use super::writer::Job;
use crate::ids::{ChatId, PersonId};
use crate::store::{Answer, Card, Chat, Chats, Error, Message, NewChat, Once};

pub(super) struct CreateChat(pub(super) NewChat);

impl Job for CreateChat {
    type Out = Chat;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Chat, Error> {
        let new = &self.0;
        let chat = Chat {
            id: ChatId::new(new.now_ms)?,
            person: new.person.clone(),
            kind: new.kind,
            mode: new.mode,
            title: new.title.clone(),
            offered_since: None,
            pinned_ms: None,
            created_ms: new.now_ms,
        };
        sqlx::query(
            "INSERT INTO chats (id, person, kind, mode, title, last_seq, created_at) \
             VALUES ($1, $2, $3, $4, $5, 0, $6)",
        )
        .bind(chat.id.as_str())
        .bind(chat.person.as_str())
        .bind(chat.kind.word())
        .bind(chat.mode.word())
        .bind(&chat.title)
        .bind(chat.created_ms)
        .execute(connection)
        .await?;
        Ok(chat)
    }
}

impl Repeatable for CreateChat {
    fn writer(&self) -> &PersonId {
        &self.0.person
    }

    fn subject(&self) -> String {
        "chat".to_owned()
    }

    fn remember(&self, chat: &Chat) -> Option<String> {
        Some(chat.id.to_string())
    }

    async fn recall(&self, connection: &mut SqliteConnection, id: &str) -> Result<Chat, Error> {
        in_transaction(connection, &self.0.person, id).await?.ok_or(Error::Gone)
    }
}

pub(super) struct DeleteChat {
    pub(super) person: PersonId,
    pub(super) chat: ChatId,
}

impl Job for DeleteChat {
    type Out = Option<Vec<Card>>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let cards =
            sqlx::query(select!(card, "WHERE person = $1 AND chat = $2 AND state = 'pending' ORDER BY id"))
                .bind(self.person.as_str())
                .bind(self.chat.as_str())
                .fetch_all(&mut *connection)
                .await?;
        let cards = cards.iter().map(rows::card).collect::<Result<_, _>>()?;
        // Messages, turns and cards go with their chat.
        let deleted = sqlx::query("DELETE FROM chats WHERE person = $1 AND id = $2")
            .bind(self.person.as_str())
            .bind(self.chat.as_str())
            .execute(connection)
            .await?;
        Ok((deleted.rows_affected() > 0).then_some(cards))
    }
}

impl Repeatable for DeleteChat {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        format!("delete {}", self.chat)
    }

    fn remember(&self, out: &Self::Out) -> Option<String> {
        out.as_ref().map(|_| "deleted".to_owned())
    }

    async fn recall(&self, _: &mut SqliteConnection, _: &str) -> Result<Self::Out, Error> {
        Ok(Some(Vec::new()))
    }
}

/// Pins a chat, or takes its pin away; at most one of a person's is pinned.
pub(super) struct PinChat {
    pub(super) person: PersonId,
    pub(super) chat: ChatId,
    pub(super) pinned: bool,
    pub(super) now_ms: i64,
}

impl Job for PinChat {
    type Out = Option<Chat>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let pinned = sqlx::query("UPDATE chats SET pinned_at = $1 WHERE person = $2 AND id = $3")
            .bind(self.pinned.then_some(self.now_ms))
            .bind(self.person.as_str())
            .bind(self.chat.as_str())
            .execute(&mut *connection)
            .await?;
        if pinned.rows_affected() == 0 {
            return Ok(None);
        }
        if self.pinned {
            sqlx::query(
                "UPDATE chats SET pinned_at = NULL WHERE person = $1 AND id <> $2 AND pinned_at IS NOT NULL",
            )
            .bind(self.person.as_str())
            .bind(self.chat.as_str())
            .execute(&mut *connection)
            .await?;
        }
        in_transaction(connection, &self.person, self.chat.as_str()).await
    }
}

impl Repeatable for PinChat {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        format!("pin {}", self.chat)
    }

    fn remember(&self, out: &Self::Out) -> Option<String> {
        out.as_ref().map(|_| "pinned".to_owned())
    }

    async fn recall(&self, connection: &mut SqliteConnection, _: &str) -> Result<Self::Out, Error> {
        in_transaction(connection, &self.person, self.chat.as_str()).await
    }
}

async fn in_transaction(
    connection: &mut SqliteConnection,
    person: &PersonId,
    chat: &str,
) -> Result<Option<Chat>, Error> {
    let found = sqlx::query(select!(chat, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(chat)
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(rows::chat).transpose()
}

pub(super) async fn all(pool: &SqlitePool, person: PersonId) -> Result<Vec<Chat>, Error> {
    let found = sqlx::query(select!(chat, "WHERE person = $1 ORDER BY id DESC"))
        .bind(person.as_str())
        .fetch_all(pool)
        .await?;
    found.iter().map(rows::chat).collect()
}

pub(super) async fn one(pool: &SqlitePool, person: PersonId, chat: ChatId) -> Result<Option<Chat>, Error> {
    let found = sqlx::query(select!(chat, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(chat.as_str())
        .fetch_optional(pool)
        .await?;
    found.as_ref().map(rows::chat).transpose()
}

pub(super) async fn messages(
    pool: &SqlitePool,
    person: PersonId,
    chat: ChatId,
    after: i64,
    limit: i64,
) -> Result<Vec<Message>, Error> {
    let found = sqlx::query(select!(
        message,
        "WHERE m.person = $1 AND m.chat = $2 AND m.seq > $3 ORDER BY m.seq LIMIT $4"
    ))
    .bind(person.as_str())
    .bind(chat.as_str())
    .bind(after)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    found.iter().map(rows::message).collect()
}

impl Chats for Sqlite {
    fn create_chat_once(&self, chat: NewChat, once: Option<Once>) -> Answer<'_, Chat> {
        self.write(once::Once { job: CreateChat(chat), once })
    }

    fn chats(&self, person: PersonId) -> Answer<'_, Vec<Chat>> {
        Box::pin(all(&self.readers, person))
    }

    fn chat(&self, person: PersonId, chat: ChatId) -> Answer<'_, Option<Chat>> {
        Box::pin(one(&self.readers, person, chat))
    }

    fn delete_chat_once(
        &self,
        person: PersonId,
        chat: ChatId,
        once: Option<Once>,
    ) -> Answer<'_, Option<Vec<Card>>> {
        self.write(once::Once { job: DeleteChat { person, chat }, once })
    }

    fn messages(&self, person: PersonId, chat: ChatId, after: i64, limit: i64) -> Answer<'_, Vec<Message>> {
        Box::pin(messages(&self.readers, person, chat, after, limit))
    }
}

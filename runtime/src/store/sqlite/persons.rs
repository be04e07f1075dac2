//! Persons and the operator's token.

use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::once::Repeatable;
use super::rows::{self, select};
use super::writer::Job;
use crate::ids::{DeviceId, PersonId};
use crate::store::{Bearer, DeviceKind, Error, NewPerson, NewToken, Person};

pub(super) struct CreatePerson {
    pub(super) name: String,
    pub(super) now_ms: i64,
}

impl Job for CreatePerson {
    type Out = PersonId;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<PersonId, Error> {
        let id = PersonId::new(self.now_ms)?;
        sqlx::query("INSERT INTO persons (id, name, created_at) VALUES ($1, $2, $3)")
            .bind(id.as_str())
            .bind(&self.name)
            .bind(self.now_ms)
            .execute(connection)
            .await?;
        Ok(id)
    }
}

/// Adds a person whose name nobody has.
pub(super) struct AddPerson {
    /// Who adds them.
    pub(super) by: PersonId,
    pub(super) new: NewPerson,
}

impl Job for AddPerson {
    type Out = Option<Person>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let NewPerson { name, now_ms } = &self.new;
        let taken: Option<String> =
            sqlx::query_scalar("SELECT id FROM persons WHERE lower(name) = lower($1)")
                .bind(name)
                .fetch_optional(&mut *connection)
                .await?;
        if taken.is_some() {
            return Ok(None);
        }
        let id = CreatePerson { name: name.clone(), now_ms: *now_ms }.run(connection).await?;
        Ok(Some(Person { id, name: name.clone(), created_ms: *now_ms }))
    }
}

impl Repeatable for AddPerson {
    fn writer(&self) -> &PersonId {
        &self.by
    }

    fn subject(&self) -> String {
        "person".to_owned()
    }

    fn remember(&self, out: &Self::Out) -> Option<String> {
        out.as_ref().map(|person| person.id.to_string())
    }

    async fn recall(&self, connection: &mut SqliteConnection, id: &str) -> Result<Self::Out, Error> {
        in_transaction(connection, id).await.map(Some)
    }
}

/// A person who must be there, read inside the writer's transaction.
pub(super) async fn in_transaction(connection: &mut SqliteConnection, id: &str) -> Result<Person, Error> {
    let found = sqlx::query(select!(person, "WHERE id = $1")).bind(id).fetch_optional(connection).await?;
    rows::person(&found.ok_or(Error::Gone)?)
}

pub(super) struct AddToken(pub(super) NewToken);

impl Job for AddToken {
    type Out = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), Error> {
        let token = &self.0;
        sqlx::query("DELETE FROM tokens WHERE person = $1 AND name = $2")
            .bind(token.person.as_str())
            .bind(&token.name)
            .execute(&mut *connection)
            .await?;
        let kind = if token.device.is_none() { DeviceKind::Operator } else { DeviceKind::Device };
        sqlx::query(
            "INSERT INTO tokens (id, hash, person, name, device, kind, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hash) DO NOTHING",
        )
        .bind(DeviceId::new(token.now_ms)?.as_str())
        .bind(&token.hash)
        .bind(token.person.as_str())
        .bind(&token.name)
        .bind(&token.device)
        .bind(kind.word())
        .bind(token.now_ms)
        .execute(connection)
        .await?;
        Ok(())
    }
}

pub(super) async fn first(pool: &SqlitePool) -> Result<Option<PersonId>, Error> {
    let id: Option<String> = sqlx::query_scalar("SELECT id FROM persons ORDER BY created_at, id LIMIT 1")
        .fetch_optional(pool)
        .await?;
    Ok(id.map(PersonId::from_text))
}

pub(super) async fn all(pool: &SqlitePool) -> Result<Vec<Person>, Error> {
    let found = sqlx::query(select!(person, "ORDER BY created_at, id")).fetch_all(pool).await?;
    found.iter().map(rows::person).collect()
}

pub(super) async fn one(pool: &SqlitePool, person: PersonId) -> Result<Option<Person>, Error> {
    let found =
        sqlx::query(select!(person, "WHERE id = $1")).bind(person.as_str()).fetch_optional(pool).await?;
    found.as_ref().map(rows::person).transpose()
}

/// Two tokens differ in 256 bits, and what is looked up is a hash: the time a comparison takes tells nothing of use.
pub(super) async fn bearer(pool: &SqlitePool, hash: String) -> Result<Option<Bearer>, Error> {
    let row = sqlx::query("SELECT person, device, id, kind, seen_at FROM tokens WHERE hash = $1")
        .bind(hash)
        .fetch_optional(pool)
        .await?;
    row.map(|row| {
        Ok(Bearer {
            person: PersonId::from_text(row.try_get::<String, _>(0)?),
            device: row.try_get(1)?,
            id: DeviceId::from_text(row.try_get::<String, _>(2)?),
            kind: rows::word(&row, 3, "tokens.kind", DeviceKind::from_word)?,
            seen_ms: row.try_get(4)?,
        })
    })
    .transpose()
}

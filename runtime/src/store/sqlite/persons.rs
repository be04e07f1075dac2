//! Persons and their tokens.

use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::writer::Job;
use crate::ids::PersonId;
use crate::store::{Bearer, Error, NewToken};

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
        sqlx::query(
            "INSERT INTO tokens (hash, person, name, device, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (hash) DO NOTHING",
        )
        .bind(&token.hash)
        .bind(token.person.as_str())
        .bind(&token.name)
        .bind(&token.device)
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

/// Two tokens differ in 256 bits, and what is looked up is a hash: the time a comparison takes tells nothing of use.
pub(super) async fn bearer(pool: &SqlitePool, hash: String) -> Result<Option<Bearer>, Error> {
    let row = sqlx::query("SELECT person, device FROM tokens WHERE hash = $1")
        .bind(hash)
        .fetch_optional(pool)
        .await?;
    row.map(|row| {
        Ok(Bearer { person: PersonId::from_text(row.try_get::<String, _>(0)?), device: row.try_get(1)? })
    })
    .transpose()
}

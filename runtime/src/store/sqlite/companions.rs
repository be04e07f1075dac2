//! Who the companion is to each person, in SQLite.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::Sqlite;
use super::once::{self, Repeatable};
use super::rows;
use super::writer::Job;
use crate::ids::PersonId;
use crate::store::{
    Answer, Companion, CompanionChange, Companions, Error, Once, Picture, PictureKind, PictureMark,
};

fn companion(row: &SqliteRow) -> Result<Companion, Error> {
    let kind = rows::maybe_word(row, 2, "companions.picture_kind", PictureKind::from_word)?;
    let (size, tag): (Option<i64>, Option<String>) = (row.try_get(3)?, row.try_get(4)?);
    let picture = kind.zip(size.zip(tag)).map(|(kind, (size, tag))| PictureMark { kind, size, tag });
    Ok(Companion { name: row.try_get(0)?, persona: row.try_get(1)?, picture })
}

struct Change {
    person: PersonId,
    change: CompanionChange,
}

impl Change {
    /// Who the companion is now, read inside the writer's transaction; nothing where there is no such person.
    async fn now(&self, connection: &mut SqliteConnection) -> Result<Option<Companion>, Error> {
        let found = sqlx::query(
            "SELECT c.name, c.persona, c.picture_kind, c.picture_size, c.picture_tag FROM persons p \
             LEFT JOIN companions c ON c.person = p.id WHERE p.id = $1",
        )
        .bind(self.person.as_str())
        .fetch_optional(connection)
        .await?;
        found.as_ref().map(companion).transpose()
    }
}

impl Job for Change {
    type Out = Option<Companion>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        if self.now(connection).await?.is_none() {
            return Ok(None);
        }
        let person = self.person.as_str();
        sqlx::query("INSERT INTO companions (person) VALUES ($1) ON CONFLICT (person) DO NOTHING")
            .bind(person)
            .execute(&mut *connection)
            .await?;
        if let Some(name) = &self.change.name {
            sqlx::query("UPDATE companions SET name = $1 WHERE person = $2")
                .bind(name)
                .bind(person)
                .execute(&mut *connection)
                .await?;
        }
        if let Some(persona) = &self.change.persona {
            sqlx::query("UPDATE companions SET persona = $1 WHERE person = $2")
                .bind(persona)
                .bind(person)
                .execute(&mut *connection)
                .await?;
        }
        if let Some(picture) = &self.change.picture {
            let picture = picture.as_ref();
            sqlx::query(
                "UPDATE companions SET picture_kind = $1, picture_size = $2, picture_tag = $3, picture = $4 \
                 WHERE person = $5",
            )
            .bind(picture.map(|picture| picture.kind.word()))
            .bind(picture.map(|picture| i64::try_from(picture.bytes.len()).unwrap_or(i64::MAX)))
            .bind(picture.map(|picture| picture.tag.as_str()))
            .bind(picture.map(|picture| STANDARD.encode(&picture.bytes)))
            .bind(person)
            .execute(&mut *connection)
            .await?;
        }
        self.now(connection).await
    }
}

impl Repeatable for Change {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        "companion".to_owned()
    }

    fn remember(&self, out: &Self::Out) -> Option<String> {
        out.as_ref().map(|_| "changed".to_owned())
    }

    async fn recall(&self, connection: &mut SqliteConnection, _: &str) -> Result<Self::Out, Error> {
        self.now(connection).await
    }
}

async fn one(pool: &SqlitePool, person: PersonId) -> Result<Companion, Error> {
    let found = sqlx::query(
        "SELECT name, persona, picture_kind, picture_size, picture_tag FROM companions WHERE person = $1",
    )
    .bind(person.as_str())
    .fetch_optional(pool)
    .await?;
    found.as_ref().map(companion).transpose().map(Option::unwrap_or_default)
}

async fn picture(pool: &SqlitePool, person: PersonId) -> Result<Option<Picture>, Error> {
    let found = sqlx::query(
        "SELECT picture_kind, picture_tag, picture FROM companions WHERE person = $1 AND picture IS NOT NULL",
    )
    .bind(person.as_str())
    .fetch_optional(pool)
    .await?;
    let Some(row) = found else { return Ok(None) };
    let text: String = row.try_get(2)?;
    let bytes = STANDARD.decode(text.as_bytes());
    Ok(Some(Picture {
        kind: rows::word(&row, 0, "companions.picture_kind", PictureKind::from_word)?,
        tag: row.try_get(1)?,
        bytes: bytes
            .map_err(|error| Error::Row { column: "companions.picture", found: error.to_string() })?,
    }))
}

impl Companions for Sqlite {
    fn companion(&self, person: PersonId) -> Answer<'_, Companion> {
        Box::pin(one(&self.readers, person))
    }

    fn change_companion(
        &self,
        person: PersonId,
        change: CompanionChange,
        once: Option<Once>,
    ) -> Answer<'_, Option<Companion>> {
        self.write(once::Once { job: Change { person, change }, once })
    }

    fn picture(&self, person: PersonId) -> Answer<'_, Option<Picture>> {
        Box::pin(picture(&self.readers, person))
    }
}

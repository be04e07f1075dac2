//! Texts to read aloud from, in SQLite.

use handset_spec::Language;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::Sqlite;
use super::once::{self, Repeatable};
use super::rows::{select, word};
use super::writer::Job;
use crate::ids::{PersonId, ReadingId, TurnId};
use crate::store::{
    Answer, Error, LastPassage, NewPassage, NewReading, Once, Reading, ReadingChange, Readings,
};

/// A row of `select!(reading, …)`.
fn reading(row: &SqliteRow) -> Result<Reading, Error> {
    Ok(Reading {
        id: ReadingId::from_text(row.try_get::<String, _>(0)?),
        title: row.try_get(1)?,
        language: word(row, 2, "readings.language", Language::from_key)?,
        chars: row.try_get(3)?,
        bookmark: row.try_get(4)?,
        created_ms: row.try_get(5)?,
        read_ms: row.try_get(6)?,
        next: row.try_get(7)?,
    })
}

/// Moves a text's bookmark behind a passage, in the transaction that stores the reply which reads it.
pub(super) async fn read(
    connection: &mut SqliteConnection,
    person: &PersonId,
    turn: &TurnId,
    passage: &NewPassage,
    now_ms: i64,
) -> Result<(), Error> {
    // Where the text was deleted meanwhile, nothing is left to be moved.
    sqlx::query(
        "UPDATE readings SET bookmark = $1, read_at = $2, turn = $3, turn_place = $4, turn_from = $5, turn_to = $6 \
         WHERE person = $7 AND id = $8",
    )
    .bind(passage.bookmark)
    .bind(now_ms)
    .bind(turn.as_str())
    .bind(passage.place)
    .bind(passage.from)
    .bind(passage.to)
    .bind(person.as_str())
    .bind(passage.reading.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

async fn in_transaction(
    connection: &mut SqliteConnection,
    person: &PersonId,
    id: &str,
) -> Result<Option<Reading>, Error> {
    let found = sqlx::query(select!(reading, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(reading).transpose()
}

struct Add {
    new: NewReading,
    most: usize,
}

impl Job for Add {
    type Out = Option<Reading>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let new = &self.new;
        let person = new.person.as_str();
        let there: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM readings WHERE person = $1")
            .bind(person)
            .fetch_one(&mut *connection)
            .await?;
        if usize::try_from(there).unwrap_or(usize::MAX) >= self.most {
            return Ok(None);
        }
        let id = ReadingId::new(new.now_ms)?;
        sqlx::query(
            "INSERT INTO readings (id, person, title, language, chars, bookmark, created_at, text) \
             VALUES ($1, $2, $3, $4, $5, 0, $6, $7)",
        )
        .bind(id.as_str())
        .bind(person)
        .bind(&new.title)
        .bind(new.language.key())
        .bind(i64::try_from(new.text.chars().count()).unwrap_or(i64::MAX))
        .bind(new.now_ms)
        .bind(&new.text)
        .execute(&mut *connection)
        .await?;
        in_transaction(connection, &new.person, id.as_str()).await
    }
}

impl Repeatable for Add {
    fn writer(&self) -> &PersonId {
        &self.new.person
    }

    fn subject(&self) -> String {
        "reading".to_owned()
    }

    fn remember(&self, out: &Self::Out) -> Option<String> {
        out.as_ref().map(|reading| reading.id.to_string())
    }

    async fn recall(&self, connection: &mut SqliteConnection, id: &str) -> Result<Self::Out, Error> {
        // It may have been deleted since.
        in_transaction(connection, &self.new.person, id).await?.ok_or(Error::Gone).map(Some)
    }
}

struct Change {
    person: PersonId,
    reading: ReadingId,
    change: ReadingChange,
}

impl Job for Change {
    type Out = Option<Reading>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let (person, id) = (self.person.as_str(), self.reading.as_str());
        if let Some(title) = &self.change.title {
            sqlx::query("UPDATE readings SET title = $1 WHERE person = $2 AND id = $3")
                .bind(title)
                .bind(person)
                .bind(id)
                .execute(&mut *connection)
                .await?;
        }
        if let Some(bookmark) = self.change.bookmark {
            // What is still being heard of the last passage moves it no more.
            sqlx::query(
                "UPDATE readings SET bookmark = CASE WHEN chars < $1 THEN chars ELSE $1 END, turn = NULL \
                 WHERE person = $2 AND id = $3",
            )
            .bind(bookmark)
            .bind(person)
            .bind(id)
            .execute(&mut *connection)
            .await?;
        }
        in_transaction(connection, &self.person, id).await
    }
}

impl Repeatable for Change {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        format!("reading {}", self.reading)
    }

    fn remember(&self, out: &Self::Out) -> Option<String> {
        out.as_ref().map(|_| "changed".to_owned())
    }

    async fn recall(&self, connection: &mut SqliteConnection, _: &str) -> Result<Self::Out, Error> {
        in_transaction(connection, &self.person, self.reading.as_str()).await
    }
}

struct Delete {
    person: PersonId,
    reading: ReadingId,
}

impl Job for Delete {
    type Out = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, Error> {
        let gone = sqlx::query("DELETE FROM readings WHERE person = $1 AND id = $2")
            .bind(self.person.as_str())
            .bind(self.reading.as_str())
            .execute(connection)
            .await?;
        Ok(gone.rows_affected() > 0)
    }
}

impl Repeatable for Delete {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        format!("delete reading {}", self.reading)
    }

    fn remember(&self, out: &bool) -> Option<String> {
        out.then(|| "deleted".to_owned())
    }

    async fn recall(&self, _: &mut SqliteConnection, _: &str) -> Result<bool, Error> {
        Ok(true)
    }
}

struct MoveBookmark {
    person: PersonId,
    turn: TurnId,
    bookmark: i64,
}

impl Job for MoveBookmark {
    type Out = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, Error> {
        let moved = sqlx::query(
            "UPDATE readings SET bookmark = CASE WHEN chars < $1 THEN chars ELSE $1 END WHERE person = $2 AND turn = $3",
        )
        .bind(self.bookmark)
        .bind(self.person.as_str())
        .bind(self.turn.as_str())
        .execute(connection)
        .await?;
        Ok(moved.rows_affected() > 0)
    }
}

async fn all(pool: &SqlitePool, person: PersonId) -> Result<Vec<Reading>, Error> {
    let found = sqlx::query(select!(
        reading,
        "WHERE person = $1 ORDER BY COALESCE(read_at, created_at) DESC, id DESC"
    ))
    .bind(person.as_str())
    .fetch_all(pool)
    .await?;
    found.iter().map(reading).collect()
}

async fn one(pool: &SqlitePool, person: PersonId, id: ReadingId) -> Result<Option<Reading>, Error> {
    let found = sqlx::query(select!(reading, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(id.as_str())
        .fetch_optional(pool)
        .await?;
    found.as_ref().map(reading).transpose()
}

async fn rest(pool: &SqlitePool, person: PersonId, id: ReadingId) -> Result<Option<String>, Error> {
    let found = sqlx::query(
        "SELECT substr(text, CAST(bookmark AS INTEGER) + 1) FROM readings WHERE person = $1 AND id = $2",
    )
    .bind(person.as_str())
    .bind(id.as_str())
    .fetch_optional(pool)
    .await?;
    Ok(found.map(|row| row.try_get(0)).transpose()?)
}

async fn last_passage(
    pool: &SqlitePool,
    person: PersonId,
    turn: TurnId,
) -> Result<Option<LastPassage>, Error> {
    let found = sqlx::query(
        "SELECT id, turn_place, turn_from, \
         substr(text, CAST(turn_from AS INTEGER) + 1, CAST(turn_to - turn_from AS INTEGER)) \
         FROM readings WHERE person = $1 AND turn = $2",
    )
    .bind(person.as_str())
    .bind(turn.as_str())
    .fetch_optional(pool)
    .await?;
    let Some(row) = found else { return Ok(None) };
    Ok(Some(LastPassage {
        reading: ReadingId::from_text(row.try_get::<String, _>(0)?),
        place: row.try_get(1)?,
        from: row.try_get(2)?,
        text: row.try_get(3)?,
    }))
}

impl Readings for Sqlite {
    fn readings(&self, person: PersonId) -> Answer<'_, Vec<Reading>> {
        Box::pin(all(&self.readers, person))
    }

    fn reading(&self, person: PersonId, reading: ReadingId) -> Answer<'_, Option<Reading>> {
        Box::pin(one(&self.readers, person, reading))
    }

    fn reading_rest(&self, person: PersonId, reading: ReadingId) -> Answer<'_, Option<String>> {
        Box::pin(rest(&self.readers, person, reading))
    }

    fn add_reading(
        &self,
        reading: NewReading,
        most: usize,
        once: Option<Once>,
    ) -> Answer<'_, Option<Reading>> {
        self.write(once::Once { job: Add { new: reading, most }, once })
    }

    fn change_reading(
        &self,
        person: PersonId,
        reading: ReadingId,
        change: ReadingChange,
        once: Option<Once>,
    ) -> Answer<'_, Option<Reading>> {
        self.write(once::Once { job: Change { person, reading, change }, once })
    }

    fn delete_reading(&self, person: PersonId, reading: ReadingId, once: Option<Once>) -> Answer<'_, bool> {
        self.write(once::Once { job: Delete { person, reading }, once })
    }

    fn last_passage(&self, person: PersonId, turn: TurnId) -> Answer<'_, Option<LastPassage>> {
        Box::pin(last_passage(&self.readers, person, turn))
    }

    fn move_bookmark(&self, person: PersonId, turn: TurnId, bookmark: i64) -> Answer<'_, bool> {
        self.write(MoveBookmark { person, turn, bookmark })
    }
}

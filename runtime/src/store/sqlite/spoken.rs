//! How much was spoken, in SQLite.

use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::Sqlite;
use super::writer::Job;
use crate::ids::PersonId;
use crate::store::{Answer, Error, Spoken, SpokenDay};

async fn one(pool: &SqlitePool, person: PersonId, day: String) -> Result<SpokenDay, Error> {
    let found = sqlx::query("SELECT characters, told FROM speech_days WHERE person = $1 AND day = $2")
        .bind(person.as_str())
        .bind(day)
        .fetch_optional(pool)
        .await?;
    let Some(row) = found else { return Ok(SpokenDay::default()) };
    let characters: i64 = row.try_get(0)?;
    let characters = u64::try_from(characters)
        .map_err(|_| Error::Row { column: "speech_days.characters", found: characters.to_string() })?;
    Ok(SpokenDay { characters, told: row.try_get::<i64, _>(1)? != 0 })
}

struct Add {
    person: PersonId,
    day: String,
    more: SpokenDay,
}

impl Job for Add {
    type Out = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), Error> {
        // The person may have been erased meanwhile.
        sqlx::query(
            "INSERT INTO speech_days (person, day, characters, told) \
             SELECT id, $2, $3, $4 FROM persons WHERE id = $1 \
             ON CONFLICT (person, day) DO UPDATE SET characters = speech_days.characters + excluded.characters, \
             told = CASE WHEN excluded.told > speech_days.told THEN excluded.told ELSE speech_days.told END",
        )
        .bind(self.person.as_str())
        .bind(&self.day)
        .bind(i64::try_from(self.more.characters).unwrap_or(i64::MAX))
        .bind(i64::from(self.more.told))
        .execute(connection)
        .await?;
        Ok(())
    }
}

impl Spoken for Sqlite {
    fn spoken(&self, person: PersonId, day: String) -> Answer<'_, SpokenDay> {
        Box::pin(one(&self.readers, person, day))
    }

    fn add_spoken(&self, person: PersonId, day: String, more: SpokenDay) -> Answer<'_, ()> {
        self.write(Add { person, day, more })
    }
}

//! Prints of voices, in SQLite.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::once::{self, Repeatable};
use super::writer::Job;
use super::{Sqlite, settings};
use crate::ids::PersonId;
use crate::store::{Answer, Error, Once, VoiceClip, Voices};
use crate::voice::tone::Features;

fn clip(row: &SqliteRow) -> Result<VoiceClip, Error> {
    Ok(VoiceClip {
        heard_ms: row.try_get(0)?,
        features: Features {
            dur: row.try_get(1)?,
            pitch: row.try_get(2)?,
            pitch_var: row.try_get(3)?,
            energy: row.try_get(4)?,
            pause: row.try_get(5)?,
            rate: row.try_get(6)?,
            tail: row.try_get(7)?,
        },
    })
}

async fn last(
    pool: &SqlitePool,
    person: PersonId,
    version: i64,
    limit: i64,
) -> Result<Vec<VoiceClip>, Error> {
    let found = sqlx::query(
        "SELECT heard_at, dur, pitch, pitch_var, energy, pause, rate, tail FROM voice_clips \
         WHERE person = $1 AND version = $2 ORDER BY number DESC LIMIT $3",
    )
    .bind(person.as_str())
    .bind(version)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    found.iter().rev().map(clip).collect()
}

struct Keep {
    person: PersonId,
    version: i64,
    clip: VoiceClip,
}

impl Job for Keep {
    type Out = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, Error> {
        let person = self.person.as_str();
        // What is set is read here: it may have been set while the utterance was being heard.
        let Some(standing) = settings::in_transaction(connection, &self.person).await? else {
            return Ok(false);
        };
        let last: Option<i64> = sqlx::query_scalar("SELECT max(number) FROM voice_clips WHERE person = $1")
            .bind(person)
            .fetch_one(&mut *connection)
            .await?;
        let number = last.unwrap_or(0) + 1;
        let Features { dur, pitch, pitch_var, energy, pause, rate, tail } = self.clip.features;
        sqlx::query(
            "INSERT INTO voice_clips (person, number, version, heard_at, dur, pitch, pitch_var, energy, pause, rate, \
             tail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(person)
        .bind(number)
        .bind(self.version)
        .bind(self.clip.heard_ms)
        .bind(dur)
        .bind(pitch)
        .bind(pitch_var)
        .bind(energy)
        .bind(pause)
        .bind(rate)
        .bind(tail)
        .execute(&mut *connection)
        .await?;
        sqlx::query("DELETE FROM voice_clips WHERE person = $1 AND (number <= $2 OR version <> $3)")
            .bind(person)
            .bind(number - standing.personal.settings.tone.baseline_keep)
            .bind(self.version)
            .execute(connection)
            .await?;
        Ok(true)
    }
}

impl Repeatable for Keep {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        "voice".to_owned()
    }

    fn remember(&self, kept: &bool) -> Option<String> {
        kept.then(|| "kept".to_owned())
    }

    async fn recall(&self, _: &mut SqliteConnection, _: &str) -> Result<bool, Error> {
        Ok(true)
    }
}

struct Forget(PersonId);

impl Job for Forget {
    type Out = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, Error> {
        let gone = sqlx::query("DELETE FROM voice_clips WHERE person = $1")
            .bind(self.0.as_str())
            .execute(connection)
            .await?;
        Ok(gone.rows_affected())
    }
}

struct DropVoid(i64);

impl Job for DropVoid {
    type Out = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, Error> {
        let gone = sqlx::query("DELETE FROM voice_clips WHERE version <> $1")
            .bind(self.0)
            .execute(connection)
            .await?;
        Ok(gone.rows_affected())
    }
}

impl Voices for Sqlite {
    fn voice_clips(&self, person: PersonId, version: i64, limit: i64) -> Answer<'_, Vec<VoiceClip>> {
        Box::pin(last(&self.readers, person, version, limit))
    }

    fn keep_voice_clip(
        &self,
        person: PersonId,
        version: i64,
        clip: VoiceClip,
        once: Option<Once>,
    ) -> Answer<'_, bool> {
        self.write(once::Once { job: Keep { person, version, clip }, once })
    }

    fn forget_voice(&self, person: PersonId) -> Answer<'_, u64> {
        self.write(Forget(person))
    }

    fn drop_void_voices(&self, version: i64) -> Answer<'_, u64> {
        self.write(DropVoid(version))
    }
}

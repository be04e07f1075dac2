//! Migrations: numbered files, each run once, in one transaction with its number.

use std::path::Path;

use sqlx::{Connection as _, Executor as _, SqliteConnection};

use super::writer::Job;
use crate::clock::{Clock as _, SystemClock};
use crate::store::Error;

/// Every migration, in order; the number is the version it leads to. Numbers may have gaps.
const MIGRATIONS: &[(i64, &str)] = &[
    (1, include_str!("../migrations/0001.sql")),
    (2, include_str!("../migrations/0002_models.sql")),
    (3, include_str!("../migrations/0003_people.sql")),
    (4, include_str!("../migrations/0004_effects.sql")),
    (5, include_str!("../migrations/0005_settings.sql")),
    (6, include_str!("../migrations/0006_push.sql")),
    (7, include_str!("../migrations/0007_calls.sql")),
    (8, include_str!("../migrations/0008_companion.sql")),
    (9, include_str!("../migrations/0009_voice.sql")),
    (10, include_str!("../migrations/0010_speech.sql")),
    (11, include_str!("../migrations/0011_live.sql")),
    (12, include_str!("../migrations/0012_readings.sql")),
];

/// The newest version that this program knows.
pub(super) fn known() -> i64 {
    MIGRATIONS.last().map_or(0, |(version, _)| *version)
}

/// Brings the database to the newest version.
pub(super) async fn migrate(connection: &mut SqliteConnection, path: &Path) -> Result<(), Error> {
    let open_failed = |error: sqlx::Error| Error::Open { path: path.to_owned(), reason: error.to_string() };
    connection
        .execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL PRIMARY KEY)")
        .await
        .map_err(open_failed)?;
    let ran: Vec<i64> = sqlx::query_scalar("SELECT version FROM schema_version ORDER BY version")
        .fetch_all(&mut *connection)
        .await
        .map_err(open_failed)?;
    let found = ran.last().copied().unwrap_or(0);
    let known = known();
    if found > known {
        return Err(Error::NewerSchema { path: path.to_owned(), found, known });
    }
    // Each that did not run yet, whatever its number: numbers may have gaps, and a gap may be filled later.
    for &(version, sql) in MIGRATIONS.iter().filter(|(version, _)| !ran.contains(version)) {
        let failed = |error: sqlx::Error| match Error::from(error) {
            // A full disk is no fault of the migration.
            degraded @ Error::Degraded(_) => degraded,
            error => Error::Migration { version, reason: error.to_string() },
        };
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        transaction.execute(sqlx::raw_sql(sql)).await.map_err(failed)?;
        sqlx::query("INSERT INTO schema_version (version) VALUES ($1)")
            .bind(version)
            .execute(&mut *transaction)
            .await
            .map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
    }
    Ok(())
}

/// A real write before anything is served.
pub(super) async fn pulse(connection: &mut SqliteConnection) -> Result<(), Error> {
    Pulse { now_ms: SystemClock.now_ms() }.run(connection).await
}

/// A real write, for readiness.
pub(super) struct Pulse {
    pub(super) now_ms: i64,
}

impl Job for Pulse {
    type Out = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO pulse (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
        )
        .bind(self.now_ms)
        .execute(connection)
        .await?;
        Ok(())
    }
}

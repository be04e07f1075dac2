//! A look at a database file from outside, for `handset doctor`: no row is changed.

use std::path::Path;

use sqlx::sqlite::SqliteRow;
use sqlx::{Connection as _, Row as _, SqliteConnection};

use super::{open, rows, schema};
use crate::store::{Error, RingOutcome};

/// What was found in a database file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The version of its schema; 0 where it has none.
    pub version: i64,
    /// The newest version that this program knows.
    pub known: i64,
    /// What [SQLite's quick check](https://www.sqlite.org/pragma.html#pragma_quick_check) found, if it found anything.
    pub damage: Option<String>,
    /// When its newest message was stored, in milliseconds since the Unix epoch.
    pub newest_ms: Option<i64>,
    /// Whether a token with the hash asked for is known.
    pub token_known: bool,
    /// Where devices are rung: how many subscriptions for each server key, by what came of their last push.
    pub subscriptions: Vec<(String, Option<RingOutcome>, i64)>,
}

/// Looks at a file, while a server may be writing to it.
///
/// # Errors
/// When it cannot be read at all.
pub async fn state(path: &Path, token_hash: &str) -> Result<State, Error> {
    let pool = open::remains(path).await;
    let mut connection = pool.acquire().await?.detach();
    let found = look(&mut connection, token_hash).await;
    drop(connection.close().await);
    found
}

async fn look(connection: &mut SqliteConnection, token_hash: &str) -> Result<State, Error> {
    let damage = match open::quick_check(connection).await {
        Ok(()) => None,
        Err(Error::Degraded(reason)) => Some(reason),
        Err(error) => return Err(error),
    };
    // What a file does not hold is not known of it; a damaged one may not even say that much.
    let version = sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM schema_version")
        .fetch_one(&mut *connection)
        .await
        .unwrap_or(0);
    let newest_ms = sqlx::query_scalar("SELECT MAX(created_at) FROM messages")
        .fetch_one(&mut *connection)
        .await
        .unwrap_or(None);
    let known: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM tokens WHERE hash = $1")
        .bind(token_hash)
        .fetch_one(&mut *connection)
        .await
        .unwrap_or(0);
    let found = sqlx::query(
        "SELECT server_key, outcome, COUNT(*) FROM subscriptions GROUP BY server_key, outcome ORDER BY server_key, outcome",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap_or_default();
    let subscription = |row: &SqliteRow| {
        let outcome = rows::maybe_word(row, 1, "subscriptions.outcome", RingOutcome::from_word).ok()?;
        Some((row.try_get(0).ok()?, outcome, row.try_get(2).ok()?))
    };
    let subscriptions = found.iter().filter_map(subscription).collect();
    Ok(State { version, known: schema::known(), damage, newest_ms, token_known: known > 0, subscriptions })
}

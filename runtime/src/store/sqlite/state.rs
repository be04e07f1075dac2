//! A look at a database file from outside, for `handset doctor`: no row is changed.

use std::path::Path;

use sqlx::{Connection as _, SqliteConnection};

use super::{open, schema};
use crate::store::Error;

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
        .fetch_one(connection)
        .await
        .unwrap_or(0);
    Ok(State { version, known: schema::known(), damage, newest_ms, token_known: known > 0 })
}

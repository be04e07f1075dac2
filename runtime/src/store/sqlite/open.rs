//! How connections are opened, and why so.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, SqliteConnection, SqlitePool};

use crate::store::Error;

/// How many readers stand beside the writer. Each is a thread; a read takes tens of microseconds.
const READERS: u32 = 4;

/// Options that all connections share.
///
/// - `synchronous = FULL`: a commit is on the disk before it is answered. `NORMAL` would lose the last commits when the
///   power goes; a phone that has just set an alarm would then find its card unanswered. The writer pays the flush once
///   for everything that waits, not once a row.
/// - `busy_timeout`: only another process (a backup, a shell) can hold the file; it is waited for.
fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(true)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(5))
}

/// The one connection that writes. The journal mode is read back: some file systems keep none.
pub(super) async fn writer(path: &Path) -> Result<SqliteConnection, Error> {
    let opened = options(path).create_if_missing(true).journal_mode(SqliteJournalMode::Wal).connect().await;
    let mut connection =
        opened.map_err(|error| Error::Open { path: path.to_owned(), reason: error.to_string() })?;
    let found: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut connection).await?;
    if found != "wal" {
        return Err(Error::NoWal { path: path.to_owned(), found });
    }
    Ok(connection)
}

/// The connections that only read.
pub(super) async fn readers(path: &Path) -> Result<SqlitePool, Error> {
    let pool = SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(Duration::from_secs(5))
        // A reader's connection cannot go stale by itself; asking it first would double each read.
        .test_before_acquire(false)
        .connect_with(options(path).read_only(true))
        .await?;
    Ok(pool)
}

//! How connections are opened, and why so.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, SqlitePool};

use super::keeper;
use crate::store::Error;

/// How many readers stand beside the writer. Each is a thread; a read takes tens of microseconds.
const READERS: u32 = 4;
/// How large a file is looked through at each start, in bytes. A look reads the whole file: at this size less than a
/// second from a disk, and `handset doctor` looks through files of any size.
const CHECKED_AT_START: u64 = 256 * 1024 * 1024;

/// Options that all connections share.
///
/// - `synchronous = FULL`: a commit is on the disk before it is answered. `NORMAL` would lose the last commits when the
///   power goes; a phone that has just set an alarm would then find its card unanswered. The writer pays the flush once
///   for everything that waits, not once a row.
/// - `busy_timeout`: only another process (a backup, a shell) can hold the file; it is waited for.
/// - No statement is logged: whoever reads a log wants to know what happened, not how it was asked.
fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(true)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(5))
        .disable_statement_logging()
}

/// The one connection that writes. The journal mode is read back: some file systems keep none.
pub(super) async fn writer(path: &Path) -> Result<SqliteConnection, Error> {
    // Made readable for its owner alone; the files beside it take after it.
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    if let Err(error) = made.map(drop)
        && error.kind() != ErrorKind::AlreadyExists
    {
        tracing::debug!(%error, "the database's file could not be made ahead");
    }
    let options = options(path).create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
    // What is deleted is overwritten: whoever erases everything of theirs leaves no words in the file's free pages.
    let options =
        options.pragma("wal_autocheckpoint", keeper::LONG.to_string()).pragma("secure_delete", "ON");
    let opened = options.connect().await;
    let mut connection =
        opened.map_err(|error| Error::Open { path: path.to_owned(), reason: error.to_string() })?;
    let found: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut connection).await?;
    if found != "wal" {
        return Err(Error::NoWal { path: path.to_owned(), found });
    }
    Ok(connection)
}

/// The connection that folds the log, and writes nothing else.
pub(super) async fn keeper(path: &Path) -> Result<SqliteConnection, Error> {
    Ok(options(path).connect().await?)
}

/// The connections that only read.
pub(super) async fn readers(path: &Path) -> Result<SqlitePool, Error> {
    Ok(pool().connect_with(options(path).read_only(true)).await?)
}

/// The connections that read what can be read of a file that cannot be written. None is opened before it is needed, and
/// each question that cannot be answered says why.
pub(super) async fn remains(path: &Path) -> SqlitePool {
    let options = options(path).read_only(true);
    // A log without its index, in a folder that takes no new file, can be read only as if nobody ever wrote.
    let unchanging = match options.connect().await {
        Ok(mut connection) => {
            let read = sqlx::query("SELECT COUNT(*) FROM schema_version").execute(&mut connection).await;
            drop(connection.close().await);
            read.is_err()
        }
        Err(_) => true,
    };
    pool().connect_lazy_with(options.immutable(unchanging))
}

fn pool() -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(Duration::from_secs(5))
        // A reader's connection cannot go stale by itself; asking it first would double each read.
        .test_before_acquire(false)
}

/// Looks through a file that was there before, unless it is large (P151). It is opened for reading alone: closing the
/// last connection that writes would fold the log into a file that may be damaged.
pub(super) async fn look_through(path: &Path) -> Result<(), Error> {
    let Ok(file) = std::fs::metadata(path) else { return Ok(()) };
    if file.len() > CHECKED_AT_START {
        tracing::info!("the database is large and was not looked through; handset doctor does it");
        return Ok(());
    }
    let opened = options(path).read_only(true).connect().await;
    let mut connection =
        opened.map_err(|error| Error::Open { path: path.to_owned(), reason: error.to_string() })?;
    let found = quick_check(&mut connection).await;
    drop(connection.close().await);
    found
}

/// SQLite's own look through the whole file.
pub(super) async fn quick_check(connection: &mut SqliteConnection) -> Result<(), Error> {
    let said: Vec<String> = sqlx::query_scalar("PRAGMA quick_check(3)").fetch_all(connection).await?;
    if said == ["ok"] {
        return Ok(());
    }
    Err(Error::Degraded(format!("the database file is damaged ({})", said.join("; ").replace('\n', " "))))
}

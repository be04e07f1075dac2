//! What can go wrong with the store, in sentences for the operator.

use std::fmt;
use std::path::PathBuf;

/// Why the store did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The database file was written by a newer version of the program.
    NewerSchema {
        /// The database file.
        path: PathBuf,
        /// The version found.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// The write-ahead log could not be switched on.
    NoWal {
        /// The database file.
        path: PathBuf,
        /// The journal mode found.
        found: String,
    },
    /// A migration did not run.
    Migration {
        /// Its number.
        version: i64,
        /// What the database said.
        reason: String,
    },
    /// The file cannot be opened.
    Open {
        /// The database file.
        path: PathBuf,
        /// What the database said.
        reason: String,
    },
    /// Another writer held the database longer than it was waited for.
    Busy,
    /// A row holds what this program does not know.
    Row {
        /// The column.
        column: &'static str,
        /// The value found.
        found: String,
    },
    /// The chat was deleted meanwhile, with everything in it.
    Gone,
    /// A client id came again with another write than its first.
    Reused,
    /// The writer has stopped; the server is going down.
    Closed,
    /// Anything else the database said.
    Database(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewerSchema { path, found, known } => write!(
                f,
                "{} has schema version {found}, and this program knows versions up to {known}: start the newer \
                 program that wrote it, or choose another data folder with --data",
                path.display()
            ),
            Self::NoWal { path, found } => write!(
                f,
                "{} is in journal mode {found:?} and cannot be switched to WAL; a network mount is the usual cause: \
                 choose a data folder on a local disk with --data",
                path.display()
            ),
            Self::Migration { version, reason } => write!(f, "migration {version} did not run: {reason}"),
            Self::Open { path, reason } => write!(
                f,
                "{} cannot be opened as a database ({reason}); it was left as it is: move it aside to start with an \
                 empty one, or choose another data folder with --data",
                path.display()
            ),
            Self::Busy => f.write_str("another process is writing to the database; try again"),
            Self::Row { column, found } => {
                write!(f, "column {column} holds {found:?}, which has no meaning here")
            }
            Self::Gone => f.write_str("the chat was deleted"),
            Self::Reused => f.write_str("this client id belongs to another write"),
            Self::Closed => f.write_str("the store is closed"),
            Self::Database(reason) => write!(f, "the database said: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolClosed) {
            return Self::Closed;
        }
        let code = error.as_database_error().and_then(|e| e.code());
        match code.as_deref().and_then(|code| code.parse::<i64>().ok()) {
            // SQLite's primary result code is the low byte: 5 is busy, whatever kind of busy.
            Some(code) if code & 0xff == 5 => Self::Busy,
            _ => Self::Database(error.to_string()),
        }
    }
}

impl From<crate::ids::NoRandomness> for Error {
    fn from(error: crate::ids::NoRandomness) -> Self {
        Self::Database(error.to_string())
    }
}

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
    /// The store cannot do its work for a reason that lies outside the program: a file that is damaged, unreadable,
    /// read-only, or on a full disk. Reads may still be answered.
    Degraded(String),
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
                "{} cannot be opened as a database ({reason}); it was left as it is. See that this user may \
                 write it and its folder; a file that is no database is moved aside by hand, or another data folder chosen \
                 with --data",
                path.display()
            ),
            Self::Degraded(reason) => write!(f, "the store is degraded: {reason}"),
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

impl Error {
    /// Whether the server may start all the same and serve what can be read. What only a person can decide (a newer
    /// schema, a network mount) is no such error.
    #[must_use]
    pub fn leaves_reads(&self) -> bool {
        matches!(self, Self::Degraded(_) | Self::Open { .. })
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolClosed) {
            return Self::Closed;
        }
        let code = error.as_database_error().and_then(|e| e.code());
        // SQLite's primary result code is the low byte, whatever kind of it there is.
        match code.as_deref().and_then(|code| code.parse::<i64>().ok()).map(|code| code & 0xff) {
            Some(5) => Self::Busy,
            Some(8) => Self::Degraded("the database file is read-only".to_owned()),
            Some(10) => Self::Degraded(format!("the disk failed or is full ({})", bare(&error))),
            Some(11) => Self::Degraded(format!("the database file is damaged ({})", bare(&error))),
            Some(13) => Self::Degraded("the disk is full".to_owned()),
            Some(14) => Self::Degraded(format!("the database file cannot be opened ({})", bare(&error))),
            Some(26) => Self::Degraded("the file is no database".to_owned()),
            _ => Self::Database(error.to_string()),
        }
    }
}

/// What the database said, without what the library says around it.
fn bare(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| error.to_string(), |error| error.message().to_owned())
}

impl From<crate::ids::NoRandomness> for Error {
    fn from(error: crate::ids::NoRandomness) -> Self {
        Self::Database(error.to_string())
    }
}

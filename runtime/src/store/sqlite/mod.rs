//! The embedded store: one SQLite file, one writer, a few readers beside it, and a keeper that folds the log.

mod calls;
mod cards;
mod chats;
mod codes;
mod companions;
mod conversation;
mod devices;
mod effects;
mod erase;
mod export;
mod house;
mod invites;
mod keeper;
mod lines;
mod once;
mod open;
mod people;
mod persons;
mod readings;
mod rings;
mod rows;
mod schema;
mod settings;
mod spoken;
mod state;
mod subscriptions;
mod turns;
mod voices;
mod writer;

use std::path::Path;

use sqlx::SqlitePool;

use self::keeper::Keeper;
pub use self::state::{State, state};
use self::writer::{Job, Writer};
use super::{Answer, Error, Store};

/// A store in one SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    writer: Writes,
    readers: SqlitePool,
}

/// Who writes.
#[derive(Debug)]
enum Writes {
    /// The one writer, and who folds its log.
    By(Writer, Keeper),
    /// Nobody, for this reason.
    Nobody(String),
}

impl Sqlite {
    /// Opens the file, makes it where there is none, and brings it to this program's schema.
    ///
    /// # Errors
    /// When the file cannot be opened, is damaged or no database, takes no write, is newer than this program, or cannot
    /// have a write-ahead log. Nothing of it is deleted or overwritten.
    pub async fn open(path: &Path) -> Result<Self, Error> {
        open::look_through(path).await?;
        let mut connection = open::writer(path).await?;
        schema::migrate(&mut connection, path).await?;
        // A file may open and still take no write: it is read-only, or its disk is full.
        schema::pulse(&mut connection).await?;
        let readers = open::readers(path).await?;
        let writer = Writer::start(connection);
        let keeper = Keeper::start(open::keeper(path).await?, writer.committed());
        Ok(Self { writer: Writes::By(writer, keeper), readers })
    }

    /// Opens what can be read of a file that [`Self::open`] could not open. Every write is answered with `reason`.
    pub async fn open_degraded(path: &Path, reason: String) -> Self {
        Self { writer: Writes::Nobody(reason), readers: open::remains(path).await }
    }

    /// Opens a file to be read alone, also beside a server that works with it: nothing is made, and every write is refused.
    pub async fn open_to_read(path: &Path) -> Self {
        Self::open_degraded(path, "it was opened to be read alone".to_owned()).await
    }

    fn write<J: Job>(&self, job: J) -> Answer<'_, J::Out> {
        match &self.writer {
            Writes::By(writer, _) => Box::pin(writer.perform(job)),
            Writes::Nobody(reason) => Box::pin(async { Err(Error::Degraded(reason.clone())) }),
        }
    }
}

impl Store for Sqlite {
    fn degraded(&self) -> Option<&str> {
        match &self.writer {
            Writes::By(..) => None,
            Writes::Nobody(reason) => Some(reason),
        }
    }

    fn check(&self, now_ms: i64) -> Answer<'_, ()> {
        self.write(schema::Pulse { now_ms })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.readers.close().await;
            if let Writes::By(writer, keeper) = &self.writer {
                keeper.stop().await;
                writer.stop().await;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;

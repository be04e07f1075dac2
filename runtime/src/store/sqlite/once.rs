//! Writes that may be repeated: what the first came to is kept beside it, in the same transaction.
//!
//! Kept is an id or a word, from which the answer is made again; nobody's words stay behind when their chat is deleted.

use std::future::Future;

use sqlx::{Row as _, SqliteConnection};

use super::writer::Job;
use crate::ids::PersonId;
use crate::store::{self, Error};

/// How long a repetition is known, in milliseconds: a week. An app's outbox does not wait longer.
const KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// A write whose outcome can be told again.
pub(super) trait Repeatable: Job {
    /// Whose write it is.
    fn writer(&self) -> &PersonId;
    /// What it does to what: a client id that comes with another subject is a mistake of the client's.
    fn subject(&self) -> String;
    /// The outcome in a word; nothing where nothing was done, so that the same request may try again.
    fn remember(&self, out: &Self::Out) -> Option<String>;
    /// Tells the outcome again.
    fn recall<'a>(
        &'a self,
        connection: &'a mut SqliteConnection,
        outcome: &'a str,
    ) -> impl Future<Output = Result<Self::Out, Error>> + Send + 'a;
}

/// A write, done once for all that come with its client id.
pub(super) struct Once<J> {
    pub(super) job: J,
    pub(super) once: Option<store::Once>,
}

impl<J: Repeatable> Job for Once<J> {
    type Out = J::Out;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<J::Out, Error> {
        let Some(once) = &self.once else { return self.job.run(connection).await };
        let (person, subject) = (self.job.writer(), self.job.subject());
        let found = sqlx::query("SELECT subject, outcome FROM writes WHERE person = $1 AND client_id = $2")
            .bind(person.as_str())
            .bind(&once.client_id)
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(row) = found {
            if row.try_get::<String, _>(0)? != subject {
                return Err(Error::Reused);
            }
            return self.job.recall(connection, &row.try_get::<String, _>(1)?).await;
        }
        let out = self.job.run(connection).await?;
        let Some(outcome) = self.job.remember(&out) else { return Ok(out) };
        sqlx::query("DELETE FROM writes WHERE created_at < $1")
            .bind(once.now_ms - KEPT_MS)
            .execute(&mut *connection)
            .await?;
        sqlx::query(
            "INSERT INTO writes (person, client_id, subject, outcome, created_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(person.as_str())
        .bind(&once.client_id)
        .bind(subject)
        .bind(outcome)
        .bind(once.now_ms)
        .execute(connection)
        .await?;
        Ok(out)
    }
}

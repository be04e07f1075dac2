//! The writer over a real file.

use super::super::open;
use super::*;

struct Run(&'static str);

impl Job for Run {
    type Out = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, Error> {
        // Two statements: what the first did has to go when the second fails.
        sqlx::query("INSERT INTO log (word) VALUES ($1)").bind(self.0).execute(&mut *connection).await?;
        let done =
            sqlx::query("INSERT INTO once (word) VALUES ($1)").bind(self.0).execute(connection).await?;
        Ok(done.rows_affected())
    }
}

struct Folder(std::path::PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("handset-writer-{}", crate::ids::secret().unwrap()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn a_job_that_fails_does_not_undo_its_neighbours() {
    let folder = Folder::new();
    let path = folder.0.join("w.db");
    let mut connection = open::writer(&path).await.unwrap();
    connection
        .execute("CREATE TABLE log (word TEXT); CREATE TABLE once (word TEXT PRIMARY KEY)")
        .await
        .unwrap();
    let writer = Writer::start(connection);
    let (a, b, again, c) = tokio::join!(
        writer.perform(Run("a")),
        writer.perform(Run("b")),
        writer.perform(Run("a")),
        writer.perform(Run("c")),
    );
    assert_eq!((a, b, c), (Ok(1), Ok(1), Ok(1)));
    assert!(matches!(again, Err(Error::Database(_))));
    assert!(matches!(writer.perform(Run("a")).await, Err(Error::Database(_))), "alone, too");
    let readers = open::readers(&path).await.unwrap();
    let words: Vec<String> =
        sqlx::query_scalar("SELECT word FROM log ORDER BY word").fetch_all(&readers).await.unwrap();
    assert_eq!(words, ["a", "b", "c"], "the failed job's first statement is undone, its neighbours' are not");
    writer.stop().await;
    assert_eq!(writer.perform(Run("d")).await, Err(Error::Closed));
}

/// P145, P147: another process holds the database; the whole transaction is repeated, and nothing is lost.
#[tokio::test]
async fn p147_a_busy_database_repeats_the_whole_transaction() {
    let folder = Folder::new();
    let path = folder.0.join("w.db");
    let mut connection = open::writer(&path).await.unwrap();
    connection
        .execute("CREATE TABLE log (word TEXT); CREATE TABLE once (word TEXT PRIMARY KEY)")
        .await
        .unwrap();
    connection.execute("PRAGMA busy_timeout = 1").await.unwrap();
    let writer = Writer::start(connection);
    let mut other = open::writer(&path).await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let freed = async {
        tokio::time::sleep(Duration::from_millis(40)).await;
        other.execute("COMMIT").await.unwrap();
    };
    let (done, ()) = tokio::join!(writer.perform(Run("a")), freed);
    assert_eq!(done, Ok(1));
}

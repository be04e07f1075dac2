//! The rival: a plain sqlx connection that writes the same rows as the store, a transaction a time.

#![allow(dead_code, reason = "each benchmark uses its part")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use handset::ids::{MessageId, TurnId};
use handset::store::NewMessage;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Executor as _, SqliteConnection};

pub(crate) struct Plain(SqliteConnection);

impl Plain {
    pub(crate) async fn open(path: &Path) -> Self {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(30))
            .disable_statement_logging();
        Self(options.connect().await.unwrap())
    }

    /// What the store does for a message: its place in the chat, its turn, itself.
    pub(crate) async fn begin_turn(&mut self, new: &NewMessage) -> String {
        self.0.execute("BEGIN IMMEDIATE").await.unwrap();
        let seq = self.next_seq(new).await;
        let turn = TurnId::new(new.now_ms).unwrap();
        sqlx::query(
            "INSERT INTO turns (id, person, chat, message_seq, state, starts) VALUES ($1, $2, $3, $4, 'running', 1)",
        )
        .bind(turn.as_str())
        .bind(new.person.as_str())
        .bind(new.chat.as_str())
        .bind(seq)
        .execute(&mut self.0)
        .await
        .unwrap();
        self.insert(new, turn.as_str(), seq, "person", &new.text).await;
        self.0.execute("COMMIT").await.unwrap();
        turn.as_str().to_owned()
    }

    /// What the store does for a reply.
    pub(crate) async fn finish_turn(&mut self, new: &NewMessage, turn: &str, reply: &str) {
        self.0.execute("BEGIN IMMEDIATE").await.unwrap();
        sqlx::query(
            "UPDATE turns SET state = 'finished', ended_at = $1 WHERE person = $2 AND id = $3 AND state = 'running'",
        )
        .bind(new.now_ms)
        .bind(new.person.as_str())
        .bind(turn)
        .execute(&mut self.0)
        .await
        .unwrap();
        let seq = self.next_seq(new).await;
        self.insert(new, turn, seq, "companion", reply).await;
        self.0.execute("COMMIT").await.unwrap();
    }

    async fn next_seq(&mut self, new: &NewMessage) -> i64 {
        sqlx::query_scalar(
            "UPDATE chats SET last_seq = last_seq + 1 WHERE person = $1 AND id = $2 RETURNING last_seq",
        )
        .bind(new.person.as_str())
        .bind(new.chat.as_str())
        .fetch_one(&mut self.0)
        .await
        .unwrap()
    }

    async fn insert(&mut self, new: &NewMessage, turn: &str, seq: i64, role: &str, text: &str) {
        let id = MessageId::new(new.now_ms).unwrap();
        sqlx::query(
            "INSERT INTO messages (id, person, chat, turn, seq, role, text, capabilities, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, '[]', $8)",
        )
        .bind(id.as_str())
        .bind(new.person.as_str())
        .bind(new.chat.as_str())
        .bind(turn)
        .bind(seq)
        .bind(role)
        .bind(text)
        .bind(new.now_ms)
        .execute(&mut self.0)
        .await
        .unwrap();
    }
}

/// A folder for a benchmark's files.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        Self::within(&std::env::temp_dir(), name)
    }

    pub(crate) fn within(parent: &Path, name: &str) -> Self {
        let path = parent.join(format!("handset-bench-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

//! Folds the write-ahead log into the file beside the writer.
//!
//! By default SQLite does it inside the commit that makes the log long, which then waits for every page it touched since; that one
//! commit is ten times slower than its neighbours. Here a connection of its own does it in small steps. While commits never pause, the
//! log cannot start anew that way, so that the writer itself still folds a log that has become [`LONG`]: little is left to
//! do then, and the log is bounded (P149).

use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// At how many pages the writer folds the log itself: 16 MB.
pub(super) const LONG: u32 = 4_000;
/// How long commits are collected before their pages are folded.
const PAUSE: Duration = Duration::from_millis(100);

/// The handle of the keeper's task.
#[derive(Debug)]
pub(super) struct Keeper {
    task: JoinHandle<()>,
    stop: Arc<Notify>,
}

impl Keeper {
    /// Starts it; it works after each `committed`, and not while nothing is written.
    pub(super) fn start(mut connection: SqliteConnection, committed: Arc<Notify>) -> Self {
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let task = tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = stopped.notified() => break,
                    () = committed.notified() => {}
                }
                tokio::select! {
                    () = stopped.notified() => break,
                    () = tokio::time::sleep(PAUSE) => {}
                }
                if let Err(error) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").await {
                    // The writer folds the log when it is long; nothing is lost meanwhile.
                    tracing::warn!(%error, "the log could not be folded beside the writer");
                }
            }
            drop(connection.close().await);
        });
        Self { task, stop }
    }

    /// Ends it, so that the writer is the last to close the file.
    pub(super) async fn stop(&self) {
        self.stop.notify_one();
        while !self.task.is_finished() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

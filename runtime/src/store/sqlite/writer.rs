//! The one writer: takes what is waiting and puts it into one transaction.
//!
//! Where there are several, each runs in its own savepoint, so that one that fails does not undo its neighbours; each is
//! answered after the commit. Transactions begin immediate: a transaction that reads first and writes later would fail at the upgrade
//! whatever the busy timeout is. A busy database repeats the whole transaction, a bounded number of times.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sqlx::{Executor as _, SqliteConnection};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::metrics::METRICS;
use crate::store::Error;

/// How many jobs may wait for the writer before those who bring more wait too.
const QUEUE: usize = 1024;
/// How many jobs share one transaction at most: readers see them all at once, and the first waits for the last.
const BATCH: usize = 256;
/// How often a transaction is tried while another process holds the database.
const TRIES: u32 = 5;

/// One write. It may run more than once, each time on the state before it.
pub(super) trait Job: Send + Sync + 'static {
    /// What it gives.
    type Out: Send + 'static;

    /// Runs inside the writer's transaction.
    fn run<'a>(
        &'a self,
        connection: &'a mut SqliteConnection,
    ) -> impl Future<Output = Result<Self::Out, Error>> + Send + 'a;
}

/// A job with the place where its answer goes.
struct Waiting<J: Job> {
    job: J,
    outcome: Option<Result<J::Out, Error>>,
    answer: oneshot::Sender<Result<J::Out, Error>>,
}

/// A waiting job whose type is forgotten.
trait AnyJob: Send {
    /// Runs it and keeps the outcome; false when it failed and its savepoint has to go.
    fn run<'a>(
        &'a mut self,
        connection: &'a mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>>;
    /// Answers with the kept outcome, or with why nothing was committed.
    fn answer(self: Box<Self>, committed: Result<(), Error>);
}

impl<J: Job> AnyJob for Waiting<J> {
    fn run<'a>(
        &'a mut self,
        connection: &'a mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>> {
        Box::pin(async move {
            let outcome = self.job.run(connection).await;
            let verdict = outcome.as_ref().map(|_| ()).map_err(Clone::clone);
            self.outcome = Some(outcome);
            verdict
        })
    }

    fn answer(self: Box<Self>, committed: Result<(), Error>) {
        let outcome = match committed {
            Ok(()) => self.outcome.unwrap_or(Err(Error::Closed)),
            Err(error) => Err(error),
        };
        // Whoever asked may have gone away; the write stands all the same.
        let _ = self.answer.send(outcome);
    }
}

/// The handle of the writer's task.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Mutex<Option<mpsc::Sender<Box<dyn AnyJob>>>>,
    task: Mutex<Option<JoinHandle<()>>>,
    committed: Arc<Notify>,
}

impl Writer {
    /// Starts the task that owns the connection.
    pub(super) fn start(connection: SqliteConnection) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let committed = Arc::new(Notify::new());
        let task = tokio::spawn(serve(connection, jobs, Arc::clone(&committed)));
        Self { queue: Mutex::new(Some(queue)), task: Mutex::new(Some(task)), committed }
    }

    /// Is told of each commit.
    pub(super) fn committed(&self) -> Arc<Notify> {
        Arc::clone(&self.committed)
    }

    /// Hands a job over and waits until it is committed.
    pub(super) async fn perform<J: Job>(&self, job: J) -> Result<J::Out, Error> {
        let queue = self.queue.lock().ok().and_then(|queue| queue.clone()).ok_or(Error::Closed)?;
        let (answer, answered) = oneshot::channel();
        let waiting: Box<dyn AnyJob> = Box::new(Waiting { job, outcome: None, answer });
        queue.send(waiting).await.map_err(|_| Error::Closed)?;
        drop(queue);
        answered.await.unwrap_or(Err(Error::Closed))
    }

    /// Takes no more jobs and returns once the last one is committed.
    pub(super) async fn stop(&self) {
        drop(self.queue.lock().ok().and_then(|mut queue| queue.take()));
        let task = self.task.lock().ok().and_then(|mut task| task.take());
        if let Some(task) = task {
            // A writer that panicked has nothing left to finish.
            let _ = task.await;
        }
    }
}

async fn serve(
    mut connection: SqliteConnection,
    mut jobs: mpsc::Receiver<Box<dyn AnyJob>>,
    told: Arc<Notify>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        let begun = Instant::now();
        let committed = commit(&mut connection, &mut batch).await;
        METRICS.commit.observe(begun.elapsed().as_secs_f64());
        METRICS.batch.observe(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
        METRICS.degraded.set(i64::from(matches!(committed, Err(Error::Degraded(_)))));
        if let Err(error) = &committed {
            tracing::error!(jobs = batch.len(), %error, "a transaction was given up");
        }
        for job in batch.drain(..) {
            job.answer(committed.clone());
        }
        told.notify_one();
    }
    // The log is folded into the file; a failure here loses nothing, it is folded at the next start.
    let _ = sqlx::Connection::close(connection).await;
}

/// Runs the whole batch in one transaction, again when the database is busy.
async fn commit(connection: &mut SqliteConnection, batch: &mut [Box<dyn AnyJob>]) -> Result<(), Error> {
    let mut tries = 0;
    loop {
        let tried = transaction(connection, batch).await;
        match tried {
            Ok(()) => return Ok(()),
            Err(error) => {
                // The begin itself may have failed: then there is nothing to roll back.
                let _ = connection.execute("ROLLBACK").await;
                tries += 1;
                if error != Error::Busy || tries >= TRIES {
                    return Err(error);
                }
                tokio::time::sleep(Duration::from_millis(10 << tries)).await;
            }
        }
    }
}

async fn transaction(connection: &mut SqliteConnection, batch: &mut [Box<dyn AnyJob>]) -> Result<(), Error> {
    connection.execute("BEGIN IMMEDIATE").await?;
    if let [job] = batch {
        // Alone, a job needs no savepoint: the transaction itself is one.
        return match job.run(connection).await {
            Ok(()) => connection.execute("COMMIT").await.map(|_| ()).map_err(Error::from),
            Err(error @ (Error::Busy | Error::Degraded(_))) => Err(error),
            Err(_) => connection.execute("ROLLBACK").await.map(|_| ()).map_err(Error::from),
        };
    }
    for job in batch {
        connection.execute("SAVEPOINT job").await?;
        match job.run(connection).await {
            Ok(()) => {
                connection.execute("RELEASE job").await?;
            }
            // SQLite itself may have undone the whole transaction: none of its neighbours stands either.
            Err(error @ (Error::Busy | Error::Degraded(_))) => return Err(error),
            Err(_) => {
                connection.execute("ROLLBACK TO job; RELEASE job").await?;
            }
        }
    }
    connection.execute("COMMIT").await?;
    Ok(())
}

#[cfg(test)]
mod tests;

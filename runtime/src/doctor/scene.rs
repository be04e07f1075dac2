//! What the checks look at, gathered once.

use std::fs::{File, TryLockError};
use std::io;
use std::path::PathBuf;

use crate::clock::{Clock as _, SystemClock};
use crate::serve::data::{DATABASE, LOCK, TOKEN, holder};
use crate::store::Error;
use crate::store::sqlite::{State, state};
use crate::web;

/// Where to look: what the server would be started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address as `HOST:PORT`.
    pub listen: String,
    /// The data folder.
    pub data: PathBuf,
    /// The configuration's file, where one was named.
    pub config: Option<PathBuf>,
}

/// Whether a server works in the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Server {
    /// None does.
    None,
    /// One does, with this process id where it wrote one.
    Running(Option<u32>),
}

/// Everything that was seen.
#[derive(Debug)]
pub struct Scene {
    /// Where was looked.
    pub options: Options,
    /// Who works there.
    pub server: Server,
    /// What the token's file holds, where it can be read.
    pub token: Option<String>,
    /// What is in the database, where there is a file.
    pub database: Option<Result<State, Error>>,
    /// When, in milliseconds since the Unix epoch.
    pub now_ms: i64,
}

impl Scene {
    /// Looks.
    ///
    /// # Errors
    /// When not even a look is possible: the process has no threads or no files left.
    pub(super) fn look(options: &Options) -> io::Result<Self> {
        let token = std::fs::read_to_string(options.data.join(TOKEN)).ok().map(|text| text.trim().to_owned());
        let path = options.data.join(DATABASE);
        let hash = token.as_deref().map(web::hash).unwrap_or_default();
        let database = if path.exists() {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            Some(runtime.block_on(state(&path, &hash)))
        } else {
            None
        };
        Ok(Self {
            server: server(options),
            options: options.clone(),
            token,
            database,
            now_ms: SystemClock.now_ms(),
        })
    }
}

/// Tries the lock and lets go of it at once; a file that is not there is not made.
fn server(options: &Options) -> Server {
    let path = options.data.join(LOCK);
    let Ok(lock) = File::open(&path) else { return Server::None };
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => Server::Running(holder(&path)),
        Ok(()) | Err(TryLockError::Error(_)) => Server::None,
    }
}

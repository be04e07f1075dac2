//! The server as a process: its data folder, its banner, its start and its stop.

mod data;
mod error;

pub(crate) use data::{ADDRESS, Folder};

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use handset_spec::Language;
use handset_spec_macros::text;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

pub use error::Error;

use crate::clock::{Clock, SystemClock};
use crate::gateway::Gateway;
use crate::gateway::demo::Demo;
use crate::gateway::events::Hub;
use crate::store::Store;
use crate::store::sqlite::Sqlite;
use crate::web;

/// How long a stop waits for requests under way.
const STOP_WITHIN: Duration = Duration::from_secs(10);

/// Where the server listens and keeps its data.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address as `HOST:PORT`; port 0 takes any free one.
    pub listen: String,
    /// The data folder.
    pub data: PathBuf,
    /// How the server stands in the world.
    pub web: web::Options,
}

/// Serves until the process is told to stop (SIGINT or SIGTERM); the banner goes to `out`.
///
/// # Errors
/// When the server cannot start; the message names what was found and what to do.
pub fn run(options: Options, out: &mut dyn Write) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::Runtime)?;
    runtime.block_on(serve(options, out))
}

async fn serve(options: Options, out: &mut dyn Write) -> Result<(), Error> {
    let folder = Folder::open(&options.data)?;
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.database()).await.map_err(Error::Store)?);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let token = folder.operator(&*store, &*clock).await?;
    let failed = |source| Error::Listen { address: options.listen.clone(), source };
    let listener = TcpListener::bind(&options.listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;

    let hub = Arc::new(Hub::new().map_err(|error| Error::Store(error.into()))?);
    let gateway = Gateway::new(Arc::clone(&store), clock, hub, Arc::new(Demo));
    let resumed = gateway.recover().await.map_err(Error::Store)?;
    tracing::info!(%address, resumed, "serving");
    if let Err(error) = folder.note_address(address) {
        tracing::warn!(%error, "commands that work in this folder will not find this server");
    }
    // A closed standard output is no reason not to serve.
    let _ = banner(out, address, &token, &folder);

    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::Runtime)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::Runtime)?;
    let (stop, stopping) = watch::channel(false);
    let router =
        web::router(gateway, stopping.clone(), &options.web).map_err(|error| Error::Store(error.into()))?;
    let mut serving = Box::pin(web::serve(listener, router, options.web.limits, stopping));
    tokio::select! {
        ended = &mut serving => return ended.map_err(Error::Runtime),
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("stopping");
    stop.send_replace(true);
    if tokio::time::timeout(STOP_WITHIN, serving).await.is_err() {
        tracing::warn!("requests were still under way after ten seconds; they are cut off");
    }
    // Turns that are under way stand in the store as running; the next start takes them up.
    store.close().await.map_err(Error::Store)
}

fn banner(out: &mut dyn Write, address: SocketAddr, token: &str, folder: &Folder) -> std::io::Result<()> {
    writeln!(out, "Handset {} (spec {})", env!("CARGO_PKG_VERSION"), handset_spec::VERSION)?;
    writeln!(out, "Address: http://{address}")?;
    writeln!(out, "Token:   {token}")?;
    writeln!(out, "         (also in {})", folder.token().display())?;
    writeln!(out, "{}", text!(demo.banner in Language::En))?;
    writeln!(out, "{}", text!(demo.banner in Language::Zh))?;
    writeln!(out, "Try:     curl -X POST -H 'Authorization: Bearer {token}' http://{address}/api/chats")?;
    out.flush()
}

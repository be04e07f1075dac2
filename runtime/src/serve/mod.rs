//! The server as a process: its data folder, its banner, its start and its stop.

pub(crate) mod data;
mod error;
pub(crate) mod mounts;

pub(crate) use data::{ADDRESS, Folder};

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handset_spec::Language;
use handset_spec_macros::text;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

pub use error::Error;

use crate::clock::{Clock, SystemClock};
use crate::config::{self, Config};
use crate::gateway::Gateway;
use crate::gateway::events::Hub;
use crate::gateway::system::System;
use crate::metrics::METRICS;
use crate::models;
use crate::ringer::escalation;
use crate::ringer::push::Push;
use crate::store::sqlite::Sqlite;
use crate::store::{self, Store};
use crate::voice::speech::{Ledger, Mouth};
use crate::voice::tone::FEATURES_VERSION;
use crate::web;

/// How long a stop waits for turns whose model speaks, and then for requests under way. Together less than the ten
/// seconds that a container's runtime gives before it kills.
const DRAIN_WITHIN: Duration = Duration::from_secs(5);
const STOP_WITHIN: Duration = Duration::from_secs(4);

/// Where the server listens and keeps its data.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address as `HOST:PORT`; port 0 takes any free one.
    pub listen: String,
    /// The data folder.
    pub data: PathBuf,
    /// The configuration's file, where one was named.
    pub config: Option<PathBuf>,
    /// Whether the data folder may be on a network mount.
    pub allow_network_mount: bool,
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
    let config = config::load(options.config.as_deref(), &options.data).map_err(Error::Config)?;
    let model = models::build(&config.model).map_err(Error::Model)?;
    let voice = models::voice(&config.speech).map_err(Error::Model)?;
    let recogniser = models::recogniser(&config.voice).map_err(Error::Model)?;
    let ears = web::Ears { recogniser, limits: config.voice.limits };
    let folder = Folder::open(&options.data, options.allow_network_mount)?;
    let (store, degraded) = open_store(&folder.database()).await?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let token = folder.operator(&*store, &*clock, degraded.is_some()).await?;
    let failed = |source| Error::Listen { address: options.listen.clone(), source };
    let listener = TcpListener::bind(&options.listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;

    let push = folder.server_key(degraded.is_some())?.map(|key| {
        let config::Push { subject, guard } = config.push.clone();
        Push::new(Arc::clone(&store), Arc::clone(&clock), key, subject, guard)
    });
    let hub = Arc::new(Hub::new().map_err(|error| Error::Store(error.into()))?);
    let system = System::new(config.persona.clone());
    let gateway = Gateway::with_system(Arc::clone(&store), clock, hub, Arc::clone(&model), system);
    if let Some(push) = &push {
        // Before anything is taken up: a burst that was cut off goes on with it.
        gateway.ringer.hang(Arc::new(push.clone()));
    }
    let recovered = async {
        Ok(gateway.recover().await? + gateway.ringer.recover().await? + gateway.perform_left().await?)
    };
    let resumed = match recovered.await {
        Ok(resumed) => resumed,
        Err(error) if degraded.is_some() => {
            tracing::error!(%error, "what the last run left open stays open");
            0
        }
        Err(error) => return Err(Error::Store(error)),
    };
    match store.drop_void_voices(FEATURES_VERSION).await {
        Ok(0) => {}
        Ok(clips) => tracing::info!(clips, "figures of voices that were measured otherwise are gone"),
        Err(error) => tracing::warn!(%error, "figures of voices that were measured otherwise stay, unread"),
    }
    tracing::info!(%address, resumed, "serving");
    if let Err(error) = folder.note_address(address) {
        tracing::warn!(%error, "commands that work in this folder will not find this server");
    }
    let opened = if address.ip().is_loopback() && degraded.is_none() {
        match web::first_link(&*store, &SystemClock).await {
            Ok(path) => path,
            Err(error) => {
                tracing::warn!(%error, "no link was made that signs the operator in");
                None
            }
        }
    } else {
        None
    };
    // Before the banner: who has read it may already want to stop.
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::Runtime)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::Runtime)?;
    let banner = Banner {
        address,
        opened,
        token: token.as_deref(),
        folder: &folder,
        degraded: degraded.as_deref(),
        config: &config,
        model: model.name(),
    };
    // A closed standard output is no reason not to serve.
    let _ = banner.write(out);

    let (stop, stopping) = watch::channel(false);
    tokio::spawn(escalation::watch::run(Arc::clone(&gateway), gateway.clone(), stopping.clone()));
    let metrics = web::metrics::router(Arc::clone(&gateway), token.as_deref().map(web::hash));
    let ledger = Ledger::new(Arc::clone(&store), Arc::new(SystemClock));
    let mouth = Mouth::new(voice, ledger);
    let web = web::Options { push: push.clone(), ears, mouth, ..options.web.clone() };
    let router = web::router(Arc::clone(&gateway), stopping.clone(), &web)
        .map_err(|error| Error::Store(error.into()))?
        .merge(metrics);
    let mut serving = Box::pin(web::serve(listener, router, options.web.limits, stopping));
    tokio::select! {
        ended = &mut serving => return ended.map_err(Error::Runtime),
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("stopping");
    // Requests are served meanwhile, so that a phone may still answer and a client still read.
    let left = tokio::select! {
        ended = &mut serving => return ended.map_err(Error::Runtime),
        left = gateway.drain(DRAIN_WITHIN) => left,
    };
    if left > 0 {
        tracing::warn!(left, "turns did not end in time; the next start takes them up");
    }
    gateway.hub.close();
    stop.send_replace(true);
    if tokio::time::timeout(STOP_WITHIN, serving).await.is_err() {
        tracing::warn!("requests were still under way; they are cut off");
    }
    if let Some(push) = push {
        push.settled().await;
    }
    // Turns that are under way stand in the store as running; the next start takes them up.
    store.close().await.map_err(Error::Store)
}

/// Opens the store; where its file cannot be written but may be read, with the reason.
async fn open_store(path: &Path) -> Result<(Arc<dyn Store>, Option<String>), Error> {
    // Where there was nothing there is nothing to read.
    let holds = std::fs::metadata(path).is_ok_and(|file| file.len() > 0);
    if let Some(reason) = emptied(path) {
        tracing::error!(reason, "the store is degraded");
        METRICS.degraded.set(1);
        return Ok((Arc::new(Sqlite::open_degraded(path, reason.clone()).await), Some(reason)));
    }
    match Sqlite::open(path).await {
        Ok(store) => Ok((Arc::new(store), None)),
        Err(error) if holds && error.leaves_reads() => {
            let reason = match error {
                store::Error::Degraded(reason) => format!("{}: {reason}", path.display()),
                error => error.to_string(),
            };
            tracing::error!(reason, "the store is degraded");
            METRICS.degraded.set(1);
            Ok((Arc::new(Sqlite::open_degraded(path, reason.clone()).await), Some(reason)))
        }
        Err(error) => Err(Error::Store(error)),
    }
}

/// Why an empty database file is not taken for a new one: the token beside it tells that a server has worked here, whose
/// rows are gone. To begin anew would be to say that nothing was lost.
pub(crate) fn emptied(database: &Path) -> Option<String> {
    let empty = std::fs::metadata(database).is_ok_and(|file| file.len() == 0);
    (empty && database.with_file_name(data::TOKEN).exists()).then(|| {
        format!(
            "{} is empty, and the token beside it tells that it was not: put a copy of it back, or remove both to \
             begin anew",
            database.display()
        )
    })
}

/// What is printed at the start.
struct Banner<'a> {
    address: SocketAddr,
    /// The path that signs the operator in, where there is one.
    opened: Option<String>,
    token: Option<&'a str>,
    folder: &'a Folder,
    degraded: Option<&'a str>,
    config: &'a Config,
    model: &'a str,
}

impl Banner<'_> {
    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Self { address, opened, token, folder, degraded, config, model } = self;
        writeln!(out, "Handset {} (spec {})", env!("CARGO_PKG_VERSION"), handset_spec::VERSION)?;
        writeln!(out, "Address: http://{address}")?;
        if let Some(path) = opened {
            writeln!(out, "Open:    http://{address}{path}")?;
            writeln!(
                out,
                "         (signs one browser in, within 15 minutes; later: handset person link operator)"
            )?;
        }
        if let Some(token) = token {
            writeln!(out, "Token:   {token}")?;
            writeln!(out, "         (also in {})", folder.token().display())?;
        }
        if let Some(reason) = degraded {
            writeln!(out, "DEGRADED: {reason}")?;
            writeln!(out, "         Nothing is written or deleted; what can be read is served. What to do:")?;
            writeln!(out, "         handset doctor --data {}", folder.path().display())?;
            return out.flush();
        }
        match config.model {
            config::Model::Demo => {
                writeln!(out, "{}", text!(demo.banner in Language::En))?;
                writeln!(out, "{}", text!(demo.banner in Language::Zh))?;
            }
            config::Model::Remote(_) => writeln!(out, "Model:   {model}")?,
        }
        if let Some(token) = token {
            writeln!(
                out,
                "Try:     curl -X POST -H 'Authorization: Bearer {token}' http://{address}/api/chats"
            )?;
        }
        out.flush()
    }
}

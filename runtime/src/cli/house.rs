//! The server of a data folder, for the commands that manage people and devices.
//!
//! Where a server runs in the folder, the command asks it, with the operator's token, so that what is revoked ends at once
//! and one process alone writes. Where none runs, the command locks the folder as a server would and answers the same
//! requests itself, for that moment. Either way it is the API that does the work.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use reqwest::Method;
use serde_json::Value;
use tokio::sync::watch;
use tower_service::Service as _;

use super::api::{Api, Fault, refusal};
use crate::clock::{Clock, SystemClock};
use crate::gateway::Gateway;
use crate::gateway::demo::Demo;
use crate::gateway::events::Hub;
use crate::serve::{self, ADDRESS, Folder};
use crate::store::Store;
use crate::store::sqlite::Sqlite;
use crate::web;

/// How long a server that is just starting, or another command, is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(50);
/// Where a server would listen, for links that are made before it runs.
const USUAL: &str = "http://127.0.0.1:8787";

/// Who answers.
pub(super) enum House {
    /// The server that runs in the folder.
    Running(Api),
    /// This process.
    Here(Box<Here>),
}

pub(super) struct Here {
    router: Router,
    token: String,
    store: Arc<dyn Store>,
    /// Kept, so that no server starts meanwhile.
    _folder: Folder,
    _stop: watch::Sender<bool>,
}

impl House {
    /// Finds out who answers for a data folder.
    pub(super) async fn open(data: &Path) -> Result<Self, String> {
        if !data.is_dir() {
            return Err(format!(
                "there is no data folder at {}. Start the server once, or name its folder with --data",
                data.display()
            ));
        }
        let since = Instant::now();
        loop {
            // Whether a network mount will do was the server's question; here the file's own locks are enough.
            match Folder::open(data, true) {
                Ok(folder) => return Self::here(folder).await,
                Err(serve::Error::Locked { .. }) => {}
                Err(error) => return Err(error.to_string()),
            }
            let found = Self::running(data).await;
            if found.is_ok() || since.elapsed() > PATIENCE {
                return found;
            }
            // It is starting, or what holds the folder is another command, which is over in a moment.
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn running(data: &Path) -> Result<Self, String> {
        let (address, token) = (address_of(data)?, token_of(data)?);
        let api = Api::new(&address, Some(token))?;
        match api.ask(Method::GET, "/api/people", None).await {
            Ok(_) => Ok(Self::Running(api)),
            Err(error) => Err(format!("a server works in {}, at {address}, but: {error}", data.display())),
        }
    }

    async fn here(folder: Folder) -> Result<Self, String> {
        let store = Sqlite::open(&folder.database()).await.map_err(|error| error.to_string())?;
        let store: Arc<dyn Store> = Arc::new(store);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let token = folder.operator(&*store, &*clock, false).await.map_err(|error| error.to_string())?;
        let token = token.ok_or("the data folder has no operator's token")?;
        let hub = Arc::new(Hub::new().map_err(|error| error.to_string())?);
        // Nobody speaks: no turn is started here, and those that were cut off wait for a server.
        let gateway = Gateway::new(Arc::clone(&store), clock, hub, Arc::new(Demo));
        let (stop, stopping) = watch::channel(false);
        let router = web::router(gateway, stopping, &web::Options::default());
        let router = router.map_err(|error| error.to_string())?;
        Ok(Self::Here(Box::new(Here { router, token, store, _folder: folder, _stop: stop })))
    }

    /// Where people reach the server, as far as can be known here.
    pub(super) fn address(&self) -> &str {
        match self {
            Self::Running(api) => &api.base,
            Self::Here(_) => USUAL,
        }
    }

    /// Asks with the operator's token.
    pub(super) async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, String> {
        match self {
            Self::Running(api) => {
                api.ask(method, path, body.as_ref()).await.map_err(|error: Fault| error.to_string())
            }
            Self::Here(here) => here.ask(method, path, body).await,
        }
    }

    /// Finishes what was begun.
    pub(super) async fn close(self) -> Result<(), String> {
        match self {
            Self::Running(_) => Ok(()),
            Self::Here(here) => here.store.close().await.map_err(|error| error.to_string()),
        }
    }
}

impl Here {
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, String> {
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .body(body)
            .map_err(|error| error.to_string())?;
        let Ok(answer) = self.router.clone().call(request).await;
        let status = answer.status();
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.map_err(|error| error.to_string())?;
        if status.is_success() {
            Ok(serde_json::from_slice(&bytes).unwrap_or_default())
        } else {
            Err(refusal(status, &bytes))
        }
    }
}

/// Where the server listens that works in a folder, as a client on this machine reaches it.
pub(super) fn address_of(data: &Path) -> Result<String, String> {
    let path = data.join(ADDRESS);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        format!("{} does not say where the server listens ({error}); is it running?", path.display())
    })?;
    let mut address: SocketAddr =
        text.trim().parse().map_err(|_| format!("{} holds no address", path.display()))?;
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    Ok(format!("http://{address}"))
}

/// The operator's token.
pub(super) fn token_of(data: &Path) -> Result<String, String> {
    let path = data.join("token");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    Ok(text.trim().to_owned())
}

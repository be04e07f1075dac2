//! Who speaks: what is configured, and whether it can be reached.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use reqwest::Url;

use super::{Finding, Scene};
use crate::config::{self, Format, Model};
use crate::models;

const CONFIG: &str = "config";
const MODEL: &str = "model";
/// How long the model's server may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    let config = match config::load(scene.options.config.as_deref(), &scene.options.data) {
        Ok(config) => config,
        Err(faults) => {
            let mend = "mend it there; the server does not start with it";
            return faults.0.iter().map(|fault| Finding::problem(CONFIG, fault.to_string(), mend)).collect();
        }
    };
    let found = config.file.as_ref().map_or_else(
        || format!("no {}: the environment and the defaults count", config::FILE),
        |file| format!("read from {}", file.display()),
    );
    vec![Finding::ok(CONFIG, found), model(&config.model)]
}

fn model(configured: &Model) -> Finding {
    let Model::Remote(remote) = configured else {
        let found = "none is configured: the demo companion speaks, which understands plain sentences only";
        return Finding::note(MODEL, found).todo("name one in handset.toml under [model]");
    };
    if let Err(error) = models::build(configured) {
        return Finding::problem(MODEL, error.to_string(), "mend it, then start the server again");
    }
    let name = format!("{} at {}", remote.model, remote.url);
    if remote.format == Format::Anthropic && remote.key.is_none() && !remote.is_here() {
        let text = format!("{name} wants a key, and none is configured");
        return Finding::problem(MODEL, text, "set model.key_file, or HANDSET_MODEL_KEY in the environment");
    }
    match reach(&remote.url) {
        Ok(()) => Finding::ok(
            MODEL,
            format!(
                "{name}: a connection is accepted; whether it knows the model shows at the first message"
            ),
        ),
        Err(reason) => {
            let todo = if remote.is_here() {
                "start the model's server"
            } else {
                "see to the network, or mend model.url"
            };
            Finding::problem(MODEL, format!("{name} cannot be reached: {reason}"), todo)
        }
    }
}

/// Opens a connection and lets go of it; nothing is sent, and no key.
pub(super) fn reach(url: &Url) -> Result<(), String> {
    let host = url.host_str().ok_or("the address names no host")?.trim_matches(['[', ']']);
    let port = url.port_or_known_default().ok_or("the address names no port")?;
    let addresses = (host, port).to_socket_addrs().map_err(|error| error.to_string())?;
    let mut last = "the name has no address".to_owned();
    for address in addresses {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(_) => return Ok(()),
            Err(error) => last = error.to_string(),
        }
    }
    Err(last)
}

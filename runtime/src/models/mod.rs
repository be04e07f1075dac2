//! Models behind HTTP APIs: thin clients over one wire format each, all over the gateway's own `Model` trait.
//!
//! | file | what |
//! |---|---|
//! | [`sse`] | bytes to the data of events |
//! | [`reply`] | an answer as it comes, a stream or a whole one |
//! | [`openai`], [`anthropic`] | the two wire formats: requests and what answers mean |
//! | [`transcriptions`] | recordings to words |
//! | [`speech`] | words to a voice |
//! | `history` | what was said, in the shape that both share |
//! | `exchange` | one request: time limits, retries, cancellation |
//! | `fault` | what providers say went wrong |

pub mod anthropic;
mod exchange;
mod fault;
mod history;
mod lenient;
pub mod openai;
pub mod reply;
pub mod speech;
pub mod sse;
pub mod transcriptions;
mod write;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::redirect::Policy;

use self::exchange::{Endpoint, Provider, Remote};
use crate::config::{self, Format, Model as Settings, RemoteModel, Voice, is_here};
use crate::gateway::demo::Demo;
use crate::gateway::model::Model;
use crate::tls;
use crate::voice::recogniser::Recogniser;
use crate::voice::sensevoice::engine::SenseVoice;
use crate::voice::speech::Speech;
use crate::voice::speech::command::Command;

/// How long an idle connection to a model's server is kept for the next message.
const KEEP_IDLE: Duration = Duration::from_secs(60);

/// A model that cannot be set up.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The key cannot stand in a request.
    Key,
    /// The system's certificates cannot be read, or another part of the client failed.
    Client(reqwest::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => f.write_str(
                "the key holds a character that no request can bear, such as a line break: check key, key_file or key_env \
                 of the model, of the recogniser and of the speech service",
            ),
            Self::Client(source) => write!(
                f,
                "an address begins with https://, and a TLS client cannot be made: {source}. Install the \
                 system's certificates (the package is called ca-certificates), or use an http:// address of this machine"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// The model that the settings name.
///
/// # Errors
/// When it cannot be set up; nothing is sent anywhere yet.
pub fn build(settings: &Settings) -> Result<Arc<dyn Model>, Error> {
    match settings {
        Settings::Demo => Ok(Arc::new(Demo)),
        Settings::Remote(remote) => match remote.format {
            Format::OpenAi => over(openai::OpenAi, remote),
            Format::Anthropic => over(anthropic::Anthropic, remote),
        },
    }
}

/// The recogniser that the settings name, if they name one.
///
/// # Errors
/// When it cannot be set up; nothing is sent anywhere yet.
pub fn recogniser(settings: &Voice) -> Result<Option<Arc<dyn Recogniser>>, Error> {
    Ok(match &settings.recogniser {
        None => None,
        Some(config::Recogniser::Remote(endpoint)) => {
            Some(Arc::new(transcriptions::Transcriptions::new(endpoint)?))
        }
        Some(config::Recogniser::SenseVoice(folder)) => Some(Arc::new(SenseVoice::new(folder.clone()))),
    })
}

/// The speech service that the settings name; nothing where the browser's own voice speaks.
///
/// # Errors
/// When it cannot be set up; nothing is sent anywhere, and no program started, yet.
pub fn voice(settings: &config::Speech) -> Result<Option<Arc<dyn Speech>>, Error> {
    Ok(match settings {
        config::Speech::Browser => None,
        config::Speech::Remote(remote) => Some(Arc::new(speech::Remote::new(remote)?)),
        config::Speech::Command(command) => Some(Arc::new(Command::new(command))),
    })
}

fn over<P: Provider>(provider: P, settings: &RemoteModel) -> Result<Arc<dyn Model>, Error> {
    let endpoint = Endpoint {
        url: settings.url.clone(),
        model: settings.model.clone(),
        key: settings.key.clone(),
        max_tokens: settings.max_tokens,
        temperature: settings.temperature,
        limits: settings.limits.clone(),
        own: settings.own,
    };
    let client = client(&settings.url, settings.limits.connect)?;
    let remote = Remote::new(provider, endpoint, client).ok_or(Error::Key)?;
    Ok(Arc::new(remote))
}

/// A client of one server's. `connect` is how long reaching it may take.
fn client(url: &Url, connect: Duration) -> Result<reqwest::Client, Error> {
    tls::install();
    let mut builder = reqwest::Client::builder()
        // A redirect would carry the key elsewhere.
        .redirect(Policy::none())
        .referer(false)
        .tcp_nodelay(true)
        .connect_timeout(connect)
        .pool_idle_timeout(KEEP_IDLE)
        .user_agent(concat!("handset/", env!("CARGO_PKG_VERSION")));
    if url.scheme() == "http" {
        // No certificate is ever looked at, so the system needs none.
        builder = builder.tls_certs_only(std::iter::empty());
    }
    if is_here(url) {
        // The environment's proxy stands between this machine and others.
        builder = builder.no_proxy();
    }
    builder.build().map_err(Error::Client)
}

//! `[model]`: who speaks.

use std::collections::BTreeMap;
use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use reqwest::Url;

use super::fault::Place;
use super::given::Given;
use super::keys;
use super::secret::Secret;

/// Where Anthropic's API is.
const ANTHROPIC: &str = "https://api.anthropic.com";
/// How much Anthropic's models may say where nobody chose: their API wants a number.
const ANTHROPIC_MAX_TOKENS: u32 = 8192;

/// Who speaks.
#[derive(Debug, Clone)]
pub enum Model {
    /// The built-in demo companion.
    Demo,
    /// A model behind an API.
    Remote(Box<RemoteModel>),
}

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Chat completions, as OpenAI, Ollama, llama.cpp, vLLM, OpenRouter and others speak them.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// A model behind an API.
#[derive(Debug, Clone)]
pub struct RemoteModel {
    /// How it is spoken to.
    pub format: Format,
    /// The whole address of its endpoint.
    pub url: Url,
    /// The model's name as its server knows it.
    pub model: String,
    /// The key, where the server wants one.
    pub key: Option<Secret>,
    /// The most tokens of one reply; none leaves it to the server.
    pub max_tokens: Option<u32>,
    /// How freely it chooses its words; none leaves it to the server.
    pub temperature: Option<f64>,
    /// How long things may take.
    pub limits: Limits,
    /// Whether it is the person's own: what was said on the telephone may be given to it.
    pub own: bool,
}

impl RemoteModel {
    /// Whether it runs on this very machine.
    #[must_use]
    pub fn is_here(&self) -> bool {
        is_here(&self.url)
    }
}

/// Whether an address is one of this very machine.
pub(crate) fn is_here(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
        host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
    })
}

/// How long things may take, and how often they are tried again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// To reach the server.
    pub connect: Duration,
    /// From the request to the reply's first piece.
    pub first_token: Duration,
    /// Between two pieces.
    pub idle: Duration,
    /// How often a request that brought nothing is made again.
    pub retries: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            // A local model may have to be loaded first.
            first_token: Duration::from_secs(120),
            idle: Duration::from_secs(60),
            retries: 2,
        }
    }
}

pub(super) fn read(
    given: &mut Given,
    folder: &Path,
    environment: &BTreeMap<String, String>,
) -> Option<Model> {
    let limits = limits(given);
    let max_tokens = whole(given, &keys::MAX_TOKENS, 1, 10_000_000);
    let temperature = given.number(&keys::TEMPERATURE, |number| (0.0..=2.0).contains(&number));
    let own = given.flag(&keys::OWN);
    let model = given.text(&keys::MODEL);
    let key = key(given, &keys::MODEL_KEYS, folder, environment);
    let url = url(given, &keys::URL);
    let format = match given.text(&keys::KIND).as_deref() {
        Some("openai") => Format::OpenAi,
        Some("anthropic") => Format::Anthropic,
        Some("demo") => return Some(Model::Demo),
        Some(other) => {
            given.wrong(&keys::KIND);
            if let (Some(near), Some(fault)) =
                (keys::nearest(other, ["demo", "openai", "anthropic"]), given.faults.last_mut())
            {
                fault.message.push_str(&format!("; did you mean {near:?}?"));
            }
            return None;
        }
        // Where a model is described but not how it is spoken to, the demo would answer in its stead.
        None if given.place(&keys::KIND) == Place::Nowhere => {
            let described =
                [&keys::URL, &keys::MODEL].into_iter().find(|key| given.place(key) != Place::Nowhere);
            let Some(described) = described else { return Some(Model::Demo) };
            let message =
                format!("{} is set, but not model.kind: it must be {}", described.name, keys::KIND.allowed);
            given.fault(given.place(described), message);
            return None;
        }
        None => return None,
    };
    if model.is_none() && given.place(&keys::MODEL) == Place::Nowhere {
        given.fault(given.place(&keys::KIND), format!("model.model is missing: {}", keys::MODEL.allowed));
    }
    let url = match (url, format) {
        (Some(url), _) => url,
        (None, Format::Anthropic) if given.place(&keys::URL) == Place::Nowhere => {
            Url::parse(ANTHROPIC).ok()?
        }
        (None, _) => {
            if given.place(&keys::URL) == Place::Nowhere {
                given.fault(given.place(&keys::KIND), format!("model.url is missing: {}", keys::URL.allowed));
            }
            return None;
        }
    };
    let max_tokens = max_tokens.or((format == Format::Anthropic).then_some(ANTHROPIC_MAX_TOKENS));
    let url = endpoint(url, format);
    let own = own.unwrap_or_else(|| is_at_home(&url));
    Some(Model::Remote(Box::new(RemoteModel {
        format,
        url,
        model: model?,
        key,
        max_tokens,
        temperature,
        limits,
        own,
    })))
}

fn limits(given: &mut Given) -> Limits {
    let mut limits = Limits::default();
    let mut seconds = |key, most: f64, limit: &mut Duration| {
        let found = given.number(key, |number| number > 0.0 && number <= most);
        if let Some(found) = found.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            *limit = found;
        }
    };
    seconds(&keys::CONNECT, 600.0, &mut limits.connect);
    seconds(&keys::FIRST_TOKEN, 3600.0, &mut limits.first_token);
    seconds(&keys::IDLE, 3600.0, &mut limits.idle);
    if let Some(retries) = whole(given, &keys::RETRIES, 0, 10) {
        limits.retries = retries;
    }
    limits
}

pub(super) fn whole(given: &mut Given, key: &'static keys::Key, least: u32, most: u32) -> Option<u32> {
    let fits = |number: f64| number.fract() == 0.0 && number >= f64::from(least) && number <= f64::from(most);
    // Within the bounds, so that it fits.
    given.number(key, fits).map(|number| number as u32)
}

/// An address of HTTP that holds no secret.
pub(super) fn url(given: &mut Given, key: &'static keys::Key) -> Option<Url> {
    let url = Url::parse(&given.text(key)?).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
    });
    if url.is_none() {
        given.wrong(key);
    }
    url
}

/// Whether an address is one of this machine or of the network at home, by what it says itself: no name is looked up.
pub(super) fn is_at_home(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Ok(IpAddr::V6(ip)) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
        Err(_) => {
            let host = host.trim_end_matches('.');
            host == "localhost" || host.ends_with(".localhost") || host.ends_with(".local")
        }
    }
}

/// The endpoint behind an address: people give the server's, that of its API, or the whole one.
fn endpoint(mut url: Url, format: Format) -> Url {
    let (last, version) = match format {
        Format::OpenAi => ("/chat/completions", "/v1"),
        Format::Anthropic => ("/messages", "/v1"),
    };
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with(last) {
        let version = if path.is_empty() { version } else { "" };
        url.set_path(&format!("{path}{version}{last}"));
    }
    url
}

/// The key, from whichever of the three places names it.
pub(super) fn key(
    given: &mut Given,
    keys: &keys::Secrets,
    folder: &Path,
    environment: &BTreeMap<String, String>,
) -> Option<Secret> {
    let named: Vec<_> = keys.iter().copied().filter(|key| given.place(key) != Place::Nowhere).collect();
    let [text_key, file_key, variable_key] = keys;
    if let [_, second, ..] = named.as_slice() {
        let (one, two, three) = (text_key.name, file_key.name, variable_key.name);
        given.fault(given.place(second), format!("give only one of {one}, {two} and {three}"));
        return None;
    }
    let named = *named.first()?;
    let text = given.text(named)?;
    let place = given.place(named);
    let found = if named.name == text_key.name {
        Ok(text)
    } else if named.name == file_key.name {
        let path = given.path(named, &text, folder);
        fs::read_to_string(&path)
            .map_err(|error| format!("the key's file {} cannot be read: {error}", path.display()))
    } else {
        environment.get(&text).cloned().ok_or_else(|| format!("there is no environment variable {text}"))
    };
    match found {
        Ok(key) if !key.trim().is_empty() => Some(Secret::new(key.trim().to_owned())),
        Ok(_) => {
            given.fault(place, format!("{} leads to a blank key", named.name));
            None
        }
        Err(message) => {
            given.fault(place, message);
            None
        }
    }
}

//! One request and its answer: time limits, retries before the first word, and an end as soon as nobody listens.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, TRANSFER_ENCODING};
use reqwest::{Response, Url, Version};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};

use super::fault;
use super::reply::{Decoder, Reply, Stage};
use crate::config::{Limits, Secret};
use crate::gateway::model::{AHEAD, Code, Delta, Deltas, Fault, Model, Prompt};

/// How long a straggler is waited for behind the word that the reply is complete: not every server ends its stream.
const STRAGGLER: Duration = Duration::from_secs(2);
/// How long the body of an error is waited for, and how much of it is read, in bytes.
const ERROR_WITHIN: Duration = Duration::from_secs(5);
const ERROR_BYTES: usize = 64 << 10;
/// The first pause before another try; each further one is twice as long, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// The longest pause that a server may ask for; one that asks for more is given up at once.
const LONGEST_ASKED: Duration = Duration::from_secs(30);

/// Where a model is, and how it is asked.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    pub(super) url: Url,
    pub(super) model: String,
    pub(super) key: Option<Secret>,
    pub(super) max_tokens: Option<u32>,
    pub(super) temperature: Option<f64>,
    pub(super) limits: Limits,
    /// Whether it is the person\'s own.
    pub(super) own: bool,
}

/// A wire format.
pub(super) trait Provider: fmt::Debug + Send + Sync + 'static {
    type Decoder: Decoder + Send + 'static;

    /// The request's body.
    fn body(&self, endpoint: &Endpoint, prompt: &Prompt) -> String;
    /// The request's headers; the key is in one of them.
    fn headers(&self, endpoint: &Endpoint) -> Vec<(&'static str, Arc<str>)>;
    fn decoder(&self) -> Self::Decoder;
}

/// A model behind an HTTP API.
pub(super) struct Remote<P> {
    name: String,
    shared: Arc<Shared<P>>,
}

struct Shared<P> {
    provider: P,
    endpoint: Endpoint,
    headers: HeaderMap,
    client: reqwest::Client,
}

/// Why a try brought no whole reply.
struct Failure {
    fault: Fault,
    /// Whether another try may help. Never once a word was sent on: it would be said twice.
    again: bool,
    /// How long the server asks to be left alone.
    pause: Option<Duration>,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let again = matches!(fault.code, Code::Unreachable | Code::Overloaded);
        Self { fault, again, pause: None }
    }
}

impl<P: Provider> Remote<P> {
    /// A model. None where the key holds what no header may, such as a line break.
    pub(super) fn new(provider: P, endpoint: Endpoint, client: reqwest::Client) -> Option<Self> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in provider.headers(&endpoint) {
            let mut value = HeaderValue::from_str(&value).ok()?;
            // It is left out wherever a header is printed.
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let name = format!("{} at {}", endpoint.model, endpoint.url.origin().ascii_serialization());
        Some(Self { name, shared: Arc::new(Shared { provider, endpoint, headers, client }) })
    }
}

impl<P: Provider> Model for Remote<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_own(&self) -> bool {
        self.shared.endpoint.own
    }

    fn open(&self, prompt: Prompt) -> Deltas {
        let (sender, deltas) = mpsc::channel(AHEAD);
        let shared = Arc::clone(&self.shared);
        let listened = sender.clone();
        tokio::spawn(async move {
            tokio::select! {
                // Nobody listens any more: the request is dropped, and with it its connection.
                () = listened.closed() => {}
                () = shared.speak(prompt, &sender) => {}
            }
        });
        deltas
    }
}

impl<P: Provider> Shared<P> {
    async fn speak(&self, prompt: Prompt, sender: &mpsc::Sender<Result<Delta, Fault>>) {
        let body = self.provider.body(&self.endpoint, &prompt);
        drop(prompt);
        let mut tries = 0;
        loop {
            let Err(failure) = self.attempt(body.clone(), sender).await else { return };
            let key = self.endpoint.key.as_ref().map(Secret::expose);
            let fault = fault::discreet(failure.fault, key, &body);
            let pause = failure.pause.unwrap_or_else(|| backoff(tries));
            if !failure.again || tries >= self.endpoint.limits.retries || pause > LONGEST_ASKED {
                // Whoever listened may have gone.
                let _ = sender.send(Err(fault)).await;
                return;
            }
            tries += 1;
            tracing::info!(code = fault.code.word(), detail = %fault.detail, tries, "the model is asked again");
            tokio::time::sleep(pause).await;
        }
    }

    /// Asks once.
    async fn attempt(
        &self,
        body: String,
        sender: &mpsc::Sender<Result<Delta, Fault>>,
    ) -> Result<(), Failure> {
        let limits = &self.endpoint.limits;
        let first = Instant::now() + limits.first_token;
        let request = self.client.post(self.endpoint.url.clone()).headers(self.headers.clone()).body(body);
        let mut response =
            timeout_at(first, request.send()).await.map_err(|_| slow(limits))?.map_err(lost)?;
        if !response.status().is_success() {
            return Err(refused(response).await);
        }
        let delimited = is_delimited(&response);
        let mut reply = Reply::new(self.provider.decoder());
        let mut out = Vec::new();
        let mut said = false;
        let mut moved = Instant::now();
        loop {
            let until = match reply.stage() {
                Stage::Silent => first,
                Stage::Speaking => moved + limits.idle,
                Stage::Finished => moved + limits.idle.min(STRAGGLER),
                Stage::Ended => return Ok(()),
            };
            let (read, ended) = match timeout_at(until, response.chunk()).await {
                Ok(Ok(Some(bytes))) => (reply.push(&bytes, &mut out), false),
                Ok(Ok(None)) => (reply.finish(delimited, &mut out).map(|()| true), true),
                // What is complete stays complete, however the connection ends.
                Ok(Err(_)) | Err(_) if reply.is_complete() => {
                    (reply.finish(true, &mut out).map(|()| true), true)
                }
                Ok(Err(error)) => (Err(lost(error).fault), true),
                Err(_) if reply.stage() == Stage::Silent => (Err(slow(limits).fault), true),
                Err(_) => {
                    let detail = format!("nothing came for {} s", limits.idle.as_secs_f64());
                    (Err(Fault::new(Code::BrokenOff, detail)), true)
                }
            };
            // What came before a fault in the same bytes was said, too.
            for delta in out.drain(..) {
                said = true;
                if sender.send(Ok(delta)).await.is_err() {
                    return Ok(());
                }
            }
            match read {
                Ok(true) => moved = Instant::now(),
                Ok(false) => {}
                Err(mut fault) => {
                    if said && matches!(fault.code, Code::Unreachable | Code::Unreadable | Code::Overloaded) {
                        fault.code = Code::BrokenOff;
                    }
                    return Err(Failure {
                        again: !said && Failure::from(fault.clone()).again,
                        fault,
                        pause: None,
                    });
                }
            }
            if ended {
                return Ok(());
            }
        }
    }
}

/// Whether the transport tells where the body ends, rather than the connection's end.
fn is_delimited(response: &Response) -> bool {
    response.version() >= Version::HTTP_2
        || response.content_length().is_some()
        || response.headers().contains_key(TRANSFER_ENCODING)
}

/// The fault of an answer that is no success.
async fn refused(mut response: Response) -> Failure {
    let status = response.status();
    let pause = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let pause = pause.and_then(|value| value.trim().parse::<f64>().ok());
    let pause = pause.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let mut body = Vec::new();
    let read = async {
        while body.len() < ERROR_BYTES
            && let Ok(Some(bytes)) = response.chunk().await
        {
            body.extend_from_slice(&bytes);
        }
    };
    // What has come by then is enough.
    let _ = timeout(ERROR_WITHIN, read).await;
    let code = fault::of_status(status.as_u16()).unwrap_or(Code::Unreadable);
    let said = fault::of_body(&String::from_utf8_lossy(&body));
    Failure { pause, ..Fault::new(code, format!("{}: {said}", status.as_u16())).into() }
}

fn slow(limits: &Limits) -> Failure {
    Fault::new(Code::Slow, format!("no word came within {} s", limits.first_token.as_secs_f64())).into()
}

/// A connection that did not come about, or was lost.
fn lost(error: reqwest::Error) -> Failure {
    // Without the address, which may hold what is nobody's business; the innermost cause says what happened.
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    Fault::new(Code::Unreachable, cause.to_string()).into()
}

/// How long to wait before the next try: twice as long each time, and a little more by chance, so that many do not come
/// back at once.
fn backoff(tries: u32) -> Duration {
    let pause = FIRST_PAUSE.saturating_mul(1 << tries.min(8)).min(LONGEST_PAUSE);
    let mut byte = [0; 1];
    // Without chance, the pause is even.
    let _ = getrandom::fill(&mut byte);
    pause + pause.mul_f64(f64::from(byte[0]) / 1024.0)
}

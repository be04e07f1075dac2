//! The connections to push services: kept open, followed nowhere else, and never to an address inside.

use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;

use super::guard::{Endpoint, Guard, is_public};
use crate::clock::Clock;
use crate::ringer::bell::Live;
use crate::tls;

/// How long a connection may take to come about.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);
/// How long a connection that nothing passes over is kept: services keep theirs for longer, so that none is found closed.
const KEEP_IDLE: Duration = Duration::from_secs(50);
/// How many pushes are on their way to one service at once; each has a connection, as HTTP/1.1 has it. What is more waits,
/// and a ring that is overtaken meanwhile is dropped.
pub(super) const AT_ONCE: usize = 256;

/// Clients of the push services of the world, and of the operator's own.
pub(super) struct Clients {
    world: Result<reqwest::Client, String>,
    own: Result<reqwest::Client, String>,
}

impl Clients {
    pub(super) fn new(guard: &Guard) -> Self {
        tls::install();
        // Another address than the names' own is a proxy's, which the environment names: that may stand in the house.
        let world = common().dns_resolver(Outside(guard.clone()));
        let mut own = common().no_proxy();
        if guard.origins().iter().all(|origin| origin.starts_with("http://")) {
            // No certificate is ever looked at, so the system needs none.
            own = own.tls_certs_only(std::iter::empty());
        }
        let built = |builder: reqwest::ClientBuilder| builder.build().map_err(|error| innermost(&error));
        Self { world: built(world), own: built(own) }
    }

    /// The client for an endpoint, or why there is none: the system's certificates cannot be read.
    pub(super) fn of(&self, endpoint: &Endpoint) -> Result<&reqwest::Client, &str> {
        let client = if endpoint.own { &self.own } else { &self.world };
        client.as_ref().map_err(String::as_str)
    }

    /// Why the push services of the world cannot be reached.
    pub(super) fn fault(&self) -> Option<&str> {
        self.world.as_ref().err().map(String::as_str)
    }
}

fn common() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        // A redirect would lead where nobody has looked.
        .redirect(Policy::none())
        .referer(false)
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_WITHIN)
        .pool_idle_timeout(KEEP_IDLE)
        .pool_max_idle_per_host(AT_ONCE)
        .user_agent(concat!("handset/", env!("CARGO_PKG_VERSION")))
}

/// What an error says at its root, without the address, which is a secret.
pub(super) fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// Looks names up, and gives none of a push service that leads inside, whatever it led to when it was kept (P101).
struct Outside(Guard);

impl Resolve for Outside {
    fn resolve(&self, name: Name) -> Resolving {
        let is_service = self.0.is_service(name.as_str());
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let kept: Vec<SocketAddr> =
                found.into_iter().filter(|address| !is_service || is_public(address.ip())).collect();
            if kept.is_empty() {
                return Err(format!("{} leads to no address of the world", name.as_str()).into());
            }
            let kept: Addrs = Box::new(kept.into_iter());
            Ok(kept)
        })
    }
}

/// A body that is sent only if there is still something to ring for: it is looked at when the connection is there and
/// takes it, which after a look-up and a handshake may be much later than the request was made.
pub(super) struct LastLook {
    pub(super) sealed: Option<Bytes>,
    pub(super) live: Live,
    pub(super) expires_ms: i64,
    pub(super) clock: Arc<dyn Clock>,
    /// When it was sent; 0 until then.
    pub(super) sent_ms: Arc<AtomicI64>,
}

/// There was nothing to ring for any more.
#[derive(Debug)]
pub(super) struct TooLate;

impl fmt::Display for TooLate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the call was over")
    }
}

impl std::error::Error for TooLate {}

impl HttpBody for LastLook {
    type Data = Bytes;
    type Error = TooLate;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TooLate>>> {
        let Some(sealed) = self.sealed.take() else { return Poll::Ready(None) };
        let now_ms = self.clock.now_ms();
        if !self.live.is_pending() || now_ms >= self.expires_ms {
            return Poll::Ready(Some(Err(TooLate)));
        }
        self.sent_ms.store(now_ms, Ordering::Relaxed);
        Poll::Ready(Some(Ok(Frame::data(sealed))))
    }

    fn is_end_stream(&self) -> bool {
        self.sealed.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.sealed.as_ref().map_or(0, |sealed| sealed.len() as u64))
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use super::*;

    /// P101: a name of a push service that leads inside leads nowhere; a proxy's name may.
    #[tokio::test]
    async fn p101_names_that_lead_inside_lead_nowhere() {
        let name = |text: &str| Name::from_str(text).unwrap();
        let outside = Outside(Guard::new(vec!["localhost".to_owned()], Vec::new()));
        let error = outside.resolve(name("localhost")).await.err().unwrap();
        assert_eq!(error.to_string(), "localhost leads to no address of the world");
        assert!(Outside(Guard::default()).resolve(name("localhost")).await.unwrap().next().is_some());
    }
}

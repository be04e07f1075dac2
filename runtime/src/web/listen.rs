//! Connections: accepted, bounded in time, ended when the server stops.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tower_service::Service as _;

use super::Limits;
use super::peer::Peer;
use super::refused::{Worded, too_many, too_slow};

/// How long the listener rests when the system has no more connections to give.
const REST: Duration = Duration::from_millis(200);
/// How long a connection that is refused may take to hear why.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Serves until `stopping` becomes true, and returns when the last request is over.
///
/// # Errors
/// None; connections that fail end alone.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    mut stopping: watch::Receiver<bool>,
) -> io::Result<()> {
    // Held by each connection; when the last one lets go, the receiver ends.
    let (held, mut all_gone) = mpsc::channel::<Infallible>(1);
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            // An error means that the server is gone altogether.
            _ = stopping.wait_for(|stopping| *stopping) => break,
        };
        match accepted {
            Ok((socket, peer)) => {
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                    refuse(socket);
                    continue;
                };
                let service = Routed { router: router.clone(), peer: Peer(peer.ip()) };
                let (head, stopping, held) = (limits.head, stopping.clone(), held.clone());
                tokio::spawn(async move {
                    connection(socket, service, head, stopping).await;
                    drop((place, held));
                });
            }
            // One that broke off before it was accepted says nothing of the next.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => {
                tracing::warn!(%error, "no connection could be accepted");
                tokio::time::sleep(REST).await;
            }
        }
    }
    drop((listener, held));
    let _ = all_gone.recv().await;
    Ok(())
}

/// Tells a client that there is no place, as far as its socket takes it at once: whoever keeps all places busy is not
/// waited for.
fn refuse(socket: TcpStream) {
    tracing::warn!("no more connections are taken: too many are open");
    let _ = socket.try_write(&too_many());
}

async fn connection(socket: TcpStream, service: Routed, head: Duration, mut stopping: watch::Receiver<bool>) {
    // Without it, small events wait 40 ms for the acknowledgement of the one before.
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY could not be set");
    }
    let mut http = http1::Builder::new();
    // A head that trickles in holds a connection and its memory; so does one that never comes (slow loris).
    http.timer(TokioTimer::new()).header_read_timeout(head);
    let (socket, progress) = Worded::new(socket);
    let mut connection = http.serve_connection(TokioIo::new(socket), service).with_upgrades();
    let ended = {
        let mut stopped = pin!(stopping.wait_for(|stopping| *stopping));
        let mut told = false;
        poll_fn(|context| {
            if !told && stopped.as_mut().poll(context).is_ready() {
                told = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
            let polled = Pin::new(&mut connection).poll(context);
            if told && polled.is_pending() && progress.untouched() {
                // It would wait for a first request until that is too late.
                return Poll::Ready(Ok(()));
            }
            polled
        })
        .await
    };
    // A connection that has become a socket is somebody else's.
    let Some(parts) = connection.into_parts() else { return };
    let mut socket = parts.io.into_inner();
    let _ = tokio::time::timeout(LAST_WORDS, async {
        let Err(error) = ended else { return socket.shutdown().await };
        tracing::debug!(%error, "a connection ended early");
        // A connection that only waited for its next request is closed without a word.
        if error.is_timeout() && progress.begun() {
            socket.write_all(&too_slow()).await?;
        }
        socket.shutdown().await?;
        // Closed with something unread, a socket takes its last words back: what still comes is read and dropped.
        let mut dropped = [0; 4096];
        while socket.read(&mut dropped).await? > 0 {}
        Ok(())
    })
    .await;
}

/// The router, for one connection.
struct Routed {
    router: Router,
    peer: Peer,
}

impl hyper::service::Service<Request<Incoming>> for Routed {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = <Router as tower_service::Service<Request<Body>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        // A router is always ready.
        self.router.clone().call(request.map(Body::new))
    }
}

//! What is refused before it is a request: bytes that are no HTTP, heads that are too large or too slow. The HTTP library
//! answers these itself, with a status and nothing else; here they get the JSON that every error has.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection whose bare refusals are given a body.
///
/// A refusal of the library's is known by what no answer of this server's is: an error without a content type, whole in
/// one write. (A body of this server's cannot look like it either: JSON and event streams hold no bare line break of
/// HTTP's kind, CR LF CR LF.)
#[derive(Debug)]
pub(super) struct Worded<S> {
    socket: S,
    /// A refusal with its body, as far as it is not written yet.
    rest: Vec<u8>,
    written: usize,
    progress: Progress,
}

impl<S> Worded<S> {
    /// A connection, and how far it is.
    pub(super) fn new(socket: S) -> (Self, Progress) {
        let progress = Progress::default();
        (Self { socket, rest: Vec::new(), written: 0, progress: progress.clone() }, progress)
    }
}

/// How far a connection's requests are. The HTTP library holds the connection itself meanwhile.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress(Arc<AtomicU8>);

impl Progress {
    const NOTHING: u8 = 0;
    const BEGUN: u8 = 1;
    const ANSWERED: u8 = 2;

    /// Whether no byte has come yet.
    pub(super) fn untouched(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::NOTHING
    }

    /// Whether bytes of a request have come since the last answer.
    pub(super) fn begun(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::BEGUN
    }

    fn set(&self, state: u8) {
        self.0.store(state, Ordering::Relaxed);
    }
}

/// The answer to a head that has not come whole in its time.
pub(super) fn too_slow() -> Vec<u8> {
    answer("408 Request Timeout", "too_slow", "The request did not come whole in its time.", "Send it again.")
}

/// The answer to a connection more than the server takes.
pub(super) fn too_many() -> Vec<u8> {
    let message = "The server has as many connections as it takes.";
    answer("503 Service Unavailable", "too_many_connections", message, "Try again in a moment.")
}

fn answer(status: &str, code: &str, message: &str, hint: &str) -> Vec<u8> {
    let body = serde_json::json!({"error": {"code": code, "message": message, "hint": hint}}).to_string();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The answer that stands for a bare refusal; nothing for anything else.
fn worded(bytes: &[u8]) -> Option<Vec<u8>> {
    // Nearly every write ends here.
    if !bytes.starts_with(b"HTTP/1.") || bytes.get(9) != Some(&b'4') {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let rest = text.strip_prefix("HTTP/1.1 ").or_else(|| text.strip_prefix("HTTP/1.0 "))?;
    let head = rest.strip_suffix("\r\n\r\n")?;
    let bare = !head.contains("\r\n\r\n") && !head.to_ascii_lowercase().contains("\r\ncontent-type:");
    if !bare {
        return None;
    }
    Some(match head.get(..3)? {
        "400" => answer(
            "400 Bad Request",
            "not_http",
            "This is no HTTP request that can be read.",
            "Paths, queries and headers hold no bare blanks or control characters; write them as %20 and the like.",
        ),
        "414" => {
            answer("414 URI Too Long", "uri_too_long", "The address is too long.", "Send words in the body.")
        }
        "431" => answer(
            "431 Request Header Fields Too Large",
            "head_too_large",
            "The request's headers are too many or too large.",
            "Send fewer or shorter headers.",
        ),
        _ => return None,
    })
}

impl<S: AsyncRead + Unpin> AsyncRead for Worded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.progress.set(Progress::BEGUN);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> Worded<S> {
    /// Writes what is left of a refusal.
    fn poll_rest(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.written < self.rest.len() {
            let written = ready!(Pin::new(&mut self.socket).poll_write(context, &self.rest[self.written..]))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.written += written;
        }
        self.rest.clear();
        self.written = 0;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Worded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_rest(context))?;
        self.progress.set(Progress::ANSWERED);
        if let Some(refusal) = worded(bytes) {
            // Taken whole, and written from here before anything else.
            self.rest = refusal;
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [part] = parts {
            return self.poll_write(context, part);
        }
        ready!(self.poll_rest(context))?;
        self.progress.set(Progress::ANSWERED);
        Pin::new(&mut self.socket).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(context))?;
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(context))?;
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_refusals_are_worded() {
        let bare =
            |status: &str| format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        for (status, code) in [
            ("400 Bad Request", "not_http"),
            ("414 URI Too Long", "uri_too_long"),
            ("431 Request Header Fields Too Large", "head_too_large"),
        ] {
            let worded = String::from_utf8(worded(bare(status).as_bytes()).unwrap()).unwrap();
            let (head, body) = worded.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{head}");
            assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["error"]["code"], code);
        }
        let own = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n\r\n";
        let two = format!("{}{}", bare("400 Bad Request"), bare("400 Bad Request"));
        for other in
            [bare("200 OK").as_str(), &bare("404 Not Found"), own, &two, "HTTP/1.1 4", "data: x\n\n", ""]
        {
            assert_eq!(worded(other.as_bytes()), None, "{other}");
        }
    }

    /// A refusal is written whole however little the socket takes at once.
    #[tokio::test]
    async fn a_refusal_is_written_through_a_narrow_socket() {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (near, mut far) = tokio::io::duplex(7);
        let (mut socket, _) = Worded::new(near);
        let writing = tokio::spawn(async move {
            socket.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n").await.unwrap();
            socket.shutdown().await.unwrap();
        });
        let mut told = String::new();
        far.read_to_string(&mut told).await.unwrap();
        writing.await.unwrap();
        assert!(told.ends_with('}') && told.contains("not_http"), "{told}");
    }
}

//! A client that costs little: one connection kept, bytes in, bytes out.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub(crate) struct Client {
    socket: TcpStream,
    head: String,
    read: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: &str, token: &str) -> Self {
        let socket = TcpStream::connect(address).await.unwrap();
        socket.set_nodelay(true).unwrap();
        let head =
            format!("Host: {address}\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n");
        Self { socket, head, read: Vec::with_capacity(64 * 1024) }
    }

    /// Posts JSON and reads the answer to its end, a stream as well.
    pub(crate) async fn post(&mut self, path: &str, body: &str) -> String {
        let request = format!(
            "POST {path} HTTP/1.1\r\n{}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.head,
            body.len()
        );
        self.socket.write_all(request.as_bytes()).await.unwrap();
        self.read.clear();
        loop {
            let read = self.socket.read_buf(&mut self.read).await.unwrap();
            assert!(read > 0, "the connection ended");
            let Some(head) = position(&self.read, b"\r\n\r\n") else { continue };
            let headers = std::str::from_utf8(&self.read[..head]).unwrap().to_ascii_lowercase();
            let over = match headers.split("content-length: ").nth(1) {
                Some(rest) => {
                    let length: usize = rest.lines().next().unwrap().trim().parse().unwrap();
                    self.read.len() >= head + 4 + length
                }
                None => self.read.ends_with(b"\r\n0\r\n\r\n"),
            };
            if over {
                return String::from_utf8_lossy(&self.read).into_owned();
            }
        }
    }

    /// Asks for a stream and reads its head.
    pub(crate) async fn open(&mut self, path: &str) {
        let request = format!("GET {path} HTTP/1.1\r\n{}\r\n", self.head);
        self.socket.write_all(request.as_bytes()).await.unwrap();
        self.read.clear();
        while position(&self.read, b"\r\n\r\n").is_none() {
            assert!(self.socket.read_buf(&mut self.read).await.unwrap() > 0);
        }
        self.read.clear();
    }

    /// Reads until a word has come so often.
    pub(crate) async fn count(&mut self, word: &str, times: u64, counter: &AtomicU64) {
        let word = word.as_bytes();
        let mut counted = 0;
        while counted < times {
            assert!(self.socket.read_buf(&mut self.read).await.unwrap() > 0, "the stream ended");
            let mut from = 0;
            while let Some(place) = position(&self.read[from..], word) {
                counted += 1;
                from += place + word.len();
            }
            // A word may be cut by the end of what was read.
            let keep = (self.read.len() - from).min(word.len() - 1);
            self.read.drain(..self.read.len() - keep);
            counter.store(counted, Ordering::Relaxed);
        }
    }
}

fn position(bytes: &[u8], word: &[u8]) -> Option<usize> {
    let first = word[0];
    let mut from = 0;
    while let Some(place) = bytes[from..].iter().position(|byte| *byte == first) {
        let at = from + place;
        if bytes[at..].starts_with(word) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

//! A model's endpoint as a script: it takes requests on a real socket, keeps them, and answers as it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request that came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
    /// How many came before it.
    pub(crate) number: usize,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What is sent for it: pieces, each flushed on its own.
pub(crate) struct Answer {
    pieces: Vec<Vec<u8>>,
    /// Whether the connection stays open behind them, until the other side ends it.
    held: bool,
}

fn head(status: &str, headers: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{headers}Connection: close\r\n\r\n").into_bytes()
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

impl Answer {
    /// A stream that ends as it should.
    pub(crate) fn stream(body: &[u8]) -> Self {
        let mut answer = Self::holding(body);
        answer.pieces.push(b"0\r\n\r\n".to_vec());
        answer.held = false;
        answer
    }

    /// A stream cut in two at a byte.
    pub(crate) fn cut(body: &[u8], at: usize) -> Self {
        let kind = "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n";
        let parts = [&body[..at], &body[at..]].into_iter().filter(|part| !part.is_empty()).map(chunk);
        let pieces = [head("200 OK", kind)].into_iter().chain(parts).chain([b"0\r\n\r\n".to_vec()]).collect();
        Self { pieces, held: false }
    }

    /// A stream that does not end.
    pub(crate) fn holding(body: &[u8]) -> Self {
        let kind = "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n";
        let mut pieces = vec![head("200 OK", kind)];
        // Small odd pieces, so that lines and characters are cut.
        pieces.extend(body.chunks(37).map(chunk));
        Self { pieces, held: true }
    }

    /// A stream whose connection ends with it, and nothing else says so.
    pub(crate) fn closing(body: &[u8]) -> Self {
        let pieces = vec![head("200 OK", "Content-Type: text/event-stream\r\n"), body.to_vec()];
        Self { pieces, held: false }
    }

    /// A chunked stream whose connection is lost.
    pub(crate) fn lost(body: &[u8]) -> Self {
        Self { held: false, ..Self::holding(body) }
    }

    /// A whole body.
    pub(crate) fn body(status: &str, headers: &str, body: &[u8]) -> Self {
        let headers = format!("{headers}Content-Length: {}\r\n", body.len());
        Self { pieces: vec![head(status, &headers), body.to_vec()], held: false }
    }

    /// Nothing at all.
    pub(crate) fn silence() -> Self {
        Self { pieces: Vec::new(), held: true }
    }
}

type Script = dyn Fn(&Asked) -> Answer + Send + Sync;

pub(crate) struct Endpoint {
    pub(crate) address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// Told each time that the other side ends a connection that was held open.
    ended: Mutex<Receiver<()>>,
}

impl Endpoint {
    pub(crate) fn new(script: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = channel();
        let (known, script): (_, Arc<Script>) = (Arc::clone(&asked), Arc::new(script));
        // It lives as long as the process: tests are short.
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let (known, script, end) = (Arc::clone(&known), Arc::clone(&script), end.clone());
                std::thread::spawn(move || serve(socket, &known, &*script, &end));
            }
        });
        Self { address, asked, ended: Mutex::new(ended) }
    }

    /// Every request so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Waits until the other side has ended a connection that was held open.
    pub(crate) fn ended(&self) {
        self.ended.lock().unwrap().recv_timeout(Duration::from_secs(30)).unwrap();
    }
}

fn serve(mut socket: TcpStream, known: &Mutex<Vec<Asked>>, script: &Script, end: &Sender<()>) -> Option<()> {
    socket.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(socket.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let asked = {
        let mut known = known.lock().unwrap();
        let asked = Asked { path, headers, body: String::from_utf8(body).unwrap(), number: known.len() };
        known.push(asked.clone());
        asked
    };
    let answer = script(&asked);
    for piece in &answer.pieces {
        if socket.write_all(piece).is_err() {
            break;
        }
    }
    if answer.held {
        // Ends when the other side does, however it does.
        let _ = reader.read(&mut [0; 1]);
        let _ = end.send(());
    }
    Some(())
}

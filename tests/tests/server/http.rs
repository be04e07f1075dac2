//! A small HTTP client: one connection a request, JSON in and out, and event streams read as they come. Whatever comes is held
//! against what the server says of itself ([`contract`]).

use std::io::{BufRead, BufReader, Cursor, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::contract::{self, Operation};

/// How long a test waits for anything at all.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) token: Option<&'a str>,
    pub(crate) headers: Vec<(&'a str, String)>,
    pub(crate) body: Option<String>,
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    body: Body,
}

impl Request<'_> {
    pub(crate) fn send(self, address: &str) -> Response {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head =
            format!("{} {} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n", self.method, self.path);
        if let Some(token) = self.token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        let body = self.body.unwrap_or_default();
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        socket.write_all(head.as_bytes()).unwrap();
        // A server that refuses a body by its length need not read it.
        let _ = socket.write_all(body.as_bytes());
        let response = Response::read(socket);
        match Operation::of(self.method, self.path) {
            Some(operation) => response.held(&operation, self.path, &body),
            None => response,
        }
    }
}

/// Sends bytes as they are and reads what comes.
pub(crate) fn raw(address: &str, bytes: &[u8]) -> Response {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    // A server that refuses it early need not read all of it.
    let _ = socket.write_all(bytes);
    Response::read(socket)
}

impl Response {
    pub(crate) fn read(socket: TcpStream) -> Self {
        let mut reader = BufReader::new(socket);
        let mut line = || {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let status = line().split(' ').nth(1).unwrap_or_default().parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = line();
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = Body { reader: Box::new(reader), chunked, left: 0, ended: false };
        Self { status, headers, body }
    }

    /// Holds the answer, and what was sent where it was taken, against what the server says of this route.
    fn held(mut self, operation: &Operation, target: &str, sent: &str) -> Self {
        operation.head(self.status, self.header("content-type"));
        if self.status < 300 {
            let is_json = operation.takes_json() && !sent.trim().is_empty();
            let sent: Option<Value> = is_json.then(|| serde_json::from_str(sent).unwrap());
            operation.taken(target, sent.as_ref());
        }
        if operation.is_told(self.status) {
            let mut text = String::new();
            self.body.read_to_string(&mut text).unwrap();
            let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            operation.body(self.status, &body);
            let reader: Box<dyn BufRead + Send> = Box::new(Cursor::new(text.into_bytes()));
            self.body = Body { reader, chunked: false, left: 0, ended: false };
        }
        self
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(mut self) -> String {
        let mut text = String::new();
        self.body.read_to_string(&mut text).unwrap();
        text
    }

    /// The body as JSON; an error's body has to be JSON as well.
    pub(crate) fn json(self) -> Value {
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    pub(crate) fn events(self) -> Events {
        assert_eq!(self.header("content-type"), Some("text/event-stream"));
        Events(BufReader::new(self.body))
    }
}

/// A body, in chunks or up to the end of the connection.
struct Body {
    reader: Box<dyn BufRead + Send>,
    chunked: bool,
    left: usize,
    ended: bool,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if !self.chunked {
            return self.reader.read(buffer);
        }
        if self.left == 0 {
            let mut size = String::new();
            // Behind each chunk but the first stands a line break.
            while !self.ended && size.trim().is_empty() {
                size.clear();
                if self.reader.read_line(&mut size)? == 0 {
                    self.ended = true;
                }
            }
            self.left = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
            if self.left == 0 {
                self.ended = true;
                return Ok(0);
            }
        }
        let wanted = buffer.len().min(self.left);
        let read = self.reader.read(&mut buffer[..wanted])?;
        self.left -= read;
        Ok(read)
    }
}

/// One server-sent event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) data: Value,
}

/// An event stream.
pub(crate) struct Events(BufReader<Body>);

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let (mut id, mut kind, mut data) = (String::new(), String::new(), String::new());
        let since = Instant::now();
        loop {
            // Heartbeats alone would keep a test waiting that waits in vain.
            assert!(since.elapsed() < PATIENCE, "no event has come");
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            let line = line.trim_end_matches(['\r', '\n']);
            if line.is_empty() {
                if data.is_empty() {
                    continue;
                }
                let data = serde_json::from_str(&data).unwrap();
                contract::event(&kind, &data);
                return Some(Event { id, kind, data });
            }
            match line.split_once(':') {
                Some(("id", value)) => value.trim_start().clone_into(&mut id),
                Some(("event", value)) => value.trim_start().clone_into(&mut kind),
                Some(("data", value)) => data += value.trim_start(),
                // A comment, or a field that means nothing here.
                _ => {}
            }
        }
    }
}

impl Events {
    /// Reads up to the first event of a kind.
    pub(crate) fn until(&mut self, kind: &str) -> Event {
        self.find(|event| event.kind == kind).unwrap_or_else(|| panic!("the stream ended without {kind}"))
    }
}

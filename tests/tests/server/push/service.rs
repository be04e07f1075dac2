//! A push service as a script: it takes pushes on a real socket, keeps them, and answers as it is told to.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// How long a test waits for a push.
const PATIENCE: Duration = Duration::from_secs(30);

/// A push that came.
#[derive(Debug, Clone)]
pub(crate) struct Pushed {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Which connection it came by, counted from 0.
    pub(crate) connection: usize,
}

impl Pushed {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// How one is answered.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// With a status and further header lines.
    Status(u16, &'static str),
    /// Not at all, for as long as the other side waits.
    Silence,
    /// By the end of the connection.
    Close,
    /// When the gate is opened, with 201.
    Held(Arc<Gate>),
}

pub(crate) const TAKEN: Answer = Answer::Status(201, "");

/// Shut until it is opened.
#[derive(Debug, Default)]
pub(crate) struct Gate(Mutex<bool>, Condvar);

impl Gate {
    pub(crate) fn open(&self) {
        *self.0.lock().unwrap() = true;
        self.1.notify_all();
    }

    fn pass(&self) {
        let open = self.0.lock().unwrap();
        drop(self.1.wait_timeout_while(open, PATIENCE, |open| !*open).unwrap());
    }
}

#[derive(Default)]
struct State {
    pushed: Mutex<Vec<Pushed>>,
    came: Condvar,
    /// By path; what is not in it is taken.
    answers: Mutex<HashMap<String, Answer>>,
}

pub(crate) struct Service {
    pub(crate) origin: String,
    state: Arc<State>,
}

impl Service {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(State::default());
        let known = Arc::clone(&state);
        // It lives as long as the process: tests are short.
        std::thread::spawn(move || {
            for (number, socket) in listener.incoming().flatten().enumerate() {
                let known = Arc::clone(&known);
                std::thread::spawn(move || while serve(&socket, number, &known).is_some() {});
            }
        });
        Self { origin, state }
    }

    /// The endpoint of a device.
    pub(crate) fn endpoint(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// From now on, pushes to this path are answered so.
    pub(crate) fn answer(&self, path: &str, answer: Answer) {
        self.state.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    /// The pushes to a path so far.
    pub(crate) fn pushed(&self, path: &str) -> Vec<Pushed> {
        let pushed = self.state.pushed.lock().unwrap();
        pushed.iter().filter(|push| push.path == path).cloned().collect()
    }

    /// Waits until so many have come to a path.
    pub(crate) fn wait(&self, path: &str, count: usize) -> Vec<Pushed> {
        let until = Instant::now() + PATIENCE;
        let mut pushed = self.state.pushed.lock().unwrap();
        loop {
            let here: Vec<_> = pushed.iter().filter(|push| push.path == path).cloned().collect();
            if here.len() >= count {
                return here;
            }
            let left = until.checked_duration_since(Instant::now());
            let left = left.unwrap_or_else(|| panic!("{path}: {} of {count} came", here.len()));
            pushed = self.state.came.wait_timeout(pushed, left).unwrap().0;
        }
    }
}

fn serve(socket: &TcpStream, connection: usize, state: &State) -> Option<()> {
    socket.set_nodelay(true).ok()?;
    // Nothing is sent ahead on such a connection: a reader of its own for each request loses nothing.
    let mut reader = BufReader::new(socket);
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
    let answer = state.answers.lock().unwrap().get(&path).cloned().unwrap_or(TAKEN);
    state.pushed.lock().unwrap().push(Pushed { path, headers, body, connection });
    state.came.notify_all();
    let mut out = socket;
    match answer {
        Answer::Status(status, more) => answered(&mut out, status, more),
        Answer::Held(gate) => {
            gate.pass();
            answered(&mut out, 201, "")
        }
        Answer::Close => None,
        Answer::Silence => {
            // Ends when the other side does.
            let _ = reader.read(&mut [0; 1]);
            None
        }
    }
}

fn answered(out: &mut impl Write, status: u16, more: &str) -> Option<()> {
    let body = if status == 201 { "" } else { "{\"reason\":\"as the test says\"}" };
    let head = format!("HTTP/1.1 {status} X\r\n{more}Content-Length: {}\r\n\r\n{body}", body.len());
    out.write_all(head.as_bytes()).ok()
}

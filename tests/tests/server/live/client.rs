//! A call's socket as a page has it, and what it talks with: a model and a recogniser that say what the test has them say.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use crate::contract;
use crate::models::endpoint::{Answer, Endpoint};
use crate::process::{Folder, Server, command};

/// How long a test waits for anything at all.
const PATIENCE: Duration = Duration::from_secs(30);

/// A recogniser's endpoint that gives one text after another.
pub(super) struct Recogniser {
    address: String,
    texts: Arc<Mutex<VecDeque<String>>>,
    asked: Arc<Mutex<usize>>,
    /// Whether it is slow: it answers once it is not any more.
    slow: Arc<(Mutex<bool>, Condvar)>,
}

impl Recogniser {
    pub(super) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (texts, asked) = (Arc::<Mutex<VecDeque<String>>>::default(), Arc::<Mutex<usize>>::default());
        let slow = Arc::<(Mutex<bool>, Condvar)>::default();
        let (given, count, waits) = (Arc::clone(&texts), Arc::clone(&asked), Arc::clone(&slow));
        // It lives as long as the process: tests are short.
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                *count.lock().unwrap() += 1;
                drop(waits.1.wait_while(waits.0.lock().unwrap(), |slow| *slow).unwrap());
                let text = given.lock().unwrap().pop_front().unwrap_or_else(|| "hello".to_owned());
                serve(socket, &json!({ "text": text }).to_string());
            }
        });
        Self { address, texts, asked, slow }
    }

    /// What it hears next, behind what it was told before.
    pub(super) fn hears(&self, text: &str) {
        self.texts.lock().unwrap().push_back(text.to_owned());
    }

    /// From here on it takes its time, or no longer.
    pub(super) fn slow(&self, on: bool) {
        *self.slow.0.lock().unwrap() = on;
        self.slow.1.notify_all();
    }

    pub(super) fn count(&self) -> usize {
        *self.asked.lock().unwrap()
    }
}

fn serve(mut socket: TcpStream, answer: &str) -> Option<()> {
    let mut reader = BufReader::new(socket.try_clone().ok()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim_end().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    reader.read_exact(&mut vec![0; length]).ok()?;
    let head = format!("HTTP/1.1 200 X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", answer.len());
    socket.write_all(format!("{head}{answer}").as_bytes()).ok()
}

/// A model's words, as its stream has them.
pub(super) fn deltas(words: &[&str]) -> Vec<u8> {
    let chunk = |word: &&str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": word}}]}));
    words.iter().map(chunk).collect::<String>().into_bytes()
}

/// A whole reply.
pub(super) fn whole(words: &[&str]) -> Answer {
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    Answer::stream(&[deltas(words), format!("data: {end}\n\ndata: [DONE]\n\n").into_bytes()].concat())
}

/// A house with a companion that says what it is told to, and ears; with a voice where `voice` is true.
pub(super) struct House {
    pub(super) data: Folder,
    pub(super) model: Endpoint,
    pub(super) ears: Recogniser,
}

impl House {
    pub(super) fn new(voice: bool, script: impl Fn(&str, &str) -> Answer + Send + Sync + 'static) -> Self {
        let (data, ears) = (Folder::new(), Recogniser::new());
        let model = Endpoint::new(move |asked| {
            let body: Value = serde_json::from_str(&asked.body).unwrap();
            let last =
                body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
            // Below the line that tells when.
            let words = last.split_once('\n').map_or(last.as_str(), |(_, words)| words);
            script(words, &asked.body)
        });
        fs::create_dir_all(data.path()).unwrap();
        let mut config = format!(
            "[model]\nkind = \"openai\"\nurl = \"http://{}\"\nmodel = \"m\"\nretries = 0\n[voice.recogniser]\n\
             kind = \"openai\"\nurl = \"http://{}\"\nmodel = \"w\"\n",
            model.address, ears.address
        );
        if voice {
            config += &format!(
                "[speech]\nprovider = \"command\"\ncommand = [\"sh\", \"-c\", \"cat > /dev/null; cat '{}'\"]\n",
                path("speech.wav").display()
            );
        }
        fs::write(data.path().join("handset.toml"), config).unwrap();
        Self { data, model, ears }
    }

    /// Adds to the last section of its configuration.
    pub(super) fn configure(&self, more: &str) {
        let path = self.data.path().join("handset.toml");
        let config = fs::read_to_string(&path).unwrap();
        fs::write(path, config + more).unwrap();
    }

    pub(super) fn command(&self) -> Command {
        command(self.data.path())
    }

    pub(super) fn start(&self) -> Server {
        let server = Server::start_as(self.command());
        // The shortest lines that there are.
        let change =
            json!({"settings": {"voice": {"linger_min": 3, "linger_max": 3}, "record": {"min_call": 1}}});
        assert_eq!(server.ask(Some(&server.token), "PATCH", "/api/settings", Some(&change)).status, 200);
        server
    }
}

pub(super) fn path(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/audio")).join(name)
}

/// Rings and accepts: the call's id.
pub(super) fn call(server: &Server, token: &str) -> String {
    let told = server.ask(Some(token), "POST", "/api/call/invite", Some(&json!({"reason": "tea"}))).json();
    let id = told["invite"]["id"].as_str().unwrap_or_else(|| panic!("{told}")).to_owned();
    let answer = json!({"id": id, "action": "accept"});
    assert_eq!(server.ask(Some(token), "POST", "/api/call/answer", Some(&answer)).status, 200);
    id
}

/// A connected device.
pub(super) struct Line {
    socket: WebSocket<TcpStream>,
    /// Everything that was told so far.
    pub(super) told: Vec<Value>,
}

impl Line {
    pub(super) fn open(server: &Server, call: &str) -> Self {
        Self::open_as(server, &server.token, call)
    }

    /// As a program does, by a header.
    pub(super) fn open_as(server: &Server, token: &str, call: &str) -> Self {
        Self::with(server, call, &[("authorization", format!("Bearer {token}"))]).unwrap()
    }

    /// With these headers; the status where it is refused.
    pub(super) fn with(server: &Server, call: &str, headers: &[(&str, String)]) -> Result<Self, u16> {
        let url = format!("ws://{}/api/call/live?call={call}", server.address);
        let mut request = url.into_client_request().unwrap();
        for (name, value) in headers {
            let name: tungstenite::http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self { socket, told: Vec::new() }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub(super) fn say(&mut self, sign: &Value) {
        self.socket.send(Message::text(sign.to_string())).unwrap();
    }

    pub(super) fn send(&mut self, bytes: Vec<u8>) {
        self.socket.send(Message::binary(bytes)).unwrap();
    }

    /// Says something, as a whole recording.
    pub(super) fn utter(&mut self, client_id: &str) {
        self.say(&json!({"type": "utterance", "client_id": client_id}));
        self.send(fs::read(path("speech.wav")).unwrap());
    }

    pub(super) fn played(&mut self, turn: &str, piece: usize) {
        self.say(&json!({"type": "played", "turn": turn, "piece": piece}));
    }

    /// The next frame that tells something; nothing where the socket has ended, with its code.
    pub(super) fn read(&mut self) -> Result<Message, u16> {
        let since = Instant::now();
        loop {
            // A line that tells nothing is alive all the same.
            assert!(since.elapsed() < PATIENCE, "nothing was told; so far: {:#?}", self.told);
            match self.socket.read() {
                Ok(message @ (Message::Text(_) | Message::Binary(_))) => return Ok(message),
                Ok(Message::Close(frame)) => return Err(frame.map_or(0, |frame| frame.code.into())),
                Ok(_) => {}
                Err(error) => panic!("{error}; told so far: {:#?}", self.told),
            }
        }
    }

    pub(super) fn next(&mut self) -> Value {
        match self.read() {
            Ok(Message::Text(text)) => {
                let news: Value = serde_json::from_str(&text).unwrap();
                contract::record("live_news", &news);
                self.told.push(news.clone());
                news
            }
            other => panic!("{other:?}; told so far: {:#?}", self.told),
        }
    }

    /// The sound that was announced.
    pub(super) fn sound(&mut self) -> Vec<u8> {
        match self.read() {
            Ok(Message::Binary(bytes)) => bytes.to_vec(),
            other => panic!("{other:?}"),
        }
    }

    /// Reads until something is told; sound on the way is taken in, that of what was waited for is not.
    pub(super) fn until(&mut self, kind: &str) -> Value {
        let since = Instant::now();
        loop {
            assert!(since.elapsed() < PATIENCE, "no {kind}; told so far: {:#?}", self.told);
            let news = self.next();
            if news["type"] == kind {
                return news;
            }
            if news["type"] == "audio" && news.get("error").is_none() {
                self.sound();
            }
        }
    }

    /// What fits among all that was told from a place on; read on to it, where it did not come yet.
    pub(super) fn reads(&mut self, from: usize, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(news) = self.told[from..].iter().find(|news| fits(news)) {
                return news.clone();
            }
            let news = self.next();
            if news["type"] == "audio" && news.get("error").is_none() {
                self.sound();
            }
        }
    }

    /// The code with which it ends.
    pub(super) fn ended(&mut self) -> u16 {
        loop {
            match self.read() {
                Ok(_) => {}
                Err(code) => return code,
            }
        }
    }
}

/// A text of a frame.
pub(super) fn text(news: &Value, key: &str) -> String {
    news[key].as_str().unwrap_or_else(|| panic!("no {key} in {news}")).to_owned()
}

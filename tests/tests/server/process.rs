//! A server that runs in a folder of its own.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use handset_spec::phone::CAPABILITY;
use serde_json::{Value, json};

use crate::binary;
use crate::http::{Events, Request, Response};

/// A data folder that goes when the test does.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("handset-server-{}-{number}", std::process::id())))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A command of the binary in a folder, on any free port.
pub(crate) fn command(data: &Path) -> Command {
    let mut command = Command::new(binary::path());
    command.arg("--data").arg(data);
    without_settings(&mut command);
    command.env("HANDSET_LISTEN", "127.0.0.1:0");
    command
}

/// Takes away what the environment of the tests would say.
pub(crate) fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("HANDSET_")) {
            command.env_remove(name);
        }
    }
}

pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) token: String,
    pub(crate) banner: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    pub(crate) fn start(data: &Folder) -> Self {
        Self::start_as(command(data.path()))
    }

    /// Starts it with further options.
    pub(crate) fn start_with(data: &Folder, options: &[&str]) -> Self {
        let mut command = command(data.path());
        command.args(options);
        Self::start_as(command)
    }

    /// Starts it by a command of one's own.
    pub(crate) fn start_as(command: Command) -> Self {
        Self::start_by(command, Stdio::inherit())
    }

    /// The same, with its errors to a place of one's own.
    pub(crate) fn start_by(mut command: Command, errors: Stdio) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).spawn().unwrap();
        let mut banner = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        // The last line of either banner.
        while !banner.contains("curl") && !banner.contains("handset doctor") {
            if lines.read_line(&mut banner).unwrap() == 0 {
                let mut said = String::new();
                if let Some(mut errors) = child.stderr.take() {
                    errors.read_to_string(&mut said).unwrap();
                }
                panic!("the server ended at its start: {banner}{said}");
            }
        }
        let after = |name: &str| {
            let line = banner.lines().find(|line| line.starts_with(name))?;
            Some(line[name.len()..].trim().to_owned())
        };
        let address = after("Address:").unwrap().trim_start_matches("http://").to_owned();
        let token = after("Token:").unwrap_or_default();
        Self { child, address, token, banner }
    }

    /// Its standard error, where the command piped it.
    pub(crate) fn stderr(&mut self) -> std::process::ChildStderr {
        self.child.stderr.take().unwrap()
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as an operator does.
    pub(crate) fn stop(mut self) -> ExitStatus {
        self.terminate();
        self.child.wait().unwrap()
    }

    /// Tells it to end.
    pub(crate) fn terminate(&self) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    pub(crate) fn request<'a>(&'a self, method: &'a str, path: &'a str) -> Request<'a> {
        Request { method, path, token: Some(&self.token), headers: Vec::new(), body: None }
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let response = self.request("GET", path).send(&self.address);
        assert_eq!(response.status, 200, "{path}");
        response.json()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        let headers = vec![("Content-Type", "application/json".to_owned())];
        Request { headers, body: Some(body.to_string()), ..self.request("POST", path) }.send(&self.address)
    }

    /// Asks as somebody, with a body where there is one.
    pub(crate) fn ask(
        &self,
        token: Option<&str>,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Response {
        let body = body.map(Value::to_string);
        Request { method, path, token, headers: Vec::new(), body }.send(&self.address)
    }

    pub(crate) fn chat(&self) -> String {
        let response = self.request("POST", "/api/chats").send(&self.address);
        assert_eq!(response.status, 201);
        response.json()["id"].as_str().unwrap().to_owned()
    }

    /// Says something as the app on a phone does, and follows the turn.
    pub(crate) fn say(&self, chat: &str, text: &str) -> Events {
        self.send(chat, &json!({"text": text, "capabilities": [CAPABILITY], "device": "pixel"}))
    }

    pub(crate) fn send(&self, chat: &str, message: &Value) -> Events {
        let path = format!("/api/chats/{chat}/messages");
        let headers =
            vec![("Content-Type", "application/json".to_owned()), ("Accept", "text/event-stream".to_owned())];
        let request = Request { headers, body: Some(message.to_string()), ..self.request("POST", &path) };
        let response = request.send(&self.address);
        assert_eq!(response.status, 200);
        response.events()
    }

    pub(crate) fn follow(&self, device: &str, last: Option<&str>) -> Events {
        let path = format!("/api/events?device={device}");
        let headers = last.map(|id| ("Last-Event-ID", id.to_owned())).into_iter().collect();
        let response = Request { headers, ..self.request("GET", &path) }.send(&self.address);
        assert_eq!(response.status, 200);
        response.events()
    }

    pub(crate) fn answer(&self, card: &str, answer: &Value) -> (u16, Value) {
        let response = self.post(&format!("/api/cards/{card}/answer"), answer);
        (response.status, response.json())
    }

    /// The messages of a chat, as role and text.
    pub(crate) fn said(&self, chat: &str) -> Vec<(String, String)> {
        let messages = self.get(&format!("/api/chats/{chat}/messages"));
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let messages = messages["messages"].as_array().unwrap();
        messages.iter().map(|message| (text(&message["role"]), text(&message["text"]))).collect()
    }

    pub(crate) fn results(&self, chat: &str) -> Vec<String> {
        self.said(chat).into_iter().filter(|(role, _)| role == "result").map(|(_, text)| text).collect()
    }
}

/// Runs the binary to its end with something on standard input.
pub(crate) fn run(mut command: Command, input: Option<Vec<u8>>) -> (ExitStatus, String, String) {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        // A command that ends before it has read everything closes the pipe.
        let _ = std::io::Write::write_all(&mut stdin, &input.unwrap_or_default());
    });
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).unwrap();
        text
    });
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    writer.join().unwrap();
    (child.wait().unwrap(), reader.join().unwrap(), errors)
}

/// Runs a subcommand of the binary for a data folder.
pub(crate) fn handset(data: &Folder, arguments: &[&str]) -> (ExitStatus, String, String) {
    let mut command = Command::new(binary::path());
    command.args(arguments).arg("--data").arg(data.path());
    without_settings(&mut command);
    run(command, None)
}

/// The same, where it has to do well: what it printed, trimmed.
pub(crate) fn printed(data: &Folder, arguments: &[&str]) -> String {
    let (status, out, errors) = handset(data, arguments);
    assert!(status.success(), "{arguments:?}: {errors}");
    out.trim().to_owned()
}

/// Adds a person beside the running server and signs them in: their id and their token.
pub(crate) fn newcomer(data: &Folder, server: &Server, name: &str) -> (String, String) {
    let link = printed(data, &["person", "add", name]);
    let (_, code) = link.split_once('#').unwrap();
    let body = json!({"code": code, "name": "laptop"}).to_string();
    let request = Request { token: None, body: Some(body), ..server.request("POST", "/api/sign-in") };
    let response = request.send(&server.address);
    assert_eq!(response.status, 201);
    let signed = response.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&signed["person"]["id"]), text(&signed["token"]))
}

/// Asks until there is something, at most some seconds.
pub(crate) fn wait_for<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1000 {
        if let Some(found) = ask() {
            return found;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("it did not come");
}

/// The id of a card event's card.
pub(crate) fn card_id(data: &Value) -> String {
    data["card"]["id"].as_str().unwrap().to_owned()
}

//! What one client may have: rates, sizes, times, streams. In one process with the server where a limit has to be smaller
//! than anybody would set it; over real sockets all the same.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use handset::clock::SystemClock;
use handset::gateway::Gateway;
use handset::gateway::demo::Demo;
use handset::gateway::events::Hub;
use handset::store::sqlite::Sqlite;
use handset::store::{NewToken, Store};
use handset::web::{self, Limits, Options};
use serde_json::json;
use tokio::sync::watch;

use crate::http::{Request, Response};
use crate::process::{Folder, Server, newcomer, printed};

/// A server of this process, with limits of its own.
struct Near {
    address: String,
    token: String,
    stop: watch::Sender<bool>,
    serving: Option<tokio::task::JoinHandle<std::io::Result<()>>>,
    runtime: tokio::runtime::Runtime,
    _data: Folder,
}

impl Near {
    fn start(limits: Limits) -> Self {
        let data = Folder::new();
        std::fs::create_dir_all(data.path()).unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (stop, stopping) = watch::channel(false);
        let token = "0".repeat(64);
        let (address, serving) = runtime.block_on(async {
            let store: Arc<dyn Store> =
                Arc::new(Sqlite::open(&data.path().join("handset.db")).await.unwrap());
            let person = store.create_person("Ann".to_owned(), 1).await.unwrap();
            let hash = web::hash(&token);
            let bearer = NewToken { person, hash, name: "test".to_owned(), device: None, now_ms: 1 };
            store.add_token(bearer).await.unwrap();
            let hub = Arc::new(Hub::new().unwrap());
            let gateway = Gateway::new(store, Arc::new(SystemClock), hub, Arc::new(Demo));
            let options = Options { limits: limits.clone(), ..Options::default() };
            let router = web::router(gateway, stopping.clone(), &options).unwrap();
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap().to_string();
            (address, tokio::spawn(web::serve(listener, router, limits, stopping)))
        });
        Self { address, token, stop, serving: Some(serving), runtime, _data: data }
    }

    fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        socket
    }

    fn get(&self, path: &str) -> Response {
        let request =
            Request { method: "GET", path, token: Some(&self.token), headers: Vec::new(), body: None };
        request.send(&self.address)
    }
}

fn is_refused(response: Response, status: u16, code: &str) {
    assert_eq!(response.status, status, "{code}");
    assert_eq!(response.header("content-type"), Some("application/json"), "{code}");
    assert_eq!(response.json()["error"]["code"], json!(code));
}

/// Slow loris: a head that trickles in, a body that does, and a connection that says nothing are all ended, and those who
/// ask meanwhile are served.
#[test]
fn what_trickles_in_is_ended() {
    let limit = Duration::from_millis(400);
    let near = Near::start(Limits { head: limit, body: limit, ..Limits::default() });
    let trickle = |start: &str, mut rest: Box<dyn Iterator<Item = u8> + Send>| {
        let mut socket = near.connect();
        let mut reader = socket.try_clone().unwrap();
        socket.write_all(start.as_bytes()).unwrap();
        let since = Instant::now();
        std::thread::spawn(move || {
            // A byte each tenth of the limit would keep any timeout waiting that a byte renews.
            for byte in rest.by_ref() {
                if socket.write_all(&[byte]).is_err() || since.elapsed() > 20 * limit {
                    return;
                }
                std::thread::sleep(limit / 10);
            }
        });
        let mut told = String::new();
        // Whoever still writes when the other has closed may be told so instead of the last words.
        let _ = reader.read_to_string(&mut told);
        (told, since.elapsed())
    };
    // Of a machine that is busy the last words may be lost so: then it is tried again.
    let told = |trickle: &dyn Fn() -> (String, Duration)| {
        (0..8).map(|_| trickle()).find(|(told, _)| !told.is_empty()).unwrap()
    };
    let heads = told(&|| {
        trickle("GET /api/chats HTTP/1.1\r\n", Box::new(std::iter::repeat_n(*b"A: b\r\n", 100).flatten()))
    });
    let head = format!("POST /api/chats HTTP/1.1\r\nAuthorization: Bearer {}\r\n", near.token);
    let body = format!("{head}Content-Length: 1000\r\n\r\n{{");
    let bodies = told(&|| trickle(&body, Box::new(std::iter::repeat_n(b' ', 999))));
    for (told, after) in [&heads, &bodies] {
        assert!(told.starts_with("HTTP/1.1 408"), "{told}");
        assert!(told.contains("\"too_slow\""), "{told}");
        assert!(*after >= limit && *after < 15 * limit, "{after:?}");
        assert_eq!(near.get("/healthz").status, 200);
    }
    // Nothing at all is closed without a word.
    let mut told = Vec::new();
    near.connect().read_to_end(&mut told).unwrap();
    assert_eq!(told, b"");
}

/// Streams and long polls are counted together, and a closed one makes room.
#[test]
fn streams_are_bounded() {
    let near = Near::start(Limits { streams: 3, ..Limits::default() });
    let mut open: Vec<_> = (0..3).map(|_| near.get("/api/events").events()).collect();
    let refused = near.get("/api/events");
    assert!(refused.header("retry-after").is_some());
    is_refused(refused, 429, "too_many_streams");
    let last = near.get("/api/events/poll").json()["last_id"].as_str().unwrap().to_owned();
    is_refused(near.get(&format!("/api/events/poll?wait=1&after={last}")), 429, "too_many_streams");
    assert_eq!(
        near.get(&format!("/api/events/poll?after={last}")).status,
        200,
        "what does not wait needs no place"
    );
    open.pop();
    crate::process::wait_for(|| (near.get("/api/events").status == 200).then_some(()));
}

/// A stop ends open streams, and the server is over when they are.
#[test]
fn a_stop_ends_streams() {
    let mut near = Near::start(Limits::default());
    let mut stream = near.get("/api/events").events();
    near.stop.send_replace(true);
    assert_eq!(stream.next().map(|event| event.kind), Some("stopping".to_owned()));
    assert_eq!(stream.next(), None);
    near.runtime.block_on(near.serving.take().unwrap()).unwrap().unwrap();
}

/// Wrong tokens are counted by address, and never shut out a right one.
#[test]
fn wrong_tokens_are_counted() {
    let data = Folder::new();
    let server = Server::start(&data);
    let wrong = |path| server.ask(Some("wrong"), "GET", path, None);
    let mut refused = 0;
    for _ in 0..40 {
        match wrong("/api/chats").status {
            401 => refused += 1,
            status => assert_eq!(status, 429),
        }
    }
    assert!((20..40).contains(&refused), "{refused}");
    let response = wrong("/api/events");
    let seconds: u32 = response.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3).contains(&seconds));
    is_refused(response, 429, "too_many_requests");
    server.get("/api/chats");
}

/// Codes are counted by address, right ones too; a forwarded address counts behind a proxy alone, and of those the last.
#[test]
fn tried_codes_are_counted() {
    for behind_proxy in [false, true] {
        let data = Folder::new();
        let server = Server::start_with(&data, if behind_proxy { &["--behind-proxy"] } else { &[] });
        let (_, token) = newcomer(&data, &server, "Ann");
        let code = server.ask(Some(&token), "POST", "/api/pairings", None).json()["code"].clone();
        let redeem = |code: &serde_json::Value, from: &str| {
            let headers = vec![("X-Forwarded-For", from.to_owned())];
            let body = Some(json!({"code": code, "name": "x"}).to_string());
            let request =
                Request { token: None, headers, body, ..server.request("POST", "/api/pairings/redeem") };
            request.send(&server.address)
        };
        let guess = json!("ABCD-EFGH");
        let tried =
            (0..15).filter(|number| redeem(&guess, &format!("192.0.2.{number}, 198.51.100.7")).status == 403);
        let tried = tried.count();
        assert!((9..15).contains(&tried), "{tried}");
        is_refused(redeem(&code, "198.51.100.7"), 429, "too_many_requests");
        // From another address the code still holds: it was guesses that were shut out, not the person.
        let elsewhere = redeem(&code, "1.2.3.4, 203.0.113.9").status;
        assert_eq!(elsewhere, if behind_proxy { 201 } else { 429 });
    }
}

/// What a person makes is counted by person, from wherever they ask; the operator's commands are not.
#[test]
fn made_codes_are_counted() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, token) = newcomer(&data, &server, "Ann");
    let made =
        (0..40).filter(|_| server.ask(Some(&token), "POST", "/api/pairings", None).status == 201).count();
    assert!((30..40).contains(&made), "{made}");
    is_refused(
        server.ask(Some(&token), "POST", "/api/devices", Some(&json!({"name": "x"}))),
        429,
        "too_many_requests",
    );
    printed(&data, &["token", "add", "x", "--person", "Ann"]);
}

/// More connections than the server takes are told so; a place that becomes free is taken again.
#[test]
fn connections_are_bounded() {
    let near = Near::start(Limits { connections: 2, ..Limits::default() });
    let (first, second) = (near.connect(), near.connect());
    let mut told = String::new();
    near.connect().read_to_string(&mut told).unwrap();
    assert!(told.starts_with("HTTP/1.1 503 ") && told.contains("too_many_connections"), "{told}");
    drop(first);
    let answered = || {
        let mut socket = near.connect();
        let mut told = String::new();
        write!(socket, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").ok()?;
        socket.read_to_string(&mut told).ok()?;
        told.starts_with("HTTP/1.1 200 ").then_some(())
    };
    crate::process::wait_for(answered);
    drop(second);
}

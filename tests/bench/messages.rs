//! What the house costs over its foundations: the message path and the event streams beside bare axum; then the binary's idle
//! memory and its start.
//!
//! `cargo bench -p handset-tests --bench messages`; behind `--`, `messages`, `events` or `process` measures that part alone. A message is sent and read to its stored reply. The bare handler reads the
//! same JSON and writes the same rows in the same two transactions (the message with its turn; the reply with the turn's
//! end) through one plain connection behind a lock. Both listen with `TCP_NODELAY` in this process, take turns, and meet
//! the same client.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a program that only measures")]

mod client;
mod plain;
mod spread;

use std::convert::Infallible;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::extract::{Path as Part, State};
use axum::response::sse::{Event, Sse};
use axum::routing::{get, post};
use axum::serve::ListenerExt as _;
use axum::{Json, Router};
use futures_core::Stream;
use handset::clock::{Clock as _, SystemClock};
use handset::gateway::Gateway;
use handset::gateway::events::{Hub, News};
use handset::gateway::model::{AHEAD, Delta, Deltas, Model, Prompt};
use handset::ids::{ChatId, PersonId, TurnId, secret};
use handset::store::sqlite::Sqlite;
use handset::store::{Kind, Mode, NewChat, NewMessage, NewToken, Store};
use handset::web;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::JoinSet;

use self::client::Client;
use self::plain::{Folder, Plain};
use self::spread::Spread;

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(2);
const REPLY: &str = "It is done.";
/// How many events a stream carries in a round.
const EVENTS: u64 = 40_000;
/// How far the publisher runs ahead of its slowest reader: less than the ring keeps.
const LEAD: u64 = 3_500;

/// A model that costs nothing.
struct Null;

impl Model for Null {
    fn name(&self) -> &'static str {
        "null"
    }

    fn open(&self, _: Prompt) -> Deltas {
        let (sender, deltas) = mpsc::channel(AHEAD);
        sender.try_send(Ok(Delta::Text(REPLY.to_owned()))).unwrap();
        deltas
    }
}

fn main() {
    let folder = Folder::new("messages");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let scene = Scene::new(&folder).await;
        for writers in [1, 4, 32].into_iter().filter(|_| wanted("messages")) {
            messages(&scene, writers, "on this disk").await;
        }
        // Where a flush costs nothing, what the programs themselves cost is all there is to see.
        let memory = Path::new("/dev/shm");
        if memory.is_dir() && wanted("messages") {
            let folder = Folder::within(memory, "messages");
            let scene = Scene::new(&folder).await;
            for writers in [1, 4, 32] {
                messages(&scene, writers, "in memory").await;
            }
        }
        for streams in [1, 8].into_iter().filter(|_| wanted("events")) {
            events(&scene, streams).await;
        }
    });
    if wanted("process") {
        process(&folder);
    }
}

/// Whether a part was asked for, or none was.
fn wanted(part: &str) -> bool {
    let mut asked = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).peekable();
    asked.peek().is_none() || asked.any(|argument| argument == part)
}

/// Where the bare streams' next channels are handed over.
type Source = Arc<Mutex<Vec<mpsc::Receiver<Arc<str>>>>>;

struct Scene {
    house: String,
    bare: String,
    token: String,
    gateway: Arc<Gateway>,
    person: PersonId,
    their_person: PersonId,
    other: Arc<dyn Store>,
    source: Source,
    _stop: watch::Sender<bool>,
}

impl Scene {
    async fn new(folder: &Folder) -> Self {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.file("house.db")).await.unwrap());
        let person = store.create_person("p".to_owned(), 0).await.unwrap();
        let token = secret().unwrap();
        let known = NewToken {
            person: person.clone(),
            hash: web::hash(&token),
            name: "t".to_owned(),
            device: None,
            now_ms: 0,
        };
        store.add_token(known).await.unwrap();
        let gateway =
            Gateway::new(store, Arc::new(SystemClock), Arc::new(Hub::new().unwrap()), Arc::new(Null));
        let (stop, stopping) = watch::channel(false);
        let house = serve_house(Arc::clone(&gateway), stopping).await;

        let theirs = folder.file("bare.db");
        let other: Arc<dyn Store> = Arc::new(Sqlite::open(&theirs).await.unwrap());
        let their_person = other.create_person("p".to_owned(), 0).await.unwrap();
        let source = Source::default();
        let plain = Arc::new(Mutex::new(Plain::open(&theirs).await));
        let bare = Router::new()
            .route("/chats/{chat}/messages", post(bare_message))
            .with_state((plain, their_person.clone()))
            .merge(Router::new().route("/events", get(bare_events)).with_state(Arc::clone(&source)));
        let bare = serve(bare).await;
        Self { house, bare, token, gateway, person, their_person, other, source, _stop: stop }
    }
}

/// As the binary serves: with its own accept loop and its limits.
async fn serve_house(gateway: Arc<Gateway>, stopping: watch::Receiver<bool>) -> String {
    let options = web::Options::default();
    let router = web::router(gateway, stopping.clone(), &options).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(web::serve(listener, router, options.limits, stopping));
    address
}

async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let listener = listener.tap_io(|connection| connection.set_nodelay(true).unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

async fn bare_message(
    State((plain, person)): State<(Arc<Mutex<Plain>>, PersonId)>,
    Part(chat): Part<String>,
    Json(sent): Json<serde_json::Value>,
) -> Json<serde_json::Value> {
    let new = NewMessage {
        voice: None,
        person,
        chat: ChatId::from_text(chat),
        text: sent["text"].as_str().unwrap().to_owned(),
        capabilities: Vec::new(),
        from_phone: false,
        device: None,
        client_id: None,
        now_ms: SystemClock.now_ms(),
    };
    let turn = plain.lock().await.begin_turn(&new).await;
    plain.lock().await.finish_turn(&new, &turn, REPLY).await;
    Json(serde_json::json!({"turn": turn, "text": REPLY}))
}

struct Bare(mpsc::Receiver<Arc<str>>, u64);

impl Stream for Bare {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|data| {
            let data = data?;
            self.1 += 1;
            Some(Ok(Event::default().event("delta").data(data).id(format!("00000000-{}", self.1))))
        })
    }
}

async fn bare_events(State(source): State<Source>) -> Sse<Bare> {
    Sse::new(Bare(source.lock().await.pop().unwrap(), 0))
}

/// How many chats each writer goes through in turn.
const CHATS: usize = 128;

/// So many chats, made all at once.
async fn chats(store: &Arc<dyn Store>, person: &PersonId, count: usize) -> Vec<ChatId> {
    let mut tasks = JoinSet::new();
    for _ in 0..count {
        let (store, person) = (Arc::clone(store), person.clone());
        let chat = NewChat { person, kind: Kind::Chat, mode: Mode::Act, title: None, now_ms: 0 };
        tasks.spawn(async move { store.create_chat(chat).await.unwrap().id });
    }
    tasks.join_all().await
}

/// Messages from so many writers at once, each through many chats: a prompt grows with its chat, and the bare handler has
/// none.
async fn messages(scene: &Scene, writers: usize, place: &str) {
    let (mut ours, mut theirs) = (Spread::default(), Spread::default());
    for _ in 0..ROUNDS {
        for (address, store, person, path, spread) in [
            (&scene.house, &scene.gateway.store, &scene.person, "/api/chats", &mut ours),
            (&scene.bare, &scene.other, &scene.their_person, "/chats", &mut theirs),
        ] {
            let mut tasks = JoinSet::new();
            let chats = chats(store, person, writers * CHATS).await;
            let begun = Instant::now();
            for chats in chats.chunks(CHATS) {
                let (chats, mut client) = (chats.to_vec(), Client::connect(address, &scene.token).await);
                tasks.spawn(async move {
                    let mut times = Vec::new();
                    for chat in chats.iter().cycle() {
                        if begun.elapsed() > ROUND {
                            break;
                        }
                        let start = Instant::now();
                        let body = r#"{"text":"set an alarm for 7:30 on weekdays"}"#;
                        let answer = client.post(&format!("{path}/{chat}/messages"), body).await;
                        times.push(start.elapsed());
                        assert!(answer.contains(REPLY), "{answer}");
                    }
                    times
                });
            }
            while let Some(times) = tasks.join_next().await {
                spread.add(times.unwrap());
            }
            spread.took(begun.elapsed());
        }
    }
    println!("\nMessages to their stored replies, {writers} at once, files {place}");
    theirs.print("bare axum and a plain connection");
    ours.print("the server");
    println!("    the server does {:.0} % of the bare handler's", 100.0 * ours.rate() / theirs.rate());
}

/// Events on so many streams of one person.
async fn events(scene: &Scene, streams: usize) {
    let (chat, turn) = (ChatId::from_text("c"), TurnId::from_text("t"));
    let text = "a few words of a reply ";
    let length = News::delta(&chat, &turn, text).data().len();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        // Bare: a channel for each stream.
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..streams).map(|_| mpsc::channel(32)).unzip();
        *scene.source.lock().await = receivers;
        let (readers, _) = readers(&scene.bare, "/events", &scene.token, streams).await;
        let begun = Instant::now();
        let (c, t) = (chat.clone(), turn.clone());
        tokio::spawn(async move {
            for _ in 0..EVENTS {
                // Both make the JSON of each event once, as it comes.
                let data: Arc<str> = News::delta(&c, &t, text).data().into();
                for sender in &senders {
                    sender.send(Arc::clone(&data)).await.unwrap();
                }
            }
        });
        finish(readers).await;
        theirs.push(begun.elapsed().as_secs_f64());

        let (readers, read) = readers_of_house(scene, streams).await;
        let begun = Instant::now();
        let (gateway, person, chat, turn) =
            (Arc::clone(&scene.gateway), scene.person.clone(), chat.clone(), turn.clone());
        tokio::spawn(async move {
            for number in 0..EVENTS {
                gateway.hub.publish(&person, News::delta(&chat, &turn, text));
                // Not lapped: a reader that is too far behind would be told to read anew.
                while number % 64 == 0
                    && read.iter().any(|read| number.saturating_sub(read.load(Ordering::Relaxed)) > LEAD)
                {
                    tokio::time::sleep(Duration::from_micros(200)).await;
                }
            }
        });
        finish(readers).await;
        ours.push(begun.elapsed().as_secs_f64());
    }
    let rate = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        (EVENTS * streams as u64) as f64 / times[times.len() / 2]
    };
    let (ours, theirs) = (rate(&mut ours), rate(&mut theirs));
    println!("\nEvents on {streams} stream(s), {} bytes of data each, medians of {ROUNDS} rounds", length);
    println!("    {:<44} {theirs:>8.0} /s", "bare axum, a channel a stream");
    println!("    {:<44} {ours:>8.0} /s", "the server, from the person's ring");
    println!("    the server does {:.0} % of the bare streams'", 100.0 * ours / theirs);
}

type Readers = JoinSet<()>;

async fn readers_of_house(scene: &Scene, streams: usize) -> (Readers, Vec<Arc<AtomicU64>>) {
    readers(&scene.house, "/api/events", &scene.token, streams).await
}

async fn readers(
    address: &str,
    path: &'static str,
    token: &str,
    streams: usize,
) -> (Readers, Vec<Arc<AtomicU64>>) {
    let (mut tasks, mut counters) = (JoinSet::new(), Vec::new());
    for _ in 0..streams {
        let mut client = Client::connect(address, token).await;
        client.open(path).await;
        let counter = Arc::new(AtomicU64::new(0));
        counters.push(Arc::clone(&counter));
        tasks.spawn(async move { client.count("event: delta", EVENTS, &counter).await });
    }
    (tasks, counters)
}

async fn finish(mut readers: Readers) {
    while let Some(done) = readers.join_next().await {
        done.unwrap();
    }
}

/// The binary itself: how soon it serves, and what it holds when nothing happens.
fn process(folder: &Folder) {
    let binary = binary();
    let data = folder.file("data");
    let mut times: Vec<Duration> = (0..11).map(|_| start(&binary, &data).0).collect();
    let first = times.remove(0);
    times.sort_unstable();
    let (_, idle) = start(&binary, &data);
    println!("\nThe binary");
    println!("    {:<44} {:>8.1} ms", "its first start, which makes the database", first.as_secs_f64() * 1e3);
    println!("    {:<44} {:>8.1} ms", "a start to its banner, median of 10", times[5].as_secs_f64() * 1e3);
    println!("    {:<44} {:>8.1} ms", "the slowest of them", times[9].as_secs_f64() * 1e3);
    println!("    {:<44} {:>8.1} MB", "resident memory, idle", idle as f64 / 1e6);
}

/// Starts it; the time to the banner's end, and its resident memory.
fn start(binary: &Path, data: &Path) -> (Duration, usize) {
    let begun = Instant::now();
    let mut child = Command::new(binary)
        .args(["--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.find(|line| line.as_ref().unwrap().contains("curl")).unwrap().unwrap();
    let took = begun.elapsed();
    // A breath for what the start still frees.
    std::thread::sleep(Duration::from_millis(200));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let resident = line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024;
    child.kill().unwrap();
    child.wait().unwrap();
    (took, resident)
}

/// The release binary beside this benchmark, brought up to date.
fn binary() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let folder = own.parent().and_then(Path::parent).unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "handset", "--bin", "handset", "--target-dir"])
        .arg(folder.parent().unwrap())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(built.success());
    folder.join("handset")
}

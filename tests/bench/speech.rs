//! From a sentence's last character out of the model to the request for its speech, with 200 replies at once.
//!
//! `cargo bench -p handset-tests --bench speech`. Each reply comes as a model sends it, a word at a time; the service is an HTTP server of
//! its own runtime in this process, which notes when a request is there, body and all, and takes a while to answer. A sentence is over
//! when what follows it says so ("3.5", "e.g."), so the time counts from the word that does. Ours is the whole way: the splitter, the
//! queue, the person's characters of the day in a real store, the service's client. Beside it, in turns:
//!
//! - the whole reply, then its sentences: what is built first everywhere;
//! - a connection a sentence: cut at ". " by looking through all that came at each word, each sentence asked for by a task of its own
//!   on a new connection.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a program that only measures")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use axum::serve::ListenerExt as _;
use handset::clock::SystemClock;
use handset::config::{RemoteSpeech, Speech, SpeechApi};
use handset::ids::{PersonId, secret};
use handset::models;
use handset::store::Store;
use handset::store::sqlite::Sqlite;
use handset::voice::speech::{Event, Format, Ledger, Manner, Mouth};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

const STREAMS: usize = 200;
const SENTENCES: usize = 8;
const ROUNDS: usize = 3;
/// From one word to the next, as a model of some fifty tokens a second has it.
const WORD: Duration = Duration::from_millis(20);
/// How long the service takes for a sentence.
const SYNTHESIS: Duration = Duration::from_millis(40);
/// What is to be held.
const LIMIT: Duration = Duration::from_millis(5);

/// When each sentence was over and when it was asked for, in nanoseconds since the beginning; 0 where it was not yet.
struct Times {
    begin: Instant,
    over: Vec<AtomicU64>,
    asked: Vec<AtomicU64>,
}

impl Times {
    fn new() -> Self {
        let none = || (0..STREAMS * SENTENCES).map(|_| AtomicU64::new(0)).collect();
        Self { begin: Instant::now(), over: none(), asked: none() }
    }

    fn note(&self, which: &[AtomicU64], sentence: usize) {
        let now = u64::try_from(self.begin.elapsed().as_nanos()).unwrap();
        which[sentence].store(now, Ordering::Relaxed);
    }

    fn reset(&self) {
        for time in self.over.iter().chain(&self.asked) {
            time.store(0, Ordering::Relaxed);
        }
    }

    /// How long each sentence took. The last of a reply has nothing behind it, and is left out.
    fn took(&self) -> Vec<Duration> {
        let times = self.over.iter().zip(&self.asked).enumerate();
        let inner = times.filter(|(sentence, _)| sentence % SENTENCES != SENTENCES - 1);
        inner
            .map(|(sentence, (over, asked))| {
                let (over, asked) = (over.load(Ordering::Relaxed), asked.load(Ordering::Relaxed));
                assert!(over > 0 && asked > 0, "sentence {sentence} was never asked for");
                Duration::from_nanos(asked.saturating_sub(over))
            })
            .collect()
    }
}

/// The words of a reply, each with the sentence that it shows to be over.
fn words(reply: usize) -> Vec<(String, Option<usize>)> {
    let mut words = Vec::new();
    for place in 0..SENTENCES {
        let sentence = reply * SENTENCES + place;
        let text =
            format!("Sentence number {sentence} says what Dr. Vale would have said of it, more or less.");
        for (at, word) in text.split(' ').enumerate() {
            let first = at == 0 && place == 0;
            let over = (at == 0 && place > 0).then(|| sentence - 1);
            words.push((if first { word.to_owned() } else { format!(" {word}") }, over));
        }
    }
    words
}

/// The number of the sentence that a request is for.
fn number(body: &[u8]) -> usize {
    let body = std::str::from_utf8(body).unwrap();
    let (_, behind) = body.split_once("number ").unwrap();
    behind.split(' ').next().unwrap().parse().unwrap()
}

async fn speak(
    State(times): State<Arc<Times>>,
    body: axum::body::Bytes,
) -> ([(&'static str, &'static str); 1], &'static [u8]) {
    times.note(&times.asked, number(&body));
    tokio::time::sleep(SYNTHESIS).await;
    ([("content-type", "audio/mpeg")], b"ID3 not much of a sound")
}

/// Serves on a runtime of its own, and gives the address.
fn service(times: Arc<Times>) -> String {
    let (sender, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            sender.send(listener.local_addr().unwrap().to_string()).unwrap();
            let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
            let router = Router::new().route("/v1/audio/speech", post(speak)).with_state(times);
            axum::serve(listener, router).await.unwrap();
        });
    });
    address.recv().unwrap()
}

/// A reply's words, one by one, in their time; `take` gets each.
async fn model(reply: usize, times: &Times, mut take: impl FnMut(&str)) {
    // They do not all begin at once.
    let mut due = tokio::time::Instant::now() + WORD.mul_f64(reply as f64 * 0.618 % 1.0);
    for (word, over) in words(reply) {
        tokio::time::sleep_until(due).await;
        due += WORD;
        if let Some(sentence) = over {
            times.note(&times.over, sentence);
        }
        take(&word);
    }
}

async fn ours(reply: usize, times: &Times, mouth: &Mouth, person: &PersonId) {
    let (speaker, mut events) = mouth.speaker(person, Manner::default());
    model(reply, times, |word| speaker.push(word)).await;
    speaker.finish();
    let mut heard = 0;
    while let Some(event) = events.recv().await {
        if let Event::Audio { audio, .. } = event {
            audio.unwrap();
            heard += 1;
        }
    }
    assert_eq!(heard, SENTENCES);
}

/// One request on a connection of its own.
async fn ask(address: &str, text: &str) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let body = format!("{{\"model\":\"m\",\"voice\":\"v\",\"input\":\"{text}\"}}");
    let head = format!(
        "POST /v1/audio/speech HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200"));
}

/// The sentences of what came, as they are cut by those who do not know Dr. Vale better.
fn cut(text: &str) -> Vec<&str> {
    text.split(" Sentence").filter(|sentence| !sentence.is_empty()).collect()
}

async fn whole_reply(reply: usize, times: &Times, address: &str) {
    let mut text = String::new();
    model(reply, times, |word| text.push_str(word)).await;
    for sentence in cut(&text) {
        ask(address, sentence).await;
    }
}

async fn connection_each(reply: usize, times: &Times, address: &str) {
    let (mut text, mut asked) = (String::new(), 0);
    let mut asking = JoinSet::new();
    model(reply, times, |word| {
        text.push_str(word);
        let sentences = cut(&text);
        while asked + 1 < sentences.len() {
            let (address, sentence) = (address.to_owned(), sentences[asked].to_owned());
            asking.spawn(async move { ask(&address, &sentence).await });
            asked += 1;
        }
    })
    .await;
    for sentence in cut(&text).into_iter().skip(asked) {
        ask(address, sentence).await;
    }
    asking.join_all().await;
}

fn main() {
    let folder = std::env::temp_dir().join(format!("handset-bench-speech-{}", secret().unwrap()));
    std::fs::create_dir_all(&folder).unwrap();
    let times = Arc::new(Times::new());
    let address = service(Arc::clone(&times));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    println!(
        "{STREAMS} replies at once, {SENTENCES} sentences each, a word every {} ms, {ROUNDS} rounds; milliseconds from the word that \
         shows a sentence to be over to its request\n",
        WORD.as_millis()
    );
    let mut took = [Vec::new(), Vec::new(), Vec::new()];
    runtime.block_on(async {
        let scene = Arc::new(Scene::new(&folder, &address).await);
        for _ in 0..ROUNDS {
            for (way, took) in took.iter_mut().enumerate() {
                times.reset();
                let mut replies = JoinSet::new();
                for reply in 0..STREAMS {
                    let (times, scene, address) = (Arc::clone(&times), Arc::clone(&scene), address.clone());
                    replies.spawn(async move {
                        match way {
                            0 => ours(reply, &times, &scene.mouth, &scene.persons[reply]).await,
                            1 => connection_each(reply, &times, &address).await,
                            _ => whole_reply(reply, &times, &address).await,
                        }
                    });
                }
                replies.join_all().await;
                took.extend(times.took());
            }
        }
    });
    let _ = std::fs::remove_dir_all(folder);
    let mut ours = None::<Duration>;
    for (name, took) in
        ["one queue a reply (ours)", "a connection a sentence", "the whole reply first"].into_iter().zip(took)
    {
        let mut took = took;
        took.sort_unstable();
        let at = |share: f64| took[((took.len() as f64 * share) as usize).min(took.len() - 1)];
        let ratio = at(0.99).as_secs_f64() / ours.get_or_insert(at(0.99)).as_secs_f64();
        let ms = |share: f64| at(share).as_secs_f64() * 1e3;
        println!(
            "  {name:<28} p50 {:>8.3}   p90 {:>8.3}   p99 {:>8.3}   max {:>8.3}   p99 {ratio:>7.1} x",
            ms(0.5),
            ms(0.9),
            ms(0.99),
            ms(1.0)
        );
    }
    let held = ours.is_some_and(|p99| p99 < LIMIT);
    println!("\n  p99 under {} ms: {}", LIMIT.as_millis(), if held { "yes" } else { "NO" });
}

struct Scene {
    mouth: Mouth,
    persons: Vec<PersonId>,
}

impl Scene {
    async fn new(folder: &Path, address: &str) -> Self {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.join("s.db")).await.unwrap());
        let mut persons = Vec::new();
        for number in 0..STREAMS {
            persons.push(store.create_person(format!("p{number}"), 0).await.unwrap());
        }
        let settings = RemoteSpeech {
            api: SpeechApi::OpenAi,
            url: format!("http://{address}/v1/audio/speech").parse().unwrap(),
            voice: "v".to_owned(),
            model: "m".to_owned(),
            key: None,
            format: Format::Mp3,
            format_word: "mp3".to_owned(),
            max_characters: 800,
            metered: true,
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
        };
        let service = models::voice(&Speech::Remote(Box::new(settings))).unwrap();
        Self { mouth: Mouth::new(service, Ledger::new(store, Arc::new(SystemClock))), persons }
    }
}

//! What a push costs, and whether thousands of phones ring in time.
//!
//! `cargo bench -p handset-tests --bench pushes`; behind `--`, `seal` or `load` measures that part alone.
//!
//! *Seal*: a ring's payload encrypted for a browser, beside another implementation; and a signature, which is made once in
//! half a day for each push service. *Load*: 5,000 phones ring eleven times each, every two seconds, at due times counted from
//! each call's own start, against a push service in a process of its own on this machine; every tenth call is answered on
//! the way. How late a ring was is told by that service: when it had read the whole push, less when it was due. Once with
//! the calls' starts spread over two seconds, once with all of them at one instant.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a program that only measures")]

mod plain;
mod rounds;

use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use handset::clock::{Clock as _, SystemClock};
use handset::ids::{InviteId, PersonId};
use handset::ringer::bell::{Bell, Live, Ring};
use handset::ringer::push::payload::{self, Kind};
use handset::ringer::push::{Guard, Keys, Push, ServerKey, seal};
use handset::store::sqlite::Sqlite;
use handset::store::{NewDevice, NewSubscription, Store};
use handset_spec::Language;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use web_push_native::p256::PublicKey;
use web_push_native::{Auth, encrypt};

use self::plain::Folder;
use self::rounds::{Candidate, report};

const PHONES: usize = 5_000;
const RINGS: u32 = 11;
const EVERY: Duration = Duration::from_secs(2);
const EXPIRES_MS: i64 = 30_000;
/// Every which call is answered, and after how many rings.
const ANSWERED: usize = 10;
const ANSWERED_AFTER: Duration = Duration::from_millis(9_001);

/// The receiver's keys of RFC 8291, appendix A: whose they are makes no difference here.
const P256DH: &str =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wants = |part: &str| asked.is_empty() || asked.iter().any(|word| word == part);
    if asked.iter().any(|word| word == "service") {
        return service();
    }
    if wants("seal") {
        sealing();
    }
    if wants("load") {
        let folder = Folder::new("pushes");
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            load(&folder, "starts spread over 2 s", EVERY).await;
            load(&folder, "all starts at one instant", Duration::ZERO).await;
        });
    }
}

fn sealing() {
    let keys = Keys::read(P256DH, AUTH).unwrap();
    let decoded = |text: &str| {
        use base64::Engine as _;
        base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).unwrap()
    };
    let theirs = PublicKey::from_sec1_bytes(&decoded(P256DH)).unwrap();
    let auth = Auth::clone_from_slice(&decoded(AUTH));
    let payload =
        payload::write(Kind::Call, &ring(PersonId::from_text("p"), invite(), 0, 0, 0, Live::new()), None);
    let (server, _) = ServerKey::make().unwrap();
    let now_ms = SystemClock.now_ms();
    report(
        &format!("one push, a payload of {} bytes", payload.len()),
        1,
        vec![
            Candidate::new("sealed (RFC 8291 over ring)", || {
                black_box(seal(&keys, black_box(&payload)).unwrap());
            }),
            Candidate::new("web-push-native 0.5: encrypt", || {
                black_box(encrypt(black_box(payload.clone()), &theirs, &auth).unwrap());
            }),
            Candidate::new("a signature (made twice a day for a service)", || {
                let subject = Some("mailto:ann@example.org");
                black_box(server.authorization("https://push.example", subject, now_ms).unwrap());
            }),
        ],
    );
}

fn invite() -> InviteId {
    InviteId::new(SystemClock.now_ms()).unwrap()
}

fn ring(person: PersonId, invite: InviteId, sequence: u32, due_ms: i64, expires_ms: i64, live: Live) -> Ring {
    let reason = "It has been a while, and I wanted to hear your voice.".to_owned();
    let (last, language) = (sequence + 1 == RINGS, Language::En);
    Ring { person, invite, sequence, last, reason, language, due_ms, expires_ms, live }
}

/// One call: whose, for which device, and when it begins.
struct Call {
    person: PersonId,
    invite: InviteId,
    live: Live,
    offset: Duration,
}

async fn load(folder: &Folder, title: &str, spread: Duration) {
    let mut service = Service::start();
    let store: Arc<dyn Store> =
        Arc::new(Sqlite::open(&folder.file(&format!("{}.db", spread.as_millis()))).await.unwrap());
    let guard = Guard::new(Vec::new(), vec![service.origin.clone()]);
    let key = ServerKey::make().unwrap().0;
    let public = key.public().to_owned();
    let push = Push::new(Arc::clone(&store), Arc::new(SystemClock), key, None, guard);
    let calls = house(&store, &service.origin, &public, spread).await;
    let before = Usage::now();

    // A moment ahead, so that every task stands ready.
    let start = Instant::now() + Duration::from_secs(1);
    let start_us = now_us() + 1_000_000;
    let ended = Arc::new(Mutex::new(HashMap::new()));
    let mut bursts = JoinSet::new();
    for (number, call) in calls.iter().enumerate() {
        let (push, call_start) = (push.clone(), start + call.offset);
        let due_us = start_us + i64::try_from(call.offset.as_micros()).unwrap();
        bursts.spawn(burst(
            push,
            call.person.clone(),
            call.invite.clone(),
            call.live.clone(),
            call_start,
            due_us / 1000,
        ));
        if number % ANSWERED == 0 {
            let (live, invite, ended) = (call.live.clone(), call.invite.clone(), Arc::clone(&ended));
            tokio::spawn(async move {
                tokio::time::sleep_until((call_start + ANSWERED_AFTER).into()).await;
                live.end();
                ended.lock().unwrap().insert(invite, SystemClock.now_ms());
            });
        }
    }
    while bursts.join_next().await.is_some() {}
    let took = start.elapsed();
    let after = Usage::now();
    push.settled().await;

    let (mut outcomes, mut after_answer) = (HashMap::new(), 0);
    for call in &calls {
        let ended_ms = ended.lock().unwrap().get(&call.invite).copied();
        for sent in store.rings(call.person.clone(), call.invite.clone()).await.unwrap().sent {
            *outcomes.entry(sent.outcome.word()).or_insert(0) += 1;
            let late = sent.sent_ms.zip(ended_ms).is_some_and(|(sent_ms, ended_ms)| sent_ms > ended_ms);
            after_answer += u32::from(late);
        }
    }
    // Each ring has a topic of its own, which the service saw.
    let mut due = HashMap::new();
    for call in &calls {
        let first_us = start_us + i64::try_from(call.offset.as_micros()).unwrap();
        for sequence in 0..RINGS {
            let after_us = i64::from(sequence) * i64::try_from(EVERY.as_micros()).unwrap();
            due.insert(payload::topic(&call.invite, sequence), first_us + after_us);
        }
    }
    let came = service.came();
    let mut late: Vec<i64> = came.iter().map(|(topic, at_us)| at_us - due[topic]).collect();
    late.sort_unstable();
    let at = |share: usize| late[(late.len() - 1) * share / 1000] as f64 / 1000.0;
    let cpu = (after.cpu - before.cpu).as_secs_f64();
    let mut told: Vec<_> = outcomes.into_iter().collect();
    told.sort_unstable();
    println!("  {PHONES} phones, {RINGS} rings each, every {} s, {title}", EVERY.as_secs());
    println!("    outcomes                 {told:?}");
    println!("    came                     {} of {} that were due", came.len(), calls.len() * RINGS as usize);
    println!(
        "    late                     p50 {:.2} ms   p99 {:.2} ms   max {:.2} ms",
        at(500),
        at(990),
        at(1000)
    );
    println!("    sent after the answer    {after_answer}");
    println!(
        "    processor                {:.0} µs a push, {:.0} % of one core over {:.1} s",
        cpu * 1e6 / late.len() as f64,
        cpu / took.as_secs_f64() * 100.0,
        took.as_secs_f64()
    );
    println!("    memory                   {:.1} MB before, {:.1} MB at most", before.resident, after.most);
    println!();
    store.close().await.unwrap();
}

/// A burst on absolute due times: a ring is not waited for, so that a slow one delays no other.
async fn burst(
    bell: impl Bell + Clone,
    person: PersonId,
    invite: InviteId,
    live: Live,
    start: Instant,
    first_ms: i64,
) {
    let mut rings = JoinSet::new();
    for sequence in 0..RINGS {
        tokio::time::sleep_until((start + EVERY * sequence).into()).await;
        if !live.is_pending() {
            break;
        }
        let due_ms = first_ms + i64::from(sequence) * i64::try_from(EVERY.as_millis()).unwrap();
        let expires_ms = first_ms + EXPIRES_MS;
        let ring = ring(person.clone(), invite.clone(), sequence, due_ms, expires_ms, live.clone());
        let bell = bell.clone();
        rings.spawn(async move { bell.ring(ring).await });
    }
    while rings.join_next().await.is_some() {}
}

/// People with one phone each, each of which subscribed.
async fn house(store: &Arc<dyn Store>, origin: &str, key: &str, spread: Duration) -> Vec<Call> {
    let mut making = JoinSet::new();
    for number in 0..PHONES {
        let (store, endpoint, key) = (Arc::clone(store), format!("{origin}/{number}"), key.to_owned());
        making.spawn(async move {
            let person = store.create_person(number.to_string(), 1).await.unwrap();
            let hash = number.to_string();
            let new = NewDevice { person: person.clone(), hash, name: "phone".to_owned(), now_ms: 1 };
            let device = store.add_device(person.clone(), new, None).await.unwrap().unwrap().id;
            let subscription = NewSubscription {
                person: person.clone(),
                device,
                endpoint,
                p256dh: P256DH.to_owned(),
                auth: AUTH.to_owned(),
                server_key: key,
                site: None,
                agent: None,
                now_ms: 1,
            };
            store.subscribe(subscription).await.unwrap();
            let offset = spread * u32::try_from(number).unwrap() / u32::try_from(PHONES).unwrap();
            (number, Call { person, invite: invite(), live: Live::new(), offset })
        });
    }
    let mut calls = Vec::new();
    while let Some(made) = making.join_next().await {
        calls.push(made.unwrap());
    }
    calls.sort_unstable_by_key(|(number, _)| *number);
    calls.into_iter().map(|(_, call)| call).collect()
}

fn now_us() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros()).unwrap()
}

/// What this process has used.
struct Usage {
    cpu: Duration,
    /// Resident memory now, and at most so far, in megabytes.
    resident: f64,
    most: f64,
}

impl Usage {
    fn now() -> Self {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        // Behind the name, which may hold blanks; user and system time are the 14th and 15th, in hundredths.
        let fields: Vec<u64> = stat
            .rsplit_once(") ")
            .unwrap()
            .1
            .split(' ')
            .map(|field| field.trim().parse().unwrap_or(0))
            .collect();
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let megabytes = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1e3
        };
        Self {
            cpu: Duration::from_millis((fields[11] + fields[12]) * 10),
            resident: megabytes("VmRSS:"),
            most: megabytes("VmHWM:"),
        }
    }
}

/// The push service, as a process of its own.
struct Service {
    child: Child,
    origin: String,
    ask: Option<ChildStdin>,
    told: BufReader<ChildStdout>,
}

impl Service {
    fn start() -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("service")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        let mut origin = String::new();
        told.read_line(&mut origin).unwrap();
        let ask = child.stdin.take();
        Self { child, origin: origin.trim().to_owned(), ask, told }
    }

    /// The topics of the rings that came, and when, in microseconds since the Unix epoch. It ends with that.
    fn came(&mut self) -> Vec<(String, i64)> {
        drop(self.ask.take());
        let mut text = String::new();
        self.told.read_to_string(&mut text).unwrap();
        self.child.wait().unwrap();
        text.lines()
            .map(|line| {
                let (topic, at_us) = line.split_once(' ').unwrap();
                (topic.to_owned(), at_us.parse().unwrap())
            })
            .collect()
    }
}

/// Takes pushes until its input ends, then says when which came.
fn service() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let came: Arc<Mutex<Vec<(String, i64)>>> = Arc::default();
    let known = Arc::clone(&came);
    std::thread::spawn(move || {
        // Ends when the other side closes it.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let mut out = String::new();
        for (topic, at_us) in known.lock().unwrap().iter() {
            out += &format!("{topic} {at_us}\n");
        }
        std::io::stdout().write_all(out.as_bytes()).unwrap();
        std::process::exit(0);
    });
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("http://{}", listener.local_addr().unwrap());
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            tokio::spawn(take(socket, Arc::clone(&came)));
        }
    });
}

async fn take(mut socket: TcpStream, came: Arc<Mutex<Vec<(String, i64)>>>) -> Option<()> {
    socket.set_nodelay(true).ok()?;
    let mut read = Vec::with_capacity(4096);
    loop {
        let head = loop {
            if let Some(end) = read.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end + 4;
            }
            if socket.read_buf(&mut read).await.ok()? == 0 {
                return None;
            }
        };
        let text = std::str::from_utf8(&read[..head]).ok()?;
        let header = |name: &str| {
            let line = text
                .lines()
                .find(|line| line.get(..name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name)))?;
            Some(line[name.len()..].trim())
        };
        let length: usize = header("content-length:")?.parse().ok()?;
        let topic = header("topic:")?.to_owned();
        while read.len() < head + length {
            if socket.read_buf(&mut read).await.ok()? == 0 {
                return None;
            }
        }
        read.drain(..head + length);
        came.lock().unwrap().push((topic, now_us()));
        socket.write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n").await.ok()?;
    }
}

//! Many phones that ring at once: how late each ring is, and what it costs.
//!
//! `cargo bench -p handset-tests --bench bursts [BURSTS]`. Each burst is a person's own invite through the real ringer, over a
//! real store in a file: eleven rings, two seconds apart. The bell only notes when it was told to ring; what a push costs is
//! another matter. First the bursts begin one after another over two seconds, as their own starts spread them; then all of
//! them are due at the same instants, as no start would have it. Lateness is counted from the due time to the bell, in the
//! clock of the process; a timer of this kind has a resolution of a millisecond.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a program that only measures")]

mod spread;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use handset::clock::{Clock, SystemClock};
use handset::gateway::demo::Demo;
use handset::gateway::events::Hub;
use handset::ids::{InviteId, PersonId};
use handset::ringer::bell::{Bell, Ring};
use handset::ringer::burst::Plan;
use handset::ringer::{Invite, Ringer};
use handset::store::sqlite::Sqlite;
use handset::store::{By, NewInvite, Store};
use handset_spec::Language;
use handset_spec::settings::Settings;
use tokio::task::JoinSet;

use self::spread::Spread;

const BURSTS: usize = 5_000;
/// Over how long the bursts begin that are spread.
const OVER: Duration = Duration::from_secs(2);
/// How many invites are being made at once.
const AT_ONCE: usize = 64;

/// Notes how late each ring is.
#[derive(Default)]
struct Notes {
    late: Mutex<Vec<(u32, Duration)>>,
    rung: AtomicUsize,
}

impl Bell for Notes {
    fn ring(&self, ring: Ring) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let due = Duration::from_millis(ring.due_ms.unsigned_abs());
        self.late.lock().unwrap().push((ring.sequence, now.saturating_sub(due)));
        self.rung.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(()))
    }
}

fn main() {
    let bursts = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(BURSTS);
    let folder = Folder::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(measure(&folder, bursts));
}

async fn measure(folder: &Folder, bursts: usize) {
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.0.join("bursts.db")).await.unwrap());
    let persons = persons(&store, bursts).await;
    let call = Settings::default().call;
    let rings = usize::try_from(call.extra_rings).unwrap() + 1;
    println!("{bursts} bursts of {rings} rings, {} s apart", call.ring_interval.as_secs());

    let bell = Arc::new(Notes::default());
    let ringer = Arc::new(ringer(&store, &bell));
    let before = Cost::now();
    spread_out(&ringer, &persons).await;
    println!("  begun one after another over {} s", OVER.as_secs());
    println!("    made in {:.2} s, {} wait", before.begun.elapsed().as_secs_f64(), ringer.waiting());
    println!(
        "    memory a burst that waits {:>8} bytes",
        resident().saturating_sub(before.resident) / bursts
    );
    finish(&bell, bursts * rings, &before).await;
    ringer.stop();

    // Taken up by a start, so that they may be due together whatever making them takes.
    resolve(&store, &persons).await;
    let created_ms = SystemClock.now_ms() + 4_000 + i64::try_from(bursts).unwrap() / 2;
    lay(&store, &persons, &call, created_ms).await;
    let bell = Arc::new(Notes::default());
    let ringer = Arc::new(self::ringer(&store, &bell));
    ringer.recover().await.unwrap();
    assert!(SystemClock.now_ms() < created_ms, "they were laid down in time");
    SystemClock.sleep_until(created_ms - 100).await;
    println!("  all due at the same instants");
    finish(&bell, bursts * rings, &Cost::now()).await;
    ringer.stop();
}

fn ringer(store: &Arc<dyn Store>, bell: &Arc<Notes>) -> Ringer {
    let hub = Arc::new(Hub::new().unwrap());
    let ringer = Ringer::new(Arc::clone(store), Arc::new(SystemClock), hub, Arc::new(Demo));
    ringer.hang(Arc::clone(bell) as Arc<dyn Bell>);
    ringer
}

async fn persons(store: &Arc<dyn Store>, count: usize) -> Arc<Vec<PersonId>> {
    let mut tasks = JoinSet::new();
    let mut persons = Vec::with_capacity(count);
    for number in 0..count {
        let store = Arc::clone(store);
        tasks.spawn(async move { store.create_person(format!("p{number}"), 0).await.unwrap() });
        if tasks.len() >= 256 {
            persons.extend(tasks.join_next().await.map(Result::unwrap));
        }
    }
    while let Some(person) = tasks.join_next().await {
        persons.push(person.unwrap());
    }
    Arc::new(persons)
}

/// Makes an invite for each person, evenly over the time.
async fn spread_out(ringer: &Arc<Ringer>, persons: &Arc<Vec<PersonId>>) {
    let begun = tokio::time::Instant::now();
    let mut tasks = JoinSet::new();
    for worker in 0..AT_ONCE {
        let (ringer, persons) = (Arc::clone(ringer), Arc::clone(persons));
        tasks.spawn(async move {
            for number in (worker..persons.len()).step_by(AT_ONCE) {
                let due = OVER.mul_f64(number as f64 / persons.len() as f64);
                tokio::time::sleep_until(begun + due).await;
                let invite = Invite { reason: "dinner".to_owned(), by: By::Api, chat: None, force: false };
                ringer.invite(&persons[number], invite, None).await.unwrap();
            }
        });
    }
    while tasks.join_next().await.is_some() {}
}

/// Takes back what is pending.
async fn resolve(store: &Arc<dyn Store>, persons: &Arc<Vec<PersonId>>) {
    let pending = store.pending_invites().await.unwrap();
    assert!(pending.len() <= persons.len());
    let mut tasks = JoinSet::new();
    for invite in pending {
        let store = Arc::clone(store);
        tasks.spawn(async move {
            let event = handset::ringer::invite::Event::Cancelled;
            store.settle_invite(invite.person, invite.id, event, SystemClock.now_ms()).await.unwrap();
        });
    }
    while tasks.join_next().await.is_some() {}
}

/// Lays down invites that all begin at one instant.
async fn lay(
    store: &Arc<dyn Store>,
    persons: &Arc<Vec<PersonId>>,
    call: &handset_spec::settings::Call,
    created_ms: i64,
) {
    let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap();
    let plan = Plan {
        created_ms,
        interval_ms: ms(call.ring_interval),
        extra: u32::try_from(call.extra_rings).unwrap(),
        expires_ms: created_ms + ms(call.invite_expires),
    };
    let mut tasks = JoinSet::new();
    for person in persons.iter() {
        let new = NewInvite {
            id: InviteId::new(created_ms).unwrap(),
            person: person.clone(),
            chat: None,
            by: By::Api,
            reason: "dinner".to_owned(),
            language: Language::En,
            plan,
            rings: true,
            force: false,
        };
        let store = Arc::clone(store);
        tasks.spawn(async move { store.open_invite(new).await.unwrap() });
    }
    while tasks.join_next().await.is_some() {}
}

/// Waits for all rings and prints how late they were.
async fn finish(bell: &Notes, rings: usize, before: &Cost) {
    while bell.rung.load(Ordering::Relaxed) < rings {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let after = Cost::now();
    let late = bell.late.lock().unwrap();
    let took = after.begun - before.begun;
    for (name, of) in
        [("first rings, with the write that made them", 0..1), ("the rings behind them", 1..u32::MAX)]
    {
        let mut spread = Spread::default();
        spread
            .add(late.iter().filter(|(sequence, _)| of.contains(sequence)).map(|(_, late)| *late).collect());
        spread.took(took);
        spread.print(name);
    }
    let share = (after.cpu - before.cpu).as_secs_f64() / took.as_secs_f64() * 100.0;
    println!("    CPU {share:.0} % of one core over {:.1} s", took.as_secs_f64());
}

/// What this process has used so far.
struct Cost {
    begun: Instant,
    cpu: Duration,
    resident: usize,
}

impl Cost {
    fn now() -> Self {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let behind_name = stat.rsplit_once(')').unwrap().1;
        let ticks: u64 =
            behind_name.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
        // A tick is 10 ms on Linux.
        Self { begun: Instant::now(), cpu: Duration::from_millis(ticks * 10), resident: resident() }
    }
}

/// The resident memory of this process, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("handset-bench-bursts-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

//! Many cards at once: what one costs in memory while it waits.
//!
//! `cargo bench -p handset-tests --bench cards`. Each card is a whole turn: its own chat, a message from a phone, the demo
//! companion's call, a card in the store, a turn that waits for the answer. The figure is the growth of the process's
//! resident memory, divided by the cards; the page caches of the database's connections are bounded and filled beforehand.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a program that only measures")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use handset::clock::{Clock, SystemClock};
use handset::gateway::Gateway;
use handset::gateway::demo::Demo;
use handset::gateway::events::Hub;
use handset::ids::PersonId;
use handset::store::sqlite::Sqlite;
use handset::store::{Kind, Mode, NewChat, NewMessage, Store};
use handset_spec::phone::CAPABILITY;
use tokio::task::JoinSet;

/// Cards laid down before the first look, so that pools, caches and the ring of events are full.
const WARM: usize = 5_000;
const CARDS: usize = 50_000;
/// How many messages are under way at once.
const AT_ONCE: usize = 128;

fn main() {
    let folder = Folder::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(measure(&folder));
}

async fn measure(folder: &Folder) {
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.0.join("cards.db")).await.unwrap());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let gateway = Gateway::new(store, clock, Arc::new(Hub::new().unwrap()), Arc::new(Demo));
    let person = gateway.store.create_person("p".to_owned(), 0).await.unwrap();
    lay(&gateway, &person, WARM).await;
    let before = resident();
    let start = Instant::now();
    lay(&gateway, &person, CARDS).await;
    let took = start.elapsed();
    let grown = resident().saturating_sub(before);
    let open = gateway.store.open_cards(person.clone(), None).await.unwrap().len();
    assert_eq!(open, WARM + CARDS, "every card still waits");
    println!("{CARDS} cards waiting at once, beside {WARM} that were there before");
    println!("  resident memory before   {:>10.1} MB", before as f64 / 1e6);
    println!("  grown by                 {:>10.1} MB", grown as f64 / 1e6);
    println!("  a card                   {:>10} bytes", grown / CARDS);
    println!(
        "  laid down in             {:>10.1} s ({:.0} a second)",
        took.as_secs_f64(),
        CARDS as f64 / took.as_secs_f64()
    );
    // The file is thrown away: nobody needs the turns to end.
    std::process::exit({
        drop(std::fs::remove_dir_all(&folder.0));
        0
    });
}

/// Sends messages, each in a chat of its own, and returns once their cards wait.
async fn lay(gateway: &Arc<Gateway>, person: &PersonId, cards: usize) {
    let waiting = gateway.desk.waiting_cards();
    let mut tasks = JoinSet::new();
    for number in 0..AT_ONCE {
        let (gateway, person) = (Arc::clone(gateway), person.clone());
        tasks.spawn(async move {
            for _ in (number..cards).step_by(AT_ONCE) {
                let now_ms = gateway.clock.now_ms();
                let chat = NewChat {
                    person: person.clone(),
                    kind: Kind::Chat,
                    mode: Mode::Act,
                    title: None,
                    now_ms,
                };
                let chat = gateway.store.create_chat(chat).await.unwrap().id;
                let message = NewMessage {
                    voice: None,
                    person: person.clone(),
                    chat,
                    text: "set an alarm for 7:30 on weekdays".to_owned(),
                    capabilities: vec![CAPABILITY.to_owned()],
                    from_phone: true,
                    device: Some("pixel".to_owned()),
                    client_id: None,
                    now_ms,
                };
                gateway.take(message).await.unwrap().unwrap();
            }
        });
    }
    while tasks.join_next().await.is_some() {}
    while gateway.desk.waiting_cards() < waiting + cards {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    // What the last ones still had under way.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
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
        let path = std::env::temp_dir().join(format!("handset-bench-cards-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

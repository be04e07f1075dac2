//! Sixteen busy writers: the store with its one writer, beside sixteen plain connections that each commit by themselves.
//!
//! `cargo bench -p handset-tests --bench writers`. Both write the same rows (a person's message and its turn) into the same
//! schema with the same `synchronous` and `journal_mode`; they take turns on files of their own, and the ratios are of one run.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a program that only measures")]

mod plain;
mod spread;

use std::sync::Arc;
use std::time::{Duration, Instant};

use handset::clock::{Clock, SystemClock};
use handset::ids::{ChatId, PersonId};
use handset::store::sqlite::Sqlite;
use handset::store::{Kind, Mode, NewChat, NewMessage, Store};
use tokio::task::JoinSet;

use self::plain::{Folder, Plain};
use self::spread::Spread;

const WRITERS: usize = 16;
const ROUNDS: usize = 6;
const ROUND: Duration = Duration::from_secs(2);

fn main() {
    let folder = Folder::new("writers");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(measure(&folder));
}

async fn measure(folder: &Folder) {
    let ours = folder.file("one-writer.db");
    let theirs = folder.file("plain.db");
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&ours).await.unwrap());
    let (person, chats) = house(&*store).await;
    // The same schema, and its own chats.
    let other = Sqlite::open(&theirs).await.unwrap();
    let (their_person, their_chats) = house(&other).await;
    other.close().await.unwrap();
    let mut connections = Vec::new();
    for _ in 0..WRITERS {
        connections.push(Plain::open(&theirs).await);
    }

    let (mut batched, mut plain) = (Spread::default(), Spread::default());
    for _ in 0..ROUNDS {
        let mut tasks = JoinSet::new();
        let begun = Instant::now();
        for chat in &chats {
            let (store, person, chat) = (Arc::clone(&store), person.clone(), chat.clone());
            tasks.spawn(async move {
                let mut times = Vec::new();
                while begun.elapsed() < ROUND {
                    let start = Instant::now();
                    store.begin_turn(message(&person, &chat)).await.unwrap().unwrap();
                    times.push(start.elapsed());
                }
                times
            });
        }
        while let Some(times) = tasks.join_next().await {
            batched.add(times.unwrap());
        }
        batched.took(begun.elapsed());

        let mut tasks = JoinSet::new();
        let begun = Instant::now();
        for (mut connection, chat) in connections.drain(..).zip(&their_chats) {
            let (person, chat) = (their_person.clone(), chat.clone());
            tasks.spawn(async move {
                let mut times = Vec::new();
                while begun.elapsed() < ROUND {
                    let start = Instant::now();
                    connection.begin_turn(&message(&person, &chat)).await;
                    times.push(start.elapsed());
                }
                (connection, times)
            });
        }
        while let Some(done) = tasks.join_next().await {
            let (connection, times) = done.unwrap();
            connections.push(connection);
            plain.add(times);
        }
        plain.took(begun.elapsed());
    }
    println!("{WRITERS} busy writers, {ROUNDS} rounds of {} s each, synchronous = FULL", ROUND.as_secs());
    batched.print("the store's one writer");
    plain.print("16 plain connections");
    store.close().await.unwrap();
}

async fn house(store: &dyn Store) -> (PersonId, Vec<ChatId>) {
    let person = store.create_person("p".to_owned(), 0).await.unwrap();
    let mut chats = Vec::new();
    for _ in 0..WRITERS {
        let chat =
            NewChat { person: person.clone(), kind: Kind::Chat, mode: Mode::Act, title: None, now_ms: 0 };
        chats.push(store.create_chat(chat).await.unwrap().id);
    }
    (person, chats)
}

fn message(person: &PersonId, chat: &ChatId) -> NewMessage {
    NewMessage {
        voice: None,
        person: person.clone(),
        chat: chat.clone(),
        text: "set an alarm for 7:30 on weekdays".to_owned(),
        capabilities: Vec::new(),
        from_phone: false,
        device: None,
        client_id: None,
        now_ms: SystemClock.now_ms(),
    }
}

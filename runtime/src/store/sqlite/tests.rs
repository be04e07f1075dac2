//! Opening a file: what is new, newer, damaged, no database, read-only or full.

use std::path::PathBuf;

use sqlx::Executor as _;

use super::*;
use crate::ids::PersonId;
use crate::store::{Chats as _, DeviceKind, Kind, Mode, NewChat, NewToken, People as _, Tuning as _};

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("handset-sqlite-{}", crate::ids::secret().unwrap()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("s.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn chat(person: &PersonId) -> NewChat {
    NewChat {
        person: person.clone(),
        kind: Kind::Chat,
        mode: Mode::Act,
        title: Some("x".repeat(2_000)),
        now_ms: 1,
    }
}

/// A file with a few hundred chats in it, closed.
async fn filled(path: &Path) -> PersonId {
    let store = Sqlite::open(path).await.unwrap();
    let person = store.create_person("p".to_owned(), 1).await.unwrap();
    for _ in 0..200 {
        store.create_chat(chat(&person)).await.unwrap();
    }
    store.close().await.unwrap();
    person
}

/// A database of the first version is taken over: its operator stays the operator, its other tokens become devices.
#[tokio::test]
async fn the_first_schema_is_brought_up() {
    use sqlx::Executor as _;
    let folder = Folder::new();
    let path = folder.file();
    let mut connection = open::writer(&path).await.unwrap();
    connection.execute(sqlx::raw_sql(include_str!("../migrations/0001.sql"))).await.unwrap();
    let rows = "CREATE TABLE schema_version (version BIGINT NOT NULL PRIMARY KEY); \
                INSERT INTO schema_version VALUES (1); \
                INSERT INTO persons VALUES ('p', 'operator', 1); \
                INSERT INTO tokens VALUES ('00000000000000000000000000000000aaaa', 'p', 'operator', NULL, 1); \
                INSERT INTO tokens VALUES ('00000000000000000000000000000000bbbb', 'p', 'pixel', 'pixel', 2); \
                INSERT INTO chats VALUES ('c', 'p', 'chat', 'act', NULL, NULL, 2, 3); \
                INSERT INTO turns VALUES ('t', 'p', 'c', 1, 'finished', 1, 5); \
                INSERT INTO messages VALUES ('m', 'p', 'c', 't', 1, 'person', 'hi', NULL, NULL, '[]', NULL, NULL, 4); \
                INSERT INTO messages VALUES ('n', 'p', 'c', 't', 2, 'companion', 'hi', NULL, NULL, '[]', NULL, NULL, 5);";
    connection.execute(sqlx::raw_sql(rows)).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let store = Sqlite::open(&path).await.unwrap();
    let devices = store.devices(PersonId::from_text("p")).await.unwrap();
    let told: Vec<_> =
        devices.iter().map(|device| (device.id.as_str(), device.kind, device.seen_ms)).collect();
    assert_eq!(told, [("aaaa", DeviceKind::Operator, None), ("bbbb", DeviceKind::Device, None)]);
    let bearer = store.bearer(format!("{}bbbb", "0".repeat(32))).await.unwrap().unwrap();
    assert_eq!((bearer.device.as_deref(), bearer.kind), (Some("pixel"), DeviceKind::Device));
    // When somebody was last heard is known from their words.
    let seen = store.to_look_at(10, 10).await.unwrap();
    let heard =
        seen.iter().map(|standing| (standing.heard_ms, standing.heard_in.as_ref().map(|chat| chat.as_str())));
    assert_eq!(heard.collect::<Vec<_>>(), [(Some(4), Some("c"))]);
    // A migration whose number was skipped runs when it comes, and one that ran does not run again.
    store.close().await.unwrap();
    Sqlite::open(&path).await.unwrap().close().await.unwrap();
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = Folder::new();
    let path = folder.file();
    Sqlite::open(&path).await.unwrap().close().await.unwrap();
    let mut connection = open::writer(&path).await.unwrap();
    sqlx::query("INSERT INTO schema_version (version) VALUES (9999)").execute(&mut connection).await.unwrap();
    let error = Sqlite::open(&path).await.unwrap_err();
    assert_eq!(error, Error::NewerSchema { path: path.clone(), found: 9999, known: schema::known() });
    assert!(error.to_string().contains("--data") && !error.leaves_reads(), "{error}");
}

/// P151: what is no database is named and left as it is.
#[tokio::test]
async fn p151_a_file_that_is_no_database_is_named_and_kept() {
    let folder = Folder::new();
    let path = folder.file();
    std::fs::write(&path, "no pages of a database, but words; ".repeat(50)).unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = Sqlite::open(&path).await.unwrap_err();
    assert!(error.leaves_reads(), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

/// P151: damage is found before anything is written; what can be read is, and the file stays as it is to the byte.
#[tokio::test]
async fn p151_a_damaged_file_is_read_and_never_written() {
    let folder = Folder::new();
    let path = folder.file();
    let person = filled(&path).await;
    let mut bytes = std::fs::read(&path).unwrap();
    // Pages in the midst of the chats; the schema and the persons stand before them.
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 8192].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let error = Sqlite::open(&path).await.unwrap_err();
    let Error::Degraded(reason) = &error else { panic!("{error}") };
    assert!(reason.contains("damaged"), "{reason}");
    let store = Sqlite::open_degraded(&path, reason.clone()).await;
    assert_eq!(store.first_person().await.unwrap(), Some(person.clone()));
    assert_eq!(store.create_chat(chat(&person)).await, Err(error.clone()));
    assert_eq!(store.check(1).await, Err(error));
    store.close().await.unwrap();
    assert!(std::fs::read(&path).unwrap() == bytes, "not a byte was changed");
    let seen = state(&path, "").await.unwrap();
    assert!(seen.damage.is_some());
}

/// The disk is full: whoever writes is told so, the neighbours of the one that filled it too, and once there is room again
/// the same store writes.
#[tokio::test]
async fn a_full_disk_is_told_and_passes() {
    let folder = Folder::new();
    let path = folder.file();
    let person = filled(&path).await;
    let mut connection = open::writer(&path).await.unwrap();
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut connection).await.unwrap();
    connection.execute(sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"))).await.unwrap();
    let writer = Writer::start(connection);
    let keeper = Keeper::start(open::keeper(&path).await.unwrap(), writer.committed());
    let store = Sqlite { writer: Writes::By(writer, keeper), readers: open::readers(&path).await.unwrap() };
    let full = Error::Degraded("the disk is full".to_owned());
    let mut failed = 0;
    for _ in 0..50 {
        let (a, b) = tokio::join!(store.create_chat(chat(&person)), store.create_chat(chat(&person)));
        for done in [a, b] {
            if let Err(error) = done {
                assert_eq!(error, full);
                failed += 1;
            }
        }
    }
    assert!(failed > 0);
    let chats = store.chats(person.clone()).await.unwrap();
    store.delete_chat(person.clone(), chats[0].id.clone()).await.unwrap().unwrap();
    store.create_chat(chat(&person)).await.unwrap();
    store.close().await.unwrap();
}

/// P149: readers and the writer leave no log behind that grows without bound.
#[tokio::test]
async fn p149_the_log_is_folded_in_while_readers_read() {
    let folder = Folder::new();
    let path = folder.file();
    let store = std::sync::Arc::new(Sqlite::open(&path).await.unwrap());
    let person = store.create_person("p".to_owned(), 1).await.unwrap();
    let reads = {
        let (store, person) = (store.clone(), person.clone());
        tokio::spawn(async move {
            loop {
                store.chats(person.clone()).await.unwrap();
            }
        })
    };
    for number in 0..3_000 {
        let token = NewToken {
            person: person.clone(),
            hash: number.to_string(),
            name: "x".repeat(1_000),
            device: None,
            now_ms: 1,
        };
        store.add_token(token).await.unwrap();
    }
    reads.abort();
    let log = std::fs::metadata(folder.0.join("s.db-wal")).unwrap().len();
    assert!(log < 24 * 1024 * 1024, "the log has {log} bytes");
}

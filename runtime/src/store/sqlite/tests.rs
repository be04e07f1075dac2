//! The store over a real file; but for the ones on opening, nothing here knows which database it is.

use std::path::PathBuf;
use std::sync::Arc;

use handset_spec::phone::Answer as Given;

use super::*;
use crate::gateway::desk::slip::{Event, Outcome};
use crate::store::{CardState, CodeKind, DeviceKind, Kind, Mode, Role};

struct House {
    folder: PathBuf,
    store: Arc<dyn Store>,
    ann: PersonId,
    bob: PersonId,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("handset-store-{}", crate::ids::secret().unwrap()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

impl House {
    async fn new() -> Self {
        let folder = folder();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.join("s.db")).await.unwrap());
        let ann = store.create_person("Ann".to_owned(), 1).await.unwrap();
        let bob = store.create_person("Bob".to_owned(), 2).await.unwrap();
        Self { folder, store, ann, bob }
    }

    async fn chat(&self) -> Chat {
        let chat =
            NewChat { person: self.ann.clone(), kind: Kind::Chat, mode: Mode::Act, title: None, now_ms: 10 };
        self.store.create_chat(chat).await.unwrap()
    }

    fn message(&self, chat: &Chat, client_id: Option<&str>) -> NewMessage {
        NewMessage {
            person: self.ann.clone(),
            chat: chat.id.clone(),
            text: "hello".to_owned(),
            capabilities: vec!["x".to_owned()],
            from_phone: true,
            device: None,
            client_id: client_id.map(str::to_owned),
            now_ms: 20,
        }
    }

    async fn card(&self, turn: &Turn, call_id: &str) -> Card {
        let call = NewEntry::Call {
            call_id: call_id.to_owned(),
            tool: "phone_action".to_owned(),
            arguments: "{}".to_owned(),
        };
        self.store.append(self.ann.clone(), turn.id.clone(), vec![call], 30).await.unwrap();
        let card = NewCard {
            id: CardId::new(30).unwrap(),
            person: self.ann.clone(),
            chat: turn.chat.clone(),
            turn: turn.id.clone(),
            call_id: call_id.to_owned(),
            part: 0,
            device: Some("pixel".to_owned()),
            tool: "phone_action".to_owned(),
            call: r#"{"action":"torch"}"#.to_owned(),
            summary: "Torch".to_owned(),
            created_ms: 30,
            deadline_ms: 1_000,
            before: String::new(),
            after: Some(String::new()),
        };
        self.store.open_card(card).await.unwrap()
    }
}

fn done() -> Event {
    Event::Answered { device: None, answer: Given::read("done", None), stamped_ms: None }
}

#[tokio::test]
async fn a_message_opens_a_turn_and_the_offer() {
    let house = House::new().await;
    let chat = house.chat().await;
    let begun = house.store.begin_turn(house.message(&chat, Some("m1"))).await.unwrap().unwrap();
    assert!(begun.fresh);
    assert_eq!((begun.message.seq, begun.message.role), (1, Role::Person));
    let chat = house.store.chat(house.ann.clone(), chat.id).await.unwrap().unwrap();
    assert_eq!(chat.offered_since, Some(1));
    let again = house.store.begin_turn(house.message(&chat, Some("m1"))).await.unwrap().unwrap();
    assert!(!again.fresh);
    assert_eq!((again.message, again.turn), (begun.message, begun.turn));
    let next = house.store.begin_turn(house.message(&chat, None)).await.unwrap().unwrap();
    assert_eq!(next.message.seq, 2);
    let chat = house.store.chat(house.ann.clone(), chat.id).await.unwrap().unwrap();
    assert_eq!(chat.offered_since, Some(1), "the first message stays the first");
}

/// Many at once: each is stored, each has its own place, and repeated client ids stay one message.
#[tokio::test]
async fn p145_many_writers_at_once() {
    let house = House::new().await;
    let chat = house.chat().await;
    let mut tasks = Vec::new();
    for number in 0..100 {
        let store = Arc::clone(&house.store);
        let message = house.message(&chat, Some(&format!("m{}", number / 2)));
        tasks.push(tokio::spawn(async move { store.begin_turn(message).await.unwrap().unwrap().fresh }));
    }
    let mut fresh = 0;
    for task in tasks {
        fresh += usize::from(task.await.unwrap());
    }
    assert_eq!(fresh, 50);
    let messages = house.store.messages(house.ann.clone(), chat.id, 0, 1000).await.unwrap();
    assert_eq!(messages.iter().map(|message| message.seq).collect::<Vec<_>>(), (1..=50).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_card_has_one_winner_and_its_result_in_the_same_commit() {
    let house = House::new().await;
    let chat = house.chat().await;
    let turn = house.store.begin_turn(house.message(&chat, None)).await.unwrap().unwrap().turn;
    let card = house.card(&turn, "c1").await;
    let mut tasks = Vec::new();
    for number in 0..20 {
        let (store, ann, id) = (Arc::clone(&house.store), house.ann.clone(), card.id.clone());
        let event = if number % 2 == 0 { done() } else { Event::Restarted };
        tasks.push(tokio::spawn(async move { store.settle(ann, id, event, 40).await.unwrap().unwrap() }));
    }
    let mut winners = Vec::new();
    for task in tasks {
        let settled = task.await.unwrap();
        if settled.closed {
            winners.push(settled);
        }
    }
    assert_eq!(winners.len(), 1);
    assert!(winners[0].result.is_some());
    let messages = house.store.turn_messages(house.ann.clone(), turn.id.clone()).await.unwrap();
    assert_eq!(messages.iter().filter(|message| message.role == Role::Result).count(), 1);
    let more =
        house.store.record_result(house.ann.clone(), turn.id, "c1".to_owned(), "again".to_owned(), 50).await;
    assert_eq!(more.unwrap(), None, "the first result stays");
}

#[tokio::test]
async fn a_turn_ends_once() {
    let house = House::new().await;
    let chat = house.chat().await;
    let turn = house.store.begin_turn(house.message(&chat, None)).await.unwrap().unwrap().turn;
    assert_eq!(house.store.unfinished_turns().await.unwrap().len(), 1);
    let end = |text: &str| {
        let (ann, id) = (house.ann.clone(), turn.id.clone());
        house.store.finish_turn(ann, id, TurnState::Finished, Some(text.to_owned()), 60)
    };
    assert_eq!(end("first").await.unwrap().unwrap().text, "first");
    assert_eq!(end("second").await.unwrap(), None);
    assert!(house.store.unfinished_turns().await.unwrap().is_empty());
}

/// P135 and invariant 7: what is another person's is not there, whatever is asked.
#[tokio::test]
async fn each_question_names_its_person() {
    let house = House::new().await;
    let chat = house.chat().await;
    let turn = house.store.begin_turn(house.message(&chat, Some("m1"))).await.unwrap().unwrap().turn;
    let card = house.card(&turn, "c1").await;
    let (store, bob) = (&house.store, &house.bob);
    assert_eq!(store.chat(bob.clone(), chat.id.clone()).await.unwrap(), None);
    assert!(store.chats(bob.clone()).await.unwrap().is_empty());
    assert!(store.messages(bob.clone(), chat.id.clone(), 0, 9).await.unwrap().is_empty());
    assert_eq!(store.turn(bob.clone(), turn.id.clone()).await.unwrap(), None);
    assert!(store.history(bob.clone(), turn.id.clone()).await.unwrap().is_empty());
    assert_eq!(store.card(bob.clone(), card.id.clone()).await.unwrap(), None);
    assert!(store.open_cards(bob.clone(), None).await.unwrap().is_empty());
    assert!(store.settle(bob.clone(), card.id.clone(), done(), 40).await.unwrap().is_none());
    assert!(store.delete_chat(bob.clone(), chat.id.clone()).await.unwrap().is_none());
    let theirs = NewMessage { person: bob.clone(), ..house.message(&chat, Some("m1")) };
    assert!(store.begin_turn(theirs).await.unwrap().is_none());
    assert_eq!(
        store.append(bob.clone(), turn.id.clone(), vec![NewEntry::Words("x".to_owned())], 9).await,
        Err(Error::Gone)
    );
    assert_eq!(store.open_cards(house.ann.clone(), Some("pixel".to_owned())).await.unwrap().len(), 1);
    assert_eq!(store.open_cards(house.ann.clone(), Some("tablet".to_owned())).await.unwrap().len(), 0);
    let settled = store.settle(house.ann.clone(), card.id, done(), 40).await.unwrap().unwrap();
    assert_eq!((settled.outcome, settled.card.state), (Outcome::Accepted, CardState::Done));
}

#[tokio::test]
async fn deleting_a_chat_takes_everything_in_it() {
    let house = House::new().await;
    let chat = house.chat().await;
    let turn = house.store.begin_turn(house.message(&chat, None)).await.unwrap().unwrap().turn;
    let card = house.card(&turn, "c1").await;
    let open = house.store.delete_chat(house.ann.clone(), chat.id.clone()).await.unwrap().unwrap();
    assert_eq!(open, std::slice::from_ref(&card));
    assert_eq!(house.store.card(house.ann.clone(), card.id).await.unwrap(), None);
    assert_eq!(house.store.turn(house.ann.clone(), turn.id).await.unwrap(), None);
}

#[tokio::test]
async fn what_was_written_is_there_after_reopening() {
    let house = House::new().await;
    let chat = house.chat().await;
    let token = NewToken {
        person: house.ann.clone(),
        hash: "h".to_owned(),
        name: "n".to_owned(),
        device: Some("pixel".to_owned()),
        now_ms: 3,
    };
    house.store.add_token(token).await.unwrap();
    house.store.check(4).await.unwrap();
    house.store.close().await.unwrap();
    assert_eq!(house.store.check(5).await, Err(Error::Closed));
    let store = Sqlite::open(&house.folder.join("s.db")).await.unwrap();
    let bearer = store.bearer("h".to_owned()).await.unwrap().unwrap();
    assert_eq!((bearer.person, bearer.device.as_deref()), (house.ann.clone(), Some("pixel")));
    assert_eq!(store.first_person().await.unwrap(), Some(house.ann.clone()));
    assert_eq!(store.chats(house.ann.clone()).await.unwrap(), [chat]);
}

/// A database of the first version is taken over: its operator stays the operator, its other tokens become devices.
#[tokio::test]
async fn the_first_schema_is_brought_up() {
    use sqlx::Executor as _;
    let folder = folder();
    let path = folder.join("s.db");
    let mut connection = open::writer(&path).await.unwrap();
    connection.execute(sqlx::raw_sql(include_str!("../migrations/0001.sql"))).await.unwrap();
    let rows = "CREATE TABLE schema_version (version BIGINT NOT NULL PRIMARY KEY); \
                INSERT INTO schema_version VALUES (1); \
                INSERT INTO persons VALUES ('p', 'operator', 1); \
                INSERT INTO tokens VALUES ('00000000000000000000000000000000aaaa', 'p', 'operator', NULL, 1); \
                INSERT INTO tokens VALUES ('00000000000000000000000000000000bbbb', 'p', 'pixel', 'pixel', 2);";
    connection.execute(sqlx::raw_sql(rows)).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let store = Sqlite::open(&path).await.unwrap();
    let devices = store.devices(PersonId::from_text("p")).await.unwrap();
    let told: Vec<_> =
        devices.iter().map(|device| (device.id.as_str(), device.kind, device.seen_ms)).collect();
    assert_eq!(told, [("aaaa", DeviceKind::Operator, None), ("bbbb", DeviceKind::Device, None)]);
    let bearer = store.bearer(format!("{}bbbb", "0".repeat(32))).await.unwrap().unwrap();
    assert_eq!((bearer.device.as_deref(), bearer.kind), (Some("pixel"), DeviceKind::Device));
    // A migration whose number was skipped runs when it comes, and one that ran does not run again.
    store.close().await.unwrap();
    Sqlite::open(&path).await.unwrap().close().await.unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

fn once(client_id: &str, now_ms: i64) -> Option<Once> {
    Some(Once { client_id: client_id.to_owned(), now_ms })
}

/// A repeated write gives its first outcome, in the same transaction as the write, for a week; and each for its person.
#[tokio::test]
async fn writes_are_repeated_by_client_id() {
    let house = House::new().await;
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let new = |person: &PersonId, now_ms| NewChat {
        person: person.clone(),
        kind: Kind::Chat,
        mode: Mode::Act,
        title: None,
        now_ms,
    };
    let first = store.create_chat_once(new(ann, 1), once("c", 1)).await.unwrap();
    assert_eq!(store.create_chat_once(new(ann, 2), once("c", 2)).await.unwrap(), first);
    let theirs = store.create_chat_once(new(bob, 2), once("c", 2)).await.unwrap();
    assert_ne!(theirs.id, first.id, "a client id is its person's own");
    let delete = |id: &str| store.delete_chat_once(ann.clone(), first.id.clone(), once(id, 3));
    assert_eq!(delete("c").await, Err(Error::Reused));
    assert_eq!(store.chats(ann.clone()).await.unwrap(), std::slice::from_ref(&first));
    let turn = store.begin_turn(house.message(&first, None)).await.unwrap().unwrap().turn;
    let card = house.card(&turn, "c1").await;
    let settle =
        |id: &str, event: Event| store.settle_once(ann.clone(), card.id.clone(), event, 40, once(id, 40));
    let settled = settle("a", done()).await.unwrap().unwrap();
    assert!(settled.closed && settled.result.is_some());
    let again = settle("a", Event::Restarted).await.unwrap().unwrap();
    assert_eq!((again.outcome, again.closed, again.result), (settled.outcome, false, None));
    assert_eq!(again.card, settled.card);
    assert!(delete("d").await.unwrap().is_some());
    assert_eq!(delete("d").await.unwrap(), Some(Vec::new()));
    assert_eq!(delete("e").await.unwrap(), None);
    assert_eq!(delete("e").await.unwrap(), None, "what did nothing is not remembered");
    // A week later the id is free again.
    let week = 7 * 24 * 60 * 60 * 1000;
    store.create_chat_once(new(ann, week + 4), once("f", week + 4)).await.unwrap();
    assert_ne!(store.create_chat_once(new(ann, week + 5), once("c", week + 5)).await.unwrap().id, first.id);
}

#[tokio::test]
async fn a_code_is_redeemed_once_in_its_time() {
    let house = House::new().await;
    let store = &house.store;
    let open = |hash: &str, kind| NewCode {
        hash: hash.to_owned(),
        kind,
        person: house.ann.clone(),
        now_ms: 100,
        expires_ms: 200,
    };
    let bring = |code: &str, kind, token: &str, now_ms| {
        store.redeem(Redeem {
            code: code.to_owned(),
            kind,
            token: token.to_owned(),
            name: "pixel".to_owned(),
            client_id: Some("r".to_owned()),
            now_ms,
        })
    };
    assert_eq!(store.open_code(open("h1", CodeKind::Link)).await.unwrap(), 200);
    assert_eq!(store.open_code(open("h2", CodeKind::Pairing)).await.unwrap(), 200);
    assert_eq!(bring("h1", CodeKind::Pairing, "t1", 150).await.unwrap(), None, "each kind at its own door");
    assert_eq!(bring("h1", CodeKind::Link, "t1", 201).await.unwrap(), None, "its time is over");
    assert_eq!(bring("h3", CodeKind::Link, "t1", 150).await.unwrap(), None);
    let mut tasks = Vec::new();
    for number in 0..10 {
        let (store, token) = (Arc::clone(store), format!("t{number}"));
        let brought = Redeem {
            code: "h1".to_owned(),
            kind: CodeKind::Link,
            token,
            name: "pixel".to_owned(),
            client_id: Some(format!("r{number}")),
            now_ms: 200,
        };
        tasks.push(tokio::spawn(async move { store.redeem(brought).await.unwrap() }));
    }
    let mut winners = Vec::new();
    for task in tasks {
        winners.extend(task.await.unwrap());
    }
    assert_eq!(winners.len(), 1);
    assert_eq!((winners[0].person.name.as_str(), winners[0].device.name.as_str()), ("Ann", "pixel"));
    let second = bring("h2", CodeKind::Pairing, "u1", 160).await.unwrap().unwrap();
    assert_eq!(second.device.name, "pixel 2");
    assert_eq!(bring("h2", CodeKind::Pairing, "u1", 999).await.unwrap().as_ref(), Some(&second), "repeated");
    assert_eq!(
        bring("h2", CodeKind::Pairing, "u2", 170).await.unwrap(),
        None,
        "with another token it is no repetition"
    );
    let (ann, id) = (house.ann.clone(), second.device.id.clone());
    assert!(!store.revoke_device(house.bob.clone(), house.bob.clone(), id.clone(), None).await.unwrap());
    assert!(store.revoke_device(ann.clone(), ann, id, None).await.unwrap());
    assert_eq!(
        bring("h2", CodeKind::Pairing, "u1", 170).await.unwrap(),
        None,
        "a code brings no revoked device back"
    );
}

#[tokio::test]
async fn a_device_is_seen_once_a_minute() {
    let house = House::new().await;
    let new =
        NewDevice { person: house.ann.clone(), hash: "h".to_owned(), name: "pixel".to_owned(), now_ms: 5 };
    let add = |new: NewDevice| house.store.add_device(house.ann.clone(), new, None);
    let device = add(new.clone()).await.unwrap().unwrap();
    assert_eq!(add(NewDevice { hash: "i".to_owned(), ..new }).await.unwrap(), None, "the name is taken");
    for (now_ms, seen_ms) in [(1_000, 1_000), (60_999, 1_000), (61_000, 61_000), (500, 61_000)] {
        house.store.saw_device(device.id.clone(), now_ms).await.unwrap();
        let found = house.store.device(house.ann.clone(), device.id.clone()).await.unwrap().unwrap();
        assert_eq!(found.seen_ms, Some(seen_ms), "at {now_ms}");
    }
    assert_eq!(house.store.device(house.bob.clone(), device.id).await.unwrap(), None);
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = folder();
    let path = folder.join("s.db");
    Sqlite::open(&path).await.unwrap().close().await.unwrap();
    let mut connection = open::writer(&path).await.unwrap();
    sqlx::query("INSERT INTO schema_version (version) VALUES (99)").execute(&mut connection).await.unwrap();
    let error = Sqlite::open(&path).await.unwrap_err();
    assert_eq!(error, Error::NewerSchema { path: path.clone(), found: 99, known: 3 });
    assert!(error.to_string().contains("--data"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// P151: what is no database is named and left as it is.
#[tokio::test]
async fn p151_a_damaged_file_is_named_and_kept() {
    let folder = folder();
    let path = folder.join("s.db");
    std::fs::write(&path, "these are no pages of a database, but words enough to be a header of one hundred bytes, and a few more")
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = Sqlite::open(&path).await.unwrap_err();
    assert!(matches!(error, Error::Open { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    std::fs::remove_dir_all(folder).unwrap();
}

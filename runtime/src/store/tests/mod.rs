//! What every store does, whatever database it keeps its rows in. Nothing here knows one: a [`Place`] opens the store.
//!
//! A second database is one more implementation of `Place` and one more line in [`on_every_store`].

mod lines;
mod people;
mod push;
mod settings;
mod voices;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use handset_spec::phone::Answer as Given;

use super::*;
use crate::gateway::desk::slip::{Event, Outcome};
use crate::ids::{CardId, DeviceId, InviteId, PersonId};

/// A database of its own, empty at first and gone when it is dropped.
trait Place: Send + Sync {
    /// Opens the store, also a second time after the first was closed.
    fn open(&self) -> Pin<Box<dyn Future<Output = Arc<dyn Store>> + Send + '_>>;
}

/// A SQLite file in a folder.
struct SqliteFile(PathBuf);

impl SqliteFile {
    fn place() -> Box<dyn Place> {
        let folder = std::env::temp_dir().join(format!("handset-store-{}", crate::ids::secret().unwrap()));
        std::fs::create_dir_all(&folder).unwrap();
        Box::new(Self(folder))
    }
}

impl Place for SqliteFile {
    fn open(&self) -> Pin<Box<dyn Future<Output = Arc<dyn Store>> + Send + '_>> {
        Box::pin(async {
            let store: Arc<dyn Store> =
                Arc::new(crate::store::sqlite::Sqlite::open(&self.0.join("s.db")).await.unwrap());
            store
        })
    }
}

impl Drop for SqliteFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Makes each test one for each database.
macro_rules! on_every_store {
    ($($name:ident $(:: $inner:ident)?),* $(,)?) => {
        on_every_store!(@ sqlite = super::SqliteFile::place; $($name $(:: $inner)?)*);
    };
    (@ $database:ident = $place:path; $($name:ident $(:: $inner:ident)?)*) => {
        mod $database {
            $(on_every_store!(# $place; $name $(:: $inner)?);)*
        }
    };
    (# $place:path; $module:ident :: $name:ident) => {
        #[tokio::test]
        async fn $name() {
            super::$module::$name(super::House::new($place()).await).await;
        }
    };
    (# $place:path; $name:ident) => {
        #[tokio::test]
        async fn $name() {
            super::$name(super::House::new($place()).await).await;
        }
    };
}

on_every_store! {
    a_message_opens_a_turn_and_the_offer,
    p145_many_writers_at_once,
    a_card_has_one_winner_and_its_result_in_the_same_commit,
    a_turn_ends_once,
    each_question_names_its_person,
    deleting_a_chat_takes_everything_in_it,
    what_was_written_is_there_after_reopening,
    many_nodes_and_one_row,
    lines::a_line_speaks_in_its_calls_chat,
    lines::how_much_was_heard_is_kept_until_it_is_over,
    lines::what_was_not_heard_is_cut_in_one_write,
    lines::what_nobody_heard_is_dropped_with_its_call,
    people::writes_are_repeated_by_client_id,
    people::a_code_is_redeemed_once_in_its_time,
    people::a_device_is_seen_once_a_minute,
    push::p099_an_endpoint_is_kept_once,
    push::subscriptions_end_with_their_device_and_are_bounded,
    push::p089_only_what_is_gone_or_never_worked_goes,
    push::rings_and_arrivals_are_their_persons,
    settings::settings_are_kept_whole_and_by_person,
    settings::a_change_is_repeated_by_client_id,
    settings::a_look_forgets_nothing_that_happens_beside_it,
    voices::the_last_utterances_are_kept_by_person,
    voices::a_changed_way_of_measuring_makes_a_print_void,
    voices::a_voice_is_forgotten,
}

struct House {
    place: Box<dyn Place>,
    store: Arc<dyn Store>,
    ann: PersonId,
    bob: PersonId,
}

impl House {
    async fn new(place: Box<dyn Place>) -> Self {
        let store = place.open().await;
        let ann = store.create_person("Ann".to_owned(), 1).await.unwrap();
        let bob = store.create_person("Bob".to_owned(), 2).await.unwrap();
        Self { place, store, ann, bob }
    }

    async fn chat(&self) -> Chat {
        let chat =
            NewChat { person: self.ann.clone(), kind: Kind::Chat, mode: Mode::Act, title: None, now_ms: 10 };
        self.store.create_chat(chat).await.unwrap()
    }

    fn message(&self, chat: &Chat, client_id: Option<&str>) -> NewMessage {
        NewMessage {
            voice: None,
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

async fn a_message_opens_a_turn_and_the_offer(house: House) {
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
async fn p145_many_writers_at_once(house: House) {
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

async fn a_card_has_one_winner_and_its_result_in_the_same_commit(house: House) {
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

async fn a_turn_ends_once(house: House) {
    let chat = house.chat().await;
    let turn = house.store.begin_turn(house.message(&chat, None)).await.unwrap().unwrap().turn;
    assert_eq!(house.store.unfinished_turns().await.unwrap().len(), 1);
    let end = |text: &str| {
        let (ann, id) = (house.ann.clone(), turn.id.clone());
        house.store.finish_turn(ann, id, Ending::finished(text.to_owned()), 60)
    };
    assert_eq!(end("first").await.unwrap().unwrap().text, "first");
    assert_eq!(end("second").await.unwrap(), None);
    assert!(house.store.unfinished_turns().await.unwrap().is_empty());
}

/// P135 and invariant 7: what is another person's is not there, whatever is asked.
async fn each_question_names_its_person(house: House) {
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

async fn deleting_a_chat_takes_everything_in_it(house: House) {
    let chat = house.chat().await;
    let turn = house.store.begin_turn(house.message(&chat, None)).await.unwrap().unwrap().turn;
    let card = house.card(&turn, "c1").await;
    let open = house.store.delete_chat(house.ann.clone(), chat.id.clone()).await.unwrap().unwrap();
    assert_eq!(open, std::slice::from_ref(&card));
    assert_eq!(house.store.card(house.ann.clone(), card.id).await.unwrap(), None);
    assert_eq!(house.store.turn(house.ann.clone(), turn.id).await.unwrap(), None);
}

async fn what_was_written_is_there_after_reopening(house: House) {
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
    let store = house.place.open().await;
    let bearer = store.bearer("h".to_owned()).await.unwrap().unwrap();
    assert_eq!((bearer.person, bearer.device.as_deref()), (house.ann.clone(), Some("pixel")));
    assert_eq!(store.first_person().await.unwrap(), Some(house.ann.clone()));
    assert_eq!(store.chats(house.ann.clone()).await.unwrap(), [chat]);
}

/// Two nodes bring what happens to them to the same rows, in any order and at once: whatever comes first closes a card, each
/// card is closed once, its call has one result, and whoever comes later is told what stands.
async fn many_nodes_and_one_row(house: House) {
    let chat = house.chat().await;
    let turn = house.store.begin_turn(house.message(&chat, None)).await.unwrap().unwrap().turn;
    // A small generator of its own: the same interleavings at every run.
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for round in 0..40 {
        let card = house.card(&turn, &format!("c{round}")).await;
        let mut nodes = Vec::new();
        for _ in 0..2 {
            let events: Vec<(Event, i64)> = (0..4)
                .map(|_| {
                    let status = ["done", "declined", "failed"][usize::try_from(draw(3)).unwrap()];
                    let answered =
                        Event::Answered { device: None, answer: Given::read(status, None), stamped_ms: None };
                    let event =
                        [answered, Event::Tick, Event::Restarted][usize::try_from(draw(3)).unwrap()].clone();
                    // Around the deadline of 1,000 and the grace behind it.
                    (event, i64::try_from(draw(8_000)).unwrap())
                })
                .collect();
            let (store, ann, id) = (Arc::clone(&house.store), house.ann.clone(), card.id.clone());
            nodes.push(tokio::spawn(async move {
                let mut told = Vec::new();
                for (event, now_ms) in events {
                    told.push(store.settle(ann.clone(), id.clone(), event, now_ms).await.unwrap().unwrap());
                }
                told
            }));
        }
        let mut told = Vec::new();
        for node in nodes {
            told.extend(node.await.unwrap());
        }
        let closed: Vec<&Settled> = told.iter().filter(|settled| settled.closed).collect();
        let last = house.store.card(house.ann.clone(), card.id.clone()).await.unwrap().unwrap();
        assert_eq!(closed.len(), usize::from(last.state != CardState::Pending), "round {round}");
        if let [closed] = closed[..] {
            assert_eq!(closed.card, last, "round {round}: it stays as it was closed");
            assert!(closed.result.is_some(), "round {round}");
        }
        let messages = house.store.turn_messages(house.ann.clone(), turn.id.clone()).await.unwrap();
        let results = messages
            .iter()
            .filter(|m| m.role == Role::Result && m.call_id == Some(card.call_id.clone()))
            .count();
        assert_eq!(results, closed.len(), "round {round}: one result, with the one that closed it");
    }
}

//! The shell over a real store and a clock that is moved by hand.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use handset_spec::Language;
use handset_spec_macros::text;
use jiff::Timestamp;
use serde_json::json;
use tokio::sync::{Notify, mpsc};

use super::*;
use crate::clock::{Clock as _, ManualClock};
use crate::gateway::events::Hub;
use crate::gateway::model::{Delta, Deltas, Model, Prompt};
use crate::ids::ChatId;
use crate::store::sqlite::Sqlite;
use crate::store::{Chats as _, Kind, Mode, NewChat, NewMessage, Store, Tune, Tuning as _};

const HOUR: i64 = 3_600_000;

/// A model that writes one sentence, once it may.
struct Writes {
    prompts: Mutex<Vec<Prompt>>,
    asked: Notify,
    may: watch::Sender<bool>,
}

impl Model for Writes {
    fn name(&self) -> &'static str {
        "writes"
    }

    fn open(&self, prompt: Prompt) -> Deltas {
        self.prompts.lock().unwrap().push(prompt);
        self.asked.notify_one();
        let (sender, deltas) = mpsc::channel(1);
        let mut may = self.may.subscribe();
        tokio::spawn(async move {
            may.wait_for(|may| *may).await.unwrap();
            let _ = sender.send(Ok(Delta::Text("How did it go?".to_owned()))).await;
        });
        deltas
    }
}

/// An inviter that records the local date, and what it was told to ring with.
struct Rings {
    store: Arc<dyn Store>,
    clock: Arc<ManualClock>,
    engaged: AtomicBool,
    rung: Mutex<Vec<(i64, String)>>,
}

impl Inviter for Rings {
    fn engaged(&self, _person: PersonId) -> Inviting<'_, bool> {
        Box::pin(async { Ok(self.engaged.load(Ordering::SeqCst)) })
    }

    fn escalate(&self, person: PersonId, reason: String) -> Inviting<'_, Invited> {
        Box::pin(async move {
            let now_ms = self.clock.now_ms();
            let engaged = self.engaged.load(Ordering::SeqCst);
            let decided = self.store.claim_escalation(person, engaged, now_ms).await?;
            if !matches!(decided, Some(Decision::Ring(_))) {
                return Ok(Invited::Not);
            }
            self.rung.lock().unwrap().push((now_ms, reason));
            Ok(Invited::Rings)
        })
    }
}

struct House {
    folder: PathBuf,
    gateway: Arc<Gateway>,
    model: Arc<Writes>,
    rings: Arc<Rings>,
    clock: Arc<ManualClock>,
    person: PersonId,
    chat: ChatId,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn ms(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

impl House {
    async fn new(now: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("handset-watch-{}", crate::ids::secret().unwrap()));
        std::fs::create_dir_all(&folder).unwrap();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.join("w.db")).await.unwrap());
        let clock = Arc::new(ManualClock::new(ms(now)));
        let model = Arc::new(Writes {
            prompts: Mutex::default(),
            asked: Notify::new(),
            may: watch::Sender::new(true),
        });
        let rings = Arc::new(Rings {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            engaged: AtomicBool::new(false),
            rung: Mutex::default(),
        });
        let gateway = Gateway::new(store, clock.clone(), Arc::new(Hub::new().unwrap()), model.clone());
        let person = gateway.store.create_person("p".to_owned(), clock.now_ms()).await.unwrap();
        let chat = chat(&gateway, &person, Kind::Chat).await;
        Self { folder, gateway, model, rings, clock, person, chat }
    }

    async fn says(&self, text: &str) {
        message(&self.gateway, &self.person, &self.chat, text, self.clock.now_ms()).await;
    }

    async fn tune(&self, tune: Tune) {
        self.gateway.tune(&self.person, tune, None).await.unwrap().unwrap().unwrap();
    }

    async fn look(&self) {
        let rings: Arc<dyn Inviter> = self.rings.clone();
        look(&self.gateway, &rings).await.unwrap();
    }

    /// Looks at each of these moments, and tells when it rang.
    async fn looks(&self, moments: &[&str]) -> Vec<i64> {
        for moment in moments {
            self.clock.advance(ms(moment) - self.clock.now_ms());
            self.look().await;
        }
        self.rings.rung.lock().unwrap().iter().map(|(at, _)| *at).collect()
    }
}

async fn chat(gateway: &Gateway, person: &PersonId, kind: Kind) -> ChatId {
    let new = NewChat { person: person.clone(), kind, mode: Mode::Act, title: None, now_ms: 1 };
    gateway.store.create_chat(new).await.unwrap().id
}

async fn message(gateway: &Gateway, person: &PersonId, chat: &ChatId, text: &str, now_ms: i64) {
    let message = NewMessage {
        voice: None,
        person: person.clone(),
        chat: chat.clone(),
        text: text.to_owned(),
        capabilities: Vec::new(),
        from_phone: false,
        device: None,
        client_id: None,
        now_ms,
    };
    gateway.store.begin_turn(message).await.unwrap().unwrap();
}

/// By default: five hours after the last word, from noon on, before eleven at night, once a day.
#[tokio::test]
async fn a_long_silence_rings_once_a_day() {
    let house = House::new("2026-07-01T08:00:00Z").await;
    house.says("I have my exam today").await;
    let rung = house
        .looks(&[
            "2026-07-01T08:00:00Z",
            "2026-07-01T11:59:00Z",
            "2026-07-01T12:00:00Z",
            "2026-07-01T12:59:59.999Z",
            "2026-07-01T13:00:00Z",
            "2026-07-01T13:01:00Z",
            "2026-07-01T22:59:00Z",
            "2026-07-02T00:00:00Z",
            "2026-07-02T11:59:59Z",
            "2026-07-02T12:00:00Z",
            "2026-07-02T12:01:00Z",
        ])
        .await;
    assert_eq!(rung, [ms("2026-07-01T13:00:00Z"), ms("2026-07-02T12:00:00Z")]);
    assert_eq!(house.rings.rung.lock().unwrap()[0].1, "How did it go?");
    let prompts = house.model.prompts.lock().unwrap();
    assert_eq!(prompts.len(), 2, "the model is asked when there is something to say, and only then");
    assert!(format!("{:?}", prompts[0].said).contains("my exam today"));
}

/// The hours and the day are those of the person's own zone, also when they are set in the midst of it.
#[tokio::test]
async fn hours_follow_what_is_set() {
    let house = House::new("2026-07-01T00:00:00Z").await;
    house.says("你好").await;
    house.tune(Tune { zone: Some("Asia/Shanghai".to_owned()), ..Tune::default() }).await;
    assert_eq!(
        house.looks(&["2026-07-01T03:59:00Z", "2026-07-01T04:00:00Z"]).await,
        [0i64; 0],
        "noon, four hours after"
    );
    house.tune(Tune { settings: Some(json!({"escalation": {"silence": 4}})), ..Tune::default() }).await;
    assert_eq!(house.looks(&["2026-07-01T04:01:00Z"]).await.len(), 1, "seen at the next look");
    house.tune(Tune { settings: Some(json!({"escalation": {"enabled": false}})), ..Tune::default() }).await;
    assert_eq!(house.looks(&["2026-07-02T06:00:00Z"]).await.len(), 1);
    house.tune(Tune { settings: Some(json!({"escalation": null})), ..Tune::default() }).await;
    assert_eq!(house.looks(&["2026-07-02T06:01:00Z"]).await.len(), 2);
}

/// P109: what changes while the reason is written counts; the decision is made again where the date is recorded.
#[tokio::test]
async fn p109_the_conditions_are_looked_at_where_the_act_is_done() {
    let house = House::new("2026-07-01T08:00:00Z").await;
    house.says("hello").await;
    house.clock.advance(6 * HOUR);
    house.model.may.send_replace(false);
    let changes = async {
        house.model.asked.notified().await;
        house.gateway.set_dnd(&house.person, true, None).await.unwrap();
        house.model.may.send_replace(true);
    };
    tokio::join!(house.look(), changes);
    assert_eq!(house.looks(&["2026-07-01T14:30:00Z"]).await, [0i64; 0]);
    house.gateway.set_dnd(&house.person, false, None).await.unwrap();
    assert_eq!(house.looks(&["2026-07-01T14:31:00Z"]).await, [ms("2026-07-01T14:31:00Z")]);
    let asked = house.model.prompts.lock().unwrap().len();
    assert_eq!(asked, 2, "while do-not-disturb was on nothing was asked");
}

#[tokio::test]
async fn never_with_an_invite_pending_or_a_call_going_on() {
    let house = House::new("2026-07-01T08:00:00Z").await;
    house.says("hello").await;
    house.rings.engaged.store(true, Ordering::SeqCst);
    assert_eq!(house.looks(&["2026-07-01T13:00:00Z", "2026-07-01T13:05:00Z"]).await, [0i64; 0]);
    assert!(house.model.prompts.lock().unwrap().is_empty());
    house.rings.engaged.store(false, Ordering::SeqCst);
    assert_eq!(house.looks(&["2026-07-01T13:06:00Z"]).await.len(), 1);
}

/// Whoever never wrote is never called; a schedule that speaks in their chat is not they.
#[tokio::test]
async fn who_never_wrote_is_never_called() {
    let house = House::new("2026-07-01T08:00:00Z").await;
    let schedule = chat(&house.gateway, &house.person, Kind::Schedule).await;
    message(&house.gateway, &house.person, &schedule, "good morning", house.clock.now_ms()).await;
    house.tune(Tune { zone: Some("Europe/Berlin".to_owned()), ..Tune::default() }).await;
    assert_eq!(house.looks(&["2026-07-01T15:00:00Z", "2026-07-05T15:00:00Z"]).await, [0i64; 0]);
}

/// A restart forgets nothing, and of two servers on one store only one calls.
#[tokio::test]
async fn one_date_is_recorded_once_over_a_restart_and_two_servers() {
    let house = House::new("2026-07-01T08:00:00Z").await;
    house.says("hello").await;
    house.clock.advance(6 * HOUR);
    tokio::join!(house.look(), house.look(), house.look());
    assert_eq!(house.rings.rung.lock().unwrap().len(), 1);
    house.gateway.store.close().await.unwrap();
    let store = Sqlite::open(&house.folder.join("w.db")).await.unwrap();
    let later = house.clock.now_ms() + HOUR;
    let due = store.to_look_at(later, 10).await.unwrap();
    let again = due.iter().map(|standing| standing.state(false).decide(later));
    assert!(again.into_iter().all(|decision| matches!(decision, Decision::Wait { .. })));
    assert_eq!(
        store
            .claim_escalation(house.person.clone(), false, later)
            .await
            .unwrap()
            .map(|decision| matches!(decision, Decision::Ring(_))),
        Some(false)
    );
    assert_eq!(store.chats(house.person.clone()).await.unwrap().len(), 1);
}

/// Nobody is asked about whose time has not come, however many there are.
#[tokio::test]
async fn only_those_whose_time_has_come_are_looked_at() {
    let house = House::new("2026-07-01T08:00:00Z").await;
    for number in 0..100 {
        let store = &house.gateway.store;
        let person = store.create_person(format!("p{number}"), 1).await.unwrap();
        let chat = chat(&house.gateway, &person, Kind::Chat).await;
        message(&house.gateway, &person, &chat, "hello", house.clock.now_ms()).await;
    }
    let due = || house.gateway.store.to_look_at(house.clock.now_ms(), 1000);
    assert_eq!(due().await.unwrap().len(), 100);
    house.look().await;
    assert_eq!(due().await.unwrap().len(), 0, "each waits for its own moment");
    house.clock.advance(6 * HOUR);
    house.look().await;
    assert_eq!(house.rings.rung.lock().unwrap().len(), 100);
}

/// Without a chat that is left there is nothing to speak of, and the spec's own reason is used, in the person's language.
#[tokio::test]
async fn without_a_conversation_the_specs_own_reason_is_used() {
    let house = House::new("2026-07-01T08:00:00Z").await;
    house.says("你好").await;
    house.gateway.store.delete_chat(house.person.clone(), house.chat.clone()).await.unwrap();
    house.looks(&["2026-07-01T13:00:00Z"]).await;
    let rung = house.rings.rung.lock().unwrap();
    assert_eq!(rung[0].1, text!(escalation.fallback_reason in Language::Zh));
}

/// The loop looks once a minute, and ends when the server does.
#[tokio::test]
async fn the_loop_looks_and_ends() {
    let house = House::new("2026-07-01T08:00:00Z").await;
    house.says("hello").await;
    let (stop, stopping) = watch::channel(false);
    let running = tokio::spawn(run(Arc::clone(&house.gateway), house.rings.clone(), stopping));
    house.clock.advance(5 * HOUR);
    let rung = async {
        while house.rings.rung.lock().unwrap().is_empty() {
            // The clock is moved until the loop has slept and looked again.
            house.clock.advance(EVERY_MS);
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), rung).await.unwrap();
    stop.send_replace(true);
    running.await.unwrap();
    assert_eq!(house.rings.rung.lock().unwrap().len(), 1);
}

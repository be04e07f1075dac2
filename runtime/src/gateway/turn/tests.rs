//! Turns with a scripted model, a real store and a clock that is moved by hand.

mod markers;
mod reading;
mod stop;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Mutex;

use handset_spec::Language;
use handset_spec::phone::{Answer, CAPABILITY, no_answer};
use handset_spec::tools::PHONE_ACTION;
use handset_spec_macros::text;
use tokio::sync::mpsc;

use super::*;
use crate::clock::{Clock as _, ManualClock};
use crate::gateway::desk::slip::{GRACE_MS, Outcome, WAIT_MS};
use crate::gateway::events::{Hub, Next};
use crate::gateway::model::{Code, Delta, Deltas, Fault as ModelFault, Fragment, Model, Prompt, Said};
use crate::store::sqlite::Sqlite;
use crate::store::{
    Card, CardState, Kind as ChatKind, Message, Mode, NewChat, Role, Settled, Store, TurnState,
};

const TORCH: &str = r#"{"action":"torch","summary":"Torch on","on":true}"#;

/// A model that says what it was told to say, and remembers what it was asked.
#[derive(Default)]
struct Script {
    replies: Mutex<VecDeque<Vec<Result<Delta, ModelFault>>>>,
    prompts: Mutex<Vec<Prompt>>,
    /// Streams that go on: a reply that ends with [`hold`] has not ended.
    held: Mutex<Vec<mpsc::Sender<Result<Delta, ModelFault>>>>,
}

impl Model for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn open(&self, prompt: Prompt) -> Deltas {
        self.prompts.lock().unwrap().push(prompt);
        let reply =
            self.replies.lock().unwrap().pop_front().unwrap_or_else(|| vec![say("(end of the script)")]);
        assert!(reply != [say("(panic)")], "the script says so");
        let (sender, deltas) = mpsc::channel(reply.len() + 1);
        for delta in reply {
            if delta == hold() {
                self.held.lock().unwrap().push(sender.clone());
            } else {
                sender.try_send(delta).unwrap();
            }
        }
        deltas
    }
}

fn say(text: &str) -> Result<Delta, ModelFault> {
    Ok(Delta::Text(text.to_owned()))
}

/// Nothing more, for now.
fn hold() -> Result<Delta, ModelFault> {
    say("(hold)")
}

fn call(id: &str, name: &str, arguments: &str) -> Result<Delta, ModelFault> {
    Ok(Delta::Call(Fragment {
        index: None,
        id: Some(id.to_owned()),
        name: Some(name.to_owned()),
        arguments: Some(arguments.to_owned()),
    }))
}

fn phone_call(id: &str, arguments: &str) -> Result<Delta, ModelFault> {
    call(id, PHONE_ACTION.name, arguments)
}

struct House {
    folder: PathBuf,
    gateway: Arc<Gateway>,
    script: Arc<Script>,
    clock: Arc<ManualClock>,
    person: PersonId,
    chat: ChatId,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl House {
    async fn new(replies: Vec<Vec<Result<Delta, ModelFault>>>) -> Self {
        Self::of_kind(ChatKind::Chat, replies).await
    }

    async fn of_kind(kind: ChatKind, replies: Vec<Vec<Result<Delta, ModelFault>>>) -> Self {
        let folder = std::env::temp_dir().join(format!("handset-turn-{}", crate::ids::secret().unwrap()));
        std::fs::create_dir_all(&folder).unwrap();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.join("t.db")).await.unwrap());
        let clock = Arc::new(ManualClock::new(1_800_000_000_000));
        let script = Arc::new(Script { replies: Mutex::new(replies.into()), ..Script::default() });
        let model: Arc<dyn Model> = script.clone();
        let gateway = Gateway::new(store, clock.clone(), Arc::new(Hub::new().unwrap()), model);
        let person = gateway.store.create_person("p".to_owned(), clock.now_ms()).await.unwrap();
        let chat =
            NewChat { person: person.clone(), kind, mode: Mode::Plan, title: None, now_ms: clock.now_ms() };
        let chat = gateway.store.create_chat(chat).await.unwrap().id;
        Self { folder, gateway, script, clock, person, chat }
    }

    /// The same data after a restart: nothing but the store is left.
    fn restarted(&self, replies: Vec<Vec<Result<Delta, ModelFault>>>) -> (Arc<Gateway>, Arc<Script>) {
        let script = Arc::new(Script { replies: Mutex::new(replies.into()), ..Script::default() });
        let model: Arc<dyn Model> = script.clone();
        let hub = Arc::new(Hub::new().unwrap());
        (Gateway::new(Arc::clone(&self.gateway.store), self.clock.clone(), hub, model), script)
    }

    async fn send(&self, text: &str, capable: bool) -> Taken {
        self.send_as(text, capable, None).await
    }

    async fn send_as(&self, text: &str, capable: bool, client_id: Option<&str>) -> Taken {
        let message = NewMessage {
            voice: None,
            person: self.person.clone(),
            chat: self.chat.clone(),
            text: text.to_owned(),
            capabilities: capable.then(|| CAPABILITY.to_owned()).into_iter().collect(),
            from_phone: capable,
            device: Some("pixel".to_owned()),
            client_id: client_id.map(str::to_owned),
            now_ms: self.clock.now_ms(),
        };
        self.gateway.take(message).await.unwrap().unwrap()
    }

    async fn answer(&self, card: &Card, status: &str, device: &str) -> Settled {
        let event = super::super::desk::slip::Event::Answered {
            device: Some(device.to_owned()),
            answer: Answer::read(status, None),
            stamped_ms: None,
        };
        self.gateway.desk.bring(&self.person, &card.id, event).await.unwrap().unwrap()
    }

    async fn turn(&self, taken: &Taken) -> Turn {
        let id = taken.begun.turn.id.clone();
        self.gateway.store.turn(self.person.clone(), id).await.unwrap().unwrap()
    }

    async fn messages(&self) -> Vec<Message> {
        self.gateway.store.messages(self.person.clone(), self.chat.clone(), 0, 1000).await.unwrap()
    }

    async fn results(&self) -> Vec<String> {
        let messages = self.messages().await;
        messages
            .into_iter()
            .filter(|message| message.role == Role::Result)
            .map(|message| message.text)
            .collect()
    }

    fn prompts(&self) -> Vec<Prompt> {
        self.script.prompts.lock().unwrap().clone()
    }
}

/// Reads a turn's events up to one of this kind.
async fn until(follower: &mut Follower, kind: Kind) {
    loop {
        match follower.next().await {
            Next::Event(event) if event.kind == kind => return,
            Next::Event(event) => assert!(!event.kind.ends_turn(), "ended early: {}", event.data),
            Next::Resync(_) => panic!("nothing is lost here"),
        }
    }
}

/// The card that waits once the turn has laid it down.
async fn card(house: &House, taken: &mut Taken) -> Card {
    until(&mut taken.follower, Kind::Card).await;
    let mut cards = house.gateway.store.open_cards(house.person.clone(), None).await.unwrap();
    assert_eq!(cards.len(), 1, "one card at a time");
    cards.remove(0)
}

#[tokio::test]
async fn from_a_message_to_its_reply() {
    let house =
        House::new(vec![vec![say("On "), say("it."), phone_call("c1", TORCH)], vec![say("Lit.")]]).await;
    let mut taken = house.send("torch on", true).await;
    let card = card(&house, &mut taken).await;
    assert_eq!(card.call, TORCH);
    assert_eq!((card.device.as_deref(), card.summary.as_str()), (Some("pixel"), "Torch on"));
    assert_eq!(card.deadline_ms, house.clock.now_ms() + WAIT_MS);
    assert_eq!(house.answer(&card, "done", "tablet").await.outcome, Outcome::OtherDevice);
    assert_eq!(house.answer(&card, "done", "pixel").await.outcome, Outcome::Accepted);
    assert_eq!(house.answer(&card, "done", "pixel").await.outcome, Outcome::Accepted);
    assert_eq!(house.answer(&card, "declined", "pixel").await.outcome, Outcome::AlreadyAnswered);
    until(&mut taken.follower, Kind::Reply).await;
    let said: Vec<_> =
        house.messages().await.into_iter().map(|message| (message.role, message.text)).collect();
    assert_eq!(
        said,
        [
            (Role::Person, "torch on".to_owned()),
            (Role::Companion, "On it.".to_owned()),
            (Role::Call, TORCH.to_owned()),
            (Role::Result, Answer::read("done", None).result()),
            (Role::Companion, "Lit.".to_owned()),
        ]
    );
    let prompts = house.prompts();
    assert_eq!(prompts.len(), 2);
    assert_eq!(prompts[0].tools.len(), 1);
    assert!(matches!(prompts[1].said.last(), Some(Said::Result { id, .. }) if id == "c1"));
}

/// Document 1, section 1, and P163: unavailable at once, in the spec's words, and nothing reaches a phone.
#[tokio::test]
async fn p163_unavailable_where_no_phone_can_confirm() {
    let calls = || vec![vec![phone_call("c1", TORCH)], vec![say("No.")]];
    for (kind, before, now) in [
        (ChatKind::Chat, false, false),
        (ChatKind::Chat, true, false),
        (ChatKind::Schedule, false, true),
        (ChatKind::Subagent, true, true),
    ] {
        let mut replies = if before { vec![vec![say("Hello.")]] } else { vec![] };
        replies.extend(calls());
        let house = House::of_kind(kind, replies).await;
        if before {
            until(&mut house.send("hello", true).await.follower, Kind::Reply).await;
        }
        let mut taken = house.send("torch on", now).await;
        until(&mut taken.follower, Kind::Reply).await;
        assert_eq!(house.results().await, [PHONE_ACTION.unavailable]);
        let turn = taken.begun.turn.id.clone();
        assert!(house.gateway.store.turn_cards(house.person.clone(), turn).await.unwrap().is_empty());
        let offered = house.prompts().last().unwrap().tools.len();
        assert_eq!(
            offered,
            usize::from(before || now),
            "offered from the first message with the capability on"
        );
    }
}

/// P159: the deadline and its grace pass; the card goes, the result says so, and a late yes changes nothing.
#[tokio::test]
async fn p159_no_answer_in_time() {
    let house = House::new(vec![vec![phone_call("c1", TORCH)], vec![say("Nothing happened.")]]).await;
    let mut taken = house.send("torch on", true).await;
    let card = card(&house, &mut taken).await;
    house.clock.advance(WAIT_MS + GRACE_MS - 1);
    assert_eq!(house.gateway.store.open_cards(house.person.clone(), None).await.unwrap().len(), 1);
    house.clock.advance(1);
    until(&mut taken.follower, Kind::CardClosed).await;
    until(&mut taken.follower, Kind::Reply).await;
    assert_eq!(house.results().await, [no_answer()]);
    let late = house.answer(&card, "done", "pixel").await;
    assert_eq!((late.outcome, late.card.state), (Outcome::TooLate, CardState::NoAnswer));
    assert_eq!(house.results().await, [no_answer()]);
}

#[tokio::test]
async fn refusals_are_the_specs_and_bounded() {
    let bad = r#"{"action":"timer","seconds":"300"}"#;
    let replies = vec![
        vec![phone_call("a", "")],
        vec![phone_call("b", bad)],
        vec![phone_call("c", bad)],
        vec![call("d", "fax", "{}")],
        vec![say("I give up.")],
    ];
    let house = House::new(replies).await;
    let mut taken = house.send("timer", true).await;
    until(&mut taken.follower, Kind::Reply).await;
    let refused = |arguments: &str| {
        let mut text = String::new();
        handset_spec::phone::read(arguments.as_bytes(), |call| {
            text = call.err().map(|refusal| refusal.text().into_owned()).unwrap_or_default();
        });
        text
    };
    assert_eq!(
        house.results().await,
        [
            refused("{}"),
            refused(bad),
            text!(tools.repeated).to_owned(),
            text!(tools.unknown_tool, name = "fax", tools = PHONE_ACTION.name),
        ]
    );
}

/// A model that never stops calling is told to, and the turn ends.
#[tokio::test]
async fn a_model_in_a_loop_is_bounded() {
    let replies =
        (0..100).map(|number| vec![call(&number.to_string(), &format!("t{number}"), "{}")]).collect();
    let house = House::new(replies).await;
    let mut taken = house.send("go", true).await;
    until(&mut taken.follower, Kind::Failed).await;
    let results = house.results().await;
    assert_eq!(results.len(), MAX_ROUNDS);
    assert_eq!(results[MAX_CALLS..], vec![text!(tools.too_many).to_owned(); MAX_ROUNDS - MAX_CALLS]);
}

/// Two calls glued in one: each is put to the person, and the one result of the one id joins theirs.
#[tokio::test]
async fn glued_calls_are_asked_one_after_another() {
    let off = r#"{"action":"torch","summary":"Torch off","on":false}"#;
    let refused = r#"{"action":"torch"}"#;
    let house =
        House::new(vec![vec![phone_call("c1", &format!("{TORCH}{refused}{off}"))], vec![say("Done.")]]).await;
    let mut taken = house.send("blink", true).await;
    let first = card(&house, &mut taken).await;
    assert_eq!(first.summary, "Torch on");
    house.answer(&first, "done", "pixel").await;
    let second = card(&house, &mut taken).await;
    assert_eq!(second.summary, "Torch off");
    assert_eq!(house.results().await.len(), 0, "no result before the last part has its own");
    house.answer(&second, "declined", "pixel").await;
    until(&mut taken.follower, Kind::Reply).await;
    let results = house.results().await;
    assert_eq!(results.len(), 1);
    assert!(results[0].starts_with(&Answer::read("done", None).result()));
    assert!(results[0].ends_with(&Answer::read("declined", None).result()));
    assert_eq!(results[0].matches("\n\n").count(), 2);
}

/// Models that number their calls anew in each reply: two calls, two results, two ids.
#[tokio::test]
async fn an_id_that_was_used_before_is_replaced() {
    let house = House::new(vec![
        vec![call("call_0", "a", "{}")],
        vec![call("call_0", "b", "{}"), call("call_0", "c", "{}")],
        vec![say("End.")],
    ])
    .await;
    let mut taken = house.send("go", true).await;
    until(&mut taken.follower, Kind::Reply).await;
    let messages = house.messages().await;
    let ids = |role| {
        messages.iter().filter(|m| m.role == role).filter_map(|m| m.call_id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(Role::Call).len(), 3);
    let (mut calls, mut results) = (ids(Role::Call), ids(Role::Result));
    calls.sort();
    results.sort();
    assert_eq!(calls, results);
    calls.dedup();
    assert_eq!(calls.len(), 3);
}

/// P027: the stream breaks off while the arguments are still coming: no card, no call, what was said stays, the chat
/// says what happened and lives on.
#[tokio::test]
async fn p027_a_broken_stream_leaves_no_call() {
    let gone = Err(ModelFault::new(Code::BrokenOff, "gone"));
    let broken = vec![say("I will"), phone_call("c1", r#"{"action":"tor"#), gone];
    let house = House::new(vec![broken, vec![say("Back.")]]).await;
    let mut taken = house.send("开灯", true).await;
    until(&mut taken.follower, Kind::Failed).await;
    let said: Vec<_> = house.messages().await.into_iter().map(|m| (m.role, m.text, m.mark)).collect();
    let mark = |mark: &str| Some(mark.to_owned());
    assert_eq!(
        said[1..],
        [
            (Role::Companion, "I will".to_owned(), mark(mark::INTERRUPTED)),
            (Role::Companion, text!(gateway.broken_off in Language::Zh).to_owned(), mark("model_broke_off")),
        ]
    );
    assert_eq!(house.turn(&taken).await.code, mark("model_broke_off"));
    let mut taken = house.send("still there?", true).await;
    until(&mut taken.follower, Kind::Reply).await;
}

/// A message that comes while the companion speaks stops it: what it said so far stands, its calls do not (P027).
#[tokio::test]
async fn p027_a_message_interrupts_the_speech() {
    let speech = vec![say("I was about"), phone_call("c1", TORCH), phone_call("c2", r#"{"act"#), hold()];
    let house = House::new(vec![speech, vec![say("Yes?")]]).await;
    let mut first = house.send("torch on", true).await;
    until(&mut first.follower, Kind::Delta).await;
    let mut second = house.send("wait", true).await;
    until(&mut first.follower, Kind::Reply).await;
    until(&mut second.follower, Kind::Reply).await;
    until(&mut second.follower, Kind::Reply).await;
    assert!(house.script.held.lock().unwrap()[0].is_closed(), "the stream was dropped");
    let said: Vec<_> = house.messages().await.into_iter().map(|m| (m.role, m.text, m.mark)).collect();
    let expected = [
        (Role::Person, "torch on".to_owned(), None),
        (Role::Person, "wait".to_owned(), None),
        (Role::Companion, "I was about".to_owned(), Some(mark::INTERRUPTED.to_owned())),
        (Role::Companion, "Yes?".to_owned(), None),
    ];
    assert_eq!(said, expected);
    let turn = house.turn(&first).await;
    assert_eq!((turn.state, turn.code.as_deref()), (TurnState::Interrupted, Some(mark::INTERRUPTED)));
    let id = first.begun.turn.id.clone();
    assert!(house.gateway.store.turn_cards(house.person.clone(), id).await.unwrap().is_empty());
    let kinds: Vec<_> = house.prompts()[1].said.iter().map(std::mem::discriminant).collect();
    let person = || Said::Person { sent: String::new(), text: String::new(), capabilities: vec![] };
    let alternating = [person(), Said::Companion { text: String::new() }, person()];
    assert_eq!(kinds, alternating.iter().map(std::mem::discriminant).collect::<Vec<_>>());
}

/// Stopped before the first word: no message of the companion's, and the next prompt holds both of the person's.
#[tokio::test]
async fn stopped_before_the_first_word() {
    let house = House::new(vec![vec![hold()], vec![say("Here.")]]).await;
    let mut first = house.send("hello", true).await;
    while house.gateway.stop(house.person.clone(), house.chat.clone()).await.unwrap() != Some(true) {
        tokio::task::yield_now().await;
    }
    until(&mut first.follower, Kind::Failed).await;
    assert_eq!(house.turn(&first).await.state, TurnState::Interrupted);
    assert_eq!(house.messages().await.len(), 1);
    let mut second = house.send("still there?", true).await;
    until(&mut second.follower, Kind::Reply).await;
    assert_eq!(house.messages().await.len(), 3);
    let stranger = house.gateway.store.create_person("q".to_owned(), 1).await.unwrap();
    assert_eq!(house.gateway.stop(stranger, house.chat.clone()).await.unwrap(), None);
}

/// Only speech is stopped: a card stays, and so does the turn that it belongs to.
#[tokio::test]
async fn a_stop_leaves_a_card_where_it_is() {
    let house = House::new(vec![vec![phone_call("c1", TORCH)], vec![say("Lit.")]]).await;
    let mut taken = house.send("torch on", true).await;
    let card = card(&house, &mut taken).await;
    assert_eq!(house.gateway.stop(house.person.clone(), house.chat.clone()).await.unwrap(), Some(false));
    assert_eq!(house.answer(&card, "done", "pixel").await.outcome, Outcome::Accepted);
    until(&mut taken.follower, Kind::Reply).await;
    assert_eq!(house.messages().await.last().unwrap().text, "Lit.");
}

/// A model that says nothing at all has failed; behind a result, silence is an answer.
#[tokio::test]
async fn silence_is_no_answer() {
    let house = House::new(vec![vec![], vec![phone_call("c1", "{}")], vec![]]).await;
    let mut first = house.send("hello", true).await;
    until(&mut first.follower, Kind::Failed).await;
    assert_eq!(house.messages().await[1].text, text!(gateway.silent in Language::En));
    let mut second = house.send("torch", true).await;
    until(&mut second.follower, Kind::Reply).await;
}

/// A fault of the program ends one turn, and the chat lives on.
#[tokio::test]
async fn a_panic_ends_its_turn_alone() {
    let house = House::new(vec![vec![say("(panic)")], vec![say("Back.")]]).await;
    let mut taken = house.send("hello", true).await;
    until(&mut taken.follower, Kind::Failed).await;
    let mut taken = house.send("hello again", true).await;
    until(&mut taken.follower, Kind::Reply).await;
}

/// P023: cut off at the token limit. The strict reader decides: refused, no card.
#[tokio::test]
async fn p023_cut_off_arguments_are_refused() {
    let house =
        House::new(vec![vec![phone_call("c1", r#"{"action":"torch","on":tr"#)], vec![say("Sorry.")]]).await;
    let mut taken = house.send("torch on", true).await;
    until(&mut taken.follower, Kind::Reply).await;
    assert_eq!(house.results().await.len(), 1);
    let turn = taken.begun.turn.id.clone();
    assert!(house.gateway.store.turn_cards(house.person.clone(), turn).await.unwrap().is_empty());
}

/// Text typed while a card waits is taken, the card stays, and the next turn reads the finished one before it.
#[tokio::test]
async fn a_message_while_a_card_waits() {
    let house =
        House::new(vec![vec![phone_call("c1", TORCH)], vec![say("Lit.")], vec![say("Yes, I am here.")]])
            .await;
    let mut first = house.send("torch on", true).await;
    let card = card(&house, &mut first).await;
    let mut second = house.send("are you there?", false).await;
    assert_eq!(house.gateway.store.open_cards(house.person.clone(), None).await.unwrap().len(), 1);
    house.answer(&card, "done", "pixel").await;
    until(&mut second.follower, Kind::Reply).await;
    until(&mut second.follower, Kind::Reply).await;
    let last = house.prompts().pop().unwrap();
    let kinds: String = last
        .said
        .iter()
        .map(|said| match said {
            Said::Person { .. } => 'p',
            Said::Companion { .. } => 'c',
            Said::Call { .. } => '(',
            Said::Result { .. } => ')',
        })
        .collect();
    assert_eq!(kinds, "p()cp");
}

#[tokio::test]
async fn a_repeated_client_id_is_the_first_message() {
    let house = House::new(vec![vec![say("Once.")]]).await;
    let mut first = house.send_as("hello", true, Some("m1")).await;
    until(&mut first.follower, Kind::Reply).await;
    let mut again = house.send_as("hello", true, Some("m1")).await;
    assert!(!again.begun.fresh);
    assert_eq!(again.begun.message, first.begun.message);
    until(&mut again.follower, Kind::Reply).await;
    assert_eq!(house.messages().await.len(), 2);
}

/// A restart ends the open card as no answer, once; the turn goes on and closes with a reply.
#[tokio::test]
async fn a_restart_ends_open_cards_once() {
    let house = House::new(vec![vec![phone_call("c1", TORCH), phone_call("c2", TORCH)]]).await;
    let mut taken = house.send("torch on", true).await;
    let card = card(&house, &mut taken).await;
    let (gateway, script) = house.restarted(vec![vec![say("I heard nothing.")]]);
    let mut follower = gateway.hub.follow(&house.person);
    assert_eq!(gateway.recover().await.unwrap(), 1);
    until(&mut follower, Kind::Reply).await;
    assert_eq!(house.results().await, [no_answer(), no_answer()], "each call has its one result");
    assert_eq!(gateway.recover().await.unwrap(), 0, "once");
    assert_eq!(house.answer(&card, "done", "pixel").await.outcome, Outcome::TooLate);
    assert_eq!(house.messages().await.last().unwrap().text, "I heard nothing.");
    assert_eq!(script.prompts.lock().unwrap().len(), 1);
}

/// A turn that the server cannot survive is given up after a few starts.
#[tokio::test]
async fn a_turn_is_not_started_for_ever() {
    let house = House::new(vec![vec![phone_call("c1", TORCH)]]).await;
    let mut taken = house.send("torch on", true).await;
    card(&house, &mut taken).await;
    for _ in 1..MAX_STARTS {
        house.gateway.store.count_start(house.person.clone(), taken.begun.turn.id.clone()).await.unwrap();
    }
    let (gateway, _) = house.restarted(vec![]);
    gateway.recover().await.unwrap();
    let turn = gateway.store.turn(house.person.clone(), taken.begun.turn.id).await.unwrap().unwrap();
    assert_eq!(turn.state, TurnState::Failed);
    assert_eq!(house.results().await, [no_answer()]);
}

#[tokio::test]
async fn deleting_a_chat_ends_its_cards_and_its_turn() {
    let house = House::new(vec![vec![phone_call("c1", TORCH)]]).await;
    let mut taken = house.send("torch on", true).await;
    let card = card(&house, &mut taken).await;
    assert!(house.gateway.delete_chat(house.person.clone(), house.chat.clone()).await.unwrap());
    until(&mut taken.follower, Kind::CardClosed).await;
    until(&mut taken.follower, Kind::Failed).await;
    assert!(house.gateway.store.card(house.person.clone(), card.id).await.unwrap().is_none());
    assert!(!house.gateway.delete_chat(house.person.clone(), house.chat.clone()).await.unwrap());
}

//! The ringer over a real store in a file, with a clock that stands still until it is moved.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use handset_spec_macros::text;
use tokio::sync::{Notify, watch};

use super::bell::Ring;
use super::call::Outcome as LineOutcome;
use super::invite::{Answer, Outcome};
use super::summary::{Line, Speaker};
use super::*;
use crate::clock::ManualClock;
use crate::gateway::model::{Delta, Deltas, Prompt};
use crate::ids::{InviteId, TurnId};
use crate::store::sqlite::Sqlite;
use crate::store::{CallState, InviteState, Kind, Message, Mode, NewChat, Once, Role};

const START: i64 = 1_800_000_000_000;

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("handset-ringer-{}", crate::ids::secret().unwrap()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A bell that notes each ring, and whether the invite was pending when it came.
struct Notes {
    clock: Arc<ManualClock>,
    /// When the invite was made that rings.
    began: AtomicI64,
    /// The numbers of the rings, when each came, whether it was the last.
    rung: watch::Sender<Vec<(u32, i64, bool)>>,
    /// What it does after that.
    then: Then,
    live: Mutex<Option<bell::Live>>,
    release: Notify,
}

#[derive(Clone, Copy, PartialEq)]
enum Then {
    Return,
    /// It hangs until it is dropped.
    Hang,
    Panic,
    /// It waits for a sign, looks whether the invite is pending, and notes only then.
    Wait,
}

impl Bell for Notes {
    fn ring(&self, ring: Ring) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            *self.live.lock().unwrap_or_else(PoisonError::into_inner) = Some(ring.live.clone());
            if self.then == Then::Wait {
                self.release.notified().await;
            }
            if !ring.live.is_pending() {
                return;
            }
            let began = self.began.load(Ordering::SeqCst);
            let at = self.clock.now_ms() - began;
            assert_eq!(ring.due_ms - began, i64::from(ring.sequence) * 2_000, "due times are absolute");
            self.rung.send_modify(|rung| rung.push((ring.sequence, at, ring.last)));
            match self.then {
                Then::Return | Then::Wait => {}
                Then::Hang => std::future::pending().await,
                Then::Panic => panic!("a bell that fails"),
            }
        })
    }
}

/// A model that says one thing, or nothing ever.
struct Says(Option<&'static str>, bool);

impl Model for Says {
    fn name(&self) -> &'static str {
        "says"
    }

    fn is_own(&self) -> bool {
        self.1
    }

    fn open(&self, prompt: Prompt) -> Deltas {
        assert!(prompt.tools.is_empty());
        let (sender, deltas) = tokio::sync::mpsc::channel(1);
        let words = self.0;
        tokio::spawn(async move {
            match words {
                Some(words) => drop(sender.send(Ok(Delta::Text(words.to_owned()))).await),
                None => std::future::pending().await,
            }
        });
        deltas
    }
}

struct House {
    folder: Folder,
    clock: Arc<ManualClock>,
    store: Arc<dyn Store>,
    hub: Arc<Hub>,
    ringer: Ringer,
    bell: Arc<Notes>,
    ann: PersonId,
}

impl House {
    async fn new() -> Self {
        Self::with(Then::Return, Says(Some("Plans\nfor dinner. ⟪hangup⟫"), true)).await
    }

    async fn with(then: Then, model: Says) -> Self {
        let (folder, clock) = (Folder::new(), Arc::new(ManualClock::new(START)));
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.0.join("s.db")).await.unwrap());
        let ann = store.create_person("Ann".to_owned(), 1).await.unwrap();
        Self::over(folder, clock, store, ann, then, model)
    }

    fn over(
        folder: Folder,
        clock: Arc<ManualClock>,
        store: Arc<dyn Store>,
        ann: PersonId,
        then: Then,
        model: Says,
    ) -> Self {
        let hub = Arc::new(Hub::new().unwrap());
        let ringer = Ringer::new(Arc::clone(&store), clock.clone(), Arc::clone(&hub), Arc::new(model));
        let bell = Arc::new(Notes {
            clock: clock.clone(),
            began: AtomicI64::new(START),
            rung: watch::Sender::new(Vec::new()),
            then,
            live: Mutex::default(),
            release: Notify::new(),
        });
        ringer.hang(bell.clone());
        Self { folder, clock, store, hub, ringer, bell, ann }
    }

    /// The same folder after a restart. The killed run wrote nothing at its end.
    async fn again(self) -> Self {
        let Self { folder, clock, store, ringer, ann, .. } = self;
        drop(ringer);
        store.close().await.unwrap();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.0.join("s.db")).await.unwrap());
        Self::over(folder, clock, store, ann, Then::Return, Says(None, true))
    }

    async fn invite(&self, reason: &str) -> Result<Kept, Refused> {
        let new = Invite { reason: reason.to_owned(), by: By::Api, chat: None, force: false };
        self.ringer.invite(&self.ann, new, None).await
    }

    async fn answer(&self, id: &InviteId, device: &str, answer: Answer) -> Outcome {
        let settled = self.ringer.answer(&self.ann, id, Some(device.to_owned()), answer, None).await;
        settled.unwrap().unwrap().outcome
    }

    /// Waits until so many rings have come.
    async fn rung(&self, count: usize) -> Vec<(u32, i64, bool)> {
        let mut rung = self.bell.rung.subscribe();
        let waiting = rung.wait_for(|rung| rung.len() >= count);
        tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("it rings").unwrap().clone()
    }

    /// Moves the clock on ring by ring.
    async fn ring_through(&self, rings: usize) {
        for ring in 1..=rings {
            self.rung(ring).await;
            if ring < rings {
                self.clock.advance(2_000);
            }
        }
    }

    async fn state(&self, id: &InviteId) -> InviteState {
        self.store.invite(self.ann.clone(), id.clone()).await.unwrap().unwrap().state
    }

    /// Waits until an invite is resolved.
    async fn resolved(&self, id: &InviteId) -> InviteState {
        for _ in 0..4_000 {
            let state = self.state(id).await;
            if state != InviteState::Pending {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it is still pending")
    }

    /// Everything that was said in all of Ann's chats, oldest chat first.
    async fn said(&self) -> Vec<(Role, String)> {
        let mut said = Vec::new();
        for message in self.messages().await {
            said.push((message.role, message.text));
        }
        said
    }

    async fn messages(&self) -> Vec<Message> {
        let mut all = Vec::new();
        let mut chats = self.store.chats(self.ann.clone()).await.unwrap();
        chats.reverse();
        for chat in chats {
            all.extend(self.store.messages(self.ann.clone(), chat.id, 0, 100).await.unwrap());
        }
        all
    }

    async fn call(&self, id: &InviteId) -> Call {
        self.store.call(self.ann.clone(), id.clone()).await.unwrap().unwrap()
    }

    /// Waits until a call stands so.
    async fn call_is(&self, id: &InviteId, state: CallState) -> Call {
        for _ in 0..4_000 {
            let call = self.call(id).await;
            if call.line.state == state {
                return call;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it stands otherwise")
    }

    async fn answered(&self) -> InviteId {
        let invite = self.invite("dinner").await.unwrap();
        assert_eq!(self.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
        invite.id
    }

    fn transcript() -> Vec<Line> {
        vec![Line { who: Some(Speaker::Person), text: "What shall we eat?".to_owned() }]
    }
}

use handset_spec::Language::{En, Zh};

#[tokio::test]
async fn a_whole_burst_and_its_voicemail_with_two_pollers() {
    let house = House::new().await;
    let invite = house.invite("I found the recipe").await.unwrap();
    house.ring_through(11).await;
    let rung = house.rung(11).await;
    assert_eq!(rung, (0..11).map(|ring| (ring, i64::from(ring) * 2_000, ring == 10)).collect::<Vec<_>>());
    house.clock.advance(9_999);
    assert_eq!(house.state(&invite.id).await, InviteState::Pending);
    house.clock.advance(1);
    // Whoever finds it gone finds its voicemail, and there is one, whoever looks.
    for _ in 0..2 {
        let newest = house.ringer.newest(&house.ann).await.unwrap().unwrap();
        assert_eq!(newest.state, InviteState::Expired);
        let voicemail = text!(call.missed in En, reason = "I found the recipe");
        assert_eq!(house.said().await, [(Role::Companion, voicemail)]);
    }
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::TooLate);
    assert_eq!(house.said().await.len(), 1);
    house.invite("again").await.unwrap();
}

#[tokio::test]
async fn the_voicemail_comes_without_any_poll() {
    let house = House::new().await;
    let invite = house.invite("").await.unwrap();
    house.rung(1).await;
    house.clock.advance(30_000);
    assert_eq!(house.resolved(&invite.id).await, InviteState::Expired);
    assert_eq!(house.said().await, [(Role::Companion, text!(call.missed_no_reason in En).to_owned())]);
    assert_eq!(house.ringer.waiting(), 0);
}

#[tokio::test]
async fn nothing_rings_behind_the_answer() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.ring_through(3).await;
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
    // One is the ring that a bell carries just now: it looks once more before it sends.
    assert!(!house.bell.live.lock().unwrap().as_ref().unwrap().is_pending());
    house.clock.advance(call::JOIN_WITHIN_MS);
    assert_eq!(house.call_is(&invite.id, CallState::Ended).await.line.end.unwrap().length_ms, 0);
    assert_eq!(house.rung(3).await.len(), 3);
    // The device was only slow: its end still counts, once.
    for length_ms in [137_000, 9_000] {
        let ended =
            house.ringer.end(&house.ann, &invite.id, length_ms, Vec::new(), None).await.unwrap().unwrap();
        assert_eq!(ended.outcome, LineOutcome::Recorded);
    }
    assert_eq!(house.said().await, [(Role::Companion, text!(record.call in En, duration = "2:17"))]);
}

/// A ring that is under way when the answer comes looks once more before it is sent, and is not.
#[tokio::test]
async fn a_ring_under_way_is_not_sent_behind_the_answer() {
    let house = House::with(Then::Wait, Says(None, false)).await;
    let invite = house.invite("dinner").await.unwrap();
    for _ in 0..4_000 {
        if house.bell.live.lock().unwrap().is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
    house.bell.release.notify_one();
    house.clock.advance(2_000);
    tokio::task::yield_now().await;
    assert_eq!(house.bell.rung.borrow().len(), 0);
}

#[tokio::test]
async fn a_bell_that_hangs_or_fails_delays_nothing() {
    for then in [Then::Hang, Then::Panic] {
        let house = House::with(then, Says(None, false)).await;
        let invite = house.invite("dinner").await.unwrap();
        house.ring_through(11).await;
        house.clock.advance(10_000);
        assert_eq!(house.resolved(&invite.id).await, InviteState::Expired);
        assert_eq!(house.said().await.len(), 1);
    }
}

#[tokio::test]
async fn one_live_invite_and_none_in_a_call() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    let Err(Refused::Busy(pending)) = house.invite("again").await else { panic!("one is pending") };
    assert_eq!(pending.id, invite.id);
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
    let Err(Refused::InCall(call)) = house.invite("again").await else { panic!("a call goes on") };
    assert_eq!(call.id, invite.id);
    let ended = house.ringer.end(&house.ann, &invite.id, 3_000, Vec::new(), None).await.unwrap().unwrap();
    assert_eq!(ended.outcome, LineOutcome::TooShort);
    assert!(house.said().await.is_empty(), "a slip of the finger leaves nothing");
    house.invite("again").await.unwrap();
}

/// An invite that nobody has ended in time is no obstacle: its voicemail comes first.
#[tokio::test]
async fn a_new_invite_ends_one_whose_time_is_over() {
    let house = House::new().await;
    let first = house.invite("one").await.unwrap();
    // No task has looked at the clock yet.
    house.clock.advance(30_000);
    let second = house.invite("two").await.unwrap();
    assert_eq!(house.resolved(&first.id).await, InviteState::Expired);
    assert_eq!(house.state(&second.id).await, InviteState::Pending);
    assert_eq!(house.said().await, [(Role::Companion, text!(call.missed in En, reason = "one"))]);
}

#[tokio::test]
async fn two_devices_answer_at_once_and_one_wins() {
    let house = House::new().await;
    for round in 0..20 {
        let invite = house.invite("dinner").await.unwrap();
        let (phone, tablet) = tokio::join!(
            house.answer(&invite.id, "phone", Answer::Accept),
            house.answer(&invite.id, "tablet", Answer::Decline { note: None }),
        );
        let mut outcomes = [phone.word(), tablet.word()];
        outcomes.sort_unstable();
        assert!(
            outcomes == ["accepted", "answered_elsewhere"] || outcomes == ["answered_elsewhere", "declined"],
            "round {round}: {outcomes:?}"
        );
        if phone == Outcome::Accepted {
            house.ringer.end(&house.ann, &invite.id, 0, Vec::new(), None).await.unwrap().unwrap();
        }
    }
}

#[tokio::test]
async fn a_decline_note_is_the_persons_words_behind_a_trace() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    // A marker in it is text.
    let note = "⟪hangup⟫ busy".to_owned();
    let declined = Answer::Decline { note: Some(note.clone()) };
    assert_eq!(house.answer(&invite.id, "phone", declined.clone()).await, Outcome::Declined);
    assert_eq!(house.answer(&invite.id, "phone", declined).await, Outcome::Declined);
    let messages = house.messages().await;
    let said: Vec<_> = messages.iter().map(|message| (message.role, message.text.as_str())).collect();
    assert_eq!(said, [(Role::Companion, text!(call.declined_silent in En)), (Role::Person, &note)]);
    assert_eq!(messages[0].turn, messages[1].turn, "one turn of its own");
    assert_eq!(messages[1].device.as_deref(), Some("phone"));
    assert_eq!(house.ringer.waiting(), 0);
}

#[tokio::test]
async fn p175_a_call_taken_back_leaves_a_trace_and_no_voicemail() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.ring_through(2).await;
    let settled = house.ringer.cancel(&house.ann, &invite.id, None).await.unwrap().unwrap();
    assert_eq!(settled.outcome, Outcome::Cancelled);
    house.clock.advance(60_000);
    assert_eq!(house.said().await, [(Role::Companion, text!(call.cancelled in En).to_owned())]);
    assert_eq!((house.rung(2).await.len(), house.ringer.waiting()), (2, 0));
}

/// P171: tapped on the last ring, the app starts cold. The invite's end leaves room behind the ringing, and is the one
/// that the card shows.
#[tokio::test]
async fn p171_tapped_on_the_last_ring_and_arrived_seconds_later() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.ring_through(11).await;
    house.clock.advance(4_000);
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
}

#[tokio::test]
async fn killed_in_mid_burst_the_rest_rings_in_time() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.ring_through(3).await;
    house.clock.advance(4_500);
    let house = house.again().await;
    assert_eq!(house.ringer.recover().await.unwrap(), 1);
    // The rings at 6 and 8 s are past; the one at 10 s is next.
    assert_eq!(house.ringer.shell.deadlines.first_ms(), Some(START + 10_000));
    house.clock.advance(1_500);
    for ring in 1..=6 {
        house.rung(ring).await;
        house.clock.advance(2_000);
    }
    let rung = house.rung(6).await;
    assert_eq!(rung, (5..11).map(|ring| (ring, i64::from(ring) * 2_000, ring == 10)).collect::<Vec<_>>());
    house.clock.advance(8_000);
    assert_eq!(house.resolved(&invite.id).await, InviteState::Expired);
    assert_eq!(house.said().await.len(), 1);
    let house = house.again().await;
    assert_eq!(house.ringer.recover().await.unwrap(), 0);
    assert_eq!(house.said().await.len(), 1, "once, whatever comes");
}

#[tokio::test]
async fn expired_while_nobody_was_there() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.rung(1).await;
    let house = house.again().await;
    house.clock.advance(3_600_000);
    house.ringer.recover().await.unwrap();
    assert_eq!(house.state(&invite.id).await, InviteState::Expired, "before anyone is served");
    assert_eq!(house.said().await, [(Role::Companion, text!(call.missed in En, reason = "dinner"))]);
    assert_eq!(house.bell.rung.borrow().len(), 0);
}

#[tokio::test]
async fn a_stop_leaves_what_is_pending() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.rung(1).await;
    house.ringer.stop();
    house.clock.advance(4_000);
    assert_eq!((house.bell.rung.borrow().len(), house.ringer.waiting()), (1, 0));
    assert_eq!(house.state(&invite.id).await, InviteState::Pending);
    let house = house.again().await;
    house.ringer.recover().await.unwrap();
    assert_eq!(house.rung(1).await, [(2, 4_000, false)], "due at this very moment");
}

#[tokio::test]
async fn the_voicemail_goes_where_the_pin_is() {
    let house = House::new().await;
    let chat = |mode, kind| NewChat { person: house.ann.clone(), kind, mode, title: None, now_ms: START };
    let old = house.store.create_chat(chat(Mode::Act, Kind::Chat)).await.unwrap();
    let newer =
        house.store.create_chat(NewChat { now_ms: START + 1, ..chat(Mode::Act, Kind::Chat) }).await.unwrap();
    house.store.create_chat(NewChat { now_ms: START + 2, ..chat(Mode::Plan, Kind::Chat) }).await.unwrap();
    house.store.create_chat(NewChat { now_ms: START + 3, ..chat(Mode::Act, Kind::Schedule) }).await.unwrap();
    let into = async |house: &House| {
        house
            .store
            .house_message(house.ann.clone(), Role::Companion, "x".to_owned(), START)
            .await
            .unwrap()
            .chat
    };
    assert_eq!(into(&house).await, newer.id, "the newest that is for talking");
    let pin = |chat: &crate::store::Chat, pinned| {
        house.store.pin_chat_once(house.ann.clone(), chat.id.clone(), pinned, START, None)
    };
    assert!(pin(&newer, true).await.unwrap().unwrap().pinned_ms.is_some());
    pin(&old, true).await.unwrap().unwrap();
    assert_eq!(into(&house).await, old.id, "the pin has moved");
    let pinned = house.store.chats(house.ann.clone()).await.unwrap();
    assert_eq!(pinned.iter().filter(|chat| chat.pinned_ms.is_some()).count(), 1);
    // Deleted while it rings: the voicemail finds another place.
    let invite = house.invite("dinner").await.unwrap();
    house.store.delete_chat(house.ann.clone(), old.id).await.unwrap();
    house.clock.advance(30_000);
    house.resolved(&invite.id).await;
    let last = house.store.messages(house.ann.clone(), newer.id, 0, 9).await.unwrap();
    assert_eq!(last.last().unwrap().text, text!(call.missed in En, reason = "dinner"));
    // And where there is no chat at all, one is made.
    for chat in house.store.chats(house.ann.clone()).await.unwrap() {
        house.store.delete_chat(house.ann.clone(), chat.id).await.unwrap();
    }
    assert_eq!(into(&house).await, house.store.chats(house.ann.clone()).await.unwrap()[0].id);
}

#[tokio::test]
async fn a_record_with_its_summary_once() {
    let house = House::new().await;
    let id = house.answered().await;
    house.clock.advance(140_000);
    let ended = house.ringer.end(&house.ann, &id, 137_000, House::transcript(), None).await.unwrap().unwrap();
    let record = text!(record.call_with_summary in En, duration = "2:17", summary = "Plans for dinner.");
    assert_eq!(ended.record.unwrap().text, record);
    assert!(record.starts_with("📞 Voice call · 2:17\n"));
    let again = house.ringer.end(&house.ann, &id, 9, Vec::new(), None).await.unwrap().unwrap();
    assert_eq!((again.outcome, again.record), (LineOutcome::Recorded, None));
    assert_eq!(house.said().await, [(Role::Companion, record)]);
    assert_eq!(house.ringer.waiting(), 0);
}

#[tokio::test]
async fn a_summary_that_does_not_come_blocks_nothing() {
    // It hangs, it belongs to somebody else, or nothing was said.
    for (model, transcript) in [
        (Says(None, true), House::transcript()),
        (Says(Some("Secrets."), false), House::transcript()),
        (Says(Some("Nothing."), true), Vec::new()),
    ] {
        let hangs = model.0.is_none();
        let house = House::with(Then::Return, model).await;
        let id = house.answered().await;
        house.clock.advance(137_000);
        let ending = house.ringer.end(&house.ann, &id, 137_000, transcript, None);
        let waiting = async {
            while hangs
                && house.store.open_calls().await.unwrap().iter().all(|call| call.record_due_ms.is_none())
            {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            house.clock.advance(15_000);
        };
        let (ended, ()) = tokio::join!(ending, waiting);
        assert_eq!(ended.unwrap().unwrap().record.unwrap().text, text!(record.call in En, duration = "2:17"));
        assert_eq!(house.said().await.len(), 1);
    }
}

#[tokio::test]
async fn killed_while_a_summary_is_written() {
    let house = House::with(Then::Return, Says(None, true)).await;
    let id = house.answered().await;
    let shell = Arc::clone(&house.ringer.shell);
    let (ann, call) = (house.ann.clone(), id.clone());
    let ways = house.ringer.ways(&ann).await.unwrap();
    let event = call::Event::Ended { length_ms: 137_000, limits: ways.limits, told: true };
    let now_ms = START + 137_000;
    let due_ms = now_ms + ways.summary_ms;
    // The end is committed; its summary never comes.
    let moved = shell.store.move_call_once(ann, call, event, due_ms, now_ms, None).await.unwrap().unwrap();
    assert_eq!((moved.record, moved.call.record_due_ms), (None, Some(due_ms)));
    drop(shell);
    let mut house = house;
    for _ in 0..2 {
        house = house.again().await;
        house.ringer.recover().await.unwrap();
        assert_eq!(house.said().await, [(Role::Companion, text!(record.call in En, duration = "2:17"))]);
        // A summary that comes after all finds the record written.
        let late = Some("Too late.".to_owned());
        let written = house.store.write_record(house.ann.clone(), id.clone(), late, START).await.unwrap();
        assert_eq!(written, None);
    }
}

#[tokio::test]
async fn the_companion_hangs_up_when_it_was_heard_and_nobody_speaks() {
    let house = House::new().await;
    let turn = TurnId::from_text("t");
    assert_eq!(house.ringer.hang_up(&house.ann, &turn, 9).await, Ok(Err(NoCall)));
    let id = house.answered().await;
    house.ringer.sign(&house.ann, &id, Sign::Joined).await.unwrap().unwrap();
    house.ringer.hang_up(&house.ann, &turn, 9).await.unwrap().unwrap();
    let played = Sign::Played { turn: turn.clone(), heard: None };
    let moved = house.ringer.sign(&house.ann, &id, played.clone()).await.unwrap().unwrap();
    let linger::Linger::Lingering { until_ms } = moved.call.line.linger else { panic!("it lingers") };
    assert!((START + 15_000..=START + 20_000).contains(&until_ms));
    // A message counts as speech.
    house.ringer.spoke(&house.ann).await;
    house.clock.advance(20_000);
    assert_eq!(house.call(&id).await.line.state, CallState::Going);
    house.ringer.hang_up(&house.ann, &turn, 9).await.unwrap().unwrap();
    house.ringer.sign(&house.ann, &id, played).await.unwrap().unwrap();
    // The window is kept: a restart in it changes nothing.
    let house = house.again().await;
    house.ringer.recover().await.unwrap();
    house.clock.advance(20_000);
    house.call_is(&id, CallState::HungUp).await;
    house.clock.advance(call::CLOSE_WITHIN_MS);
    let call = house.call_is(&id, CallState::Ended).await;
    assert_eq!(call.line.end.unwrap().length_ms, 40_000);
    assert_eq!(house.said().await, [(Role::Companion, text!(record.call in En, duration = "0:40"))]);
}

#[tokio::test]
async fn writes_are_repeated_by_client_id() {
    let house = House::new().await;
    let once = |id: &str| Some(Once { client_id: id.to_owned(), now_ms: START });
    let new = || Invite { reason: "a".to_owned(), by: By::Api, chat: None, force: false };
    let first = house.ringer.invite(&house.ann, new(), once("i")).await.unwrap();
    let second = house.ringer.invite(&house.ann, new(), once("i")).await.unwrap();
    assert_eq!((&first.id, second.state), (&second.id, InviteState::Pending));
    let answer = |device: &str, id: &str| {
        let (device, once) = (Some(device.to_owned()), once(id));
        let (ringer, ann, invite) = (&house.ringer, &house.ann, &first.id);
        async move { ringer.answer(ann, invite, device, Answer::Accept, once).await.unwrap().unwrap().outcome }
    };
    assert_eq!(answer("phone", "a").await, Outcome::Accepted);
    assert_eq!(answer("tablet", "b").await, Outcome::AnsweredElsewhere);
    assert_eq!(answer("phone", "a").await, Outcome::Accepted);
    house.clock.advance(6_000);
    let end = |id: &str, length_ms| house.ringer.end(&house.ann, &first.id, length_ms, Vec::new(), once(id));
    assert_eq!(end("e", 6_000).await.unwrap().unwrap().outcome, LineOutcome::Recorded);
    assert_eq!(end("e", 1).await.unwrap().unwrap().outcome, LineOutcome::Recorded);
    assert_eq!(house.said().await.len(), 1);
}

/// Whoever asks twice is refused the second time, and a cancelled one counts.
#[tokio::test]
async fn one_escalation_a_local_day() {
    let house = House::new().await;
    let hour = 3_600_000;
    // It is morning at START; she writes, and five hours later it is within her hours.
    let day = START - START.rem_euclid(24 * hour);
    house.clock.advance(day + 24 * hour + 8 * hour - START);
    let now_ms = house.clock.now_ms();
    house.store.house_message(house.ann.clone(), Role::Person, "hello".to_owned(), now_ms).await.unwrap();
    let new = || Invite { reason: "a".to_owned(), by: By::Escalation, chat: None, force: false };
    assert!(matches!(house.ringer.invite(&house.ann, new(), None).await, Err(Refused::NotNow)), "too soon");
    house.clock.advance(6 * hour);
    let first = house.ringer.invite(&house.ann, new(), None).await.unwrap();
    house.ringer.cancel(&house.ann, &first.id, None).await.unwrap();
    assert!(matches!(house.ringer.invite(&house.ann, new(), None).await, Err(Refused::NotNow)));
    house.clock.advance(24 * hour);
    house.ringer.invite(&house.ann, new(), None).await.unwrap();
}

#[tokio::test]
async fn what_a_model_writes_is_one_line() {
    let house = House::new().await;
    let reason = format!("\n \"{}\" ", "日".repeat(300));
    let new = Invite { reason, by: By::Marker, chat: None, force: false };
    let invite = house.ringer.invite(&house.ann, new, None).await.unwrap();
    assert_eq!(invite.reason, format!("{}…", "日".repeat(MAX_REASON - 1)));
    assert_eq!(invite.language, Zh);
}

#[tokio::test]
async fn nobody_who_does_not_want_to_be_disturbed_is() {
    let house = House::new().await;
    let tune = |dnd| crate::store::Tune { dnd: Some(dnd), ..Default::default() };
    house.store.tune(house.ann.clone(), tune(true), START, None).await.unwrap();
    assert!(matches!(house.invite("dinner").await, Err(Refused::Dnd)));
    assert_eq!(house.ringer.waiting(), 0);
    let forced = Invite { reason: "fire".to_owned(), by: By::Api, chat: None, force: true };
    let forced = house.ringer.invite(&house.ann, forced, None).await.unwrap();
    house.ringer.cancel(&house.ann, &forced.id, None).await.unwrap();
    house.store.tune(house.ann.clone(), tune(false), START, None).await.unwrap();
    house.invite("dinner").await.unwrap();
}

/// What is set counts from the next invite on: how it rings, how long it waits, in which language it speaks.
#[tokio::test]
async fn an_invite_follows_what_is_set() {
    let house = House::new().await;
    let tune = |settings: serde_json::Value, language| crate::store::Tune {
        settings: Some(settings),
        language: Some(language),
        ..Default::default()
    };
    let silent = tune(serde_json::json!({"call": {"ring_enabled": false, "invite_expires": 15}}), Some(Zh));
    house.store.tune(house.ann.clone(), silent, START, None).await.unwrap().unwrap().unwrap();
    let invite = house.invite("dinner").await.unwrap();
    assert_eq!((invite.plan.expires_ms - invite.plan.created_ms, invite.rings), (15_000, false));
    house.clock.advance(14_999);
    assert_eq!(house.state(&invite.id).await, InviteState::Pending);
    house.clock.advance(1);
    assert_eq!(house.resolved(&invite.id).await, InviteState::Expired);
    assert_eq!(house.said().await, [(Role::Companion, text!(call.missed in Zh, reason = "dinner"))]);
    assert_eq!(house.bell.rung.borrow().len(), 0, "it waited on the screen");
    let louder = tune(serde_json::json!({"call": {"ring_enabled": true, "extra_rings": 1}}), None);
    house.store.tune(house.ann.clone(), louder, START, None).await.unwrap().unwrap().unwrap();
    house.bell.began.store(house.clock.now_ms(), Ordering::SeqCst);
    house.invite("晚饭").await.unwrap();
    house.ring_through(2).await;
    assert!(house.rung(2).await[1].2, "the second is the last");
}

#[tokio::test]
async fn a_conversation_begins_behind_a_pause_and_behind_a_call() {
    let house = House::new().await;
    let hour = 3_600_000;
    let say =
        |at: i64| house.store.house_message(house.ann.clone(), Role::Companion, "x".to_owned(), START + at);
    let chat = say(0).await.unwrap().chat;
    let began = async |at: i64| {
        let began =
            house.store.conversation_started_ms(house.ann.clone(), chat.clone(), 3 * hour, START + at);
        began.await.unwrap() - START
    };
    for at in [1, 2, 4] {
        say(at * hour).await.unwrap();
    }
    assert_eq!(began(5 * hour).await, 0);
    assert_eq!(began(7 * hour).await, 7 * hour, "a pause of exactly the gap");
    say(8 * hour).await.unwrap();
    assert_eq!(began(9 * hour).await, 8 * hour);
    for minute in 0..300 {
        say(8 * hour + minute).await.unwrap();
    }
    assert_eq!(began(9 * hour).await, 8 * hour, "over many steps");
    house.clock.advance(9 * hour);
    let id = house.answered().await;
    house.clock.advance(60_000);
    house.ringer.end(&house.ann, &id, 60_000, Vec::new(), None).await.unwrap();
    // Its record belongs to it.
    assert_eq!(began(9 * hour + 60_001).await, 9 * hour + 60_001);
    say(9 * hour + 70_000).await.unwrap();
    assert_eq!(began(9 * hour + 80_000).await, 9 * hour + 70_000);
}

#[tokio::test]
async fn every_device_is_told() {
    let house = House::new().await;
    let mut follower = house.hub.follow(&house.ann);
    let invite = house.invite("dinner").await.unwrap();
    house.answer(&invite.id, "phone", Answer::Accept).await;
    house.clock.advance(6_000);
    house.ringer.end(&house.ann, &invite.id, 6_000, Vec::new(), None).await.unwrap();
    let mut told = Vec::new();
    while let Some(crate::gateway::events::Next::Event(event)) = follower.ready() {
        let data: serde_json::Value = serde_json::from_str(&event.data).unwrap();
        assert_eq!(event.device, None);
        let state = |what: &str| data[what]["state"].as_str().unwrap_or("-").to_owned();
        told.push((event.kind.name(), state("invite"), state("call")));
    }
    let told: Vec<_> = told.iter().map(|(kind, invite, call)| (*kind, &**invite, &**call)).collect();
    assert_eq!(
        told,
        [
            ("invite", "pending", "-"),
            ("invite", "accepted", "accepted"),
            ("invite", "-", "ended"),
            ("message", "-", "-"),
        ]
    );
}

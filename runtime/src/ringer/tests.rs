//! The ringer over a real store in a file, with a clock that stands still until it is moved.

mod left;
mod own;
mod rings;

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

//! Calls that are alive: what is said in a call's chat is told to the line that speaks it, and how much of it was heard comes
//! back.
//!
//! A turn asks once, as it begins, whether a line stands in its chat. What it then says is stored as far as it was heard where
//! somebody interrupts it, and its markers wait until the words before them were heard (document 2: hanging up).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;

use super::speech::Speech;
use crate::ids::{ChatId, InviteId, TurnId};
use crate::store::{InSpeech, Message, NewEffect, Turn};

/// What a turn tells its line.
#[derive(Debug)]
pub struct Told {
    /// The turn.
    pub turn: Turn,
    /// What it tells.
    pub what: What,
}

/// What a turn tells.
#[derive(Debug)]
pub enum What {
    /// It begins to answer.
    Began {
        /// Whether the voice that it answers calls for a soft one.
        soft: bool,
        /// How many of its markers are known from before a restart.
        markers: i64,
        /// Where how much of it was heard is noted.
        heard: Arc<Heard>,
    },
    /// It speaks again, behind a call.
    Again {
        /// How many characters it has said before.
        chars: u64,
        /// How many markers stood in them.
        markers: i64,
    },
    /// Words, without a marker.
    Words(String),
    /// A marker stood behind the words so far; its place is counted over the whole turn.
    Marker(NewEffect),
    /// A part of what it says is stored: words before a call.
    Said(Message),
    /// It is over; its last words, where it had any.
    Over(Option<Message>),
}

/// How much of a turn was heard.
#[derive(Debug, Default)]
pub struct Heard {
    /// Characters of its words, all parts together.
    chars: AtomicU64,
    /// How many of its markers.
    markers: AtomicI64,
    stopped: AtomicBool,
    /// Whether nobody listens to it any more.
    released: AtomicBool,
    /// Stops the model.
    speech: Option<Arc<Speech>>,
}

impl Heard {
    /// Notes how much was heard.
    pub fn note(&self, chars: u64, markers: i64) {
        self.chars.fetch_max(chars, Ordering::SeqCst);
        self.markers.fetch_max(markers, Ordering::SeqCst);
    }

    /// Stops the turn, of which so much was heard; false where it says nothing just now: a card waits, or it is over.
    pub fn stop(&self, chars: u64, markers: i64) -> bool {
        self.note(chars, markers);
        self.stopped.store(true, Ordering::SeqCst);
        self.speech.as_ref().is_some_and(|speech| speech.hush())
    }

    /// The line is left, and the turn goes on without it: what it says is read, as in any chat.
    pub fn release(&self) {
        self.released.store(true, Ordering::SeqCst);
    }
}

/// The lines that are open.
#[derive(Debug, Default)]
pub struct Lines {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    /// By the chat that they speak in.
    open: HashMap<ChatId, Line>,
    /// What turns tell lines of calls that a restart found, until somebody listens.
    left: HashMap<InviteId, mpsc::UnboundedReceiver<Told>>,
}

#[derive(Debug)]
struct Line {
    call: InviteId,
    told: mpsc::UnboundedSender<Told>,
}

impl Lines {
    /// Opens the line of a call in a chat: what turns tell that begin from here on, or from the start of the server on where the
    /// call is older.
    pub fn open(&self, chat: ChatId, call: InviteId) -> mpsc::UnboundedReceiver<Told> {
        let mut table = self.table();
        if let Some(left) = table.left.remove(&call) {
            return left;
        }
        table.open(chat, call)
    }

    /// Opens the line of a call that a restart found: what turns tell is kept until somebody listens.
    pub(super) fn prepare(&self, chat: ChatId, call: InviteId) {
        let mut table = self.table();
        let left = table.open(chat, call.clone());
        table.left.insert(call, left);
    }

    /// Closes the line of a call.
    pub fn close(&self, chat: &ChatId, call: &InviteId) {
        let mut table = self.table();
        if table.open.get(chat).is_some_and(|line| line.call == *call) {
            table.open.remove(chat);
        }
    }

    /// The line that a turn is spoken on, where there is one.
    pub(super) fn tap(&self, turn: &Turn, speech: &Arc<Speech>) -> Option<Arc<Tap>> {
        let told = self.table().open.get(&turn.chat)?.told.clone();
        let heard = Heard { speech: Some(Arc::clone(speech)), ..Heard::default() };
        Some(Arc::new(Tap {
            told,
            turn: turn.clone(),
            heard: Arc::new(heard),
            begun: AtomicBool::new(false),
            chars: AtomicU64::new(0),
            markers: AtomicI64::new(0),
        }))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn open(&mut self, chat: ChatId, call: InviteId) -> mpsc::UnboundedReceiver<Told> {
        // A reply's length bounds what can wait in it.
        let (told, receiver) = mpsc::unbounded_channel();
        self.open.insert(chat, Line { call, told });
        receiver
    }
}

/// A turn's way to its line.
#[derive(Debug)]
pub(super) struct Tap {
    told: mpsc::UnboundedSender<Told>,
    turn: Turn,
    heard: Arc<Heard>,
    begun: AtomicBool,
    /// How many characters the parts have that are stored.
    chars: AtomicU64,
    /// How many markers stood in them.
    markers: AtomicI64,
}

impl Tap {
    fn tell(&self, what: What) {
        // A line that is gone hears nothing.
        let _ = self.told.send(Told { turn: self.turn.clone(), what });
    }

    /// The turn begins; `markers` of it are known from before a restart.
    pub(super) fn begin(&self, soft: bool, markers: i64) {
        if !self.begun.swap(true, Ordering::SeqCst) {
            self.markers.store(markers, Ordering::SeqCst);
            self.tell(What::Began { soft, markers, heard: Arc::clone(&self.heard) });
        }
    }

    /// It is about to speak, for the first time or behind a call; a sign to stop that came before was for what was said then.
    pub(super) fn speaks(&self) {
        let (chars, markers) = (self.chars.load(Ordering::SeqCst), self.markers.load(Ordering::SeqCst));
        if chars > 0 || markers > 0 {
            self.heard.stopped.store(false, Ordering::SeqCst);
            self.tell(What::Again { chars, markers });
        }
    }

    /// Tells words.
    pub(super) fn words(&self, words: &str) {
        self.tell(What::Words(words.to_owned()));
    }

    /// Tells the markers of the part that is being said, from the `from`th on.
    pub(super) fn marked(&self, effects: &[NewEffect], from: usize) {
        let (chars, markers) = (self.chars.load(Ordering::SeqCst), self.markers.load(Ordering::SeqCst));
        for (effect, number) in effects.iter().zip(markers..).skip(from) {
            let place = chars.saturating_add(effect.place);
            let spoken = Some(InSpeech { number, heard: true });
            self.tell(What::Marker(NewEffect { place, spoken, ..effect.clone() }));
        }
    }

    /// It was told to stop: what was heard by now is all that was said.
    pub(super) fn hushed(&self) {
        self.heard.stopped.store(true, Ordering::SeqCst);
    }

    /// Whether somebody has interrupted it. What is read nobody does.
    pub(super) fn stopped(&self) -> bool {
        self.heard.stopped.load(Ordering::SeqCst) && !self.is_read()
    }

    /// Whether the call is over, so that what is said is read.
    fn is_read(&self) -> bool {
        self.told.is_closed() || self.heard.released.load(Ordering::SeqCst)
    }

    /// Notes at a part's markers which they are and which were heard; the words are those of `chars` characters that were said.
    /// Of a part that was stopped, the words that were heard stay, and the markers.
    pub(super) fn settle(&self, words: &mut String, effects: &mut Vec<NewEffect>, said_chars: u64) {
        if self.is_read() {
            return;
        }
        let (chars, markers) = (self.chars.load(Ordering::SeqCst), self.markers.load(Ordering::SeqCst));
        let heard = self.heard.markers.load(Ordering::SeqCst);
        for (effect, number) in effects.iter_mut().zip(markers..) {
            effect.spoken = Some(InSpeech { number, heard: number < heard });
        }
        self.markers.fetch_add(i64::try_from(effects.len()).unwrap_or(0), Ordering::SeqCst);
        self.chars.fetch_add(said_chars, Ordering::SeqCst);
        if self.stopped() {
            let kept = self.heard.chars.load(Ordering::SeqCst).saturating_sub(chars);
            let kept = usize::try_from(kept).unwrap_or(usize::MAX);
            if let Some((end, _)) = words.char_indices().nth(kept) {
                words.truncate(end);
                words.truncate(words.trim_end().len());
            }
            effects.retain(|effect| effect.spoken.is_none_or(|spoken| spoken.heard));
        }
    }

    /// A part is stored.
    pub(super) fn said(&self, message: &Message) {
        self.tell(What::Said(message.clone()));
    }

    /// The turn is over.
    pub(super) fn over(&self, message: Option<&Message>) {
        self.begin(false, 0);
        self.tell(What::Over(message.cloned()));
    }

    /// The turn is over, and what is said in its stead was not told yet.
    pub(super) fn over_with(&self, message: Option<&Message>) {
        self.begin(false, 0);
        if let Some(message) = message {
            self.words(&message.text);
        }
        self.over(message);
    }
}

impl Told {
    /// The turn's id.
    #[must_use]
    pub fn id(&self) -> &TurnId {
        &self.turn.id
    }
}

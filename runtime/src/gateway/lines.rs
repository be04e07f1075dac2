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

#[cfg(test)]
mod tests {
    use handset_spec::markers::Kind;

    use super::*;
    use crate::ids::PersonId;
    use crate::store::TurnState;

    fn turn(chat: &str) -> Turn {
        Turn {
            id: TurnId::from_text("t"),
            person: PersonId::from_text("p"),
            chat: ChatId::from_text(chat),
            message_seq: 1,
            state: TurnState::Running,
            code: None,
            starts: 1,
        }
    }

    fn marker(place: u64) -> NewEffect {
        NewEffect { kind: Kind::Hangup, argument: None, place, spoken: None }
    }

    /// The line of a call in the chat `c`, with a turn that is spoken on it.
    fn spoken() -> (Lines, mpsc::UnboundedReceiver<Told>, Arc<Tap>, Arc<Speech>) {
        let lines = Lines::default();
        let told = lines.open(ChatId::from_text("c"), InviteId::from_text("i"));
        let speech = Arc::new(Speech::new());
        let tap = lines.tap(&turn("c"), &speech).unwrap();
        (lines, told, tap, speech)
    }

    fn whats(told: &mut mpsc::UnboundedReceiver<Told>) -> Vec<String> {
        let mut whats = Vec::new();
        while let Ok(told) = told.try_recv() {
            whats.push(format!("{:?}", told.what).split(['(', ' ']).next().unwrap().to_owned());
        }
        whats
    }

    /// Settles words of which so much was heard; gives what is left of them, and which markers were heard.
    fn settled(tap: &Tap, words: &str, places: &[u64]) -> (String, Vec<Option<bool>>) {
        let (mut left, mut effects) = (words.to_owned(), places.iter().map(|place| marker(*place)).collect());
        tap.settle(&mut left, &mut effects, words.chars().count() as u64);
        (left, effects.iter().map(|effect| effect.spoken.map(|spoken| spoken.heard)).collect())
    }

    #[test]
    fn a_turn_is_spoken_where_a_line_stands_in_its_chat() {
        let (lines, _told, _, speech) = spoken();
        assert!(lines.tap(&turn("d"), &speech).is_none(), "another chat");
        lines.close(&ChatId::from_text("c"), &InviteId::from_text("older"));
        assert!(lines.tap(&turn("c"), &speech).is_some(), "another call's end is not this one's");
        lines.close(&ChatId::from_text("c"), &InviteId::from_text("i"));
        assert!(lines.tap(&turn("c"), &speech).is_none());
    }

    /// After a restart turns go on before anybody listens: what they tell is kept until then, and given out once.
    #[test]
    fn what_is_told_before_anybody_listens_is_kept() {
        let lines = Lines::default();
        let (chat, call) = (ChatId::from_text("c"), InviteId::from_text("i"));
        lines.prepare(chat.clone(), call.clone());
        lines.tap(&turn("c"), &Arc::new(Speech::new())).unwrap().words("One.");
        assert_eq!(whats(&mut lines.open(chat.clone(), call.clone())), ["Words"]);
        assert_eq!(whats(&mut lines.open(chat, call)), [""; 0]);
    }

    #[test]
    fn a_turn_begins_once_and_is_over_once_it_began() {
        let (_lines, mut told, tap, _) = spoken();
        tap.begin(true, 0);
        tap.begin(true, 0);
        tap.over(None);
        assert_eq!(whats(&mut told), ["Began", "Over"]);
        let (_lines, mut told, tap, _) = spoken();
        tap.over(None);
        assert_eq!(whats(&mut told), ["Began", "Over"], "failed before it began");
    }

    #[test]
    fn what_was_heard_stays_and_the_markers_in_it() {
        let (_lines, _told, tap, _) = spoken();
        let heard = Arc::clone(&tap.heard);
        assert!(heard.stop(9, 1), "it speaks");
        let (left, markers) = settled(&tap, "One two three.", &[4, 12]);
        assert_eq!((left.as_str(), markers), ("One two t", vec![Some(true)]));
        // What is noted later, and is less, takes nothing back.
        heard.note(3, 0);
        assert_eq!(heard.chars.load(Ordering::SeqCst), 9);
    }

    #[test]
    fn what_nobody_stopped_is_kept_whole_and_its_markers_wait() {
        let (_lines, _told, tap, _) = spoken();
        tap.heard.note(4, 1);
        let (left, markers) = settled(&tap, "One two.", &[4, 8]);
        assert_eq!((left.as_str(), markers), ("One two.", vec![Some(true), Some(false)]));
    }

    /// Behind a card it speaks again: places and numbers go on, and what was stopped before the card is not what comes behind it.
    #[test]
    fn behind_a_card_it_speaks_again() {
        let (_lines, mut told, tap, speech) = spoken();
        tap.speaks();
        assert_eq!(whats(&mut told), [""; 0], "for the first time");
        settled(&tap, "One. ", &[5]);
        speech.at_desk();
        assert!(!tap.heard.stop(3, 0), "a card waits");
        assert!(tap.stopped());
        tap.speaks();
        assert!(!tap.stopped());
        tap.marked(&[marker(2)], 0);
        let Ok(Told { what: What::Again { chars: 5, markers: 1 }, .. }) = told.try_recv() else { panic!() };
        let Ok(Told { what: What::Marker(behind), .. }) = told.try_recv() else { panic!() };
        assert_eq!((behind.place, behind.spoken), (7, Some(InSpeech { number: 1, heard: true })));
    }

    /// A line that is over, or that was left, has no ears: what is said is read, whole, and its markers are performed as in any chat.
    #[test]
    fn what_is_read_is_whole() {
        for left in [true, false] {
            let (_lines, told, tap, _) = spoken();
            tap.heard.stop(3, 0);
            if left {
                tap.heard.release();
            } else {
                drop(told);
            }
            assert!(!tap.stopped());
            assert_eq!(settled(&tap, "One two.", &[8]), ("One two.".to_owned(), vec![None]));
        }
    }
}

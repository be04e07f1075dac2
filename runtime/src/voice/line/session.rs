//! A live call as a pure machine: who is there, what is being said and heard, how it ends.
//!
//! Whoever drives it does the effects in their order, and brings back what comes of them.

mod spoken;

use self::spoken::{Spoken, note, stop};
use super::frames::{By, Fault, News};
use super::reply::{Extent, Reply};
use crate::ids::TurnId;
use crate::store::{CallState, Kept, Message, NewEffect, mark};

/// How long the end of a call waits for what was being said to be stored as it was heard, in milliseconds.
const SETTLE_MS: i64 = 2_000;
/// How long it waits for what the person has said to be understood, so that it stands before the record, in milliseconds. What takes
/// longer stands behind it.
const WORDS_MS: i64 = 3_000;

/// What may happen.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A device is connected.
    Attached,
    /// None is any more.
    Detached,
    /// The person has begun to speak; with how far a piece had been played, where one was.
    Speaking(Option<(TurnId, usize, f64)>),
    /// Something that the person has said is there, and is being understood.
    Uttered,
    /// It is known what that was.
    Understood,
    /// A piece was played to its end.
    Played(TurnId, usize),
    /// The person hangs up.
    HangUp,
    /// A turn begins to answer.
    Began {
        /// The turn.
        turn: TurnId,
        /// Whether it answers a voice that calls for a soft one.
        soft: bool,
        /// How many of its markers are known from before a restart.
        markers: i64,
    },
    /// A turn speaks again, behind a call: so much of it was said before.
    Again {
        /// The turn.
        turn: TurnId,
        /// Characters.
        chars: u64,
        /// Markers.
        markers: i64,
    },
    /// Words of a turn.
    Words(TurnId, String),
    /// A marker of a turn, with its place in all of its words.
    Marker(TurnId, NewEffect),
    /// A piece of a turn: the words for a voice with their language, and how many bytes of its words since it last began to speak lie up to its end.
    Piece(TurnId, (String, Option<String>), usize),
    /// The sound of a piece is there, or why it is not.
    Audio(TurnId, usize, Result<&'static str, Fault>),
    /// A turn has no more pieces.
    Whole(TurnId),
    /// A part of a turn's words is stored.
    Said(TurnId, Box<Message>),
    /// A turn is over; with its last words.
    Over(TurnId, Option<Box<Message>>),
    /// A turn that was to stop says nothing just now: a card waits, or it is over.
    Silent(TurnId),
    /// What was heard of a turn is stored: its last words as they are now.
    Cut(TurnId, Option<Box<Message>>),
    /// How the call stands.
    Line {
        /// Where it stands.
        state: CallState,
        /// Until when it lingers.
        until_ms: Option<i64>,
    },
    /// The call has ended; with its record.
    Ended(Option<Box<Message>>),
    /// Time has passed.
    Tick,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Tell the device that is connected.
    Tell(News),
    /// Tell it that a turn's reply is whole: how many pieces it has, what is stored of it, and how long it took.
    Reply(TurnId, usize, Option<Box<Message>>),
    /// Send it the sound of a piece.
    Sound(TurnId, usize),
    /// The call's device is there.
    Joined,
    /// The person speaks: whatever lingers is held.
    Spoke,
    /// A reply was played to its end.
    PlayedOut(TurnId),
    /// Stop speaking a turn, of which so much was heard, and have its model stop.
    Stop(TurnId, Extent),
    /// Note how much of a turn was heard, and perform the markers that were.
    Hear(TurnId, Extent, String, Vec<NewEffect>),
    /// Note that a turn was heard to its end.
    HeardOut(TurnId, Extent, String),
    /// Cut what is stored of a turn to what was heard: so much of each message, the markers before this number.
    Cut(TurnId, Vec<Kept>, i64),
    /// Nothing more of a turn is spoken.
    Forget(TurnId),
    /// A turn of which nothing was told on the line goes on without it: its reply stands in the chat as any does.
    Release(TurnId),
    /// What turns say that begin from here on is not spoken on the line.
    Leave,
    /// End the call.
    End(By),
    /// The line is closed.
    Close,
}

/// A live call.
#[derive(Debug, Clone)]
pub struct Session {
    /// How long a call waits for its device to come back, in milliseconds.
    window_ms: i64,
    present: bool,
    /// Since when no device is connected.
    gone_ms: Option<i64>,
    spoken: Vec<Spoken>,
    /// How many things that the person has said are being understood.
    hearing: usize,
    /// Until when the line lingers, as the device that is connected was told.
    lingers: Option<i64>,
    ending: Option<(By, i64)>,
    /// Whether the end was asked for.
    asked: bool,
    over: bool,
}

impl Session {
    /// A call that no device is connected to yet.
    #[must_use]
    pub const fn new(window_ms: i64, now_ms: i64) -> Self {
        Self {
            window_ms,
            present: false,
            gone_ms: Some(now_ms),
            spoken: Vec::new(),
            hearing: 0,
            lingers: None,
            ending: None,
            asked: false,
            over: false,
        }
    }

    /// Takes up a turn that was finished, and heard in part, before the server stopped. Its pieces follow by [`Event::Piece`].
    pub fn resume(&mut self, turn: TurnId, reply: Reply, message: Message, at: u64) {
        let mut spoken = Spoken::new(turn, false, reply, (0, 0));
        spoken.parts.push((message.id.clone(), at));
        spoken.over = Some(Some(Box::new(message)));
        self.spoken.push(spoken);
    }

    /// Whether a device is connected.
    #[must_use]
    pub const fn is_present(&self) -> bool {
        self.present
    }

    /// Since when no device is connected.
    #[must_use]
    pub const fn gone_ms(&self) -> Option<i64> {
        self.gone_ms
    }

    /// Since when the call is to end.
    #[must_use]
    pub fn ending_ms(&self) -> Option<i64> {
        self.ending.map(|(_, since_ms)| since_ms)
    }

    /// Whether the line is closed.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// When it has to be looked at again.
    #[must_use]
    pub fn wakes_ms(&self) -> Option<i64> {
        match (self.ending, self.gone_ms) {
            _ if self.over || self.asked => None,
            (Some((_, since_ms)), _) => {
                Some(since_ms.saturating_add(if self.hearing > 0 { WORDS_MS } else { SETTLE_MS }))
            }
            (None, gone_ms) => gone_ms.map(|gone_ms| gone_ms.saturating_add(self.window_ms)),
        }
    }

    /// Takes an event.
    pub fn on(&mut self, event: Event, now_ms: i64) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !self.over {
            self.take(event, now_ms, &mut effects);
            self.settle(now_ms, &mut effects);
        }
        effects
    }

    fn take(&mut self, event: Event, now_ms: i64, effects: &mut Vec<Effect>) {
        match event {
            Event::Attached => {
                (self.present, self.gone_ms) = (true, None);
                // How the call stands comes behind this, and is news to whoever is there now.
                self.lingers = None;
                effects.push(Effect::Joined);
                for spoken in self.spoken.iter().filter(|spoken| !spoken.reply.is_stopped()) {
                    effects
                        .push(Effect::Tell(News::Turn { turn: spoken.turn.to_string(), soft: spoken.soft }));
                    for number in spoken.reply.played()..spoken.reply.pieces().len() {
                        effects.extend(spoken.piece(number).map(Effect::Tell));
                        spoken.sound(number, effects);
                    }
                    effects.extend(spoken.reply_news());
                }
            }
            Event::Detached => {
                if self.present {
                    (self.present, self.gone_ms) = (false, Some(now_ms));
                }
            }
            Event::Speaking(at) => {
                // First of all, it is quiet.
                self.stop_all(at.as_ref(), effects);
                effects.push(Effect::Spoke);
            }
            Event::Uttered => self.hearing += 1,
            Event::Understood => self.hearing = self.hearing.saturating_sub(1),
            Event::Played(turn, piece) => {
                if let Some(spoken) = self.find(&turn) {
                    spoken.reply.play(piece);
                    note(spoken, effects);
                }
            }
            Event::HangUp => self.end(By::Person, now_ms, effects),
            // It began before the line was left.
            Event::Began { turn, .. } | Event::Again { turn, .. } if self.ending.is_some() => {
                effects.push(Effect::Release(turn));
            }
            Event::Began { turn, soft, markers } => {
                // Whatever was said before is not listened to any more.
                self.stop_all(None, effects);
                self.spoken.retain(|spoken| spoken.turn != turn);
                self.spoken.push(Spoken::new(turn.clone(), soft, Reply::default(), (0, markers)));
                effects.push(Effect::Tell(News::Turn { turn: turn.to_string(), soft }));
            }
            Event::Again { turn, chars, markers } => {
                let known = self.find(&turn).is_some_and(|spoken| !spoken.reply.is_stopped());
                if !known {
                    // What was said before the call was stopped; what is said behind it is new.
                    let soft = self.find(&turn).is_some_and(|spoken| spoken.soft);
                    self.spoken.retain(|spoken| spoken.turn != turn);
                    self.spoken.push(Spoken::new(turn.clone(), soft, Reply::default(), (chars, markers)));
                    effects.push(Effect::Tell(News::Turn { turn: turn.to_string(), soft }));
                }
            }
            Event::Words(turn, words) => {
                if let Some(spoken) = self.find(&turn) {
                    spoken.reply.say(&words);
                }
            }
            Event::Marker(turn, mut marker) => {
                if let Some(spoken) = self.find(&turn) {
                    marker.place = marker.place.saturating_sub(spoken.base.0);
                    spoken.reply.mark(marker);
                }
            }
            Event::Piece(turn, (words, language), to) => {
                if let Some(spoken) = self.find(&turn)
                    && !spoken.reply.is_stopped()
                {
                    let (number, _) = spoken.reply.cut(&words, to);
                    spoken.sounds.push(None);
                    spoken.languages.push(language);
                    effects.extend(spoken.piece(number).map(Effect::Tell));
                }
            }
            Event::Audio(turn, piece, sound) => {
                if let Some(spoken) = self.find(&turn)
                    && !spoken.reply.is_stopped()
                    && let Some(place) = spoken.sounds.get_mut(piece)
                {
                    *place = Some(sound);
                    spoken.sound(piece, effects);
                }
            }
            Event::Whole(turn) => {
                if let Some(spoken) = self.find(&turn)
                    && !spoken.reply.is_stopped()
                {
                    spoken.whole = true;
                    effects.extend(spoken.reply_news());
                    note(spoken, effects);
                }
            }
            Event::Said(turn, message) => {
                if let Some(spoken) = self.find(&turn) {
                    spoken.part(&message);
                }
            }
            Event::Over(turn, message) => {
                if let Some(spoken) = self.find(&turn) {
                    if let Some(message) = &message {
                        spoken.part(message);
                    }
                    let stopped = message
                        .as_ref()
                        .is_none_or(|message| message.mark.as_deref() == Some(mark::INTERRUPTED));
                    spoken.over = Some(message);
                    if spoken.reply.is_stopped() {
                        effects.push(spoken.cut());
                    } else if stopped {
                        // In another way than by a voice: by a message, or by request.
                        stop(spoken, None, effects);
                    } else {
                        effects.extend(spoken.reply_news());
                        note(spoken, effects);
                    }
                }
            }
            Event::Silent(turn) => {
                if let Some(spoken) = self.find(&turn)
                    && spoken.reply.is_stopped()
                    && !spoken.told
                    && !spoken.cutting
                {
                    effects.push(spoken.cut());
                }
            }
            Event::Cut(turn, message) => {
                if let Some(spoken) = self.find(&turn) {
                    spoken.cutting = false;
                    if !spoken.told {
                        spoken.told = true;
                        effects.push(Effect::Tell(News::Stopped { turn: turn.to_string(), message }));
                    }
                }
            }
            Event::Line { state, until_ms } => self.stands(state, until_ms, now_ms, effects),
            Event::Ended(record) => {
                let by = self.ending.map_or(By::Server, |(by, _)| by);
                self.close(by, record, effects);
            }
            Event::Tick => {
                let back_by_ms = self.gone_ms.map(|gone_ms| gone_ms.saturating_add(self.window_ms));
                if back_by_ms.is_some_and(|back_by_ms| now_ms >= back_by_ms) {
                    self.end(By::Server, now_ms, effects);
                }
            }
        }
    }

    fn find(&mut self, turn: &TurnId) -> Option<&mut Spoken> {
        self.spoken.iter_mut().find(|spoken| spoken.turn == *turn)
    }

    /// Stops everything of which something can be heard.
    fn stop_all(&mut self, at: Option<&(TurnId, usize, f64)>, effects: &mut Vec<Effect>) {
        for spoken in &mut self.spoken {
            // What has no piece yet is not heard, and a cough is no reason to say nothing at all: it goes on, unless something is
            // said that is to be answered.
            if spoken.reply.is_stopped() || spoken.reply.pieces().is_empty() {
                continue;
            }
            let at = at.filter(|(turn, ..)| *turn == spoken.turn).map(|(_, piece, share)| (*piece, *share));
            stop(spoken, at, effects);
        }
    }

    fn stands(&mut self, state: CallState, until_ms: Option<i64>, now_ms: i64, effects: &mut Vec<Effect>) {
        match state {
            CallState::Ended if !self.asked => {
                // On another device, or by the server: there is nothing more to end.
                let by = self.ending.map_or(By::Person, |(by, _)| by);
                self.let_go(effects);
                self.close(by, None, effects);
            }
            CallState::Ended => {}
            CallState::HungUp => self.end(By::Companion, now_ms, effects),
            // Who has spoken before it lingered is not ready to let go, though nobody knows yet what they said.
            CallState::Accepted | CallState::Going if until_ms.is_some() && self.hearing > 0 => {
                effects.push(Effect::Spoke);
            }
            CallState::Accepted | CallState::Going => match (self.lingers, until_ms) {
                (told, Some(until_ms)) => {
                    // How the call stands is looked at more often than it changes.
                    if told != Some(until_ms) {
                        self.lingers = Some(until_ms);
                        effects.push(Effect::Tell(News::Linger { until_ms }));
                    }
                }
                (Some(_), None) => {
                    self.lingers = None;
                    effects.push(Effect::Tell(News::GoesOn));
                }
                (None, None) => {}
            },
        }
    }

    /// The call is to end: what is being said is stopped first, so that what was heard is what is kept.
    fn end(&mut self, by: By, now_ms: i64, effects: &mut Vec<Effect>) {
        if self.ending.is_none() {
            self.ending = Some((by, now_ms));
            self.let_go(effects);
        }
    }

    /// Nobody listens any more: what is being said is stopped where it was heard to; an answer of which nothing was told yet is given in
    /// the chat.
    fn let_go(&mut self, effects: &mut Vec<Effect>) {
        effects.push(Effect::Leave);
        self.spoken.retain_mut(|spoken| {
            if spoken.reply.pieces().is_empty() && !spoken.reply.is_stopped() {
                effects.push(Effect::Release(spoken.turn.clone()));
                return false;
            }
            stop(spoken, None, effects);
            true
        });
    }

    fn close(&mut self, by: By, record: Option<Box<Message>>, effects: &mut Vec<Effect>) {
        self.over = true;
        effects.push(Effect::Tell(News::Ended { by, record }));
        effects.push(Effect::Close);
    }

    /// Lets go of what is done, and ends the call once nothing has to be stored before.
    fn settle(&mut self, now_ms: i64, effects: &mut Vec<Effect>) {
        self.spoken.retain(|spoken| {
            let heard_out = spoken.over.is_some() && spoken.whole && spoken.reply.is_heard_out();
            let stopped = spoken.over.is_some() && spoken.told && !spoken.cutting;
            if heard_out {
                let (turn, extent) = (spoken.turn.clone(), spoken.extent());
                effects.push(Effect::HeardOut(turn.clone(), extent, spoken.heard_words()));
                effects.push(Effect::PlayedOut(turn));
            }
            if heard_out || stopped {
                effects.push(Effect::Forget(spoken.turn.clone()));
            }
            !(heard_out || stopped)
        });
        if let Some((by, since_ms)) = self.ending
            && !self.asked
            && !self.over
        {
            let passed = |within_ms| now_ms >= since_ms.saturating_add(within_ms);
            let settled = self.spoken.iter().all(|spoken| spoken.told && !spoken.cutting);
            if (settled || passed(SETTLE_MS)) && (self.hearing == 0 || passed(WORDS_MS)) {
                self.asked = true;
                effects.push(Effect::End(by));
            }
        }
    }
}

#[cfg(test)]
mod tests;

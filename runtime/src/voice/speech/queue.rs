//! Which piece is asked for when, and what is told in which order.
//!
//! Nothing here waits: text, pauses and answers go in, requests and events come out. However the text is cut and in whatever order
//! answers come, the events are the same but for when they come.

use super::service::{Code, Fault, Utterance};
use super::speaker::{Event, Manner, Piece};
use crate::gateway::language;
use crate::voice::sentences::{self, Splitter};

/// The most requests that are under way at once: the piece that is waited for, and the one behind it.
pub(super) const UNDER_WAY: usize = 2;
/// So many pieces in a row that fail, and the service is not asked any more.
pub(super) const ENOUGH: usize = 3;
/// Where what was played is told: so many pieces are asked for beyond it…
const AHEAD: usize = 2;
/// …or more, while they have fewer characters than this: a "Yes." is played before the next request is answered.
const AHEAD_CHARACTERS: usize = 160;

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Ask for this piece.
    Ask(usize, Utterance),
    /// Tell this.
    Tell(Event),
}

enum State {
    Waiting,
    Asked,
    Answered(Result<Vec<u8>, Fault>),
    Given,
}

struct Slot {
    spoken: String,
    language: Option<String>,
    characters: usize,
    state: State,
}

/// The pieces of one reply.
pub(super) struct Queue {
    /// Takes text until the reply is whole.
    splitter: Option<Splitter>,
    manner: Manner,
    /// A service is asked.
    asks: bool,
    /// What is shown and belongs to no piece yet, and where it begins in the reply: bytes.
    open: String,
    open_at: usize,
    slots: Vec<Slot>,
    /// Every piece before this one was asked for, or never will be.
    asked: usize,
    /// Every piece before this one has its outcome told.
    given: usize,
    /// Every piece before this one was played.
    played: usize,
    under_way: usize,
    /// Pieces in a row that failed last.
    failed: usize,
    /// Why no more is asked.
    over: Option<Code>,
}

impl Queue {
    /// A queue; `limit` is the service's, nothing where the browser speaks.
    pub(super) fn new(limit: Option<usize>, manner: Manner) -> Self {
        Self {
            splitter: Some(Splitter::new(limit.unwrap_or(sentences::LIMIT))),
            manner,
            asks: limit.is_some(),
            open: String::new(),
            open_at: 0,
            slots: Vec::new(),
            asked: 0,
            given: 0,
            played: 0,
            under_way: 0,
            failed: 0,
            over: None,
        }
    }

    /// More of the reply.
    pub(super) fn push(&mut self, text: &str, out: &mut dyn FnMut(Step)) {
        let Some(splitter) = &mut self.splitter else { return };
        self.open.push_str(text);
        let mut pieces = Vec::new();
        splitter.push(text, |piece| pieces.push(piece));
        self.add(pieces, out);
    }

    /// Nothing comes for a while.
    pub(super) fn pause(&mut self, out: &mut dyn FnMut(Step)) {
        let Some(splitter) = &mut self.splitter else { return };
        let mut pieces = Vec::new();
        splitter.pause(|piece| pieces.push(piece));
        self.add(pieces, out);
    }

    /// The reply is whole. A second time does nothing.
    pub(super) fn finish(&mut self, out: &mut dyn FnMut(Step)) {
        let Some(splitter) = self.splitter.take() else { return };
        let mut pieces = Vec::new();
        splitter.finish(|piece| pieces.push(piece));
        self.add(pieces, out);
        let rest = std::mem::take(&mut self.open);
        out(Step::Tell(Event::Whole { pieces: self.slots.len(), rest }));
    }

    /// An answer came.
    pub(super) fn answer(
        &mut self,
        number: usize,
        answer: Result<Vec<u8>, Fault>,
        out: &mut dyn FnMut(Step),
    ) {
        let Some(slot) = self.slots.get_mut(number) else { return };
        if !matches!(slot.state, State::Asked) {
            return;
        }
        slot.state = State::Answered(answer);
        self.under_way -= 1;
        self.go_on(out);
    }

    /// The pieces up to this one were played.
    pub(super) fn played(&mut self, number: usize, out: &mut dyn FnMut(Step)) {
        self.played = self.played.max(number.saturating_add(1).min(self.slots.len()));
        self.go_on(out);
    }

    /// Everything was told.
    pub(super) fn is_over(&self) -> bool {
        self.splitter.is_none() && (!self.asks || self.given == self.slots.len())
    }

    fn add(&mut self, pieces: Vec<sentences::Piece>, out: &mut dyn FnMut(Step)) {
        for piece in pieces {
            let open = piece.shown_to - self.open_at;
            let rest = self.open.split_off(open);
            let shown = std::mem::replace(&mut self.open, rest);
            let from = std::mem::replace(&mut self.open_at, piece.shown_to);
            let (spoken, to) = (piece.spoken, piece.shown_to);
            let number = self.slots.len();
            let characters = spoken.chars().count();
            let language = language::spoken(&spoken, self.manner.language.as_deref()).map(str::to_owned);
            let (said, its) = (spoken.clone(), language.clone());
            self.slots.push(Slot { spoken: said, language: its, characters, state: State::Waiting });
            out(Step::Tell(Event::Piece(Piece { number, spoken, language, shown, from, to })));
        }
        self.go_on(out);
    }

    /// Asks for what may be asked for, and tells what may be told.
    fn go_on(&mut self, out: &mut dyn FnMut(Step)) {
        if !self.asks {
            return;
        }
        loop {
            self.give(out);
            if let Some(code) = self.over
                && self.asked < self.slots.len()
            {
                self.slots[self.asked].state =
                    State::Answered(Err(Fault::new(code, "it was not asked for this piece")));
                self.asked += 1;
                continue;
            }
            if !self.may_ask() {
                return;
            }
            let number = self.asked;
            let spoken = |number: usize| self.slots.get(number).map_or("", |slot| &slot.spoken).to_owned();
            let utterance = Utterance {
                text: spoken(number),
                language: self.slots.get(number).and_then(|slot| slot.language.clone()),
                soft: self.manner.soft,
                before: number.checked_sub(1).map(spoken).unwrap_or_default(),
                after: spoken(number + 1),
            };
            self.slots[number].state = State::Asked;
            self.asked += 1;
            self.under_way += 1;
            out(Step::Ask(number, utterance));
        }
    }

    fn may_ask(&self) -> bool {
        if self.asked == self.slots.len() || self.under_way >= UNDER_WAY {
            return false;
        }
        if !self.manner.paced {
            return true;
        }
        let ahead = self.slots.get(self.played..self.asked).unwrap_or_default();
        ahead.len() < AHEAD || ahead.iter().map(|slot| slot.characters).sum::<usize>() < AHEAD_CHARACTERS
    }

    /// Tells the outcomes that are next.
    fn give(&mut self, out: &mut dyn FnMut(Step)) {
        while let Some(slot) = self.slots.get_mut(self.given) {
            if !matches!(slot.state, State::Answered(_)) {
                return;
            }
            let State::Answered(audio) = std::mem::replace(&mut slot.state, State::Given) else { return };
            match &audio {
                Ok(_) => self.failed = 0,
                Err(fault) => {
                    self.failed += 1;
                    let hopeless = matches!(fault.code, Code::Misconfigured | Code::OverQuota);
                    if self.over.is_none() && (hopeless || self.failed >= ENOUGH) {
                        self.over =
                            Some(if fault.code == Code::OverQuota { Code::OverQuota } else { Code::GivenUp });
                    }
                }
            }
            out(Step::Tell(Event::Audio { number: self.given, audio }));
            self.given += 1;
        }
    }
}

#[cfg(test)]
mod tests;

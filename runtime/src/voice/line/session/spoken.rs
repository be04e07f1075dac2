//! One turn that is being spoken, with what its device was told of it.

use super::Effect;
use crate::ids::{MessageId, TurnId};
use crate::store::{Kept, Message};
use crate::voice::line::frames::{Fault, News};
use crate::voice::line::reply::{Extent, Reply};

/// A turn that is being spoken.
#[derive(Debug, Clone)]
pub(super) struct Spoken {
    pub(super) turn: TurnId,
    pub(super) soft: bool,
    pub(super) reply: Reply,
    /// How many characters and markers of the turn were said before it last began to speak.
    pub(super) base: (u64, i64),
    /// The messages that hold it, each with the place in the turn's characters where it begins.
    pub(super) parts: Vec<(MessageId, u64)>,
    /// Where the next one begins.
    pub(super) part_at: u64,
    /// The languages of its pieces, where something tells them.
    pub(super) languages: Vec<Option<String>>,
    /// Which pieces have their sound, or will have none.
    pub(super) sounds: Vec<Option<Result<&'static str, Fault>>>,
    /// Whether the turn is over, and what it left.
    pub(super) over: Option<Option<Box<Message>>>,
    /// Whether it has no more pieces.
    pub(super) whole: bool,
    /// How many pieces were noted as heard.
    pub(super) noted: usize,
    /// Whether the device was told that it is stopped.
    pub(super) told: bool,
    /// Whether its cut was asked for and is not stored yet.
    pub(super) cutting: bool,
}

impl Spoken {
    pub(super) fn new(turn: TurnId, soft: bool, reply: Reply, base: (u64, i64)) -> Self {
        let (sounds, languages) = (vec![None; reply.pieces().len()], vec![None; reply.pieces().len()]);
        Self {
            turn,
            soft,
            reply,
            base,
            parts: Vec::new(),
            part_at: base.0,
            languages,
            sounds,
            over: None,
            whole: false,
            noted: 0,
            told: false,
            cutting: false,
        }
    }

    /// How much of the whole turn was heard.
    pub(super) fn extent(&self) -> Extent {
        let heard = self.reply.heard();
        let markers = usize::try_from(self.base.1).unwrap_or(0);
        Extent { chars: heard.chars.saturating_add(self.base.0), markers: heard.markers + markers, ..heard }
    }

    pub(super) fn heard_words(&self) -> String {
        self.reply.words().get(..self.reply.heard().bytes).unwrap_or_default().to_owned()
    }

    pub(super) fn part(&mut self, message: &Message) {
        self.parts.push((message.id.clone(), self.part_at));
        let said = u64::try_from(self.reply.words().chars().count()).unwrap_or(u64::MAX);
        self.part_at = self.base.0.saturating_add(said);
    }

    pub(super) fn cut(&mut self) -> Effect {
        self.cutting = true;
        let extent = self.extent();
        let kept = self
            .parts
            .iter()
            .map(|(message, at)| Kept { message: message.clone(), chars: extent.chars.saturating_sub(*at) });
        Effect::Cut(self.turn.clone(), kept.collect(), i64::try_from(extent.markers).unwrap_or(i64::MAX))
    }

    /// What the device is told of a piece.
    pub(super) fn piece(&self, number: usize) -> Option<News> {
        let piece = self.reply.pieces().get(number)?;
        Some(News::Piece {
            turn: self.turn.to_string(),
            piece: number,
            spoken: piece.spoken.clone(),
            language: self.languages.get(number).cloned().flatten(),
            shown: self.reply.words().get(piece.shown.clone()).unwrap_or_default().to_owned(),
        })
    }

    /// What the device is told of a piece's sound.
    pub(super) fn sound(&self, number: usize, effects: &mut Vec<Effect>) {
        let turn = self.turn.to_string();
        match self.sounds.get(number) {
            Some(Some(Ok(format))) => {
                let format = Some(*format);
                effects.push(Effect::Tell(News::Audio { turn, piece: number, format, error: None }));
                effects.push(Effect::Sound(self.turn.clone(), number));
            }
            Some(Some(Err(fault))) => {
                let error = Some(fault.clone());
                effects.push(Effect::Tell(News::Audio { turn, piece: number, format: None, error }));
            }
            Some(None) | None => {}
        }
    }

    /// What the device is told of the whole, where it is whole.
    pub(super) fn reply_news(&self) -> Option<Effect> {
        let message = self.over.as_ref().filter(|_| self.whole && !self.reply.is_stopped())?;
        Some(Effect::Reply(self.turn.clone(), self.reply.pieces().len(), message.clone()))
    }
}

/// Stops a turn where it was heard to.
pub(super) fn stop(spoken: &mut Spoken, at: Option<(usize, f64)>, effects: &mut Vec<Effect>) {
    if spoken.reply.is_stopped() {
        return;
    }
    spoken.reply.stop(at);
    let markers = spoken.reply.newly_heard();
    effects.push(Effect::Stop(spoken.turn.clone(), spoken.extent()));
    if !markers.is_empty() {
        effects.push(Effect::Hear(spoken.turn.clone(), spoken.extent(), spoken.heard_words(), markers));
    }
    if spoken.over.is_some() {
        effects.push(spoken.cut());
    }
}

/// Notes what was heard of a turn.
pub(super) fn note(spoken: &mut Spoken, effects: &mut Vec<Effect>) {
    if spoken.over.is_some() && spoken.whole {
        spoken.reply.end();
    }
    if spoken.reply.is_stopped() {
        return;
    }
    let markers = spoken.reply.newly_heard();
    let extent = spoken.extent();
    if extent.pieces > spoken.noted || !markers.is_empty() {
        spoken.noted = extent.pieces;
        effects.push(Effect::Hear(spoken.turn.clone(), extent, spoken.heard_words(), markers));
    }
}

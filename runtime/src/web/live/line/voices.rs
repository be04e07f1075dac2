//! What the companion says on a line: a turn's words go to a speaker, and what that tells goes to the machine.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;

use super::{Event, Line};
use crate::gateway::lines::{Heard, Told, What};
use crate::ids::TurnId;
use crate::voice::line::frames::{Fault, News, SpokenTimes};
use crate::voice::line::reply::Extent;
use crate::voice::speech::{self, Format, Manner, Speaker};

/// After so many milliseconds without a word a sentence that could be over is taken to be.
const PAUSE_MS: i64 = 700;

/// A turn that is being spoken.
pub(super) struct Voiced {
    pub(super) heard: Arc<Heard>,
    pub(super) speaker: Option<Speaker>,
    /// Which of its speakers it is: it has another one each time that it speaks again behind a call.
    pub(super) epoch: u64,
    /// How many pieces and bytes were heard before the first of this speaker.
    pub(super) offset: (usize, usize),
    pub(super) sounds: HashMap<usize, Bytes>,
    pub(super) times: Times,
}

/// When what happened.
#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    /// The end of what is answered.
    said: Option<Instant>,
    caption_ms: Option<u64>,
    first_delta: Option<Instant>,
    first_piece: Option<Instant>,
    first_audio: Option<Instant>,
}

impl Times {
    /// Those of an answer to what was said until `at`, and told as a caption so much later.
    pub(super) fn since(at: Instant, caption_ms: u64) -> Self {
        Self { said: Some(at), caption_ms: Some(caption_ms), ..Self::default() }
    }

    pub(super) fn told(&self) -> SpokenTimes {
        let since = |at: Option<Instant>| Some(ms(at?.saturating_duration_since(self.said?)));
        SpokenTimes {
            caption_ms: self.caption_ms,
            first_delta_ms: since(self.first_delta),
            first_piece_ms: since(self.first_piece),
            first_audio_ms: since(self.first_audio),
        }
    }
}

pub(super) fn ms(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Line {
    /// A turn tells something.
    pub(super) async fn told(&mut self, told: Told) {
        let turn = told.turn.id;
        match told.what {
            What::Began { soft, markers, heard } if self.session.ending_ms().is_some() => {
                // It was about to be spoken when the line was left.
                heard.release();
                self.drive(Event::Began { turn, soft, markers }).await;
            }
            What::Began { soft, markers, heard } => {
                self.drive(Event::Began { turn: turn.clone(), soft, markers }).await;
                self.speak(&turn, heard, soft, (0, 0));
                // Known to be spoken from here on, so that a restart finds it where nothing of it is heard.
                let nothing = Extent { bytes: 0, chars: 0, markers: 0, pieces: 0 };
                self.hear(turn, nothing, String::new(), Vec::new()).await;
            }
            What::Again { chars, markers } => {
                self.drive(Event::Again { turn: turn.clone(), chars, markers }).await;
                // Where it was stopped, its speaker is gone.
                if let Some(voiced) = self.voiced.get(&turn)
                    && voiced.speaker.is_none()
                {
                    let heard = Arc::clone(&voiced.heard);
                    self.speak(&turn, heard, false, (0, 0));
                }
            }
            What::Words(words) => {
                self.drive(Event::Words(turn.clone(), words.clone())).await;
                if let Some(voiced) = self.voiced.get_mut(&turn) {
                    voiced.times.first_delta.get_or_insert_with(Instant::now);
                    if let Some(speaker) = &voiced.speaker {
                        speaker.push(&words);
                    }
                }
                self.pause_ms = Some(self.now_ms().saturating_add(PAUSE_MS));
            }
            What::Marker(marker) => self.drive(Event::Marker(turn, marker)).await,
            What::Said(message) => {
                if let Some(speaker) = self.voiced.get(&turn).and_then(|voiced| voiced.speaker.as_ref()) {
                    speaker.pause();
                }
                self.drive(Event::Said(turn, Box::new(message))).await;
            }
            What::Over(message) => {
                if let Some(speaker) = self.voiced.get(&turn).and_then(|voiced| voiced.speaker.as_ref()) {
                    speaker.finish();
                }
                self.drive(Event::Over(turn, message.map(Box::new))).await;
            }
        }
    }

    /// Gives a turn its voice.
    pub(super) fn speak(&mut self, turn: &TurnId, heard: Arc<Heard>, soft: bool, offset: (usize, usize)) {
        self.epoch += 1;
        let epoch = self.epoch;
        let language = self.spoken_in.clone().or_else(|| self.likely.clone());
        let manner = Manner { language, soft, paced: true };
        let (speaker, mut events) = self.app.mouth.speaker(&self.person, manner);
        let times = self.asked.remove(turn).or_else(|| self.voiced.get(turn).map(|voiced| voiced.times));
        let voiced = Voiced {
            heard,
            speaker: Some(speaker),
            epoch,
            offset,
            sounds: HashMap::new(),
            times: times.unwrap_or_default(),
        };
        self.voiced.insert(turn.clone(), voiced);
        let (spoken, turn) = (self.spoken.clone(), turn.clone());
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                if spoken.send((turn.clone(), epoch, event)).is_err() {
                    return;
                }
            }
        });
    }

    /// Tells why another voice speaks from here on, once a call, to who is there to read it.
    fn notice(&mut self, code: &'static str, message: String) {
        if self.device.is_some() && !std::mem::replace(&mut self.quota_told, true) {
            self.tell(&News::Fault { client_id: None, error: Fault { code, message, hint: None } });
        }
    }

    /// A speaker tells something.
    pub(super) async fn voice(&mut self, turn: TurnId, epoch: u64, event: speech::Event) {
        let Some(voiced) = self.voiced.get_mut(&turn).filter(|voiced| voiced.epoch == epoch) else { return };
        let (pieces, bytes) = voiced.offset;
        match event {
            speech::Event::Piece(piece) => {
                voiced.times.first_piece.get_or_insert_with(Instant::now);
                let words = (piece.spoken, piece.language);
                self.drive(Event::Piece(turn, words, piece.to + bytes)).await;
            }
            speech::Event::Audio { number, audio } => {
                let number = number + pieces;
                let notice = audio.as_ref().err().and_then(|fault| Some((fault.code, fault.notice.clone()?)));
                let sound = match audio {
                    Ok(audio) => {
                        voiced.times.first_audio.get_or_insert_with(Instant::now);
                        voiced.sounds.insert(number, audio.into());
                        Ok(self.app.mouth.format().map_or("audio/wav", Format::mime))
                    }
                    Err(fault) => {
                        // Who asked for it has warned of what went wrong.
                        tracing::debug!(code = fault.code.word(), detail = %fault.detail, "a piece has no sound");
                        Err(Fault {
                            code: fault.code.word(),
                            message: fault.code.sentence().to_owned(),
                            hint: None,
                        })
                    }
                };
                if let Some((code, message)) = notice {
                    self.notice(code.word(), message);
                }
                self.drive(Event::Audio(turn, number, sound)).await;
            }
            speech::Event::Whole { .. } => self.drive(Event::Whole(turn)).await,
        }
    }
}

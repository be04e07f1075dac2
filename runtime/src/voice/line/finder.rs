//! Where an utterance begins and ends in sound that flows: for clients that only have a microphone.
//!
//! It hears as [`crate::voice::gate`] does, and keeps what came shortly before: the detector hears a beginning somewhat late.

use std::collections::VecDeque;

use earshot::Detector;

use crate::voice::audio::RATE;
use crate::voice::gate::{AROUND, FRAME, LEAST, OFF, ON};

/// So long nobody speaks, and the utterance is over (0.5 s): samples.
const PAUSE: usize = RATE as usize / 2;
/// The longest utterance, which is taken as it is then (60 s): samples.
const LONGEST: usize = RATE as usize * 60;

/// What is found.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Somebody has begun to speak.
    Onset,
    /// What they said: samples of one channel at [`RATE`].
    Utterance(Vec<i16>),
}

/// Listens to sound that flows: one channel at [`RATE`].
pub struct Finder {
    detector: Box<Detector>,
    /// Samples that do not fill a frame yet.
    open: Vec<i16>,
    /// The latest samples, of before an utterance.
    before: VecDeque<i16>,
    /// The utterance, once one has begun.
    sound: Vec<i16>,
    speaking: bool,
    /// Frames in a row in which somebody spoke.
    run: usize,
    /// Samples since somebody spoke.
    quiet: usize,
    begun: bool,
}

impl Default for Finder {
    fn default() -> Self {
        Self {
            detector: Detector::default_boxed(),
            open: Vec::with_capacity(FRAME),
            before: VecDeque::new(),
            sound: Vec::new(),
            speaking: false,
            run: 0,
            quiet: 0,
            begun: false,
        }
    }
}

impl Finder {
    /// Takes samples.
    pub fn push(&mut self, samples: impl IntoIterator<Item = i16>, mut found: impl FnMut(Found)) {
        for sample in samples {
            self.open.push(sample);
            if self.open.len() == FRAME {
                self.frame(&mut found);
            }
        }
    }

    /// No more comes: an utterance that had begun is over.
    pub fn finish(mut self, mut found: impl FnMut(Found)) {
        if self.begun {
            self.sound.append(&mut self.open);
            found(Found::Utterance(self.sound));
        }
    }

    fn frame(&mut self, found: &mut impl FnMut(Found)) {
        let mut frame = [0.0_f32; FRAME];
        for (place, sample) in frame.iter_mut().zip(&self.open) {
            *place = f32::from(*sample) / 32_768.0;
        }
        let likely = self.detector.predict_f32(&frame);
        self.speaking = likely >= if self.speaking { OFF } else { ON };
        self.run = if self.speaking { self.run + 1 } else { 0 };
        self.quiet = if self.speaking { 0 } else { self.quiet + FRAME };
        if self.begun {
            self.sound.append(&mut self.open);
            if self.quiet >= PAUSE || self.sound.len() >= LONGEST {
                self.begun = false;
                self.run = 0;
                found(Found::Utterance(std::mem::take(&mut self.sound)));
            }
            return;
        }
        self.before.extend(self.open.drain(..));
        if self.run >= LEAST {
            self.begun = true;
            self.sound.extend(self.before.drain(..));
            found(Found::Onset);
        } else {
            let most = AROUND + LEAST * FRAME;
            self.before.drain(..self.before.len().saturating_sub(most));
        }
    }
}

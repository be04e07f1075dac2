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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VOICE: &[u8] = include_bytes!("../../../../tests/fixtures/audio/speech.wav");

    /// Somebody who speaks: one utterance.
    fn voice() -> Vec<i16> {
        VOICE[44..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
    }

    fn silence(seconds: f64) -> Vec<i16> {
        vec![0; (seconds * f64::from(RATE)) as usize]
    }

    /// What is found in sound that comes in parts of such lengths, over and over.
    fn found(sound: &[i16], parts: &[usize]) -> Vec<Found> {
        let (mut finder, mut found, mut rest) = (Finder::default(), Vec::new(), sound);
        for length in parts.iter().cycle() {
            let (part, behind) = rest.split_at((*length).min(rest.len()));
            finder.push(part.iter().copied(), |each| found.push(each));
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        finder.finish(|each| found.push(each));
        found
    }

    fn utterances(found: &[Found]) -> Vec<&[i16]> {
        let samples = found.iter().filter_map(|each| match each {
            Found::Utterance(samples) => Some(samples.as_slice()),
            Found::Onset => None,
        });
        samples.collect()
    }

    #[test]
    fn nothing_is_found_where_nobody_speaks() {
        assert_eq!(found(&[], &[1]), []);
        assert_eq!(found(&silence(3.0), &[1_000]), []);
        let mut click = silence(2.0);
        click[20_000..20_040].fill(30_000);
        assert_eq!(found(&click, &[1_000]), [], "a click");
    }

    /// An onset before each utterance; each is what was said with a little before it, and a pause behind it.
    #[test]
    fn each_utterance_is_found_with_its_beginning() {
        let voice = voice();
        let sound = [&silence(1.0), &voice[..], &silence(1.0), &voice[..], &silence(1.0)].concat();
        let found = found(&sound, &[FRAME]);
        assert!(matches!(&found[..], [Found::Onset, Found::Utterance(_), Found::Onset, Found::Utterance(_)]));
        for utterance in utterances(&found) {
            let most = voice.len() + AROUND + LEAST * FRAME + PAUSE + RATE as usize / 2;
            assert!(utterance.len() > voice.len() / 2 && utterance.len() < most, "{}", utterance.len());
            let loud = |samples: &[i16]| samples.iter().filter(|sample| sample.unsigned_abs() > 500).count();
            let (all, its) = (loud(&voice), loud(utterance));
            assert!(its * 100 >= all * 98, "{its} of {all} loud samples are in it");
        }
    }

    /// What was being said when the sound ends is what was said; what has not begun is nothing.
    #[test]
    fn sound_that_ends_in_the_midst_of_an_utterance() {
        let voice = voice();
        let cut = [&silence(0.5), &voice[..voice.len() / 2]].concat();
        let found = found(&cut, &[777]);
        assert_eq!(found.first(), Some(&Found::Onset));
        let all = utterances(&found);
        assert_eq!(all.len(), 1);
        // To the last sample.
        assert!(cut.ends_with(all[0]));
    }

    #[test]
    fn who_speaks_on_is_cut_at_the_longest() {
        let voice = voice();
        let long: Vec<i16> = voice.iter().copied().cycle().take(LONGEST + RATE as usize * 10).collect();
        let found = found(&long, &[16_000]);
        assert!(utterances(&found).iter().all(|utterance| utterance.len() <= LONGEST + FRAME));
        assert!(utterances(&found).iter().map(|utterance| utterance.len()).sum::<usize>() > LONGEST);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        /// However the sound is cut, the same is found.
        #[test]
        fn cut_anywhere_the_same_is_found(parts in prop::collection::vec(1..4_000_usize, 1..6)) {
            let sound = [&silence(0.4), &voice()[..], &silence(0.8)].concat();
            prop_assert_eq!(found(&sound, &parts), found(&sound, &[sound.len()]));
        }
    }
}

//! Whether anybody speaks, and from where to where.
//!
//! Recognisers make up words for silence, the same ones again and again (P127); so what has no speech in it never reaches one.

use std::ops::Range;

use earshot::Detector;

use super::audio::RATE;

/// Samples that are looked at in one go: what the detector wants.
pub(super) const FRAME: usize = 256;
/// A frame begins speech where it is at least as likely as this. Lower takes noise for speech.
pub(super) const ON: f32 = 0.70;
/// Speech goes on while a frame is at least as likely as this.
pub(super) const OFF: f32 = 0.55;
/// What is kept before the first frame and behind the last: the detector hears a beginning somewhat late.
pub(super) const AROUND: usize = RATE as usize / 5;
/// So many frames make speech (80 ms); a single one is a click.
pub(super) const LEAST: usize = 5;

/// From where to where somebody speaks, in samples: one span over all of the speech, pauses and all. Nothing where nobody does.
///
/// `samples` are mono at [`RATE`].
#[must_use]
pub fn speech(samples: &[f32]) -> Option<Range<usize>> {
    let mut detector = Detector::default_boxed();
    let mut frame = [0.0_f32; FRAME];
    let (mut speaking, mut run) = (false, 0);
    let mut span: Option<Range<usize>> = None;
    for (index, chunk) in samples.chunks(FRAME).enumerate() {
        frame.fill(0.0);
        for (place, sample) in frame.iter_mut().zip(chunk) {
            // It takes nothing louder than the loudest there is.
            *place = sample.clamp(-1.0, 1.0);
        }
        let likely = detector.predict_f32(&frame);
        speaking = likely >= if speaking { OFF } else { ON };
        run = if speaking { run + 1 } else { 0 };
        if run >= LEAST {
            let from = (index + 1 - run) * FRAME;
            let to = (index + 1) * FRAME;
            span = Some(span.map_or(from, |span| span.start)..to);
        }
    }
    span.map(|span| span.start.saturating_sub(AROUND)..(span.end + AROUND).min(samples.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voice::audio::{Limits, decode};

    const VOICE: &[u8] = include_bytes!("../../../tests/fixtures/audio/speech.wav");

    fn voice() -> Vec<f32> {
        decode(VOICE.to_vec(), Limits::default()).unwrap().samples
    }

    /// Noise of this loudness, the same in every run.
    fn noise(seconds: f64, loud: f32) -> Vec<f32> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0
        };
        (0..(seconds * 16_000.0) as usize).map(|_| next() as f32 * loud).collect()
    }

    #[test]
    fn p127_silence_noise_and_hum_are_no_speech() {
        assert_eq!(speech(&[]), None);
        assert_eq!(speech(&vec![0.0; 48_000]), None);
        for loud in [0.000_1, 0.003, 0.05] {
            assert_eq!(speech(&noise(3.0, loud)), None, "noise of {loud}");
        }
        for hz in [50.0, 120.0, 440.0, 1_000.0] {
            let hum: Vec<f32> = (0..48_000)
                .map(|n| (std::f64::consts::TAU * hz * f64::from(n) / 16_000.0).sin() as f32 * 0.1)
                .collect();
            assert_eq!(speech(&hum), None, "a hum of {hz} Hz");
        }
        let mut click = vec![0.0; 48_000];
        click[20_000..20_040].fill(0.9);
        assert_eq!(speech(&click), None, "a click");
    }

    #[test]
    fn speech_between_silences_is_found_where_it_is() {
        let voice = voice();
        let alone = speech(&voice).unwrap();
        for (before, after) in [(8_000, 8_000), (32_000, 16_000), (0, 48_000)] {
            let quiet = noise(3.0, 0.000_5);
            let clip = [&quiet[..before], &voice, &quiet[..after]].concat();
            let span = speech(&clip).unwrap();
            assert!(
                span.start.abs_diff((before + alone.start).saturating_sub(0)) <= 3_300,
                "{span:?} after {before}"
            );
            assert!(span.end.abs_diff(before + voice.len()) <= 8_000, "{span:?}");
            assert!(span.start < before + 6_000 && span.end <= clip.len());
        }
    }

    #[test]
    fn what_is_louder_than_can_be_does_no_harm() {
        let loud: Vec<f32> = voice().iter().map(|sample| sample * 30.0).collect();
        assert!(speech(&loud).is_some());
    }
}

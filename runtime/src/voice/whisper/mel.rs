//! The logarithms of mel energies, as Whisper was trained on them: frames of 25 ms every 10 ms, 80 bands up to 8,000 Hz by
//! Slaney's scale, nothing further than 80 dB below the loudest.

use std::f64::consts::TAU;
use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

/// Figures of a frame.
pub const BANDS: usize = 80;
/// Samples of a frame, and from one to the next, at 16,000 a second.
const FRAME: usize = 400;
pub(super) const HOP: usize = 160;
const BINS: usize = FRAME / 2 + 1;
/// From one bin to the next, Hz.
const BIN: f64 = 40.0;
/// Where the highest band ends, Hz.
const HIGH: f64 = 8_000.0;
/// Nothing is quieter.
const LEAST: f32 = 1e-10;
/// How much is told apart below the loudest, as powers of ten.
const DEPTH: f32 = 8.0;

/// Counts frames; keeps what it works with.
pub struct Mel {
    forward: Arc<dyn RealToComplex<f32>>,
    window: Vec<f32>,
    /// The first bin of each band, and the weights from it on.
    bands: Vec<(usize, Vec<f32>)>,
}

impl Default for Mel {
    fn default() -> Self {
        let window = (0..FRAME).map(|n| (0.5 - 0.5 * (TAU * n as f64 / FRAME as f64).cos()) as f32);
        let edge = |n: usize| hz(mel(HIGH) * n as f64 / (BANDS + 1) as f64);
        let bands = (0..BANDS).map(|band| {
            let (left, middle, right) = (edge(band), edge(band + 1), edge(band + 2));
            let weight = |bin: usize| {
                let at = bin as f64 * BIN;
                let weight = ((at - left) / (middle - left)).min((right - at) / (right - middle));
                // Every band has the same area.
                (weight > 0.0).then_some((weight * 2.0 / (right - left)) as f32)
            };
            let inside = (0..BINS).filter_map(|bin| Some((bin, weight(bin)?)));
            let first = inside.clone().map(|(bin, _)| bin).next().unwrap_or(0);
            (first, inside.map(|(_, weight)| weight).collect())
        });
        let bands = bands.collect();
        Self { forward: RealFftPlanner::new().plan_fft_forward(FRAME), window: window.collect(), bands }
    }
}

impl Mel {
    /// The figures of mono samples between -1 and 1 and of the silence behind them, up to `length` samples in all: band by band,
    /// `length / 160` of each.
    #[must_use]
    pub fn figures(&self, samples: &[f32], length: usize) -> Vec<f32> {
        let count = length / HOP;
        let mut figures = vec![LEAST.log10(); BANDS * count];
        let mut frame = vec![0.0; FRAME];
        let mut spectrum = self.forward.make_output_vec();
        let mut scratch = self.forward.make_scratch_vec();
        // Frames stand around their places; those that are silence alone are known.
        let heard = (samples.len() + FRAME / 2).div_ceil(HOP).min(count);
        for n in 0..heard {
            for (k, (place, window)) in frame.iter_mut().zip(&self.window).enumerate() {
                *place =
                    at(samples, length, (n * HOP + k).cast_signed() - (FRAME / 2).cast_signed()) * window;
            }
            // The buffers are of the plan's own sizes, so that it cannot fail.
            let _ = self.forward.process_with_scratch(&mut frame, &mut spectrum, &mut scratch);
            for (band, energy) in self.energies(&spectrum).into_iter().enumerate() {
                figures[band * count + n] = energy.max(LEAST).log10();
            }
        }
        let loudest = figures.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for figure in &mut figures {
            *figure = (figure.max(loudest - DEPTH) + 4.0) / 4.0;
        }
        figures
    }

    fn energies(&self, spectrum: &[Complex<f32>]) -> [f32; BANDS] {
        let mut energies = [0.0; BANDS];
        for (energy, (first, weights)) in energies.iter_mut().zip(&self.bands) {
            let bins = spectrum.iter().skip(*first).zip(weights);
            *energy = bins.map(|(bin, weight)| bin.norm_sqr() * weight).sum();
        }
        energies
    }
}

/// The sample at a place. Beyond both ends stands what is within them, mirrored.
fn at(samples: &[f32], length: usize, place: isize) -> f32 {
    let place = place.unsigned_abs();
    let place = if place < length { place } else { (2 * length).saturating_sub(place + 2) };
    samples.get(place).copied().unwrap_or(0.0)
}

/// Slaney's scale: even up to 1,000 Hz, by ratios above.
fn mel(hz: f64) -> f64 {
    if hz < 1_000.0 { hz * 3.0 / 200.0 } else { 15.0 + 27.0 * (hz / 1_000.0).ln() / 6.4_f64.ln() }
}

fn hz(mel: f64) -> f64 {
    if mel < 15.0 { mel * 200.0 / 3.0 } else { 1_000.0 * (6.4_f64.ln() * (mel - 15.0) / 27.0).exp() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tone of 440 Hz that fades to a half, a second.
    fn tone() -> Vec<f32> {
        let at = |n: u32| f64::from(n) / 16_000.0;
        (0..16_000).map(|n| (0.5 * (TAU * 440.0 * at(n)).sin() * (1.0 - 0.5 * at(n))) as f32).collect()
    }

    /// The values were computed with NumPy, from the description of Whisper's own front end.
    #[test]
    fn figures_are_those_of_the_training() {
        let mel = Mel::default();
        for (length, figures) in [
            (
                32_000,
                &[
                    (0, 0, 0.983_273),
                    (10, 0, 1.335_755),
                    (11, 50, 1.375_734),
                    (12, 99, 1.147_248),
                    (40, 7, -0.563_979),
                    (79, 98, -0.563_979),
                    (11, 100, 1.143_208),
                    (11, 101, 0.200_682),
                    (5, 199, -0.563_979),
                ][..],
            ),
            (16_000, &[(0, 0, 0.983_273), (11, 50, 1.375_734), (12, 99, 1.148_9), (79, 98, -0.563_979)]),
        ] {
            let found = mel.figures(&tone(), length);
            assert_eq!(found.len(), BANDS * length / HOP);
            for (band, frame, expected) in figures {
                let value = found[band * length / HOP + frame];
                assert!((value - expected).abs() < 1e-4, "{length} {band} {frame}: {value}, not {expected}");
            }
        }
    }

    #[test]
    fn silence_and_nothing_are_figures_too() {
        let mel = Mel::default();
        assert!(mel.figures(&[], 480_000).iter().all(|figure| *figure == -1.5));
        assert!(mel.figures(&[], 0).is_empty());
        assert!(mel.figures(&[0.0; 100], 160).iter().all(|figure| figure.is_finite()));
    }
}

//! Pitch by YIN (de Cheveigné and Kawahara, 2002), a frame at a time, by the Fourier transform.
//!
//! The difference function is librosa's (0.11): it leaves out the energy of a frame's end and, at the first lag, that of the
//! first sample, so that its figures and ours can be laid side by side (`tests/voice/tone` does), and so that its threshold says
//! nothing about voicing. That is judged by a correlation of our own.

use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};

/// Samples a second.
pub const RATE: usize = 16_000;
/// Samples of a frame.
pub const FRAME: usize = 1_024;
/// Samples from one frame to the next.
pub const HOP: usize = 512;
/// The lowest and the highest pitch, Hz.
const LOWEST: f64 = 60.0;
const HIGHEST: f64 = 500.0;
/// The shortest and the longest period, samples.
const SHORTEST: usize = 32;
const LONGEST: usize = 267;
/// A dip below this is taken, the first of them.
const THRESHOLD: f64 = 0.1;
/// Room for a frame and its longest shift, and quick to transform: 2⁴ · 3⁴.
const SIZE: usize = 1_296;

/// What a frame sounds like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pitch {
    /// Hz. There is one for every frame, whatever it holds.
    pub hz: f64,
    /// How much the frame is like itself a period later: 1 for a tone, about 0 for noise and silence.
    pub periodicity: f64,
}

/// Finds the pitch of frames; keeps what it works with.
pub(super) struct Yin {
    forward: Arc<dyn RealToComplex<f64>>,
    back: Arc<dyn ComplexToReal<f64>>,
    padded: Vec<f64>,
    spectrum: Vec<Complex<f64>>,
    scratch: Vec<Complex<f64>>,
    energy: Vec<f64>,
    difference: Vec<f64>,
}

impl Default for Yin {
    fn default() -> Self {
        let mut planner = RealFftPlanner::new();
        let (forward, back) = (planner.plan_fft_forward(SIZE), planner.plan_fft_inverse(SIZE));
        let scratch = forward.get_scratch_len().max(back.get_scratch_len());
        Self {
            padded: vec![0.0; SIZE],
            spectrum: forward.make_output_vec(),
            scratch: vec![Complex::default(); scratch],
            energy: vec![0.0; FRAME + 1],
            difference: vec![0.0; LONGEST + 1],
            forward,
            back,
        }
    }
}

impl Yin {
    /// The pitch of a frame of [`FRAME`] samples; a shorter one is taken as followed by silence.
    pub(super) fn frame(&mut self, samples: &[f32]) -> Pitch {
        let samples = &samples[..samples.len().min(FRAME)];
        self.correlate(samples);
        let at_rest = self.padded[0];
        let mut sum = 0.0_f64;
        self.difference[0] = 0.0;
        for lag in 1..=LONGEST {
            let left_out = if lag == 1 { 0.0 } else { self.energy[lag] };
            let difference = 2.0 * (at_rest - self.padded[lag]) - left_out;
            sum += difference;
            let mean = sum / lag as f64;
            self.difference[lag] = difference / (mean + f64::from(f32::MIN_POSITIVE));
        }
        let lag = self.dip();
        let period = lag as f64 + self.shift(lag);
        Pitch { hz: RATE as f64 / period, periodicity: self.likeness(lag) }
    }

    /// The frame's correlation with itself at every lag, in `padded`, and its energy up to every sample.
    fn correlate(&mut self, samples: &[f32]) {
        for (padded, sample) in self.padded.iter_mut().zip(samples) {
            *padded = f64::from(*sample);
        }
        self.padded[samples.len()..].fill(0.0);
        let mut energy = 0.0_f64;
        for (at, sum) in self.energy.iter_mut().enumerate() {
            *sum = energy;
            energy += samples.get(at).map_or(0.0, |sample| f64::from(*sample).powi(2));
        }
        // Both have the lengths that the plans ask for, so neither can fail.
        let _ = self.forward.process_with_scratch(&mut self.padded, &mut self.spectrum, &mut self.scratch);
        let scale = 1.0 / SIZE as f64;
        for bin in &mut self.spectrum {
            *bin = Complex::new(bin.norm_sqr() * scale, 0.0);
        }
        let _ = self.back.process_with_scratch(&mut self.spectrum, &mut self.padded, &mut self.scratch);
    }

    /// The first dip below the threshold, or the deepest place.
    fn dip(&self) -> usize {
        let d = &self.difference[..=LONGEST];
        let is_dip = |lag: usize| {
            let before = lag == SHORTEST || d[lag] < d[lag - 1];
            let behind = match d.get(lag + 1) {
                Some(next) if lag == SHORTEST => d[lag] < *next,
                Some(next) => d[lag] <= *next,
                None => true,
            };
            before && behind
        };
        let mut deepest = SHORTEST;
        for lag in SHORTEST..=LONGEST {
            if d[lag] < THRESHOLD && is_dip(lag) {
                return lag;
            }
            if d[lag] < d[deepest] {
                deepest = lag;
            }
        }
        deepest
    }

    /// How far from `lag` the bottom of the dip is, by a parabola through three places; 0 at the ends.
    fn shift(&self, lag: usize) -> f64 {
        if lag == SHORTEST || lag == LONGEST {
            return 0.0;
        }
        let [left, here, right] = [lag - 1, lag, lag + 1].map(|lag| self.difference[lag]);
        let (bend, slope) = (right + left - 2.0 * here, (right - left) / 2.0);
        if slope.abs() >= bend.abs() { 0.0 } else { -slope / bend }
    }

    fn likeness(&self, lag: usize) -> f64 {
        let both = self.energy[FRAME - lag] * (self.energy[FRAME] - self.energy[lag]);
        if both > 0.0 { self.padded[lag] / both.sqrt() } else { 0.0 }
    }
}

/// Whether a pitch is inside the range and not at its edge, where a frame without one ends up.
pub(super) fn is_inside(hz: f64) -> bool {
    hz > LOWEST && hz < HIGHEST
}

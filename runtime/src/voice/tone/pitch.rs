//! Pitch by YIN (de Cheveigné and Kawahara, 2002), two frames at a time, by the Fourier transform.
//!
//! Two frames are transformed as one, as the real and the imaginary part. Each is brought to the same power first, so that single
//! precision serves the quieter one as well as the louder. What is left after subtraction is kept in double precision.
//!
//! The difference function is librosa's (0.11): it leaves out the energy of a frame's end and, at the first lag, that of the
//! first sample, so that its figures and ours can be laid side by side (`tests/voice/tone` does), and so that its threshold says
//! nothing about voicing. That is judged by a correlation of our own.

use std::sync::{Arc, LazyLock};

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlanner};

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

/// A frame without a pitch.
const NONE: Pitch = Pitch { hz: RATE as f64 / SHORTEST as f64, periodicity: 0.0 };

/// A frame and the sum of its squares.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) samples: &'a [f32; FRAME],
    pub(super) power: f64,
}

impl Frame<'_> {
    /// Itself, or silence in place of silence and of what is no number, so that it never touches the one that it is transformed with.
    fn or_silent(self) -> Self {
        let sounds = self.power > f64::from(f32::MIN_POSITIVE) && self.power.is_finite();
        if sounds { self } else { Frame { samples: &[0.0; FRAME], power: 0.0 } }
    }
}

/// Finds the pitch of frames; keeps what it works with.
pub(super) struct Yin {
    transform: Arc<dyn Fft<f32>>,
    /// The frames; their spectra; their correlations with themselves. The one as the real, the other as the imaginary part.
    both: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
    /// Of each frame at each lag, by the mean of those up to there.
    differences: [[f64; 2]; LONGEST + 1],
}

impl Default for Yin {
    fn default() -> Self {
        static TRANSFORM: LazyLock<Arc<dyn Fft<f32>>> =
            LazyLock::new(|| FftPlanner::new().plan_fft_forward(SIZE));
        Self {
            both: vec![Complex::default(); SIZE],
            scratch: vec![Complex::default(); TRANSFORM.get_inplace_scratch_len()],
            differences: [[0.0; 2]; LONGEST + 1],
            transform: Arc::clone(&TRANSFORM),
        }
    }
}

impl Yin {
    /// The pitches of two frames.
    pub(super) fn pair(&mut self, frames: [Frame<'_>; 2]) -> [Pitch; 2] {
        let frames = frames.map(Frame::or_silent);
        self.correlate(&frames);
        self.subtract(&frames);
        [0, 1].map(|which| self.pitch(&frames[which], which))
    }

    /// The frames' correlations with themselves at every lag, as parts of their powers.
    fn correlate(&mut self, [one, other]: &[Frame<'_>; 2]) {
        // Of the transform, there and back, and of the power spectrum: it is taken from twice the spectrum.
        let scale = 0.25 / SIZE as f64;
        let [re_gain, im_gain] = [one, other]
            .map(|frame| if frame.power > 0.0 { (scale / frame.power).sqrt() as f32 } else { 0.0 });
        let (samples, rest) = self.both.split_at_mut(FRAME);
        for (both, (re, im)) in samples.iter_mut().zip(one.samples.iter().zip(other.samples)) {
            *both = Complex::new(re * re_gain, im * im_gain);
        }
        rest.fill(Complex::default());
        self.transform.process_with_scratch(&mut self.both, &mut self.scratch);
        // The sum of a place and its mirror's conjugate is the one frame's spectrum, their difference the other's.
        let power = |here: Complex<f32>, mirror: Complex<f32>| {
            let (sum, difference) = (here + mirror, here - mirror);
            Complex::new(
                sum.re * sum.re + difference.im * difference.im,
                difference.re * difference.re + sum.im * sum.im,
            )
        };
        self.both[0] = power(self.both[0], self.both[0]);
        self.both[SIZE / 2] = power(self.both[SIZE / 2], self.both[SIZE / 2]);
        let (low, high) = self.both.split_at_mut(SIZE / 2 + 1);
        for (low, high) in low[1..].iter_mut().zip(high.iter_mut().rev()) {
            *low = power(*low, *high);
            *high = *low;
        }
        // A power spectrum is real and the same from both ends, so there and back are the same way.
        self.transform.process_with_scratch(&mut self.both, &mut self.scratch);
    }

    /// How far each frame is from itself at every lag, by the mean of that up to there.
    fn subtract(&mut self, frames: &[Frame<'_>; 2]) {
        let shares = frames.map(|frame| if frame.power > 0.0 { frame.power.recip() } else { 0.0 });
        let correlation = |both: &Complex<f32>| [f64::from(both.re), f64::from(both.im)];
        let at_rest = correlation(&self.both[0]);
        // The first lag leaves nothing out.
        let first = correlation(&self.both[1]);
        let mut sums = [0, 1].map(|which| 2.0 * (at_rest[which] - first[which]) + f64::MIN_POSITIVE);
        let mut energies = [0, 1].map(|which| f64::from(frames[which].samples[0]).powi(2) * shares[which]);
        self.differences[1] = [1.0; 2];
        let samples = frames[0].samples[1..].iter().zip(&frames[1].samples[1..]);
        let lags = self.differences[2..].iter_mut().zip(&self.both[2..]).zip(samples);
        let mut lag = 1.0_f64;
        for ((differences, both), (one, other)) in lags {
            let (samples, correlation) = ([f64::from(*one), f64::from(*other)], correlation(both));
            lag += 1.0;
            for which in 0..2 {
                energies[which] += samples[which] * samples[which] * shares[which];
                let difference = 2.0 * (at_rest[which] - correlation[which]) - energies[which];
                sums[which] += difference;
                differences[which] = difference * lag / sums[which];
            }
        }
    }

    fn pitch(&self, frame: &Frame<'_>, which: usize) -> Pitch {
        if frame.power <= 0.0 {
            return NONE;
        }
        let lag = self.dip(which);
        let period = lag as f64 + self.shift(lag, which);
        let both = (frame.power - power(&frame.samples[FRAME - lag..]))
            * (frame.power - power(&frame.samples[..lag]));
        let correlation = if which == 0 { self.both[lag].re } else { self.both[lag].im };
        let likeness = f64::from(correlation) * frame.power;
        Pitch { hz: RATE as f64 / period, periodicity: if both > 0.0 { likeness / both.sqrt() } else { 0.0 } }
    }

    /// The first dip below the threshold, or the deepest place.
    fn dip(&self, which: usize) -> usize {
        let d = |lag: usize| self.differences[lag][which];
        let is_dip = |lag: usize| {
            let falls = lag == SHORTEST || d(lag) < d(lag - 1);
            let rises = match lag {
                SHORTEST => d(lag) < d(lag + 1),
                LONGEST => true,
                _ => d(lag) <= d(lag + 1),
            };
            falls && rises
        };
        let mut deepest = (SHORTEST, d(SHORTEST));
        for (lag, differences) in self.differences.iter().enumerate().skip(SHORTEST) {
            let here = differences[which];
            if here < THRESHOLD && is_dip(lag) {
                return lag;
            }
            if here < deepest.1 {
                deepest = (lag, here);
            }
        }
        deepest.0
    }

    /// How far from `lag` the bottom of the dip is, by a parabola through three places; 0 at the ends.
    fn shift(&self, lag: usize, which: usize) -> f64 {
        if lag == SHORTEST || lag == LONGEST {
            return 0.0;
        }
        let [left, here, right] = [lag - 1, lag, lag + 1].map(|lag| self.differences[lag][which]);
        let (bend, slope) = (right + left - 2.0 * here, (right - left) / 2.0);
        if slope.abs() >= bend.abs() { 0.0 } else { -slope / bend }
    }
}

/// The sum of the squares, in as many sums as a processor has hands for.
pub(super) fn power(samples: &[f32]) -> f64 {
    let mut sums = [0.0_f64; 8];
    let (eights, rest) = samples.as_chunks::<8>();
    for eight in eights {
        for (sum, sample) in sums.iter_mut().zip(eight) {
            *sum += f64::from(*sample).powi(2);
        }
    }
    sums.iter().sum::<f64>() + rest.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>()
}

/// Whether a pitch is inside the range and not at its edge, where a frame without one ends up.
pub(super) fn is_inside(hz: f64) -> bool {
    hz > LOWEST && hz < HIGHEST
}

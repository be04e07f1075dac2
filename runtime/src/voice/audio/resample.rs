//! From any rate to the rate of listening: a windowed sinc, one set of weights a phase.

use std::f64::consts::PI;

use super::RATE;

/// Zero crossings of the sinc on each side, at the lower of the two rates.
const CROSSINGS: f64 = 24.0;
/// Where the filter begins to close, as a part of the lower rate's half.
const OPEN: f64 = 0.94;
/// The window's shape (Kaiser): what folds back is 80 dB down.
const BETA: f64 = 8.0;
/// The most phases. Rates that share so little with [`RATE`] that they would need more get the nearest of these.
const PHASES: u64 = 1024;

/// Brings samples from `rate` to [`RATE`]. Samples that are not finite become silence, so that everything behind can count.
#[must_use]
pub fn resample(samples: &[f32], rate: u32) -> Vec<f32> {
    let clean = |sample: &f32| if sample.is_finite() { *sample } else { 0.0 };
    if rate == RATE || rate == 0 {
        return samples.iter().map(clean).collect();
    }
    let samples: Vec<f32> = samples.iter().map(clean).collect();
    let (from, to) = (u64::from(rate), u64::from(RATE));
    let divisor = gcd(from, to);
    // Sample n of the outcome stands at n * step / over of the samples.
    let (step, over) = (from / divisor, to / divisor);
    let phases = over.min(PHASES);
    let cutoff = OPEN * (to as f64 / from as f64).min(1.0);
    let half = (CROSSINGS / cutoff.min(1.0)).ceil() as usize;
    let taps = weights(phases, half, cutoff);
    let length = samples.len() as u64 * over / step;
    (0..length)
        .map(|index| {
            let at = index * step;
            let phase = (at % over) * phases / over;
            // Within the samples, so it is a place.
            let middle = (at / over) as usize;
            let taps = &taps[phase as usize * 2 * half..][..2 * half];
            // The first weight belongs to the sample `half - 1` before the middle.
            let first = (middle + 1).saturating_sub(half);
            let left_out = half.saturating_sub(middle + 1);
            let inside = &samples[first..(middle + 1 + half).min(samples.len())];
            inside.iter().zip(&taps[left_out..]).map(|(sample, tap)| sample * tap).sum()
        })
        .collect()
}

/// The weights of each phase: `2 * half` of them, which are 1 together.
fn weights(phases: u64, half: usize, cutoff: f64) -> Vec<f32> {
    let mut all = Vec::with_capacity(phases as usize * 2 * half);
    for phase in 0..phases {
        let offset = phase as f64 / phases as f64;
        let of = |tap: usize| {
            let distance = tap as f64 - (half as f64 - 1.0) - offset;
            let inside = 1.0 - (distance / half as f64).powi(2);
            let sinc =
                if distance == 0.0 { 1.0 } else { (PI * cutoff * distance).sin() / (PI * cutoff * distance) };
            if inside <= 0.0 { 0.0 } else { sinc * bessel(BETA * inside.sqrt()) }
        };
        let raw: Vec<f64> = (0..2 * half).map(of).collect();
        let sum: f64 = raw.iter().sum();
        all.extend(raw.iter().map(|weight| (weight / sum) as f32));
    }
    all
}

/// The modified Bessel function of the first kind and order zero, by its series.
fn bessel(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for index in 1..40 {
        let factor = x / 2.0 / f64::from(index);
        term *= factor * factor;
        sum += term;
        if term < 1e-12 * sum {
            break;
        }
    }
    sum
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

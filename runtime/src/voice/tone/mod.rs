//! How something was said: measured, compared with the speaker's own past, and put into the spec's words (document 2,
//! "Emotion & tone"; specs/harness/voice.md).

mod baseline;
mod cues;
mod features;
mod pitch;
mod prefix;

pub use baseline::{Baseline, FEATURES_VERSION};
pub use cues::{Cue, Limits, cues};
pub use features::{Features, SHORTEST, frames, measure, voiced};
pub use pitch::{FRAME, HOP, Pitch, RATE};
pub use prefix::{Emotion, feeling, is_soft, prefix, unprefixed, words};

/// The percentile of values in order, by linear interpolation between the two nearest ranks; of nothing, 0.
fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let Some(top) = sorted.len().checked_sub(1) else { return 0.0 };
    let rank = percent.clamp(0.0, 100.0) / 100.0 * top as f64;
    // From 0 to `top`, so it is a place.
    let place = rank as usize;
    let (low, high) = (sorted[place], sorted[(place + 1).min(top)]);
    low + (high - low) * rank.fract()
}

#[cfg(test)]
mod tests;

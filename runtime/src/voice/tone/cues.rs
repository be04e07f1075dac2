//! What stands out in a voice.
//!
//! Fixed thresholds do not work: what is a quiet voice for one is the usual for another. So each figure is ranked among the
//! speaker's own, and spoken of only where it is among the outermost. No cue beats a wrong cue: before there is a past to
//! compare with, nothing is said.

use handset_spec::tone::{Feature, Tier};

use super::{Baseline, Features, percentile};

/// How much is said, and when: the person's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many values of a feature there must be before it is spoken of.
    pub min: usize,
    /// How much is said at a time.
    pub most: usize,
}

/// Something that stands out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cue {
    /// Of what.
    pub feature: Feature,
    /// What is said of it.
    pub tier: &'static Tier,
}

/// What stands out in a clip, the most unusual first.
#[must_use]
pub fn cues(features: &Features, baseline: &Baseline, limits: Limits) -> Vec<Cue> {
    let mut found: Vec<(f64, Cue)> = Feature::ALL
        .iter()
        .filter_map(|&feature| {
            let value = features.get(feature)?;
            let usual = baseline.sorted(feature);
            if usual.len() < limits.min.max(1) {
                return None;
            }
            let beyond = |tier: &&Tier| match tier.percentile < 50.0 {
                true => value < percentile(&usual, tier.percentile),
                false => value > percentile(&usual, tier.percentile),
            };
            // The strongest stand first on both sides, and a value is on one side alone.
            let tier = feature.below().iter().chain(feature.above()).find(beyond)?;
            Some((unusual(value, &usual), Cue { feature, tier }))
        })
        .collect();
    // A stable order: of two that are as unusual, the spec's first.
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.into_iter().take(limits.most).map(|(_, cue)| cue).collect()
}

/// How far from the middle a value ranks among the usual ones: 0 in the middle, 1 outside of all.
fn unusual(value: f64, usual: &[f64]) -> f64 {
    let below = usual.partition_point(|other| *other < value);
    let up_to = usual.partition_point(|other| *other <= value);
    let rank = (below + up_to) as f64 / (2 * usual.len()) as f64;
    (rank - 0.5).abs() * 2.0
}

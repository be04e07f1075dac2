//! What is usual for a speaker: the figures of what they said lately.

use std::collections::VecDeque;

use handset_spec::tone::Feature;

use super::Features;

/// The number of the way in which figures are measured. What was measured in another way says nothing about a clip measured
/// in this one, so a baseline is void where this changes.
pub const FEATURES_VERSION: i64 = 1;

/// The latest clips of one speaker, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baseline {
    clips: VecDeque<Features>,
}

impl Baseline {
    /// A baseline of these clips, the oldest first.
    #[must_use]
    pub fn new(clips: impl IntoIterator<Item = Features>) -> Self {
        Self { clips: clips.into_iter().collect() }
    }

    /// Takes a clip in and lets go of the oldest beyond `keep`. A clip is described before it is remembered: compared with
    /// itself, it would be a little more usual than it is.
    pub fn remember(&mut self, features: Features, keep: usize) {
        self.clips.push_back(features);
        while self.clips.len() > keep {
            self.clips.pop_front();
        }
    }

    /// How many clips have each feature of which something can be said.
    pub fn counts(&self) -> impl Iterator<Item = (Feature, usize)> {
        let count = |feature| self.clips.iter().filter(|clip| clip.get(feature).is_some()).count();
        Feature::ALL.iter().map(move |&feature| (feature, count(feature)))
    }

    /// The values of a feature in order; a clip that has none is left out.
    pub(super) fn sorted(&self, feature: Feature) -> Vec<f64> {
        let mut values: Vec<f64> = self.clips.iter().filter_map(|clip| clip.get(feature)).collect();
        values.sort_by(f64::total_cmp);
        values
    }
}

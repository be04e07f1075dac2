//! `tone` of loop.json: what is said of how something was said (document 2, "Emotion & tone"; spec-format, "tone").

use super::{Name, Wordings};

/// What the section says of one feature.
#[derive(Clone, Debug)]
pub struct ToneFeature {
    /// What the runtime measures.
    pub feature: Name,
    /// Tiers for values lower than usual, the strongest first.
    pub below: Vec<Tier>,
    /// Tiers for values higher than usual, the strongest first.
    pub above: Vec<Tier>,
}

/// A phrase for a value beyond a percentile of the speaker's own.
#[derive(Clone, Debug)]
pub struct Tier {
    /// From 0 to 100, both excluded.
    pub percentile: f64,
    /// What is said.
    pub phrase: Wordings,
    /// Whether it calls for a soft voice.
    pub soft: bool,
}

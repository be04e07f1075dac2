//! `tone.cues`.

use serde::Serialize;
use serde_json::Value;

use super::numbers::labels;
use super::{Labels, Named};
use crate::model;

/// What is said of one figure of a voice.
#[derive(Debug, Serialize)]
pub struct Tone {
    /// What is measured.
    pub feature: Named,
    /// Tiers for values lower than usual, the strongest first.
    pub below: Vec<Tier>,
    /// Tiers for values higher than usual, the strongest first.
    pub above: Vec<Tier>,
}

/// A phrase for a value beyond a percentile of the speaker's own.
#[derive(Debug, Serialize)]
pub struct Tier {
    /// From 0 to 100, both excluded.
    pub percentile: Value,
    /// What is said, by language.
    pub phrase: Labels,
    /// Whether it calls for a soft voice.
    pub soft: bool,
}

impl Tone {
    pub(super) fn new(tone: &model::ToneFeature) -> Self {
        let tiers = |tiers: &[model::Tier]| tiers.iter().map(Tier::new).collect();
        Self { feature: Named::new(&tone.feature), below: tiers(&tone.below), above: tiers(&tone.above) }
    }
}

impl Tier {
    fn new(tier: &model::Tier) -> Self {
        Self { percentile: number(tier.percentile), phrase: labels(&tier.phrase), soft: tier.soft }
    }
}

/// A number as a person writes it: `12`, not `12.0`.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { Value::from(value as i64) } else { Value::from(value) }
}

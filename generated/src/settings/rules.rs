//! Bounds: what is out of them is brought to the nearest value within, and told.

use std::cmp::Ordering;

use serde_json::Value;

use super::knob::{Knob, Setting};
use super::{Section, Settings};

/// A value that was not taken as it was given.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Clamped {
    /// `call.ring_interval`.
    pub path: String,
    /// What was given, in the knob's unit.
    pub given: Value,
    /// What was taken in its place.
    pub used: Value,
    /// The least that it may be, now.
    pub min: Value,
    /// The greatest that it may be, now.
    pub max: Value,
}

/// The path of a knob.
pub(super) fn path(section: &Section, knob: &Knob) -> String {
    format!("{}.{}", section.key, knob.key)
}

/// The value within the knob's bounds.
pub(super) fn within(knob: &Knob, value: Setting) -> Setting {
    match knob.bounds {
        Some((min, _)) if value.compare(min) == Some(Ordering::Less) => min,
        Some((_, max)) if value.compare(max) == Some(Ordering::Greater) => max,
        _ => value,
    }
}

/// What was done to a value that was given.
pub(super) fn clamped(
    section: &Section,
    knob: &Knob,
    given: Value,
    used: Setting,
    bounds: (Setting, Setting),
) -> Clamped {
    Clamped {
        path: path(section, knob),
        given,
        used: used.to_json(knob.unit),
        min: bounds.0.to_json(knob.unit),
        max: bounds.1.to_json(knob.unit),
    }
}

impl Settings {
    /// Brings every range whose lower end is above its upper one in order: the lower end comes down, unless `given` says
    /// that the upper one alone was given, which then goes up. Both are within their own bounds afterwards, as the compiler
    /// has seen to.
    pub(super) fn uncross(&mut self, given: impl Fn(usize, usize) -> bool) -> Vec<Clamped> {
        let mut told = Vec::new();
        for (place, section) in Self::SECTIONS.iter().enumerate() {
            for &(low, high) in section.pairs {
                let (Some(lower), Some(upper)) = (self.get(place, low), self.get(place, high)) else {
                    continue;
                };
                if lower.compare(upper) != Some(Ordering::Greater) {
                    continue;
                }
                let up = given(place, high) && !given(place, low);
                let (moved, from, to) = if up { (high, upper, lower) } else { (low, lower, upper) };
                self.set(place, moved, to);
                let Some(knob) = section.knobs.get(moved) else { continue };
                let (min, max) = knob.bounds.unwrap_or((to, to));
                let bounds = if up { (to, max) } else { (min, to) };
                told.push(clamped(section, knob, from.to_json(knob.unit), to, bounds));
            }
        }
        told
    }
}

//! A change of settings: `{SECTION: {KNOB: value}}` as a JSON merge patch, in which null puts back the default.

use serde_json::Value;

use super::Settings;
use super::knob::{Knob, Setting};
use super::rules::{Clamped, clamped, within};

/// What came of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Patched {
    /// The settings after it.
    pub settings: Settings,
    /// What was given out of bounds, and what was taken in its place.
    pub clamped: Vec<Clamped>,
}

/// Why a change was not made.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// `call.ring_interval`; empty for the whole.
    pub path: String,
    /// What is wrong there.
    pub kind: FaultKind,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// There is no such section or knob; those that there are.
    Unknown(Vec<&'static str>),
    /// It is of another type: what it must be.
    Expected(&'static str),
}

impl Settings {
    /// These settings with a change.
    ///
    /// # Errors
    /// Everything in it that is unknown or of another type; then nothing is changed.
    pub fn patched(&self, patch: &Value) -> Result<Patched, Vec<Fault>> {
        let mut change =
            Change { settings: self.clone(), clamped: Vec::new(), faults: Vec::new(), given: Vec::new() };
        match patch {
            Value::Null => change = Change { settings: Self::default(), ..change },
            Value::Object(sections) => {
                for (key, knobs) in sections {
                    change.section(key, knobs);
                }
            }
            _ => change.fault(String::new(), FaultKind::Expected("an object by section")),
        }
        let Change { mut settings, mut clamped, faults, given } = change;
        if !faults.is_empty() {
            return Err(faults);
        }
        clamped.extend(settings.uncross(|section, knob| given.contains(&(section, knob))));
        Ok(Patched { settings, clamped })
    }
}

struct Change {
    settings: Settings,
    clamped: Vec<Clamped>,
    faults: Vec<Fault>,
    /// The places of the knobs that were named.
    given: Vec<(usize, usize)>,
}

impl Change {
    fn fault(&mut self, path: String, kind: FaultKind) {
        self.faults.push(Fault { path, kind });
    }

    fn section(&mut self, key: &str, knobs: &Value) {
        let found = Settings::SECTIONS.iter().enumerate().find(|(_, section)| section.key == key);
        let Some((place, section)) = found else {
            let known = Settings::SECTIONS.iter().map(|section| section.key).collect();
            return self.fault(key.to_owned(), FaultKind::Unknown(known));
        };
        match knobs {
            Value::Null => {
                for (index, knob) in section.knobs.iter().enumerate() {
                    self.settings.set(place, index, knob.default);
                }
            }
            Value::Object(knobs) => {
                for (key, value) in knobs {
                    self.knob(place, key, value);
                }
            }
            _ => self.fault(key.to_owned(), FaultKind::Expected("an object by knob, or null")),
        }
    }

    fn knob(&mut self, place: usize, key: &str, value: &Value) {
        let section = &Settings::SECTIONS[place];
        let path = format!("{}.{key}", section.key);
        let found = section.knobs.iter().enumerate().find(|(_, knob)| knob.key == key);
        let Some((index, knob)) = found else {
            let known = section.knobs.iter().map(|knob| knob.key).collect();
            return self.fault(path, FaultKind::Unknown(known));
        };
        self.given.push((place, index));
        if value.is_null() {
            return self.settings.set(place, index, knob.default);
        }
        let Some(given) = knob.unit.read(value) else {
            return self.fault(path, FaultKind::Expected(knob.unit.expected()));
        };
        let used = within(knob, given);
        self.settings.set(place, index, used);
        if let Some(bounds) = knob.bounds.filter(|bounds| is_outside(*bounds, knob, value, given)) {
            self.clamped.push(clamped(section, knob, value.clone(), used, bounds));
        }
    }
}

/// Whether a value lies out of the bounds as it was given, which says more than what could be read of it: of a number far
/// beyond them, or a negative length of time.
fn is_outside((min, max): (Setting, Setting), knob: &Knob, value: &Value, given: Setting) -> bool {
    let number = |setting: Setting| setting.to_json(knob.unit).as_f64();
    match (value.as_f64(), number(min), number(max)) {
        (Some(value), Some(min), Some(max)) => value < min || value > max,
        _ => within(knob, given) != given,
    }
}

//! What is kept of a person's settings: `{SECTION: {KNOB: value}}` with what differs from the spec, lengths of time in
//! seconds whatever unit the spec measures them in, so that another unit changes nobody's value.

use serde_json::{Map, Value};

use super::knob::{Knob, Setting, Unit};
use super::rules::{Clamped, clamped, within};
use super::{Section, Settings};

/// What was read of what is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The settings, each within its bounds.
    pub settings: Settings,
    /// What was kept and is out of bounds by now.
    pub clamped: Vec<Clamped>,
    /// The paths of what was kept and means nothing here: another version of the spec had it.
    pub ignored: Vec<String>,
}

impl Settings {
    /// Reads what is kept. Never an error: what cannot be read is as if it had never been set, and is named.
    pub fn from_stored(stored: &str) -> Read {
        let mut read = Read::default();
        match serde_json::from_str(stored) {
            Ok(Value::Object(sections)) => {
                for (key, knobs) in &sections {
                    read.section(key, knobs);
                }
            }
            _ => read.ignored.push(String::new()),
        }
        let crossed = read.settings.uncross(|_, _| false);
        read.clamped.extend(crossed);
        read
    }

    /// What is to be kept: what differs from the spec's defaults.
    pub fn to_stored(&self) -> String {
        self.written(|knob, value| (value != knob.default).then(|| value.to_json(unit_kept(knob))))
            .to_string()
    }

    /// Everything as JSON, each value in its own unit.
    pub fn to_json(&self) -> Value {
        self.written(|knob, value| Some(value.to_json(knob.unit)))
    }

    /// The values that `write` gives, by section and knob; a section without any is left out.
    fn written(&self, write: impl Fn(&Knob, Setting) -> Option<Value>) -> Value {
        let section = |(place, section): (usize, &Section)| {
            let knobs = section.knobs.iter().enumerate().filter_map(|(index, knob)| {
                Some((knob.key.to_owned(), write(knob, self.get(place, index)?)?))
            });
            let knobs: Map<String, Value> = knobs.collect();
            (!knobs.is_empty()).then(|| (section.key.to_owned(), Value::Object(knobs)))
        };
        Value::Object(Self::SECTIONS.iter().enumerate().filter_map(section).collect())
    }
}

impl Read {
    fn section(&mut self, key: &str, knobs: &Value) {
        let found = Settings::SECTIONS.iter().enumerate().find(|(_, section)| section.key == key);
        let (Some((place, section)), Value::Object(knobs)) = (found, knobs) else {
            self.ignored.push(key.to_owned());
            return;
        };
        for (key, value) in knobs {
            let found = section.knobs.iter().enumerate().find(|(_, knob)| knob.key == key);
            let read = found.and_then(|(index, knob)| Some((index, knob, unit_kept(knob).read(value)?)));
            let Some((index, knob, value)) = read else {
                self.ignored.push(format!("{}.{key}", section.key));
                continue;
            };
            let used = within(knob, value);
            self.settings.set(place, index, used);
            if let Some(bounds) = knob.bounds.filter(|_| used != value) {
                self.clamped.push(clamped(section, knob, value.to_json(knob.unit), used, bounds));
            }
        }
    }
}

/// The unit in which a value is kept.
fn unit_kept(knob: &Knob) -> Unit {
    match knob.unit {
        Unit::Minutes | Unit::Hours => Unit::Seconds,
        unit => unit,
    }
}

//! The knobs as data, for a page that shows and changes them.

use serde_json::{Map, Value, json};

use super::Settings;
use super::knob::{Knob, Section, Setting, Wording};

impl Settings {
    /// Every section with its knobs: `[{"key", "label", "knobs": [{"key", "unit", "default", "min"?, "max"?, "label",
    /// "help"}]}]`, each text by language.
    pub fn form() -> Value {
        Self::SECTIONS.iter().map(section).collect()
    }
}

fn section(section: &Section) -> Value {
    let knobs: Value = section.knobs.iter().map(knob).collect();
    json!({"key": section.key, "label": wording(&section.label), "knobs": knobs})
}

fn knob(knob: &Knob) -> Value {
    let value = |setting: Setting| setting.to_json(knob.unit);
    let mut row = Map::new();
    row.insert("key".to_owned(), knob.key.into());
    row.insert("unit".to_owned(), knob.unit.key().into());
    row.insert("default".to_owned(), value(knob.default));
    if let Some((min, max)) = knob.bounds {
        row.insert("min".to_owned(), value(min));
        row.insert("max".to_owned(), value(max));
    }
    row.insert("label".to_owned(), wording(&knob.label));
    row.insert("help".to_owned(), wording(&knob.help));
    Value::Object(row)
}

fn wording(wording: &Wording) -> Value {
    json!({"en": wording.en, "zh": wording.zh})
}

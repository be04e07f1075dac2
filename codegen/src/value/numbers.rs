//! Constants and knobs.

use serde::Serialize;
use serde_json::{Number, Value};

use super::Named;
use crate::model::{self, Fixed, Setting, Unit, Wordings};

/// The constants and knobs of one section.
#[derive(Debug, Serialize)]
pub struct Numbers {
    /// `call`, `escalation`, …
    pub section: Named,
    /// What a settings page writes above the knobs; empty where there are none.
    pub label: Labels,
    /// In the spec's order.
    pub knobs: Vec<Knob>,
    /// Pairs of knobs that are the lower and the upper end of one range.
    pub pairs: Vec<[Named; 2]>,
    /// In the spec's order.
    pub constants: Vec<Constant>,
}

/// A plain text for a person, in every language.
pub type Labels = Vec<Label>;

/// A plain text in one language.
#[derive(Debug, Serialize)]
pub struct Label {
    /// `en`, `zh`.
    pub language: &'static str,
    /// The text.
    pub text: String,
}

/// What each person sets for themselves.
#[derive(Debug, Serialize)]
pub struct Knob {
    /// Its key.
    pub key: Named,
    /// `boolean`, `seconds`, `minutes`, `hours`, `clock`, `count`, `factor`.
    pub unit: &'static str,
    /// How many milliseconds one has; null where the unit is no length of time.
    pub milliseconds: Option<u64>,
    /// Its JSON type: `boolean`, `number`, `string`.
    pub json: &'static str,
    /// In its unit.
    pub default: Value,
    /// The least, in its unit; null for a switch.
    pub min: Value,
    /// The greatest, in its unit; null for a switch.
    pub max: Value,
    /// What a settings page calls it.
    pub label: Labels,
    /// Why it is what it is, and what bounds it.
    pub help: Labels,
}

/// A number that is the same for everybody.
#[derive(Debug, Serialize)]
pub struct Constant {
    /// Its key.
    pub key: Named,
    /// Its value.
    pub value: Value,
}

impl Numbers {
    pub(super) fn new(section: &model::NumberSection) -> Self {
        let key = |place: &usize| section.knobs.get(*place).map(|knob| Named::new(&knob.key));
        Self {
            section: Named::new(&section.section),
            label: labels(&section.label),
            knobs: section.knobs.iter().map(Knob::new).collect(),
            pairs: section.pairs.iter().filter_map(|(low, high)| Some([key(low)?, key(high)?])).collect(),
            constants: section.constants.iter().map(Constant::new).collect(),
        }
    }
}

pub(super) fn labels(wordings: &Wordings) -> Labels {
    wordings.iter().map(|(language, text)| Label { language: language.key(), text: text.clone() }).collect()
}

impl Knob {
    fn new(knob: &model::Knob) -> Self {
        let value = |setting: Setting| json(setting, knob.unit);
        let (min, max) = match knob.bounds {
            Some((min, max)) => (value(min), value(max)),
            None => (Value::Null, Value::Null),
        };
        Self {
            key: Named::new(&knob.key),
            unit: knob.unit.key(),
            milliseconds: knob.unit.milliseconds(),
            json: match knob.unit {
                Unit::Boolean => "boolean",
                Unit::Clock => "string",
                _ => "number",
            },
            default: value(knob.default),
            min,
            max,
            label: labels(&knob.label),
            help: labels(&knob.help),
        }
    }
}

impl Constant {
    fn new(constant: &model::Constant) -> Self {
        let value = match constant.value {
            Fixed::Whole(whole) => whole.into(),
            Fixed::Fraction(fraction) => float(fraction),
        };
        Self { key: Named::new(&constant.key), value }
    }
}

/// A value in its unit: whole where it is.
fn json(setting: Setting, unit: Unit) -> Value {
    match setting {
        Setting::Boolean(on) => on.into(),
        Setting::Length(milliseconds) => match unit.milliseconds() {
            Some(one) if !milliseconds.is_multiple_of(one) => {
                #[expect(clippy::cast_precision_loss, reason = "a year has 3.2e10 milliseconds")]
                let units = milliseconds as f64 / one as f64;
                float(units)
            }
            one => (milliseconds / one.unwrap_or(1)).into(),
        },
        Setting::Clock(hour, minute) => format!("{hour:02}:{minute:02}").into(),
        Setting::Count(count) => count.into(),
        Setting::Factor(factor) => float(factor),
    }
}

/// A number, whole where it is, so that every language reads the same from it.
fn float(number: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and below 2^53")]
    let whole = (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64);
    match whole {
        Some(whole) => whole.into(),
        None => Number::from_f64(number).map_or(Value::Null, Value::Number),
    }
}

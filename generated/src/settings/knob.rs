//! A knob as the tables have it, and its values as JSON.

use std::cmp::Ordering;
use std::time::Duration;

use serde_json::{Number, Value};

use crate::Language;
use crate::support::types::ClockTime;

/// A section with knobs.
#[derive(Debug)]
pub struct Section {
    /// `call`, `escalation`, …
    pub key: &'static str,
    /// Its title on a settings page.
    pub label: Wording,
    /// In the spec's order.
    pub knobs: &'static [Knob],
    /// The places of knobs that are the lower and the upper end of one range.
    pub pairs: &'static [(usize, usize)],
}

/// A value that each person sets.
#[derive(Debug)]
pub struct Knob {
    /// Its key in the section.
    pub key: &'static str,
    /// What it is measured in.
    pub unit: Unit,
    /// What it is until it is set.
    pub default: Setting,
    /// The least and the greatest that it may be; a switch has neither.
    pub bounds: Option<(Setting, Setting)>,
    /// What a settings page calls it.
    pub label: Wording,
    /// Why it is what it is, and what bounds it.
    pub help: Wording,
}

/// A plain text for a person.
#[derive(Debug)]
pub struct Wording {
    /// In English.
    pub en: &'static str,
    /// In Chinese.
    pub zh: &'static str,
}

impl Wording {
    /// In a language.
    pub const fn of(&self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Zh => self.zh,
        }
    }
}

/// What a knob is measured in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unit {
    /// On or off.
    Boolean,
    /// A length of time.
    Seconds,
    /// A length of time.
    Minutes,
    /// A length of time.
    Hours,
    /// A time of day in the person's own zone, `HH:MM`.
    Clock,
    /// How many: a whole number.
    Count,
    /// A multiple of what is usual.
    Factor,
}

impl Unit {
    /// The word in the spec.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Seconds => "seconds",
            Self::Minutes => "minutes",
            Self::Hours => "hours",
            Self::Clock => "clock",
            Self::Count => "count",
            Self::Factor => "factor",
        }
    }

    /// How many milliseconds one has, where it measures time.
    const fn milliseconds(self) -> Option<f64> {
        match self {
            Self::Seconds => Some(1000.0),
            Self::Minutes => Some(60_000.0),
            Self::Hours => Some(3_600_000.0),
            Self::Boolean | Self::Clock | Self::Count | Self::Factor => None,
        }
    }

    /// What a value must be, behind "must be".
    pub const fn expected(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::Seconds => "a number of seconds",
            Self::Minutes => "a number of minutes",
            Self::Hours => "a number of hours",
            Self::Clock => "a time of day as HH:MM, from 00:00 to 23:59",
            Self::Count => "a whole number",
            Self::Factor => "a number",
        }
    }

    /// Reads a value measured in it, however far out of bounds; nothing where it is of another type.
    pub(super) fn read(self, value: &Value) -> Option<Setting> {
        match self {
            Self::Boolean => value.as_bool().map(Setting::Boolean),
            Self::Seconds | Self::Minutes | Self::Hours => {
                let milliseconds = value.as_f64()? * self.milliseconds()?;
                // Below zero it is zero, beyond the largest the largest: what is out of bounds is clamped anyway.
                Some(Setting::Length(Duration::from_millis(whole(milliseconds))))
            }
            Self::Clock => clock(value.as_str()?).map(Setting::Clock),
            Self::Count => match value.as_i64() {
                Some(count) => Some(Setting::Count(count)),
                None => value.as_f64().filter(|number| number.fract() == 0.0).map(|number| {
                    #[expect(clippy::cast_possible_truncation, reason = "what is too large is the largest")]
                    Setting::Count(number as i64)
                }),
            },
            Self::Factor => value.as_f64().map(Setting::Factor),
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is too large is the largest"
)]
fn whole(milliseconds: f64) -> u64 {
    milliseconds.round() as u64
}

/// Reads `HH:MM`, two digits each.
fn clock(text: &str) -> Option<ClockTime> {
    let (hour, minute) = text.split_once(':')?;
    let two = |digits: &str| {
        (digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| digits.parse::<u8>().ok())?
    };
    let (hour, minute) = (two(hour)?, two(minute)?);
    (hour < 24 && minute < 60).then_some(ClockTime { hour, minute })
}

/// What a knob is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// On or off.
    Boolean(bool),
    /// A length of time.
    Length(Duration),
    /// A time of day.
    Clock(ClockTime),
    /// A whole number.
    Count(i64),
    /// A finite number.
    Factor(f64),
}

impl Setting {
    /// As JSON, a length of time in the unit.
    pub fn to_json(self, unit: Unit) -> Value {
        match self {
            Self::Boolean(on) => Value::Bool(on),
            Self::Length(length) => number(length, unit.milliseconds().unwrap_or(1000.0)),
            Self::Clock(time) => Value::String(time.to_string()),
            Self::Count(count) => count.into(),
            Self::Factor(factor) => Number::from_f64(factor).map_or(Value::Null, Value::Number),
        }
    }

    /// How it compares with another of its type.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Length(one), Self::Length(other)) => Some(one.cmp(&other)),
            (Self::Clock(one), Self::Clock(other)) => Some(one.cmp(&other)),
            (Self::Count(one), Self::Count(other)) => Some(one.cmp(&other)),
            (Self::Factor(one), Self::Factor(other)) => one.partial_cmp(&other),
            _ => None,
        }
    }
}

/// A length as a number of units: whole where it is.
fn number(length: Duration, unit: f64) -> Value {
    let milliseconds = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a unit has few milliseconds"
    )]
    let whole = unit as u64;
    if milliseconds.is_multiple_of(whole) {
        return (milliseconds / whole).into();
    }
    #[expect(clippy::cast_precision_loss, reason = "a year has 3.2e10 milliseconds")]
    let units = milliseconds as f64 / unit;
    Number::from_f64(units).map_or(Value::Null, Value::Number)
}

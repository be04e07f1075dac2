//! The numbers of the spec: constants, and knobs that each person sets within bounds.

use super::{Language, Name};

/// The constants and knobs of one section of loop.json.
#[derive(Clone, Debug)]
pub struct NumberSection {
    /// `call`, `escalation`, …
    pub section: Name,
    /// What a settings page writes above its knobs; empty where it has none.
    pub label: Wordings,
    /// In the spec's order.
    pub knobs: Vec<Knob>,
    /// Knobs that are the lower and the upper end of one range, as places in `knobs`: `NAME_min` and `NAME_max`.
    pub pairs: Vec<(usize, usize)>,
    /// In the spec's order.
    pub constants: Vec<Constant>,
}

/// A plain text for a person in every language, in the order of [`Language::ALL`].
pub type Wordings = Vec<(Language, String)>;

/// A number, a time of day or a switch that each person sets for themselves.
#[derive(Clone, Debug)]
pub struct Knob {
    /// Its key.
    pub key: Name,
    /// What it is measured in, and so its type.
    pub unit: Unit,
    /// What it is until it is set.
    pub default: Setting,
    /// The least and the greatest that it may be; a switch has neither.
    pub bounds: Option<(Setting, Setting)>,
    /// What a settings page calls it.
    pub label: Wordings,
    /// Why it is what it is, and what bounds it.
    pub help: Wordings,
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
    /// A multiple of what is usual: any number.
    Factor,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Boolean, Self::Seconds, Self::Minutes, Self::Hours, Self::Clock, Self::Count, Self::Factor];

    /// The word in the spec.
    pub fn key(self) -> &'static str {
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

    /// How many milliseconds one of it has, where it measures time.
    pub fn milliseconds(self) -> Option<u64> {
        match self {
            Self::Seconds => Some(1000),
            Self::Minutes => Some(60_000),
            Self::Hours => Some(3_600_000),
            Self::Boolean | Self::Clock | Self::Count | Self::Factor => None,
        }
    }
}

/// What a knob is set to.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Setting {
    /// On or off.
    Boolean(bool),
    /// A length of time in milliseconds.
    Length(u64),
    /// Hour and minute.
    Clock(u8, u8),
    /// A whole number.
    Count(i64),
    /// A finite number.
    Factor(f64),
}

/// A number that is the same for everybody.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its key.
    pub key: Name,
    /// Its value.
    pub value: Fixed,
}

/// The value of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fixed {
    /// A whole number.
    Whole(i64),
    /// Any other finite number.
    Fraction(f64),
}

//! What the checks make of a value that passes. Each type keeps the value whole.

use std::fmt;

use super::check;
use super::source::{Source, View};
use super::{Json, Text, WriteJson};

/// `HH:MM`, 00:00 to 23:59, in the person's own time.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ClockTime {
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)
    }
}

/// A date, or a date and a time of day, in the person's own time. It has the form of one; whether the calendar has it
/// is the phone's to say (document 1 §2).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct DateOrDatetime {
    /// 0 to 9999.
    pub year: u16,
    /// 0 to 99.
    pub month: u8,
    /// 0 to 99.
    pub day: u8,
    /// Hour and minute, 0 to 99 each.
    pub time: Option<(u8, u8)>,
}

impl fmt::Display for DateOrDatetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)?;
        match self.time {
            Some((hour, minute)) => write!(f, "T{hour:02}:{minute:02}"),
            None => Ok(()),
        }
    }
}

/// A day of the week.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[expect(missing_docs, reason = "a weekday's name says what it is")]
pub enum Weekday {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

impl Weekday {
    /// From Monday to Sunday.
    pub const ALL: &[Self] = &[Self::Mon, Self::Tue, Self::Wed, Self::Thu, Self::Fri, Self::Sat, Self::Sun];

    /// `mon` … `sun`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mon => "mon",
            Self::Tue => "tue",
            Self::Wed => "wed",
            Self::Thu => "thu",
            Self::Fri => "fri",
            Self::Sat => "sat",
            Self::Sun => "sun",
        }
    }

    /// The day with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|day| day.name() == name)
    }
}

/// A place: coordinates, words to look for, a name, or several of these. It travels whole, also what the check does
/// not read of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Place<'a>(Json<'a>);

/// What the check reads of a place, where it is fit to be used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spot<'a> {
    /// Latitude and longitude in degrees, both in range.
    pub coordinates: Option<(f64, f64)>,
    /// Words to look for, not empty.
    pub query: Option<Text<'a>>,
    /// Its name, not empty.
    pub name: Option<Text<'a>>,
}

impl<'a> Place<'a> {
    pub(crate) fn new(json: Json<'a>) -> Self {
        Self(json)
    }

    /// The object as it travels.
    pub fn json(&self) -> &Json<'a> {
        &self.0
    }

    /// What can be used of it.
    pub fn spot(&self) -> Spot<'_> {
        check::spot(super::Raw::new(self.0.as_str())).unwrap_or_default()
    }
}

/// An object of strings, in the order it was given in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StringMap<'a>(pub Vec<(Text<'a>, Text<'a>)>);

impl StringMap<'_> {
    /// The string of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| &**value)
    }
}

impl WriteJson for ClockTime {
    fn write_json(&self, out: &mut String) {
        out.push_str(&format!("\"{self}\""));
    }
}

impl WriteJson for DateOrDatetime {
    fn write_json(&self, out: &mut String) {
        out.push_str(&format!("\"{self}\""));
    }
}

impl WriteJson for Weekday {
    fn write_json(&self, out: &mut String) {
        self.name().write_json(out);
    }
}

impl WriteJson for Place<'_> {
    fn write_json(&self, out: &mut String) {
        self.0.write_json(out);
    }
}

impl WriteJson for StringMap<'_> {
    fn write_json(&self, out: &mut String) {
        out.push('{');
        for (at, (key, value)) in self.0.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            key.write_json(out);
            out.push(':');
            value.write_json(out);
        }
        out.push('}');
    }
}

/// What the tool's schema calls an object or a list that nothing checks: any value.
pub fn any<'a>(value: impl Source<'a>) -> Json<'a> {
    value.json()
}

/// The text of a value that is one.
pub(crate) fn text<'a>(value: impl Source<'a>) -> Option<Text<'a>> {
    match value.view() {
        View::Text(text) => Some(text),
        _ => None,
    }
}

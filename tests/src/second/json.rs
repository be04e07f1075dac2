//! JSON as a tree that keeps what a number was written as, and whether a string holds half of a surrogate pair.

use std::fmt::{self, Write};

use super::Decimal;

/// A JSON value.
#[derive(Clone)]
pub enum Json {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// As written.
    Number(String),
    /// Its UTF-16 units, since a lone surrogate is no character.
    String(Vec<u16>),
    /// `[…]`
    List(Vec<Json>),
    /// `{…}`, a repeated key as often as it is written until [`Json::once`].
    Object(Vec<(Vec<u16>, Json)>),
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

/// Numbers are equal by their value, objects whatever the order of their keys.
impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => Decimal::new(a) == Decimal::new(b),
            (Self::String(a), Self::String(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(key, value)| other.get_units(key) == Some(value))
            }
            _ => false,
        }
    }
}

impl Json {
    /// A string.
    pub fn text(text: &str) -> Self {
        Self::String(text.encode_utf16().collect())
    }

    /// The value of a whole text, blanks around it allowed.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser { rest: text };
        let value = parser.value()?;
        parser.blanks();
        parser.rest.is_empty().then_some(value.once())
    }

    /// Equality that also looks at how an integer is written: `60` is not `60.0`.
    pub fn is_written_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) if Decimal::new(a).integer().is_some() => a == b,
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_written_as(b))
            }
            (Self::Object(a), Self::Object(_)) => {
                let same = |(key, value): &(Vec<u16>, Self)| {
                    other.get_units(key).is_some_and(|other| value.is_written_as(other))
                };
                self == other && a.iter().all(same)
            }
            _ => self == other,
        }
    }

    /// Whether any object in a text that is one value repeats a key.
    pub fn repeats_a_key(text: &str) -> bool {
        Parser { rest: text }
            .value()
            .is_some_and(|value| value.count_members() != value.clone().once().count_members())
    }

    fn count_members(&self) -> usize {
        match self {
            Self::List(items) => items.iter().map(Self::count_members).sum(),
            Self::Object(members) => members.iter().map(|(_, value)| 1 + value.count_members()).sum(),
            _ => 0,
        }
    }

    /// With each key once, at any depth, the last value counting.
    pub fn once(self) -> Self {
        match self {
            Self::List(items) => Self::List(items.into_iter().map(Self::once).collect()),
            Self::Object(members) => {
                let mut kept: Vec<(Vec<u16>, Self)> = Vec::new();
                for (key, value) in members {
                    kept.retain(|(name, _)| *name != key);
                    kept.push((key, value.once()));
                }
                Self::Object(kept)
            }
            other => other,
        }
    }

    /// The values that stand one after another in a text, if it is made of nothing else; repeated keys are kept.
    pub fn parse_all(text: &str) -> Option<Vec<Self>> {
        let mut parser = Parser { rest: text };
        let mut values = Vec::new();
        loop {
            parser.blanks();
            if parser.rest.is_empty() {
                return Some(values);
            }
            values.push(parser.value()?);
        }
    }

    /// The member of an object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.get_units(&key.encode_utf16().collect::<Vec<_>>())
    }

    fn get_units(&self, key: &[u16]) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// A string without a lone surrogate.
    pub fn as_text(&self) -> Option<String> {
        match self {
            Self::String(units) => String::from_utf16(units).ok(),
            _ => None,
        }
    }

    /// Whether anything in it, a key too, is a string that this asks for, or a number.
    pub fn any(&self, string: &impl Fn(&[u16]) -> bool, number: &impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Null | Self::Bool(_) => false,
            Self::Number(written) => number(written),
            Self::String(units) => string(units),
            Self::List(items) => items.iter().any(|item| item.any(string, number)),
            Self::Object(members) => {
                members.iter().any(|(key, value)| string(key) || value.any(string, number))
            }
        }
    }

    /// As JSON text.
    pub fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(&value.to_string()),
            Self::Number(written) => out.push_str(written),
            Self::String(units) => write_units(units, out),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { "," });
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (at, (key, value)) in members.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { "," });
                    write_units(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_units(units: &[u16], out: &mut String) {
    out.push('"');
    for c in char::decode_utf16(units.iter().copied()) {
        match c {
            Ok(c @ ('"' | '\\')) => out.extend(['\\', c]),
            Ok(c) if c < ' ' => drop(write!(out, "\\u{:04x}", u32::from(c))),
            Ok(c) => out.push(c),
            Err(lone) => drop(write!(out, "\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    out.push('"');
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn eat(&mut self, token: &str) -> Option<()> {
        self.blanks();
        self.rest = self.rest.strip_prefix(token)?;
        Some(())
    }

    fn value(&mut self) -> Option<Json> {
        self.blanks();
        match self.rest.chars().next()? {
            '{' => self.object(),
            '[' => self.list(),
            '"' => self.string().map(Json::String),
            't' => self.eat("true").map(|()| Json::Bool(true)),
            'f' => self.eat("false").map(|()| Json::Bool(false)),
            'n' => self.eat("null").map(|()| Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self) -> Option<Json> {
        self.eat("{")?;
        let mut members: Vec<(Vec<u16>, Json)> = Vec::new();
        if self.eat("}").is_some() {
            return Some(Json::Object(members));
        }
        loop {
            self.blanks();
            let key = self.string()?;
            self.eat(":")?;
            let value = self.value()?;
            members.push((key, value));
            if self.eat("}").is_some() {
                return Some(Json::Object(members));
            }
            self.eat(",")?;
        }
    }

    fn list(&mut self) -> Option<Json> {
        self.eat("[")?;
        let mut items = Vec::new();
        if self.eat("]").is_some() {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            if self.eat("]").is_some() {
                return Some(Json::List(items));
            }
            self.eat(",")?;
        }
    }

    fn string(&mut self) -> Option<Vec<u16>> {
        let mut chars = self.rest.strip_prefix('"')?.chars();
        let mut units = Vec::new();
        loop {
            match chars.next()? {
                '"' => break,
                c if c < ' ' => return None,
                '\\' => match chars.next()? {
                    'u' => {
                        let digits: String = chars.by_ref().take(4).collect();
                        let hex = digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                        units.push(hex.then(|| u16::from_str_radix(&digits, 16).ok()).flatten()?);
                    }
                    c => {
                        let (_, c) = "\"\" \\\\ // b\u{8} f\u{c} n\n r\r t\t"
                            .split_inclusive(' ')
                            .map(|pair| (pair.chars().next(), pair.chars().nth(1)))
                            .find(|(escape, _)| *escape == Some(c))?;
                        units.push(u16::try_from(u32::from(c?)).ok()?);
                    }
                },
                c => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
            }
        }
        self.rest = chars.as_str();
        Some(units)
    }

    fn number(&mut self) -> Option<Json> {
        let end = self.rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
        let (written, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let unsigned = written.strip_prefix('-').unwrap_or(written);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
            }
            None => (unsigned, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        let fits = digits(whole)
            && (whole == "0" || !whole.starts_with('0'))
            && fraction.is_none_or(digits)
            && exponent.is_none_or(digits);
        if !fits {
            return None;
        }
        self.rest = rest;
        Some(Json::Number(written.to_owned()))
    }
}

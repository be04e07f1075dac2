//! Random calls: often right, often wrong in one place, sometimes wrong as text, and always the same for a seed.

use serde_json::Value;

use super::{Json, Spec};

/// A small generator of numbers (splitmix64): the same seed gives the same calls on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// With this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number below.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound.max(1) as u64).unwrap_or(0)
    }

    /// True once in so many.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// Writes random calls for a spec.
#[derive(Debug)]
pub struct Writer<'s> {
    spec: &'s Spec,
    random: Random,
}

impl<'s> Writer<'s> {
    /// With this seed.
    pub fn new(spec: &'s Spec, seed: u64) -> Self {
        Self { spec, random: Random::new(seed) }
    }

    /// The arguments of a tool call, as some model might send them; never with a line break.
    pub fn arguments(&mut self) -> String {
        let mut text = self.call();
        if self.random.once_in(20) {
            text = text + self.random.pick(&["", " ", "\t"]) + &self.call();
        }
        if self.random.once_in(25) {
            let cut = self.random.below(text.len());
            text.truncate(text.floor_char_boundary(cut));
        }
        if self.random.once_in(25) {
            let at = text.floor_char_boundary(self.random.below(text.len() + 1));
            text.insert_str(
                at,
                self.random
                    .pick(&["\"", "{", "}", ",", "]", "\\", "0", "é", "null", "\u{1}", "\u{feff}", " "]),
            );
        }
        if self.random.once_in(40) {
            text = self
                .random
                .pick(&[
                    "", " ", "null", " null ", "[]", "5", "true", "\"\"", "\"x\"", "\u{a0}", "{}", "1e999",
                ])
                .to_owned();
        }
        if self.random.once_in(15) {
            for _ in 0..=self.random.below(4) {
                let mut wrapped = String::new();
                Json::text(&text).write(&mut wrapped);
                text = wrapped;
            }
        }
        text.replace(['\n', '\r'], " ")
    }

    /// One call as JSON text, in whatever dress.
    pub fn call(&mut self) -> String {
        let actions = self.spec.actions();
        let action = self.random.pick(&actions);
        let mut members = Vec::new();
        if !self.random.once_in(60) {
            let odd = self.random.once_in(30);
            let value = if odd { self.any(1) } else { format!("\"{action}\"") };
            members.push(("action".to_owned(), value));
        }
        if self.random.once_in(2) {
            let value = if self.random.once_in(6) { self.any(1) } else { self.string() };
            members.push(("summary".to_owned(), value));
        }
        for field in self.spec.fields(action) {
            if self.random.once_in(5) {
                continue;
            }
            let value = self.field(field);
            members.push((field.to_owned(), value));
            if self.random.once_in(40) {
                let value = self.field(field);
                members.push((field.to_owned(), value));
            }
        }
        if self.random.once_in(8) {
            let other = self.random.pick(&actions);
            for field in self.spec.fields(other) {
                if !members.iter().any(|(name, _)| name == field) {
                    let value = self.field(field);
                    members.push((field.to_owned(), value));
                }
            }
        }
        if self.random.once_in(20) {
            let value = self.any(2);
            members.push((
                self.random
                    .pick(&["why", "lat", "Action", "to ", "", "a\\u0063tion", "n\\u0061me"])
                    .to_owned(),
                value,
            ));
        }
        if self.random.once_in(4) {
            let places = members.len();
            if places > 1 {
                members.swap(self.random.below(places), self.random.below(places));
            }
        }
        self.object(&members)
    }

    fn object(&mut self, members: &[(String, String)]) -> String {
        let blank = self.blank();
        let members: Vec<_> = members
            .iter()
            .map(|(key, value)| format!("{blank}\"{key}\"{blank}:{blank}{value}{blank}"))
            .collect();
        format!("{blank}{{{}}}{blank}", members.join(","))
    }

    fn blank(&mut self) -> &'static str {
        self.random.pick(&["", "", "", "", " ", "\t"])
    }

    /// A value for a field: right, nearly right, or anything.
    fn field(&mut self, field: &str) -> String {
        if self.random.once_in(12) {
            return self.any(2);
        }
        let check = self.spec.checks().into_iter().find(|(name, _)| *name == field).map(|(_, check)| check);
        let kind = check.and_then(|check| check["is"].as_str()).unwrap_or_default();
        match kind {
            "clock_time" => self.quoted(&[
                "07:30",
                "00:00",
                "23:59",
                "24:00",
                "23:60",
                "7:30",
                " 07:30 ",
                "07:30:00",
                "07.30",
                "٠٧:٣٠",
            ]),
            "weekdays" => self.list(|writer| {
                writer.quoted(&["mon", "tue", "wed", "thu", "fri", "sat", "sun", " sun ", "Mon", "monday"])
            }),
            "integer" => {
                let bound = |key: &str| check.and_then(|check| check[key].as_i64()).unwrap_or_default();
                let (min, max) = (bound("min"), bound("max"));
                let integer = [min, max, min - 1, max + 1, (min + max) / 2][self.random.below(5)];
                match self.random.below(8) {
                    0 => format!("{integer}.0"),
                    1 => format!("{integer}.50"),
                    2 => format!("{integer}e0"),
                    3 => format!("{integer}0E-1"),
                    4 => format!("\"{integer}\""),
                    _ => integer.to_string(),
                }
            }
            "date_or_datetime" => self.quoted(&[
                "2027-01-15",
                "2027-01-15T09:00",
                "2027-02-31",
                "2027-01-15T25:99",
                "2027-1-15",
                "2027-01-15T09:00:00",
                "2027-01-15T09:00-05:00",
                "2027-01-15 09:00",
                "tomorrow",
                " 2027-01-15",
                "2027-01-15T9:00",
                "２０２７-01-15",
            ]),
            "non_empty_strings" => self.list(Self::string),
            "phone_number" => self.quoted(&[
                "555 0100",
                "+49 (30) 123-456",
                "112",
                "11",
                "#31#*100",
                "5.5/5",
                "call me",
                "555\\t0100",
                "555\\u00a00100",
                "++--",
                "0042",
            ]),
            "place" => self.place(),
            "places" => self.list(Self::place),
            "schema_enum" => {
                let values =
                    self.spec.property(field)["enum"].as_array().map(Vec::as_slice).unwrap_or_default();
                let values: Vec<_> = values.iter().filter_map(Value::as_str).collect();
                let value = self.random.pick(&values);
                match self.random.below(8) {
                    0 => format!("\"{}\"", value.to_uppercase()),
                    1 => format!("\" {value}\\n\""),
                    2 => format!("\"{value}s\""),
                    _ => format!("\"{value}\""),
                }
            }
            "http_url" => self.quoted(&[
                "https://example.org/a?b=c",
                "HTTP://x",
                "http://",
                "https://",
                "http:/x",
                "ftp://x",
                " http://x ",
                "httpſ://x",
            ]),
            "boolean" => self.random.pick(&["true", "false", "true", "\"true\"", "0", "1"]).to_owned(),
            "string_map" => {
                let mut members = Vec::new();
                for _ in 0..self.random.below(4) {
                    let value = if self.random.once_in(8) { self.any(1) } else { self.string() };
                    members.push((
                        self.random.pick(&["volume", "mode", " k ", "", "\\u006dode"]).to_owned(),
                        value,
                    ));
                }
                self.object(&members)
            }
            _ => match self.spec.property(field)["type"].as_str() {
                Some("boolean") => self.random.pick(&["true", "false"]).to_owned(),
                _ => self.string(),
            },
        }
    }

    fn place(&mut self) -> String {
        let mut members = Vec::new();
        for (key, values) in [
            ("lat", ["52.5", "90", "-90", "90.1", "-91", "\"52\"", "true", "52.0"]),
            ("lon", ["13.4", "180", "-180", "180.5", "-181", "null", "0", "1.3e1"]),
        ] {
            if !self.random.once_in(3) {
                members.push((key.to_owned(), self.random.pick(&values).to_owned()));
            }
        }
        for key in ["query", "name", "note"] {
            if self.random.once_in(3) {
                let value = if self.random.once_in(5) { self.any(1) } else { self.string() };
                members.push((key.to_owned(), value));
            }
        }
        self.object(&members)
    }

    fn list(&mut self, item: impl Fn(&mut Self) -> String) -> String {
        let items: Vec<_> = (0..self.random.below(4)).map(|_| item(self)).collect();
        format!("[{}]", items.join(", "))
    }

    fn quoted(&mut self, texts: &[&str]) -> String {
        format!("\"{}\"", self.random.pick(texts))
    }

    fn string(&mut self) -> String {
        self.quoted(&[
            "Work",
            "在路上，晚点到",
            "I'm late",
            "",
            "  ",
            " Anna ",
            "\\u00a0x\\u0085",
            "\\ufeffx",
            "\u{3000}x\u{3000}",
            "\\u0000x\\u001f",
            "\\u0000",
            "a\\nb\\tc",
            "\\\"quoted\\\" and \\\\",
            "\\ud83d\\ude00",
            "😀",
            "\\u4f60",
            "null",
            "{{what}}",
            "a\\/b",
            "\\ud800",
            "\\udc00x",
            "é\u{7f}",
            "a rather long sentence that goes on for more than one machine word, and then some",
        ])
    }

    /// Any JSON value.
    fn any(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 6 } else { 8 }) {
            0 => "null".to_owned(),
            1 => self.random.pick(&["true", "false"]).to_owned(),
            2 | 3 => self
                .random
                .pick(&[
                    "0",
                    "-0",
                    "60",
                    "60.0",
                    "6e1",
                    "0.5",
                    "-1.50",
                    "1e300",
                    "1e999",
                    "-1e400",
                    "123456789012345678901234567890",
                    "1E-2",
                    "12345678901234567890.0",
                ])
                .to_owned(),
            4 | 5 => self.string(),
            6 => self.list(|writer| writer.any(depth - 1)),
            _ => {
                let mut members = Vec::new();
                for _ in 0..self.random.below(4) {
                    let value = self.any(depth - 1);
                    members.push((self.random.pick(&["a", "b", "\\u0061", " c ", "name"]).to_owned(), value));
                }
                self.object(&members)
            }
        }
    }
}

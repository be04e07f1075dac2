//! Writing what passed as JSON.

use std::borrow::Cow;
use std::ops::Range;

use super::escape::{unescape, write_string};
use super::keys::Keys;
use super::raw::Raw;
use super::text::clean_cow;
use super::{Json, Number};

/// What a call is made of, written as JSON.
pub trait WriteJson {
    /// Appends the value.
    fn write_json(&self, out: &mut String);
}

impl WriteJson for bool {
    fn write_json(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl WriteJson for i64 {
    fn write_json(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl WriteJson for str {
    fn write_json(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl WriteJson for Cow<'_, str> {
    fn write_json(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl WriteJson for Json<'_> {
    fn write_json(&self, out: &mut String) {
        out.push_str(self.as_str());
    }
}

impl<T: WriteJson> WriteJson for Vec<T> {
    fn write_json(&self, out: &mut String) {
        out.push('[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            item.write_json(out);
        }
        out.push(']');
    }
}

/// Appends a value of the arguments as it travels. Of a repeated key the last counts; no depth is too deep.
pub(crate) fn write_clean(raw: Raw<'_>, out: &mut String) {
    let mut writer = Writer { out, open: Vec::new(), dead: Vec::new() };
    let mut rest = raw.as_str();
    while let Some(first) = rest.bytes().next() {
        rest = writer.token(first, rest);
    }
    let dead = writer.dead;
    if !dead.is_empty() {
        *out = without(out, dead);
    }
}

struct Writer<'o, 'a> {
    out: &'o mut String,
    open: Vec<Open<'a>>,
    /// What was written for a key that came again.
    dead: Vec<Range<usize>>,
}

enum Open<'a> {
    List,
    Object { members: Keys<'a, Range<usize>>, key: Option<(Cow<'a, str>, usize)> },
}

impl<'a> Writer<'_, 'a> {
    /// Writes what the text starts with and returns the rest.
    fn token(&mut self, first: u8, text: &'a str) -> &'a str {
        match first {
            b'{' => {
                self.out.push('{');
                self.open.push(Open::Object { members: Keys::default(), key: None });
                &text[1..]
            }
            b'[' => {
                self.out.push('[');
                self.open.push(Open::List);
                &text[1..]
            }
            b'}' | b']' => {
                if self.out.ends_with(',') {
                    self.out.pop();
                }
                self.out.push(char::from(first));
                self.open.pop();
                self.value_written();
                &text[1..]
            }
            b'"' => {
                let (string, rest) = text.split_at(super::raw::length(text.as_bytes()));
                self.string(Raw::new(string));
                rest
            }
            b',' | b':' | b' ' | b'\n' | b'\t' | b'\r' => &text[1..],
            _ => {
                let ends = |c: char| matches!(c, ',' | ']' | '}' | ' ' | '\n' | '\t' | '\r');
                let (word, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
                match first {
                    b't' | b'f' | b'n' => self.out.push_str(word),
                    _ => self.out.push_str(&Number::Literal(word).normal()),
                }
                self.value_written();
                rest
            }
        }
    }

    fn string(&mut self, raw: Raw<'a>) {
        if let Some(Open::Object { key: key @ None, .. }) = self.open.last_mut() {
            *key = Some((unescape(raw.inside()), self.out.len()));
            self.out.push_str(raw.as_str());
            self.out.push(':');
        } else {
            write_string(&clean_cow(unescape(raw.inside())), self.out);
            self.value_written();
        }
    }

    /// A comma behind every value inside a container; the closer takes the last one away.
    fn value_written(&mut self) {
        match self.open.last_mut() {
            None => {}
            Some(Open::List) => self.out.push(','),
            Some(Open::Object { members, key }) => {
                self.out.push(',');
                if let Some((key, start)) = key.take() {
                    self.dead.extend(members.insert(key, start..self.out.len()));
                }
            }
        }
    }
}

/// The text without these parts, each of which lies beside or inside the others.
fn without(text: &str, mut dead: Vec<Range<usize>>) -> String {
    dead.sort_by_key(|range| range.start);
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for range in dead {
        if range.start >= from {
            kept.push_str(&text[from..range.start]);
        }
        from = from.max(range.end);
    }
    kept.push_str(&text[from..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::scan::Scanner;

    fn cleaned(text: &str) -> String {
        let mut out = String::new();
        write_clean(Scanner::new(text).value().ok().unwrap(), &mut out);
        out
    }

    #[test]
    fn strings_are_cleaned_at_any_depth_and_keys_left_alone() {
        assert_eq!(
            cleaned(
                "{ \" k \\u0001\" : [ \" a\\u0000 \", {\"\":\"\\u00a0\"} , null,true ], \"n\":[5.0,1e-1,-0] }"
            ),
            "{\" k \\u0001\":[\"a\",{\"\":\"\"},null,true],\"n\":[5,1e-1,0]}"
        );
        assert_eq!(cleaned("[[],{},[{}]]"), "[[],{},[{}]]");
        assert_eq!(cleaned("\" x \""), "\"x\"");
        assert_eq!(cleaned("6e1"), "60");
    }

    #[test]
    fn of_a_repeated_key_the_last_counts() {
        assert_eq!(
            cleaned(r#"{"a":1,"b":{"c":1,"\u0063":2},"a":{"d":1,"d":2,"e":3}}"#),
            r#"{"b":{"\u0063":2},"a":{"d":2,"e":3}}"#
        );
        assert_eq!(cleaned(r#"{"a":{"x":1,"x":2},"a":1}"#), r#"{"a":1}"#);
        assert_eq!(cleaned(r#"[{"a":1,"a":1,"a":1}]"#), r#"[{"a":1}]"#);
    }

    #[test]
    fn no_depth_is_too_deep() {
        let text = r#"{"a":["#.repeat(100_000) + &"]}".repeat(100_000);
        assert_eq!(cleaned(&text), text);
    }
}

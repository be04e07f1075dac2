//! A strict JSON scanner: one pass over the text, no tree, no recursion, so that no depth can exhaust the stack.

use super::arguments::FaultKind;
use super::escape::{unescape, unit};
use super::raw::Raw;

/// The members of an object that somebody asked for, as they stand in the text; of a repeated key the last.
#[derive(Clone, Debug)]
pub struct Members<'a, const N: usize> {
    /// By the index that the key was given.
    pub slots: [Option<Raw<'a>>; N],
    /// The first thing in the object that JSON can write and a call cannot hold.
    pub(crate) spoiled: Option<Spoiled>,
}

impl<const N: usize> Members<'_, N> {
    /// Of an object without any.
    pub fn empty() -> Self {
        Self { slots: [None; N], spoiled: None }
    }
}

/// The place where text stops being JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Syntax {
    /// In bytes.
    pub(crate) at: usize,
}

/// A number or an escape that is JSON by its grammar and has no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoiled {
    pub(crate) kind: FaultKind,
    /// In bytes.
    pub(crate) at: usize,
}

/// Reads values one after another from a text.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    start: usize,
    spoiled: Option<Spoiled>,
    open: Containers,
}

type Scan<T = ()> = Result<T, Syntax>;

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0, start: 0, spoiled: None, open: Containers::default() }
    }

    /// The first byte of what comes next.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// That nothing comes next.
    pub(crate) fn end(&mut self) -> Scan {
        if self.peek().is_none() { Ok(()) } else { self.stop() }
    }

    /// Where the last value started, in bytes.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// What was found in the values so far that none can hold.
    pub(crate) fn spoiled(&self) -> Option<Spoiled> {
        self.spoiled
    }

    /// Takes the members of the object that comes next.
    #[inline]
    pub(crate) fn members<const N: usize>(
        &mut self,
        slot: impl Fn(&str) -> Option<usize>,
        members: &mut Members<'a, N>,
    ) -> Scan {
        self.spoiled = None;
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':')?;
            let value = self.value()?;
            let inside = key.inside();
            let index = if inside.contains('\\') { slot(&unescape(inside)) } else { slot(inside) };
            if let Some(place) = index.and_then(|index| members.slots.get_mut(index)) {
                *place = Some(value);
            }
            match self.next()? {
                b',' => {}
                b'}' => break,
                _ => {
                    self.at -= 1;
                    return self.stop();
                }
            }
        }
        members.spoiled = self.spoiled;
        Ok(())
    }

    /// The value that comes next, of any kind and depth.
    pub(crate) fn value(&mut self) -> Scan<Raw<'a>> {
        let Some(first) = self.peek() else { return self.stop() };
        let start = self.at;
        self.start = start;
        if first != b'{' && first != b'[' {
            self.scalar(first)?;
        } else {
            self.container()?;
        }
        Ok(Raw::new(&self.text[start..self.at]))
    }

    fn container(&mut self) -> Scan {
        self.open.clear();
        loop {
            let Some(first) = self.peek() else { return self.stop() };
            if first == b'{' || first == b'[' {
                self.at += 1;
                self.open.push(first == b'{');
                if self.peek() != Some(self.open.closer()) {
                    if first == b'{' {
                        self.key()?;
                    }
                    continue;
                }
                self.at += 1;
                self.open.pop();
            } else {
                self.scalar(first)?;
            }
            // A value is complete: so may be the containers that it stands in.
            loop {
                if self.open.is_empty() {
                    return Ok(());
                }
                let byte = self.next()?;
                if byte == b',' {
                    if self.open.is_object() {
                        self.key()?;
                    }
                    break;
                }
                if byte != self.open.closer() {
                    self.at -= 1;
                    return self.stop();
                }
                self.open.pop();
            }
        }
    }

    fn key(&mut self) -> Scan {
        self.string()?;
        self.expect(b':')
    }

    fn scalar(&mut self, first: u8) -> Scan {
        match first {
            b'"' => self.string().map(drop),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.stop(),
        }
    }

    fn word(&mut self, word: &[u8]) -> Scan {
        for &byte in word {
            if self.bytes.get(self.at) != Some(&byte) {
                return self.stop();
            }
            self.at += 1;
        }
        Ok(())
    }

    fn string(&mut self) -> Scan<Raw<'a>> {
        self.expect(b'"')?;
        let start = self.at - 1;
        loop {
            self.at += plain(&self.bytes[self.at..]);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Raw::new(&self.text[start..self.at]));
                }
                Some(b'\\') => self.escape()?,
                _ => return self.stop(),
            }
        }
    }

    fn escape(&mut self) -> Scan {
        let escape = &self.bytes[self.at..];
        match escape.get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => {
                let Some(high) = unit(escape) else { return self.stop() };
                let paired = match high {
                    0xd800..0xdc00 => matches!(unit(&escape[6..]), Some(0xdc00..0xe000)),
                    0xdc00..0xe000 => false,
                    _ => {
                        self.at += 6;
                        return Ok(());
                    }
                };
                if !paired {
                    self.spoil(FaultKind::LoneSurrogate, self.at);
                }
                self.at += if paired { 12 } else { 6 };
                Ok(())
            }
            _ => self.stop(),
        }
    }

    fn number(&mut self) -> Scan {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        let mut may_be_large = self.at - start > MOST_FINITE_DIGITS;
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
            may_be_large = true;
        }
        if may_be_large && !self.text[start..self.at].parse::<f64>().is_ok_and(f64::is_finite) {
            self.spoil(FaultKind::NumberTooLarge, start);
        }
        Ok(())
    }

    fn digits(&mut self) -> Scan {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.bytes.get(self.at) {
            self.at += 1;
        }
        if self.at == start { self.stop() } else { Ok(()) }
    }

    fn expect(&mut self, byte: u8) -> Scan {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            self.stop()
        }
    }

    fn next(&mut self) -> Scan<u8> {
        match self.peek() {
            Some(byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => self.stop(),
        }
    }

    fn spoil(&mut self, kind: FaultKind, at: usize) {
        self.spoiled.get_or_insert(Spoiled { kind, at });
    }

    fn stop<T>(&self) -> Scan<T> {
        Err(Syntax { at: self.at })
    }
}

/// With this many digits a number without an exponent is still below the greatest 64-bit float.
const MOST_FINITE_DIGITS: usize = 300;

/// How many bytes from the start are a string's plain content: no quote, no backslash, no control character.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    let mut at = 0;
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*eight);
        // The high bit of each byte tells, for bytes below 0x80, whether it is the one looked for.
        let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
        let quote = zero(word ^ (ONES * u64::from(b'"')));
        let backslash = zero(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quote | backslash | control) & HIGHS;
        if found != 0 {
            // A borrow can only spoil bytes behind a true hit: the first one is right.
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// The containers that are open, a bit each: an object or a list.
#[derive(Debug, Default)]
struct Containers {
    /// The innermost 64, the innermost lowest.
    inner: u64,
    depth: usize,
    outer: Vec<u64>,
}

impl Containers {
    fn clear(&mut self) {
        self.depth = 0;
        self.outer.clear();
    }

    fn is_empty(&self) -> bool {
        self.depth == 0
    }

    fn is_object(&self) -> bool {
        self.inner & 1 == 1
    }

    fn closer(&self) -> u8 {
        if self.is_object() { b'}' } else { b']' }
    }

    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.inner);
        }
        self.depth += 1;
        self.inner = self.inner << 1 | u64::from(object);
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.inner >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.inner = self.outer.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scanner;
    use proptest::prelude::*;

    fn whole(text: &str) -> Option<&str> {
        let mut scanner = Scanner::new(text);
        let raw = scanner.value().ok()?;
        scanner.end().ok()?;
        Some(raw.as_str())
    }

    #[test]
    fn no_depth_is_too_deep() {
        for depth in [63, 64, 65, 127, 128, 129, 200_000] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            assert_eq!(whole(&text), Some(&*text));
            let mixed = r#"{"a":["#.repeat(depth) + &"]}".repeat(depth);
            assert_eq!(whole(&mixed), Some(&*mixed));
            assert_eq!(whole(&(mixed.replacen("]}", "}]", 1))), None);
            assert_eq!(whole(&text[1..]), None);
        }
    }

    /// Text that is often JSON and often just not.
    fn nearly_json() -> impl Strategy<Value = String> {
        let token = prop_oneof![
            Just("{"),
            Just("}"),
            Just("["),
            Just("]"),
            Just(","),
            Just(":"),
            Just("\"a\""),
            Just("\"\\u00e9\""),
            Just("\"\\q\""),
            Just("\"\u{1}\""),
            Just("1"),
            Just("-0.5e+3"),
            Just("01"),
            Just("1."),
            Just("-"),
            Just("true"),
            Just("nul"),
            Just("null"),
            Just(" "),
            Just("\u{a0}"),
            Just("\"long enough to skip\""),
        ];
        prop::collection::vec(token, 0..12).prop_map(|tokens| tokens.concat())
    }

    proptest! {
        #[test]
        fn what_is_json_is_what_serde_json_says(text in nearly_json()) {
            let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            prop_assert_eq!(whole(&text).is_some(), theirs, "{}", text);
        }

        #[test]
        fn every_value_is_taken_whole(value in json()) {
            let text = value.to_string();
            prop_assert_eq!(whole(&text), Some(&*text));
            let cut = text.char_indices().map(|(at, _)| at).nth(text.chars().count() / 2).unwrap_or(0);
            let theirs = serde_json::from_str::<serde_json::Value>(&text[..cut]).is_ok();
            prop_assert_eq!(whole(&text[..cut]).is_some(), theirs);
        }
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".*", inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }
}

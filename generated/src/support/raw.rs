//! A value that stands in the text of the arguments, which the scanner has found to be whole.

use std::borrow::Cow;

use super::escape::unescape;
use super::source::{Fields, Source, View};
use super::text::{clean_cow, is_visible, trim};
use super::write::write_clean;
use super::{Json, Members, Number};

/// The text of one JSON value, without blanks around it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// The text must be one whole JSON value.
    pub(crate) fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// As it stands.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// What stands between a string's quotes, or a list's or object's brackets.
    pub(crate) fn inside(self) -> &'a str {
        self.0.get(1..self.0.len().saturating_sub(1)).unwrap_or_default()
    }
}

impl<'a> Source<'a> for Raw<'a> {
    #[inline]
    fn view(self) -> View<'a, impl Iterator<Item = Self>, impl Iterator<Item = (Cow<'a, str>, Self)>> {
        match self.0.as_bytes().first() {
            Some(b'"') => View::Text(text(self)),
            Some(b't') => View::Boolean(true),
            Some(b'f') => View::Boolean(false),
            Some(b'[') => View::List(Walk { rest: self.inside() }),
            Some(b'{') => View::Object(Pairs(Walk { rest: self.inside() })),
            Some(b'n') | None => View::Null,
            Some(_) => View::Number(Number::Literal(self.0)),
        }
    }

    #[inline]
    fn string(self) -> Option<Cow<'a, str>> {
        self.0.starts_with('"').then(|| unescape(self.inside()))
    }

    #[inline]
    fn present(self) -> bool {
        let inside = self.inside();
        match self.0.as_bytes().first() {
            // What an escape stands for decides only where nothing before it does.
            Some(b'"') => match inside.find('\\') {
                None => is_visible(inside),
                Some(at) => is_visible(&inside[..at]) || is_visible(&unescape(&inside[at..])),
            },
            Some(b'[' | b'{') => inside.bytes().any(|byte| !is_blank(byte)),
            Some(b'n') | None => false,
            Some(_) => true,
        }
    }

    fn json(self) -> Json<'a> {
        let mut out = String::with_capacity(self.0.len());
        write_clean(self, &mut out);
        Json::new(out)
    }
}

#[inline]
fn text(raw: Raw<'_>) -> Cow<'_, str> {
    let inside = raw.inside();
    // A control character can only come by an escape.
    if inside.contains('\\') { clean_cow(unescape(inside)) } else { Cow::Borrowed(trim(inside)) }
}

impl<'a, const N: usize> Fields<'a> for Members<'a, N> {
    type Value = Raw<'a>;

    #[inline]
    fn value(&self, index: usize, _: &'static str) -> Option<Raw<'a>> {
        self.slots.get(index).copied().flatten()
    }
}

/// Walks over the values of a list, or over the keys and values of an object.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Raw<'a>;

    #[inline]
    fn next(&mut self) -> Option<Raw<'a>> {
        let start = self.rest.bytes().position(|byte| !is_blank(byte) && byte != b',' && byte != b':')?;
        let text = &self.rest[start..];
        let (value, rest) = text.split_at(length(text.as_bytes()));
        self.rest = rest;
        Some(Raw(value))
    }
}

/// The members of an object.
struct Pairs<'a>(Walk<'a>);

impl<'a> Iterator for Pairs<'a> {
    type Item = (Cow<'a, str>, Raw<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = self.0.next()?;
        let value = self.0.next()?;
        Some((unescape(key.inside()), value))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// The length in bytes of the whole value that the text starts with.
pub(crate) fn length(text: &[u8]) -> usize {
    match text.first() {
        Some(b'"') => string(text),
        Some(b'[' | b'{') => {
            let mut depth = 0usize;
            let mut at = 0;
            while let Some(byte) = text.get(at) {
                match byte {
                    b'"' => {
                        at += string(&text[at..]);
                        continue;
                    }
                    b'[' | b'{' => depth += 1,
                    b']' | b'}' => {
                        depth -= 1;
                        if depth == 0 {
                            return at + 1;
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
            text.len()
        }
        _ => text.iter().position(|&byte| is_blank(byte) || byte == b',').unwrap_or(text.len()),
    }
}

/// The length in bytes of the string that the text starts with, both quotes included.
fn string(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

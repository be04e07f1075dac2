//! The arguments of a tool call as models really send them, before anything is checked (spec-format, "phone").

use std::fmt;

use super::escape::unescape;
use super::scan::{Members, Scanner, Syntax};

/// Why the arguments are no call at all.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The character where it was found, counted from 1.
    pub at: usize,
}

/// What is wrong with arguments that are no call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FaultKind {
    /// They do not parse whole.
    NotJson,
    /// They are JSON, but no object.
    NotAnObject,
    /// They hold a number beyond a 64-bit float.
    NumberTooLarge,
    /// They hold half of a surrogate pair.
    LoneSurrogate,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FaultKind::NotJson => "not whole JSON",
            FaultKind::NotAnObject => "not a JSON object",
            FaultKind::NumberTooLarge => "a number beyond a 64-bit float",
            FaultKind::LoneSurrogate => "half of a surrogate pair",
        };
        write!(f, "{what} at character {}", self.at)
    }
}

/// How often a JSON string that holds JSON is unwrapped.
const LAYERS: u8 = 3;

/// What one set of arguments is, or one of several objects that stand one after another in it.
pub type Read<'m, 'a, const N: usize> = Result<&'m Members<'a, N>, Fault>;

/// Reads arguments from bytes and hands out the members of every object in them.
///
/// Empty, blank and `null` arguments are one object without members; a JSON string that holds JSON is unwrapped; several
/// objects one after another are that many. Arguments that do not parse whole are one fault, whatever stands before
/// the place.
///
/// `slot` gives the index of a key that is of interest.
pub fn read<const N: usize>(
    arguments: &[u8],
    slot: impl Fn(&str) -> Option<usize> + Copy,
    each: &mut impl FnMut(Read<'_, '_, N>),
) {
    match std::str::from_utf8(arguments) {
        Ok(text) => {
            if let Err(fault) = layer(text, LAYERS, slot, each) {
                each(Err(fault));
            }
        }
        Err(error) => {
            let valid = String::from_utf8_lossy(&arguments[..error.valid_up_to()]);
            each(Err(Fault { kind: FaultKind::NotJson, at: valid.chars().count() + 1 }));
        }
    }
}

/// As [`read`], from arguments that are parsed already and are no object.
pub fn read_parsed<const N: usize>(
    arguments: &serde_json::Value,
    slot: impl Fn(&str) -> Option<usize> + Copy,
    each: &mut impl FnMut(Read<'_, '_, N>),
) {
    match arguments {
        serde_json::Value::Null => each(Ok(&Members::empty())),
        serde_json::Value::String(text) => {
            if let Err(fault) = string(text, LAYERS, slot, each) {
                each(Err(fault));
            }
        }
        _ => each(Err(NO_OBJECT)),
    }
}

const NO_OBJECT: Fault = Fault { kind: FaultKind::NotAnObject, at: 1 };

/// Reads one layer. An error is that of the whole layer, and nothing was handed out.
fn layer<const N: usize>(
    text: &str,
    layers: u8,
    slot: impl Fn(&str) -> Option<usize> + Copy,
    each: &mut impl FnMut(Read<'_, '_, N>),
) -> Result<(), Fault> {
    let mut scanner = Scanner::new(text);
    let fault = |syntax: Syntax| Fault { kind: FaultKind::NotJson, at: character(text, syntax.at) };
    match scanner.peek() {
        Some(b'{') => {
            let mut first = Members::empty();
            scanner.members(slot, &mut first).map_err(fault)?;
            if scanner.peek().is_none() {
                each(whole(text, &first));
            } else {
                objects(text, scanner, first, slot, each)?;
            }
            Ok(())
        }
        None => {
            each(Ok(&Members::empty()));
            Ok(())
        }
        Some(_) if text.trim().is_empty() => {
            each(Ok(&Members::empty()));
            Ok(())
        }
        Some(opener) => {
            let raw = scanner.value().map_err(fault)?;
            scanner.end().map_err(fault)?;
            match opener {
                b'n' => {
                    each(Ok(&Members::empty()));
                    Ok(())
                }
                b'"' => match scanner.spoiled() {
                    Some(spoiled) => Err(Fault { kind: spoiled.kind, at: character(text, spoiled.at) }),
                    None => string(&unescape(raw.inside()), layers, slot, each),
                },
                _ => Err(Fault { kind: FaultKind::NotAnObject, at: character(text, scanner.start()) }),
            }
        }
    }
}

/// A JSON string: the arguments it holds, or no object.
fn string<const N: usize>(
    held: &str,
    layers: u8,
    slot: impl Fn(&str) -> Option<usize> + Copy,
    each: &mut impl FnMut(Read<'_, '_, N>),
) -> Result<(), Fault> {
    let Some(layers) = layers.checked_sub(1) else { return Err(NO_OBJECT) };
    layer(held, layers, slot, each).map_err(|fault| match fault.kind {
        FaultKind::NotJson => NO_OBJECT,
        _ => fault,
    })
}

/// Several objects one after another: each its own, unless the text does not parse whole.
fn objects<'a, const N: usize>(
    text: &'a str,
    mut scanner: Scanner<'a>,
    first: Members<'a, N>,
    slot: impl Fn(&str) -> Option<usize> + Copy,
    each: &mut impl FnMut(Read<'_, '_, N>),
) -> Result<(), Fault> {
    let mut all = vec![first];
    while scanner.peek().is_some() {
        let mut next = Members::empty();
        let scanned = scanner.members(slot, &mut next);
        scanned.map_err(|syntax| Fault { kind: FaultKind::NotJson, at: character(text, syntax.at) })?;
        all.push(next);
    }
    for members in &all {
        each(whole(text, members));
    }
    Ok(())
}

fn whole<'m, 'a, const N: usize>(text: &str, members: &'m Members<'a, N>) -> Read<'m, 'a, N> {
    match members.spoiled {
        Some(spoiled) => Err(Fault { kind: spoiled.kind, at: character(text, spoiled.at) }),
        None => Ok(members),
    }
}

/// The number, from 1, of the character at a byte.
fn character(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count() + 1
}

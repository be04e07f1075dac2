//! Other people's words: what looks like a marker in them is no marker, and must not become one.

use std::borrow::Cow;

use super::MAX_CHARS;
use super::delimiter::{Delimiter, folded, is_blank};
use super::find;
use super::tables::{delimiter, step, whole};

/// What the person, a tool or a page says, before a model reads it: the delimiters of everything that a companion could
/// repeat as a marker become round brackets. Code and quotes make no difference here, since they may be left out when it
/// is repeated.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut kept, mut from) = (0, 0);
    while let Some(start) = find::opener(text, from) {
        let Some(character) = text[start..].chars().next() else { break };
        from = start + character.len_utf8();
        let Delimiter::Open(pair) = delimiter(character) else { continue };
        let Some(named) = name(&text[from..]) else { continue };
        out.push_str(&text[kept..start]);
        out.push('(');
        kept = from;
        if let Some((close, behind)) = closer(&text[from + named..], pair) {
            let (close, behind) = (from + named + close, from + named + behind);
            // What stands between may hold further ones.
            out.push_str(&harmless(&text[kept..close]));
            out.push(')');
            (kept, from) = (behind, behind);
        }
    }
    if out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// How many bytes a name has that a colon, a closer or the end follows, blanks too; none where there is no such name.
fn name(text: &str) -> Option<usize> {
    let mut states = 0;
    let mut blank = false;
    let mut free = true;
    for (at, character) in text.char_indices().take(MAX_CHARS) {
        if is_blank(character) {
            blank = !free;
            continue;
        }
        let letter = folded(character);
        let closes = matches!(delimiter(character), Delimiter::Close(_));
        if whole(states).is_some() && (closes || letter == ':' && step(states, ':').is_none()) {
            return Some(at);
        }
        let from = if blank && letter != ':' { step(states, ' ')? } else { states };
        states = step(from, letter)?;
        (blank, free) = (false, letter == ':');
    }
    whole(states).map(|_| text.len().min(text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(at, _)| at)))
}

/// Where the closer stands that ends what an opener of this pair began, and what is behind it: the first of the pair on the
/// line, or else the first of any.
fn closer(text: &str, pair: u8) -> Option<(usize, usize)> {
    let mut other = None;
    for (at, character) in text.char_indices().take(MAX_CHARS) {
        match delimiter(character) {
            Delimiter::Close(own) if own == pair => return Some((at, at + character.len_utf8())),
            Delimiter::Close(_) => drop(other.get_or_insert((at, at + character.len_utf8()))),
            _ if character == '\n' => break,
            _ => {}
        }
    }
    other
}

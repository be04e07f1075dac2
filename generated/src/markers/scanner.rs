//! The push parser: pieces of a reply in, text and markers out.

use super::Event;
use super::candidate::{Candidate, Verdict};
use super::delimiter::{Delimiter, is_blank};
use super::fence::Fence;
use super::find::{self, Classes};
use super::tables::delimiter;

/// How many bytes are added at a time to what is held back: more than a marker that is decided soon still needs.
const STEP: usize = 256;

/// Takes a reply in pieces.
///
/// It holds back what may still become part of a marker, from its opener on, and nothing else: never more than
/// [`MAX_CHARS`](super::MAX_CHARS) characters and the one behind. Its work is linear in the length of the reply.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    fence: Fence,
    /// Whether the last character read is a backtick.
    ticked: bool,
    shown: Shown,
    scar: Scar,
    /// What is held back; it begins with an opener.
    held: String,
    candidate: Option<Candidate>,
}

/// What the text shown so far ends in.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Shown {
    /// Nothing yet, or a line break.
    #[default]
    Line,
    /// A space or a tab.
    Blank,
    Other,
}

/// What a marker leaves to be taken away behind it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Scar {
    #[default]
    None,
    /// Spaces, tabs and carriage returns, and one line break.
    Line,
    /// Spaces and tabs.
    Blanks,
}

impl Scanner {
    /// A scanner at the beginning of a reply.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a piece and hands out what is decided by it.
    #[inline]
    pub fn push(&mut self, piece: &str, each: &mut impl FnMut(Event<'_>)) {
        if self.held.is_empty() && self.scar == Scar::None && piece.len() <= find::SHORT {
            let classes = Classes::of(piece);
            // Most pieces of a stream are a word or two, and no opener in them.
            if !classes.may_open() || find::opener(piece, 0).is_none() {
                let Some(&last) = piece.as_bytes().last() else { return };
                if classes.breaks() || !self.fence.rests() {
                    self.fence.read(piece);
                }
                self.ticked = last == b'`';
                self.shown = shown(last);
                return each(Event::Text(piece));
            }
        }
        self.push_any(piece, each);
    }

    /// Ends the reply: what is held back turns out to be a marker, text, or the beginning of a marker that was cut off.
    pub fn finish(mut self, each: &mut impl FnMut(Event<'_>)) {
        let held = std::mem::take(&mut self.held);
        self.scan(&held, true, each);
    }

    /// Reads a whole reply.
    pub(super) fn whole(reply: &str, each: &mut impl FnMut(Event<'_>)) {
        Self::new().scan(reply, true, each);
    }

    /// How many bytes are held back.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.len()
    }

    fn push_any(&mut self, piece: &str, each: &mut impl FnMut(Event<'_>)) {
        let mut rest = piece;
        while !rest.is_empty() && !self.held.is_empty() {
            let cut = rest.floor_char_boundary(STEP);
            let mut held = std::mem::take(&mut self.held);
            held.push_str(&rest[..cut]);
            rest = &rest[cut..];
            let done = self.scan(&held, false, each);
            held.drain(..done);
            self.held = held;
        }
        if !rest.is_empty() {
            let done = self.scan(rest, false, each);
            self.held.push_str(&rest[done..]);
        }
    }

    /// Reads what is held back and what has come behind it; gives how many bytes are decided. `last` says that nothing
    /// follows.
    fn scan(&mut self, text: &str, last: bool, each: &mut impl FnMut(Event<'_>)) -> usize {
        // Shown up to here; known to the fence up to here; searched up to here.
        let (mut plain, mut fenced, mut from) = (0, 0, 0);
        let mut held = self.candidate.take();
        while let Some((start, length, mut candidate)) = self.opened(text, from, held.take()) {
            let behind = start + length;
            let verdict = candidate.read(&text[start..], last);
            if verdict == Verdict::Text {
                from = behind;
                continue;
            }
            self.fence.read(&text[fenced..start]);
            fenced = start;
            if self.fence.inside() {
                from = behind;
                continue;
            }
            match verdict {
                Verdict::Text => {}
                Verdict::Quoted(length) => from = start + length,
                Verdict::Open => {
                    self.show(&text[plain..start], each);
                    self.candidate = Some(candidate);
                    return start;
                }
                Verdict::Marker { kind, argument, behind } => {
                    self.show(&text[plain..start], each);
                    let argument = kind.argument().map(|_| text[start..][argument].trim_matches(is_blank));
                    each(Event::Marker { kind, argument });
                    self.scar = match self.shown {
                        Shown::Line => Scar::Line,
                        Shown::Blank => Scar::Blanks,
                        Shown::Other => Scar::None,
                    };
                    from = start + behind;
                    plain = from;
                }
                Verdict::Cut => {
                    self.show(&text[plain..start], each);
                    return text.len();
                }
            }
        }
        self.show(&text[plain..], each);
        if !last {
            self.fence.read(&text[fenced..]);
            self.ticked = text.as_bytes().last().map_or(self.ticked, |last| *last == b'`');
        }
        text.len()
    }

    /// The next opener, how long it is, and what it has begun: what was held back, where there is something.
    #[inline]
    fn opened(&self, text: &str, from: usize, held: Option<Candidate>) -> Option<(usize, usize, Candidate)> {
        if let Some(candidate) = held {
            let length = text.chars().next().map_or(0, char::len_utf8);
            return Some((0, length, candidate));
        }
        let mut from = from;
        loop {
            let start = find::opener(text, from)?;
            let character = text[start..].chars().next()?;
            let length = character.len_utf8();
            if let Delimiter::Open(pair) = delimiter(character) {
                let ticked = match start.checked_sub(1) {
                    Some(before) => text.as_bytes()[before] == b'`',
                    None => self.ticked,
                };
                return Some((start, length, Candidate::new(pair, length, ticked)));
            }
            from = start + length;
        }
    }

    /// Hands out text, without what a marker before it takes away.
    fn show(&mut self, text: &str, each: &mut impl FnMut(Event<'_>)) {
        let text = match self.scar {
            Scar::None => text,
            Scar::Blanks => text.trim_start_matches(is_blank),
            Scar::Line => text.trim_start_matches([' ', '\t', '\r']),
        };
        let Some(&first) = text.as_bytes().first() else { return };
        let text = if self.scar == Scar::Line && first == b'\n' { &text[1..] } else { text };
        self.scar = Scar::None;
        if let Some(&last) = text.as_bytes().last() {
            self.shown = shown(last);
            each(Event::Text(text));
        }
    }
}

#[inline]
fn shown(last: u8) -> Shown {
    match last {
        b'\n' => Shown::Line,
        b' ' | b'\t' => Shown::Blank,
        _ => Shown::Other,
    }
}

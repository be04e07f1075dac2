//! What an opener has begun: a marker, plain text, or not known yet.

use std::ops::Range;

use super::delimiter::{Delimiter, folded, is_blank};
use super::tables::{LACKS, LINK, delimiter, step, whole};
use super::{Kind, MAX_CHARS};

/// What may become a marker. It reads on where it stopped, so that no character is looked at twice.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The pair that the opener is of.
    pair: u8,
    /// Whether a backtick stands before the opener.
    ticked: bool,
    /// How many bytes were read, the opener too.
    at: usize,
    /// How many characters that were.
    chars: usize,
    part: Part,
}

/// What is being read.
#[derive(Clone, Debug)]
enum Part {
    Name {
        state: u16,
        gap: Gap,
    },
    Argument {
        kind: Kind,
        begins: usize,
        other: Option<End>,
        reopened: bool,
    },
    /// The end is found, and the character behind it decides.
    Behind {
        kind: Kind,
        argument: Range<usize>,
        end: End,
    },
}

/// What stands before the next character of a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Gap {
    /// A character of the name.
    None,
    /// One space, which may be the name's own.
    One,
    /// Blanks that are none of the name's.
    Many,
    /// The opener or a colon, behind which blanks may stand.
    Free,
}

/// A closer that ends the marker.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct End {
    pair: u8,
    start: usize,
    behind: usize,
}

/// What became of an opener. Places are bytes from it on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Verdict {
    /// More has to come.
    Open,
    /// The opener is text, and so may be what follows.
    Text,
    /// Text up to here, whatever is in it: quoted, or a link.
    Quoted(usize),
    /// A marker.
    Marker { kind: Kind, argument: Range<usize>, behind: usize },
    /// The reply ended inside a marker.
    Cut,
}

impl Candidate {
    /// Begins behind an opener of so many bytes.
    pub(super) fn new(pair: u8, length: usize, ticked: bool) -> Self {
        Self { pair, ticked, at: length, chars: 1, part: Part::Name { state: 0, gap: Gap::Free } }
    }

    /// Reads on. `text` begins with the opener and has grown at its end since the last time; `last` says that it is all.
    pub(super) fn read(&mut self, text: &str, last: bool) -> Verdict {
        loop {
            if let Part::Behind { kind, argument, end } = &self.part {
                return self.judge(*kind, argument, *end, text, last);
            }
            let Some(character) = text[self.at..].chars().next() else {
                if !last {
                    return Verdict::Open;
                }
                match self.part {
                    Part::Name { state, .. } if whole(state).is_some() => return Verdict::Cut,
                    Part::Name { .. } => return Verdict::Text,
                    Part::Argument { other: None, .. } => return Verdict::Cut,
                    _ => {}
                }
                self.settle();
                continue;
            };
            let start = self.at;
            self.at += character.len_utf8();
            self.chars += 1;
            let goes_on = match self.part {
                Part::Name { state, gap } => self.name(state, gap, character, start),
                _ => self.argument(character, start),
            };
            if !goes_on {
                return Verdict::Text;
            }
        }
    }

    /// One character of the name, or what ends it; false where it is none.
    fn name(&mut self, state: u16, gap: Gap, character: char, start: usize) -> bool {
        let known = whole(state);
        let (state, gap) = if is_blank(character) {
            let ends = known.is_some() || step(state, ':').is_some();
            match gap {
                Gap::Free => (state, Gap::Free),
                Gap::None if character == ' ' && step(state, ' ').is_some() => (state, Gap::One),
                _ if ends => (state, Gap::Many),
                _ => return false,
            }
        } else if let Delimiter::Close(pair) = delimiter(character) {
            let Some(kind) = known else { return false };
            self.part =
                Part::Behind { kind, argument: start..start, end: End { pair, start, behind: self.at } };
            return true;
        } else {
            match (folded(character), gap) {
                (':', _) => match (step(state, ':'), known) {
                    (Some(next), _) => (next, Gap::Free),
                    (None, Some(kind)) => {
                        self.part = Part::Argument { kind, begins: self.at, other: None, reopened: false };
                        return self.chars < MAX_CHARS;
                    }
                    (None, None) => return false,
                },
                (_, Gap::Many) => return false,
                (letter, gap) => {
                    let from = if gap == Gap::One { step(state, ' ') } else { Some(state) };
                    let Some(next) = from.and_then(|from| step(from, letter)) else { return false };
                    (next, Gap::None)
                }
            }
        };
        self.part = Part::Name { state, gap };
        // What the name lacks, and the closer.
        let lacks = match (gap, whole(state), step(state, ':')) {
            (Gap::Many, None, Some(next)) => LACKS[usize::from(next)] + 1,
            _ => LACKS[usize::from(state)],
        };
        self.chars + lacks < MAX_CHARS
    }

    /// One character of the argument, or what ends it; false where there is no marker.
    fn argument(&mut self, character: char, start: usize) -> bool {
        let Part::Argument { kind, begins, other, reopened } = &mut self.part else { return false };
        let behind = self.at;
        let settled = match delimiter(character) {
            Delimiter::Close(pair) if pair == self.pair => {
                if *reopened {
                    return false;
                }
                let (kind, argument) = (*kind, *begins..start);
                self.part = Part::Behind { kind, argument, end: End { pair, start, behind } };
                return true;
            }
            Delimiter::Close(pair) => {
                if other.is_none() {
                    // Whatever the end will be, it comes behind the other opener.
                    if *reopened {
                        return false;
                    }
                    *other = Some(End { pair, start, behind });
                }
                false
            }
            Delimiter::Open(pair) if pair == self.pair => {
                *reopened = true;
                false
            }
            _ => character == '\n',
        };
        if settled || self.chars >= MAX_CHARS {
            return self.settle();
        }
        true
    }

    /// No closer of the own pair comes: the first of another one is the end; false where there is none.
    fn settle(&mut self) -> bool {
        let Part::Argument { kind, begins, other: Some(end), .. } = self.part else { return false };
        self.part = Part::Behind { kind, argument: begins..end.start, end };
        true
    }

    /// Whether what is whole is a marker, or only shown like one.
    fn judge(&self, kind: Kind, argument: &Range<usize>, end: End, text: &str, last: bool) -> Verdict {
        let link = LINK == Some(self.pair) && end.pair == self.pair;
        if self.ticked || link {
            match text.as_bytes().get(end.behind) {
                Some(b'`') if self.ticked => return Verdict::Quoted(end.behind),
                Some(b'(') if link => return Verdict::Quoted(end.behind),
                None if !last => return Verdict::Open,
                _ => {}
            }
        }
        Verdict::Marker { kind, argument: argument.clone(), behind: end.behind }
    }
}

//! Looking for the few bytes that matter, many places at a time: conditions without branches over blocks of fixed size,
//! which the compiler turns into vector instructions.

use super::tables::{ALONE, BREAK, CLASSES, FIRST, LAST, may_open};

/// How many places are looked at in one go.
const BLOCK: usize = 32;
/// An opener has at most so many bytes.
const OPENER: usize = 4;

/// The first place from `from` on where an opener may begin.
#[inline(never)]
pub(super) fn opener(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<{ BLOCK + OPENER - 1 }>) {
        if block_may_open(window) {
            return first_in_block(window).map(|found| at + found);
        }
        at += BLOCK;
    }
    let rest = bytes.get(at..)?;
    let byte = |at: usize| rest.get(at).copied().unwrap_or(0);
    let begins = |at: &usize| {
        let may = |&byte: &u8| CLASSES[usize::from(byte)] & (ALONE | FIRST) != 0;
        rest.get(*at).is_some_and(may) && may_open([byte(*at), byte(at + 1), byte(at + 2), byte(at + 3)]) != 0
    };
    (0..rest.len()).find(begins).map(|found| at + found)
}

#[inline(always)]
fn block_may_open(window: &[u8; BLOCK + OPENER - 1]) -> bool {
    let mut found = 0;
    for i in 0..BLOCK {
        found |= may_open([window[i], window[i + 1], window[i + 2], window[i + 3]]);
    }
    found != 0
}

fn first_in_block(window: &[u8; BLOCK + OPENER - 1]) -> Option<usize> {
    let mut found = [0; BLOCK];
    for (i, found) in found.iter_mut().enumerate() {
        *found = may_open([window[i], window[i + 1], window[i + 2], window[i + 3]]);
    }
    // Eight places at a time: the lowest byte that is not 0 is the first.
    let (words, _) = found.as_chunks::<8>();
    let mut words = words.iter().map(|word| u64::from_le_bytes(*word)).enumerate();
    let (number, word) = words.find(|(_, word)| *word != 0)?;
    Some(number * 8 + usize::try_from(word.trailing_zeros() / 8).unwrap_or(0))
}

/// Pieces of more bytes are looked at in blocks.
pub(super) const SHORT: usize = 64;

/// What there is in a short piece, as far as its bytes can say it one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classes(u8);

impl Classes {
    /// Looks at every byte once.
    #[inline]
    pub(super) fn of(piece: &str) -> Self {
        Self(piece.bytes().fold(0, |classes, byte| classes | CLASSES[usize::from(byte)]))
    }

    /// Whether there may be an opener: bytes of two characters can look like one opener's.
    #[inline]
    pub(super) fn may_open(self) -> bool {
        self.0 & ALONE != 0 || self.0 & (FIRST | LAST) == FIRST | LAST
    }

    /// Whether there is a line break.
    #[inline]
    pub(super) fn breaks(self) -> bool {
        self.0 & BREAK != 0
    }
}

/// Whether there is a mark that fences are made of.
pub(super) fn has_mark(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mark = |found: bool, byte: &u8| found | (*byte == b'`') | (*byte == b'~');
    blocks.iter().any(|block| block.iter().fold(false, mark)) || rest.iter().fold(false, mark)
}

/// The first line break.
#[inline]
pub(super) fn line_break(bytes: &[u8]) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let found =
        blocks.iter().position(|block| block.iter().fold(false, |found, byte| found | (*byte == b'\n')));
    let (start, block) = match found {
        Some(found) => (found * BLOCK, &blocks[found][..]),
        None => (blocks.len() * BLOCK, rest),
    };
    block.iter().position(|byte| *byte == b'\n').map(|at| start + at)
}

/// The last line break.
pub(super) fn last_line_break(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| *byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_and_line_breaks_are_found_wherever_they_stand() {
        for length in 0..70 {
            for filler in ["x", "\u{4e2d}", "\u{201c}"] {
                let text = filler.repeat(length);
                assert!(!Classes::of(&text).may_open() && opener(&text, 0).is_none(), "{length} of {filler}");
                for (at, _) in text.char_indices() {
                    for (open, _) in crate::markers::DELIMITERS {
                        let text = format!("{}{open}{}", &text[..at], &text[at..]);
                        assert!(Classes::of(&text).may_open() && !Classes::of(&text).breaks(), "{text}");
                        assert_eq!(opener(&text, 0), Some(at), "{text}");
                        assert_eq!(opener(&text, at + 1), None, "{text}");
                    }
                    assert!(Classes::of(&format!("{}\n{}", &text[..at], &text[at..])).breaks());
                }
            }
        }
    }

    #[test]
    fn line_breaks_and_marks_are_found() {
        for length in 0..70 {
            let mut bytes = vec![b'x'; length];
            assert!(line_break(&bytes).is_none() && last_line_break(&bytes).is_none() && !has_mark(&bytes));
            for at in 0..length {
                bytes[at] = b'\n';
                assert_eq!((line_break(&bytes), last_line_break(&bytes)), (Some(at), Some(at)));
                bytes[at] = b'~';
                assert!(has_mark(&bytes));
                bytes[at] = b'x';
            }
        }
    }
}

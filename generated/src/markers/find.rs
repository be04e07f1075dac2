//! Looking for the few bytes that matter, many places at a time: conditions without branches over blocks of fixed size,
//! which the compiler turns into vector instructions.

use super::tables::may_open;

/// How many places are looked at in one go.
const BLOCK: usize = 32;
/// An opener has at most so many bytes.
const OPENER: usize = 4;

/// The first place from `from` on where an opener may begin.
#[inline]
pub(super) fn opener(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<{ BLOCK + OPENER - 1 }>) {
        if block_may_open(window) {
            let found =
                (0..BLOCK).find(|&i| may_open([window[i], window[i + 1], window[i + 2], window[i + 3]]));
            return found.map(|found| at + found);
        }
        at += BLOCK;
    }
    let rest = &bytes[at.min(bytes.len())..];
    let byte = |at: usize| rest.get(at).copied().unwrap_or(0);
    let found = (0..rest.len()).find(|&i| may_open([byte(i), byte(i + 1), byte(i + 2), byte(i + 3)]));
    found.map(|found| at + found)
}

#[inline(always)]
fn block_may_open(window: &[u8; BLOCK + OPENER - 1]) -> bool {
    let mut found = false;
    for i in 0..BLOCK {
        found |= may_open([window[i], window[i + 1], window[i + 2], window[i + 3]]);
    }
    found
}

/// Whether a piece has neither an opener nor a line break. Most pieces of a stream are a word or two: sixteen bytes are
/// looked at in one go, whatever their number is.
#[inline]
pub(super) fn is_plain(piece: &str) -> bool {
    let mut rest = piece.as_bytes();
    while rest.len() > WORD {
        if !word_is_plain(word(&rest[..WORD])) {
            return false;
        }
        // An opener may stand across the end of what was looked at.
        rest = &rest[WORD - (OPENER - 1)..];
    }
    word_is_plain(word(rest))
}

/// How many bytes a word of [`is_plain`] has.
const WORD: usize = 16;

/// At most sixteen bytes, with zeros behind them.
#[inline(always)]
fn word(bytes: &[u8]) -> u128 {
    let length = bytes.len();
    // Two halves that overlap, the second shifted to its place.
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return u128::from(first) | (u128::from(last) << (8 * (length - 8)));
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u128::from(u64::from(first) | (u64::from(last) << (8 * (length - 4))));
    }
    bytes.iter().rev().fold(0, |word, byte| (word << 8) | u128::from(*byte))
}

#[inline(always)]
fn word_is_plain(word: u128) -> bool {
    let ahead = |by: u32| (word >> (8 * by)).to_le_bytes();
    let (a, b, c, d) = (ahead(0), ahead(1), ahead(2), ahead(3));
    let mut found = false;
    for i in 0..WORD {
        found |= (a[i] == b'\n') | may_open([a[i], b[i], c[i], d[i]]);
    }
    !found
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
            for filler in ["x", "\u{3002}", "\u{201c}"] {
                let text = filler.repeat(length);
                assert!(is_plain(&text) && opener(&text, 0).is_none(), "{length} of {filler}");
                for (at, _) in text.char_indices() {
                    for found in ["\u{27ea}", "\u{300a}", "\u{3010}", "["] {
                        let text = format!("{}{found}{}", &text[..at], &text[at..]);
                        assert!(!is_plain(&text), "{text}");
                        assert_eq!(opener(&text, 0), Some(at), "{text}");
                        assert_eq!(opener(&text, at + 1), None, "{text}");
                    }
                    assert!(!is_plain(&format!("{}\n{}", &text[..at], &text[at..])));
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

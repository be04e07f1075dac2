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

/// Whether a piece has neither an opener nor a line break.
#[inline]
pub(super) fn is_plain(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let mut found = false;
    for (i, &byte) in bytes.iter().enumerate() {
        let behind = |by: usize| bytes.get(i + by).copied().unwrap_or(0);
        found |= (byte == b'\n') | may_open([byte, behind(1), behind(2), behind(3)]);
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

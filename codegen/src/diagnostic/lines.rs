//! From bytes to lines and columns.

/// After so many bytes the characters before are counted once and for all.
const STEP: usize = 1024;

/// A place as an editor counts it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// How many characters begin before each multiple of [`STEP`] bytes, so that a column far into a line costs no walk
    /// through the line.
    counts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds them in one walk.
    pub fn new(text: &'a str) -> Self {
        let behind_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut sum = 0;
        let counts = text.as_bytes().chunks(STEP).map(|chunk| {
            let before = sum;
            sum += beginning(chunk);
            before
        });
        let counts = counts.collect();
        Self { text, starts: std::iter::once(0).chain(behind_breaks).collect(), counts }
    }

    /// The line and column of a byte; of the nearest before it, where that is none of the text's.
    pub fn position(&self, byte: usize) -> Position {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.index(byte);
        let start = self.starts.get(line).copied().unwrap_or(0);
        Position { line: line + 1, column: self.characters(byte) - self.characters(start) + 1 }
    }

    /// The text whose lines these are.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The line that holds a byte, from 0.
    pub(super) fn index(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    /// From the first byte of a line (from 0) up to its line break.
    pub(super) fn bytes(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        start..end
    }

    /// How many characters begin before a byte.
    fn characters(&self, byte: usize) -> usize {
        let chunk = byte / STEP;
        let Some(&before) = self.counts.get(chunk) else {
            // Behind the last chunk: the end of a text of whole chunks.
            return self.counts.last().map_or(0, |last| {
                last + beginning(&self.text.as_bytes()[(self.counts.len() - 1) * STEP..byte])
            });
        };
        before + beginning(&self.text.as_bytes()[chunk * STEP..byte])
    }
}

/// How many characters begin in these bytes.
fn beginning(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::{Lines, Position};

    #[test]
    fn columns_count_characters() {
        let lines = Lines::new("a\n⟪拨号⟫ x\n");
        assert_eq!(lines.position(0), Position { line: 1, column: 1 });
        assert_eq!(lines.position(2), Position { line: 2, column: 1 });
        assert_eq!(lines.position("a\n⟪拨号⟫ ".len()), Position { line: 2, column: 6 });
        assert_eq!(lines.position(3), Position { line: 2, column: 1 });
        assert_eq!(lines.position(99), Position { line: 3, column: 1 });
        assert_eq!(Lines::new("").position(0), Position { line: 1, column: 1 });
    }

    #[test]
    fn columns_of_long_lines_are_counted_alike() {
        let text = format!("{}\n{}", "号".repeat(700), "aé".repeat(1365) + "b");
        let lines = Lines::new(&text);
        for (at, _) in text.char_indices() {
            let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
            assert_eq!(lines.position(at).column, text[start..at].chars().count() + 1);
        }
        for length in [1024, 2048, 2049] {
            assert_eq!(Lines::new(&"x".repeat(length)).position(length).column, length + 1);
        }
    }
}

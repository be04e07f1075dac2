//! From bytes to lines and columns.

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
}

impl<'a> Lines<'a> {
    /// Finds them in one walk.
    pub fn new(text: &'a str) -> Self {
        let behind_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(behind_breaks).collect() }
    }

    /// The line and column of a byte; of the nearest before it, where that is none of the text's.
    pub fn position(&self, byte: usize) -> Position {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.starts.partition_point(|&start| start <= byte);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        Position { line, column: self.text[start..byte].chars().count() + 1 }
    }
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
}

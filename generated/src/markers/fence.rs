//! Fenced code, judged on the raw text of a reply, line by line.

use super::find;

/// The most spaces before a fence.
const MOST_INDENT: u8 = 3;
/// The fewest marks of a fence.
const LEAST_MARKS: usize = 3;
/// Text of more bytes is worth a look for marks before its lines are walked.
const LONG: usize = 64;

/// Where the text stands.
#[derive(Clone, Debug)]
pub(super) struct Fence {
    /// The fence that is open: its mark, and how many of it.
    open: Option<(u8, usize)>,
    line: Line,
}

/// The line so far.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Line {
    /// Spaces alone.
    Indent(u8),
    /// Marks, so many.
    Marks(u8, usize),
    /// Marks that close the open fence, if only blanks follow.
    Closing,
    /// No fence, whatever follows.
    Other,
}

impl Default for Fence {
    fn default() -> Self {
        Self { open: None, line: Line::Indent(0) }
    }
}

impl Fence {
    /// Whether what follows is code.
    pub(super) fn inside(&self) -> bool {
        self.open.is_some() || matches!(self.line, Line::Marks(_, count) if count >= LEAST_MARKS)
    }

    /// Whether text without a line break changes nothing.
    #[inline]
    pub(super) fn rests(&self) -> bool {
        self.line == Line::Other
    }

    /// Reads on.
    pub(super) fn read(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        if rest.len() > LONG
            && !find::has_mark(rest)
            && let Some(last) = find::last_line_break(rest)
        {
            // Without a mark no line of it is a fence but the one that stands, and only the last goes on.
            for &byte in rest {
                if self.line == Line::Other {
                    break;
                }
                self.byte(byte);
                if byte == b'\n' {
                    break;
                }
            }
            self.line = Line::Indent(0);
            rest = &rest[last + 1..];
        }
        while !rest.is_empty() {
            if self.line == Line::Other {
                let Some(end) = find::line_break(rest) else { return };
                rest = &rest[end + 1..];
                self.line = Line::Indent(0);
            } else {
                self.byte(rest[0]);
                rest = &rest[1..];
            }
        }
    }

    fn byte(&mut self, byte: u8) {
        if byte == b'\n' {
            self.end_line();
            return;
        }
        self.line = match (self.line, byte) {
            (Line::Indent(count), b' ') if count < MOST_INDENT => Line::Indent(count + 1),
            (Line::Indent(_), b'`' | b'~') => Line::Marks(byte, 1),
            (Line::Marks(mark, count), _) if byte == mark => Line::Marks(mark, count + 1),
            (Line::Marks(..) | Line::Closing, b' ' | b'\t' | b'\r') if self.closes() => Line::Closing,
            (Line::Marks(mark, count), _) => {
                self.opens(mark, count);
                Line::Other
            }
            _ => Line::Other,
        };
    }

    /// Whether the line so far closes the open fence.
    fn closes(&self) -> bool {
        match (self.open, self.line) {
            (Some((open, least)), Line::Marks(mark, count)) => open == mark && count >= least,
            (Some(_), Line::Closing) => true,
            _ => false,
        }
    }

    fn opens(&mut self, mark: u8, count: usize) {
        if self.open.is_none() && count >= LEAST_MARKS {
            self.open = Some((mark, count));
        }
    }

    fn end_line(&mut self) {
        if self.closes() {
            self.open = None;
        } else if let Line::Marks(mark, count) = self.line {
            self.opens(mark, count);
        }
        self.line = Line::Indent(0);
    }
}

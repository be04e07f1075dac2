//! Where a piece ends.

use super::abbreviations::{Point, point};
use super::spoken::Heard;
use super::{Piece, glyphs};

/// How far back a word is looked at, in characters: an address is known by its beginning.
const WORD: usize = 200;

/// Marks that may end a sentence, with what closes behind them.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    /// Behind the last of it.
    end: usize,
    /// Something closed in it: a quote, a bracket.
    closed: bool,
    /// A blank came behind it.
    blank: bool,
}

/// Ends a piece where it is certain that a sentence ended: at what follows its marks.
pub(super) struct Cutter {
    limit: usize,
    /// The piece so far: each character, and where the shown text stands behind it.
    chars: Vec<(char, usize)>,
    run: Option<Run>,
    /// There is something in it that a voice can say.
    speakable: bool,
    /// Its first letter is a small one: the writer begins sentences so.
    small: Option<bool>,
    /// A `"` is open.
    quoted: bool,
    /// Behind the last mark between clauses.
    clause: usize,
    /// Before the last blank.
    blank: usize,
}

impl Cutter {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            chars: Vec::new(),
            run: None,
            speakable: false,
            small: None,
            quoted: false,
            clause: 0,
            blank: 0,
        }
    }

    pub(super) fn take(&mut self, heard: Heard, pieces: &mut impl FnMut(Piece)) {
        let (c, to) = match heard {
            Heard::Char(c, to) => (c, to),
            Heard::Reaches(to) => {
                if let Some((_, last)) = self.chars.last_mut() {
                    *last = to;
                }
                return;
            }
        };
        if c == '\n' {
            self.note(c, to);
            if self.speakable {
                self.give(self.chars.len(), pieces);
            }
            self.run = None;
            return;
        }
        self.meet(c, pieces);
        self.note(c, to);
        // A blank waits for what follows it, and a part may be a single mark: what is left may be too long as well.
        while self.chars.len() > self.limit && !c.is_whitespace() {
            self.give_part(pieces);
        }
    }

    /// What `c` says about the marks before it.
    fn meet(&mut self, c: char, pieces: &mut impl FnMut(Piece)) {
        let Some(run) = &mut self.run else { return };
        let next = self.chars.len() + 1;
        if !run.blank {
            if glyphs::ends(c) || matches!(c, '~' | '～') {
                run.end = next;
                return;
            }
            if glyphs::closes(c) && (c != '"' || self.quoted) {
                (run.end, run.closed) = (next, true);
                return;
            }
            if c == ' ' {
                run.blank = true;
                return;
            }
        }
        let run = *run;
        self.run = None;
        if self.speakable && self.is_over(run, c) {
            self.give(run.end, pieces);
        }
    }

    /// Puts `c` into the piece.
    fn note(&mut self, c: char, to: usize) {
        let at = self.chars.len();
        let before = self.chars.last().map(|(c, _)| *c);
        match c {
            ' ' => {
                self.blank = at;
                if before.is_some_and(glyphs::parts_clauses) {
                    self.clause = at;
                }
            }
            '"' => self.quoted = !self.quoted,
            _ => {}
        }
        self.chars.push((c, to));
        if glyphs::parts_clauses_wide(c) {
            self.clause = at + 1;
        }
        if self.run.is_none() && glyphs::ends(c) {
            self.run = Some(Run { start: at, end: at + 1, closed: false, blank: false });
        }
        self.speakable |= glyphs::speakable(c);
        if self.small.is_none() && c.is_alphabetic() {
            self.small = Some(c.is_lowercase());
        }
    }

    /// Whether the sentence ended with `run`, `c` being what follows.
    fn is_over(&self, run: Run, c: char) -> bool {
        if glyphs::parts_clauses(c) {
            return false;
        }
        let marks = self.chars[run.start..run.end].iter().map(|(c, _)| *c).filter(|c| glyphs::ends(*c));
        let wide = marks.clone().any(glyphs::ends_wide);
        let loud = marks.clone().any(|c| matches!(c, '!' | '?'));
        let trails = marks.clone().any(glyphs::trails_off) || marks.count() > 1;
        let before = run.start.checked_sub(1).map(|at| self.chars[at].0);
        let beside = |c: char| glyphs::unspaced(c) || (glyphs::opens(c) && !c.is_ascii());
        if wide {
            // `３．１４`
            return run.blank || !(c.is_numeric() && before.is_some_and(char::is_numeric));
        }
        if !run.blank {
            return match (loud, trails) {
                (true, _) => beside(c) && !is_address(&self.word(run.start)),
                (false, true) => beside(c),
                (false, false) => glyphs::unspaced(c) && before.is_some_and(glyphs::unspaced),
            };
        }
        let small = c.is_lowercase();
        match (loud, trails) {
            (true, _) => !(run.closed && small),
            (false, true) => !small,
            _ if run.closed => !small,
            (false, false) => self.point_ends(run.start, c),
        }
    }

    /// Whether a single point and a blank end the sentence.
    fn point_ends(&self, at: usize, c: char) -> bool {
        let word = self.word(at);
        match point(&word) {
            Point::GoesOn => false,
            Point::GoesOnToNumber => !c.is_numeric() && self.begins(c),
            Point::MayEnd => !c.is_numeric() && !c.is_lowercase(),
            Point::Ends => !self.is_item(at, &word) && self.begins(c),
        }
    }

    /// Whether a sentence of this writer may begin with `c`.
    fn begins(&self, c: char) -> bool {
        !c.is_lowercase() || self.small == Some(true)
    }

    /// The number of an item, `1.`, at the piece's beginning.
    fn is_item(&self, at: usize, word: &str) -> bool {
        word.len() == at && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit())
    }

    /// The word that ends before `at`: as far back as a blank, an opening bracket or quote, or a character that needs no blanks.
    fn word(&self, at: usize) -> String {
        let from = at.saturating_sub(WORD);
        let edge =
            |c: char| c.is_whitespace() || glyphs::opens(c) || glyphs::unspaced(c) || matches!(c, '"' | '—');
        let start =
            self.chars[from..at].iter().rposition(|(c, _)| edge(*c)).map_or(from, |edge| from + edge + 1);
        self.chars[start..at].iter().map(|(c, _)| *c).collect()
    }

    /// Gives the first `end` characters as a piece, and lets the blanks behind them go.
    fn give(&mut self, end: usize, pieces: &mut impl FnMut(Piece)) {
        let rest = self.chars[end..]
            .iter()
            .position(|(c, _)| !c.is_whitespace())
            .map_or(self.chars.len(), |n| end + n);
        let run = self.run.take();
        let mut chars = std::mem::take(&mut self.chars);
        let tail: Vec<_> = chars.drain(rest..).collect();
        chars.truncate(end);
        if self.speakable
            && let Some((_, shown_to)) = chars.last()
        {
            let spoken: String = chars.iter().map(|(c, _)| *c).collect();
            let spoken = spoken.trim();
            if spoken.contains(glyphs::speakable) {
                pieces(Piece { spoken: spoken.to_owned(), shown_to: *shown_to });
            }
        }
        *self = Self::new(self.limit);
        for (c, to) in tail {
            self.note(c, to);
        }
        // What stood behind a run of marks in the rest was looked at already.
        self.run = run.filter(|run| run.start >= rest).map(|run| Run {
            start: run.start - rest,
            end: run.end - rest,
            ..run
        });
    }

    /// The piece is too long: it is cut between clauses, else between words, else between characters.
    fn give_part(&mut self, pieces: &mut impl FnMut(Piece)) {
        let fits = |at: usize| at > 0 && at <= self.limit;
        let mut end = self.limit;
        if fits(self.clause) {
            end = self.clause;
        } else if fits(self.blank) {
            end = self.blank;
        } else {
            while end > 1 && glyphs::clings(self.chars[end].0) {
                end -= 1;
            }
            if end == 1 {
                end = self.limit;
            }
        }
        self.give(end, pieces);
    }

    /// Nothing comes for a while: a piece that ends in marks of an end is taken to be over.
    pub(super) fn pause(&mut self, pieces: &mut impl FnMut(Piece)) {
        let Some(run) = self.run else { return };
        let word = self.word(run.start);
        let single = run.end == run.start + 1 && self.chars[run.start].0 == '.';
        let open = single && (point(&word) != Point::Ends || word.ends_with(|c: char| c.is_numeric()));
        if self.speakable && !open {
            self.give(run.end, pieces);
        }
    }

    pub(super) fn finish(&mut self, pieces: &mut impl FnMut(Piece)) {
        self.give(self.chars.len(), pieces);
    }
}

/// An address of the web or of mail.
fn is_address(word: &str) -> bool {
    word.contains("://") || word.contains('@') || word.starts_with("www.")
}

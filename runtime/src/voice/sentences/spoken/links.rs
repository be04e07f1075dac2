//! Brackets: `[words](target)`, `![words](target)`, `<https://…>` and tags, and what a backslash keeps from meaning anything.

use super::{Glyph, Inline, is_blank};

/// The longest a link's words and target may be, in characters, before it is taken for plain text.
const LONGEST: usize = 4_000;

/// The longest that stands between `<` and `>`.
const LONGEST_ANGLE: usize = 500;

#[derive(Clone, Copy)]
enum Held {
    Glyph(Glyph),
    /// A bracket that turned out to be a link's.
    Gone,
    Reaches(usize),
}

#[derive(Default)]
enum State {
    #[default]
    Words,
    /// Behind a `]` that closes the innermost bracket.
    Closed,
    /// Between `](` and `)`: where the `]` is held, and how many brackets are open inside.
    Target { from: usize, depth: usize },
}

#[derive(Default)]
pub(super) struct Links {
    state: State,
    held: Vec<Held>,
    /// Where in `held` the brackets stand that are open.
    open: Vec<usize>,
    /// A backslash waits for what it escapes.
    escape: Option<usize>,
    /// What stands behind a `<`.
    angle: Vec<(char, usize)>,
}

impl Links {
    pub(super) fn push(&mut self, c: char, to: usize, out: &mut impl FnMut(Inline)) {
        if let Some(at) = self.escape.take() {
            if c.is_ascii_punctuation() {
                return self.give(Glyph { c, to, literal: true }, out);
            }
            self.give(Glyph { c: '\\', to: at, literal: true }, out);
        }
        if !self.angle.is_empty() {
            return self.angle(c, to, out);
        }
        let glyph = Glyph { c, to, literal: false };
        match self.state {
            State::Closed => {
                self.state = State::Words;
                if c == '(' {
                    self.state = State::Target { from: self.held.len() - 1, depth: 0 };
                    self.held.push(Held::Glyph(glyph));
                    return;
                }
                // Brackets and nothing more.
                self.open.pop();
                if self.open.is_empty() {
                    self.release(out);
                }
            }
            State::Target { from, depth } => return self.target(from, depth, glyph, out),
            State::Words => {}
        }
        match c {
            '\n' => {
                self.release(out);
                out(Inline::Glyph(glyph));
            }
            '\\' => self.escape = Some(to),
            '<' => self.angle.push((c, to)),
            '[' => {
                self.open.push(self.held.len());
                self.held.push(Held::Glyph(glyph));
            }
            ']' if !self.open.is_empty() => {
                self.held.push(Held::Glyph(glyph));
                self.state = State::Closed;
            }
            _ => self.give(glyph, out),
        }
    }

    fn target(&mut self, from: usize, depth: usize, glyph: Glyph, out: &mut impl FnMut(Inline)) {
        match glyph.c {
            '\n' => {
                self.release(out);
                return out(Inline::Glyph(glyph));
            }
            '(' => self.state = State::Target { from, depth: depth + 1 },
            ')' if depth > 0 => self.state = State::Target { from, depth: depth - 1 },
            ')' => {
                self.state = State::Words;
                self.held.truncate(from);
                self.held.push(Held::Reaches(glyph.to));
                if let Some(at) = self.open.pop() {
                    self.held[at] = Held::Gone;
                    if let Some(Held::Glyph(Glyph { c: '!', literal: false, .. })) =
                        at.checked_sub(1).map(|before| self.held[before])
                    {
                        self.held[at - 1] = Held::Gone;
                    }
                }
                if self.open.is_empty() {
                    self.release(out);
                }
                return;
            }
            _ => {}
        }
        self.held.push(Held::Glyph(glyph));
        if self.held.len() > LONGEST {
            self.release(out);
        }
    }

    /// Between `<` and `>`: an address stays, a tag goes, and anything else is text.
    fn angle(&mut self, c: char, to: usize, out: &mut impl FnMut(Inline)) {
        let first = self.angle.len() == 1;
        let goes_on = !is_blank(c) && !matches!(c, '\n' | '<') && self.angle.len() < LONGEST_ANGLE;
        if c != '>' && goes_on && (!first || c == '/' || c.is_ascii_alphabetic()) {
            return self.angle.push((c, to));
        }
        let held = std::mem::take(&mut self.angle);
        let inside: String = held.iter().skip(1).map(|(c, _)| *c).collect();
        let tag = inside.trim_matches('/');
        if c != '>' || first {
            self.give_all(&held, out);
            self.push(c, to, out);
        } else if inside.contains("://") || inside.contains('@') {
            self.give_all(&held[1..], out);
        } else if tag.chars().all(|c| c.is_ascii_alphanumeric()) {
            if tag.eq_ignore_ascii_case("br") {
                self.give(Glyph { c: ' ', to, literal: false }, out);
            }
        } else {
            self.give_all(&held, out);
            self.give(Glyph { c, to, literal: false }, out);
        }
    }

    fn give_all(&mut self, held: &[(char, usize)], out: &mut impl FnMut(Inline)) {
        for &(c, to) in held {
            self.give(Glyph { c, to, literal: false }, out);
        }
    }

    fn give(&mut self, glyph: Glyph, out: &mut impl FnMut(Inline)) {
        if self.open.is_empty() {
            // A `!` may be an image's.
            self.release(out);
            if glyph.c != '!' || glyph.literal {
                return out(Inline::Glyph(glyph));
            }
        }
        self.held.push(Held::Glyph(glyph));
        if self.held.len() > LONGEST {
            self.release(out);
        }
    }

    /// What is held was text, but for the brackets that are gone.
    fn release(&mut self, out: &mut impl FnMut(Inline)) {
        self.state = State::Words;
        self.open.clear();
        for held in self.held.drain(..) {
            match held {
                Held::Glyph(glyph) => out(Inline::Glyph(glyph)),
                Held::Reaches(to) => out(Inline::Reaches(to)),
                Held::Gone => {}
            }
        }
    }

    /// Nothing comes for a while: a `!` that waits for a bracket is one that ends a sentence.
    pub(super) fn pause(&mut self, out: &mut impl FnMut(Inline)) {
        if self.open.is_empty() {
            self.release(out);
        }
    }

    pub(super) fn finish(&mut self, out: &mut impl FnMut(Inline)) {
        if let Some(to) = self.escape.take() {
            self.give(Glyph { c: '\\', to, literal: true }, out);
        }
        let held = std::mem::take(&mut self.angle);
        self.give_all(&held, out);
        self.release(out);
    }
}

//! What of a reply is said aloud.
//!
//! Three steps, each a small machine over characters: [`Blocks`] knows lines (headings, bullets, rules, tables, fenced
//! code), [`Links`] knows brackets, and what is here knows emphasis, pictures and blanks.

mod blocks;
mod links;

use blocks::Blocks;
use links::Links;

use super::glyphs;

/// A character of the spoken copy, or how far one reaches in the text as shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A character, and where the shown text stands behind it: bytes.
    Char(char, usize),
    /// What is shown up to here, and not spoken, belongs to the character before.
    Reaches(usize),
}

/// A character on its way through the steps.
#[derive(Clone, Copy, Debug)]
struct Glyph {
    c: char,
    /// Where the shown text stands behind it.
    to: usize,
    /// It was escaped, so it marks nothing.
    literal: bool,
}

#[derive(Clone, Copy)]
enum Inline {
    Glyph(Glyph),
    Reaches(usize),
}

/// The spoken copy of a reply, as it comes.
#[derive(Default)]
pub(super) struct Spoken {
    blocks: Blocks,
    links: Links,
    marks: Marks,
}

impl Spoken {
    pub(super) fn push(&mut self, c: char, to: usize, out: &mut impl FnMut(Heard)) {
        let Self { blocks, links, marks } = self;
        blocks.push(c, to, &mut |c, to| links.push(c, to, &mut |item| marks.push(item, out)));
    }

    /// Lets go of what could only matter if more came soon.
    pub(super) fn pause(&mut self, out: &mut impl FnMut(Heard)) {
        let Self { links, marks, .. } = self;
        links.pause(&mut |item| marks.push(item, out));
    }

    pub(super) fn finish(&mut self, out: &mut impl FnMut(Heard)) {
        let Self { blocks, links, marks } = self;
        blocks.finish(&mut |c, to| links.push(c, to, &mut |item| marks.push(item, out)));
        links.finish(&mut |item| marks.push(item, out));
        marks.finish(out);
    }
}

/// White space within a line.
fn is_blank(c: char) -> bool {
    c.is_whitespace() && c != '\n'
}

/// A run of one of the marks `*`, `_`, `~` and the backtick.
struct Run {
    mark: char,
    count: usize,
    /// What stands before it.
    before: Option<char>,
    to: usize,
}

/// Takes away emphasis, pictures and superfluous blanks.
#[derive(Default)]
struct Marks {
    run: Option<Run>,
    /// The character before, as it came.
    before: Option<char>,
    /// Marks that are open in this line.
    open: Vec<char>,
    /// The last that was given on.
    last: Option<char>,
    /// A blank that shows if something follows in the line, by its place.
    blank: Option<usize>,
    /// A picture was taken away behind `last`.
    gap: bool,
}

impl Marks {
    fn push(&mut self, item: Inline, out: &mut impl FnMut(Heard)) {
        let glyph = match item {
            Inline::Glyph(glyph) => glyph,
            Inline::Reaches(to) => {
                self.end_run(None, out);
                return self.reach(to, out);
            }
        };
        let marks = !glyph.literal && matches!(glyph.c, '*' | '_' | '~' | '`');
        if let Some(run) = &mut self.run {
            if marks && run.mark == glyph.c {
                run.count += 1;
                run.to = glyph.to;
                return;
            }
            self.end_run(Some(glyph.c), out);
        }
        if marks {
            self.run = Some(Run { mark: glyph.c, count: 1, before: self.before, to: glyph.to });
        } else {
            self.give(glyph, out);
        }
        self.before = Some(glyph.c);
    }

    fn finish(&mut self, out: &mut impl FnMut(Heard)) {
        self.end_run(None, out);
    }

    /// Whether the run before `next` is emphasis, or what it looks like.
    fn end_run(&mut self, next: Option<char>, out: &mut impl FnMut(Heard)) {
        let Some(run) = self.run.take() else { return };
        let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let both = |test: fn(&char) -> bool| [run.before, next].iter().all(|c| c.as_ref().is_some_and(test));
        let stays = match run.mark {
            '*' => run.count == 1 && (both(char::is_ascii_digit) || (blank(run.before) && blank(next))),
            '_' => both(char::is_ascii_alphanumeric),
            '~' => run.count == 1,
            _ => false,
        };
        if stays {
            for _ in 0..run.count {
                self.give(Glyph { c: run.mark, to: run.to, literal: true }, out);
            }
        } else if let Some(at) = self.open.iter().position(|mark| *mark == run.mark) {
            self.open.remove(at);
            self.reach(run.to, out);
        } else {
            self.open.push(run.mark);
        }
    }

    fn reach(&self, to: usize, out: &mut impl FnMut(Heard)) {
        if self.blank.is_none() && self.last.is_some() {
            out(Heard::Reaches(to));
        }
    }

    fn give(&mut self, Glyph { c, to, literal }: Glyph, out: &mut impl FnMut(Heard)) {
        let begun = self.last.is_some_and(|last| last != '\n');
        if matches!(c, '\n' | '\u{2028}' | '\u{2029}') {
            (self.blank, self.gap) = (None, false);
            self.open.clear();
            if begun {
                self.last = Some('\n');
                out(Heard::Char('\n', to));
            }
            return;
        }
        if c.is_whitespace() || (c == '|' && !literal) {
            if begun {
                self.blank = Some(to);
            }
            return;
        }
        if glyphs::is_picture(c) {
            // It goes with the words before it, not with those behind.
            if begun {
                out(Heard::Reaches(to));
            }
            self.gap |= begun;
            return;
        }
        let blank = self.blank.take();
        let gap = std::mem::take(&mut self.gap);
        let marks =
            glyphs::ends(c) || glyphs::parts_clauses(c) || (glyphs::closes(c) && !matches!(c, '"' | '\''));
        let word = |c: char| c.is_alphanumeric() && !glyphs::unspaced(c);
        match blank {
            // The blank stood before a picture, and now would stand before a mark.
            Some(_) if gap && marks => {}
            Some(to) => out(Heard::Char(' ', to)),
            None if gap && word(c) && self.last.is_some_and(word) => out(Heard::Char(' ', to - c.len_utf8())),
            None => {}
        }
        self.last = Some(c);
        out(Heard::Char(c, to));
    }
}

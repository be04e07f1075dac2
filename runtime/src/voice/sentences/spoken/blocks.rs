//! Lines: what marks one as a heading, an item, a quote, a rule or a row, and code between fences.

use super::is_blank;

/// Where in a line the reader stands.
#[derive(Default)]
enum At {
    /// Before anything but blanks and marks of blocks.
    #[default]
    Start,
    /// In a run of one mark that the line began with.
    Run(char),
    /// Behind three or more of a mark and blanks: a rule, if nothing else comes.
    Rule(char),
    /// In a row of a table that has no words yet: the line under its head, if none come.
    Row,
    /// In an item's box, `[x]`.
    Check,
    /// Behind the mark of a fence.
    Info(char),
    Text,
    Code(Fence),
}

/// Inside fenced code.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// Marks at the line's beginning so far; none where anything else stands there.
    run: Option<usize>,
    /// A blank came behind the run.
    blank: bool,
}

#[derive(Default)]
pub(super) struct Blocks {
    at: At,
    /// What may still turn out to be text.
    held: Vec<(char, usize)>,
    /// The line is an item.
    item: bool,
}

impl Blocks {
    pub(super) fn push(&mut self, c: char, to: usize, out: &mut impl FnMut(char, usize)) {
        match self.at {
            At::Start => self.start(c, to, out),
            At::Run(mark) if c == mark => self.held.push((c, to)),
            At::Run(mark) => self.end_run(mark, c, to, out),
            At::Rule(mark) => match c {
                '\n' => self.end_line(to, out),
                _ if c == mark || is_blank(c) => self.held.push((c, to)),
                _ => self.text(c, to, out),
            },
            At::Row => match c {
                '\n' => self.end_line(to, out),
                '|' | '-' | ':' => self.held.push((c, to)),
                _ if is_blank(c) => self.held.push((c, to)),
                _ => self.text(c, to, out),
            },
            At::Check => {
                let fits = match self.held.len() {
                    1 => matches!(c, ' ' | 'x' | 'X'),
                    2 => c == ']',
                    _ => is_blank(c),
                };
                match fits {
                    true if self.held.len() == 3 => {
                        self.held.clear();
                        self.at = At::Text;
                    }
                    true => self.held.push((c, to)),
                    false => self.text(c, to, out),
                }
            }
            At::Info(mark) => match c {
                '\n' => {
                    let length = self.held.iter().take_while(|(c, _)| *c == mark).count();
                    self.held.clear();
                    self.at = At::Code(Fence { mark, length, run: Some(0), blank: false });
                }
                // A fence of backticks has none behind it: this is code inside a line.
                '`' if mark == '`' => self.text(c, to, out),
                _ => self.held.push((c, to)),
            },
            At::Text if c == '\n' => self.end_line(to, out),
            At::Text => out(c, to),
            At::Code(fence) => self.code(fence, c, to, out),
        }
    }

    fn start(&mut self, c: char, to: usize, out: &mut impl FnMut(char, usize)) {
        match c {
            '\n' => self.end_line(to, out),
            '>' => {}
            '#' | '-' | '*' | '+' | '_' | '=' | '`' | '~' | '•' | '‣' | '◦' | '–' => {
                self.at = At::Run(c);
                self.held.push((c, to));
            }
            '|' => {
                self.at = At::Row;
                self.held.push((c, to));
            }
            '[' if self.item => {
                self.at = At::Check;
                self.held.push((c, to));
            }
            _ if is_blank(c) => {}
            _ => {
                self.at = At::Text;
                out(c, to);
            }
        }
    }

    fn end_run(&mut self, mark: char, c: char, to: usize, out: &mut impl FnMut(char, usize)) {
        let count = self.held.len();
        let blank = is_blank(c);
        match mark {
            '#' if count <= 6 && (blank || c == '\n') => self.block(c, to, out),
            '-' | '*' | '+' | '•' | '‣' | '◦' | '–' if count == 1 && (blank || c == '\n') => {
                self.item = true;
                self.block(c, to, out);
            }
            '-' | '*' | '_' | '=' if count >= 3 && c == '\n' => self.end_line(to, out),
            '-' | '*' | '_' | '=' if count >= 3 && blank => {
                self.at = At::Rule(mark);
                self.held.push((c, to));
            }
            '`' | '~' if count >= 3 => {
                self.at = At::Info(mark);
                self.push(c, to, out);
            }
            _ => self.text(c, to, out),
        }
    }

    /// What is held was a block's mark: the line goes on behind it.
    fn block(&mut self, c: char, to: usize, out: &mut impl FnMut(char, usize)) {
        self.held.clear();
        self.at = At::Start;
        if c == '\n' {
            self.end_line(to, out);
        }
    }

    /// What is held was text after all.
    fn text(&mut self, c: char, to: usize, out: &mut impl FnMut(char, usize)) {
        self.release(out);
        self.at = At::Text;
        self.push(c, to, out);
    }

    fn release(&mut self, out: &mut impl FnMut(char, usize)) {
        for (c, to) in self.held.drain(..) {
            out(c, to);
        }
    }

    /// What is held was no text; the line is over.
    fn end_line(&mut self, to: usize, out: &mut impl FnMut(char, usize)) {
        self.held.clear();
        self.at = At::Start;
        self.item = false;
        out('\n', to);
    }

    fn code(&mut self, mut fence: Fence, c: char, to: usize, out: &mut impl FnMut(char, usize)) {
        match (c, fence.run) {
            ('\n', Some(run)) if run >= fence.length => return self.end_line(to, out),
            ('\n', _) => (fence.run, fence.blank) = (Some(0), false),
            (_, Some(run)) if c == fence.mark && !fence.blank => fence.run = Some(run + 1),
            (_, Some(0)) if is_blank(c) => {}
            (_, Some(_)) if is_blank(c) => fence.blank = true,
            _ => fence.run = None,
        }
        self.at = At::Code(fence);
    }

    pub(super) fn finish(&mut self, out: &mut impl FnMut(char, usize)) {
        if !matches!(self.at, At::Info(_)) {
            self.release(out);
        }
    }
}

//! Two checked specs compared: not their texts but what they mean, and what the difference does to those who depend on
//! it.
//!
//! [`compare`] is pure. Where the two specs come from, a folder or a revision, is the command line's to find.

mod change;
mod checks;
mod class;
mod excerpt;
mod fields;
mod markers;
mod numbers;
mod pairs;
mod phone;
mod render;
pub mod rules;
mod side;
mod texts;
mod tone;
mod tools;
mod verdict;

pub use change::{Change, Place, Which};
pub use class::{Bump, Class};
pub use rules::ChangeRule;
pub use side::Side;
pub use verdict::Verdict;

use crate::diagnostic::Format;

/// The changes from one spec to another, the worst first, and what they ask for.
#[derive(Debug)]
pub struct Changes<'s> {
    /// By class, then by place; what there is to say of the version comes last.
    pub list: Vec<Change>,
    /// Which number they ask for, and whether the version has it.
    pub verdict: Verdict,
    old: &'s Side,
    new: &'s Side,
}

/// Compares two specs.
pub fn compare<'s>(old: &'s Side, new: &'s Side) -> Changes<'s> {
    let mut found = Found { old, new, list: Vec::new() };
    phone::compare(&mut found);
    tools::compare(&mut found);
    texts::compare(&mut found);
    markers::compare(&mut found);
    tone::compare(&mut found);
    numbers::compare(&mut found);
    let Found { mut list, .. } = found;
    let verdict = verdict::judge(old, new, &mut list);
    list.sort_by(|a, b| a.key().cmp(&b.key()));
    Changes { list, verdict, old, new }
}

impl Changes<'_> {
    /// All of them in this format; `colour` matters to [`Format::Human`] alone.
    pub fn render(&self, format: Format, colour: bool) -> String {
        match format {
            Format::Human => render::human(self, colour),
            Format::Json => render::json(self),
            Format::Github => render::github(self),
        }
    }

    /// Those of a class, the version's own aside.
    fn of_class(&self, class: Class) -> impl Iterator<Item = &Change> {
        self.list.iter().filter(move |change| change.class == class && !change.is_of_version())
    }

    fn side(&self, which: Which) -> &Side {
        match which {
            Which::Old => self.old,
            Which::New => self.new,
        }
    }
}

/// What was found so far, and where to look.
struct Found<'s> {
    old: &'s Side,
    new: &'s Side,
    list: Vec<Change>,
}

impl Found<'_> {
    fn push(&mut self, change: Change) {
        self.list.push(change);
    }

    /// A place of the new spec: the value at the end of these keys and indices of a file.
    fn here(&self, file: &str, steps: &[&str]) -> Place {
        self.new.place(Which::New, file, steps)
    }

    /// A place of the old spec.
    fn there(&self, file: &str, steps: &[&str]) -> Place {
        self.old.place(Which::Old, file, steps)
    }
}

const LOOP: &str = "loop.json";

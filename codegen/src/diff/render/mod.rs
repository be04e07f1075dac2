//! How changes are written: for a person, for a program, for GitHub Actions.

mod github;
mod human;
mod json;

use std::collections::BTreeMap;

pub(super) use github::render as github;
pub(super) use human::render as human;
pub(super) use json::render as json;

use super::{Changes, Place, Which};
use crate::diagnostic::{Lines, Position};

/// The lines of the files that are pointed into, each text walked once.
struct Pages<'c>(BTreeMap<(Which, &'c str), Lines<'c>>);

impl<'c> Pages<'c> {
    fn new(changes: &'c Changes<'_>) -> Self {
        let mut pages = BTreeMap::new();
        let places =
            changes.list.iter().flat_map(|change| std::iter::once(&change.place).chain(&change.beside));
        for place in places {
            if let Some(text) = changes.side(place.which).texts.get(&place.file) {
                pages.entry((place.which, place.file.as_str())).or_insert_with(|| Lines::new(text));
            }
        }
        Self(pages)
    }

    /// Where a place begins and ends.
    fn position(&self, place: &Place) -> (Position, Position) {
        let first = Position { line: 1, column: 1 };
        self.0.get(&(place.which, place.file.as_str())).map_or((first, first), |lines| {
            (lines.position(place.span.start), lines.position(place.span.end))
        })
    }
}

/// A sentence about how many there are of each class.
fn counted(changes: &Changes<'_>) -> String {
    let counts = super::Class::ALL.map(|class| (class, changes.of_class(class).count()));
    let count: usize = counts.iter().map(|(_, count)| count).sum();
    let some = counts.into_iter().filter(|(_, count)| *count > 0);
    let classes: Vec<String> = some.map(|(class, count)| class.counted(count)).collect();
    match count {
        0 => "no change".to_owned(),
        1 => format!("1 change, which {}", classes.join(", ").trim_start_matches("1 ")),
        _ => format!("{count} changes: {}", classes.join(", ")),
    }
}

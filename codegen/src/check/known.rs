//! A list of the spec as names that another place may mean.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::reserved::{self, Use};
use crate::model::Name;
use crate::nearest;

/// How many names are compared for one list, after which nothing is proposed: thousands of faults are told in little
/// more time than a few, and nobody reads the thousandth proposal.
const MOST_COMPARED: usize = 20_000;

/// Names that may be spoken of.
#[derive(Debug)]
pub(super) struct Known<'k> {
    all: BTreeSet<&'k str>,
    /// Those that are right themselves, and so may be proposed.
    fit: Vec<&'k str>,
    left: Cell<usize>,
}

impl<'k> Known<'k> {
    /// `fit` says which of them may be proposed.
    pub(super) fn new(all: impl IntoIterator<Item = &'k str>, fit: impl Fn(&str) -> bool) -> Self {
        let all: Vec<&str> = all.into_iter().collect();
        let fit = all.iter().copied().filter(|name| fit(name)).collect();
        Self { all: all.into_iter().collect(), fit, left: Cell::new(MOST_COMPARED) }
    }

    /// Whether a name is one of them, right or not.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.all.contains(name)
    }

    /// The one that is most likely meant, of those that are `open`.
    pub(super) fn nearest(&self, text: &str, open: impl Fn(&str) -> bool) -> Option<&'k str> {
        self.spend()?;
        nearest::nearest(text, self.fit.iter().copied().filter(|name| open(name)))
    }

    /// `help` that proposes one of them.
    pub(super) fn proposal(&self, text: &str) -> String {
        match self.spend() {
            Some(()) => nearest::proposal(text, &self.fit),
            None => nearest::list(&self.fit),
        }
    }

    /// `help` that lists them.
    pub(super) fn list(&self) -> String {
        nearest::list(&self.fit)
    }

    fn spend(&self) -> Option<()> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(self.fit.len().max(1)));
        (left > 0).then_some(())
    }
}

/// Whether a text can name what is so used.
pub(super) fn fits(text: &str, used: Use) -> bool {
    Name::new(text).is_some_and(|name| reserved::by(&name, used).is_none())
}

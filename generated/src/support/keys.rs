//! The keys of one object, to find the one that comes again.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Keys with what was last said of each. Most objects have a handful, which a search from the start finds soonest; one
/// of thousands must not take a thousand times a thousand steps.
#[derive(Debug)]
pub(crate) struct Keys<'a, T> {
    few: Vec<(Cow<'a, str>, T)>,
    more: BTreeMap<Cow<'a, str>, T>,
}

const FEW: usize = 16;

impl<T> Default for Keys<'_, T> {
    fn default() -> Self {
        Self { few: Vec::new(), more: BTreeMap::new() }
    }
}

impl<'a, T> Keys<'a, T> {
    /// Takes note of a key and returns what was said of it before.
    pub(crate) fn insert(&mut self, key: Cow<'a, str>, value: T) -> Option<T> {
        if let Some((_, before)) = self.few.iter_mut().find(|(few, _)| *few == key) {
            return Some(std::mem::replace(before, value));
        }
        if self.few.len() < FEW {
            self.few.push((key, value));
            return None;
        }
        self.more.insert(key, value)
    }
}

#[cfg(test)]
mod tests {
    use super::Keys;

    #[test]
    fn a_key_that_comes_again_is_found_among_few_and_among_many() {
        let mut keys = Keys::default();
        for round in 0..3usize {
            for key in 0..100usize {
                let before = keys.insert(key.to_string().into(), round);
                assert_eq!(before, round.checked_sub(1), "{key}");
            }
        }
    }
}

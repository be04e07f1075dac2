//! Two lists of named things set against each other: what is in both, what came, what went, what has another name.

use std::collections::{BTreeMap, BTreeSet};

/// Places in the old and in the new list.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// In both under one name, in the new order.
    pub(super) both: Vec<(usize, usize)>,
    /// The same thing under another name.
    pub(super) renamed: Vec<(usize, usize)>,
    /// In the old list alone.
    pub(super) removed: Vec<usize>,
    /// In the new list alone.
    pub(super) added: Vec<usize>,
    /// Whether what is in both stands in another order.
    pub(super) reordered: bool,
}

/// Sets the lists against each other. `same` says whether two things of different names are one otherwise; what went is
/// paired with what came where it is so of these two alone.
pub(super) fn pair<'n>(
    old: impl IntoIterator<Item = &'n str>,
    new: impl IntoIterator<Item = &'n str>,
    same: impl Fn(usize, usize) -> bool,
) -> Pairs {
    let before: Vec<&str> = old.into_iter().collect();
    let places: BTreeMap<&str, usize> =
        before.iter().enumerate().map(|(place, name)| (*name, place)).collect();
    let mut pairs = Pairs::default();
    let mut kept = BTreeSet::new();
    for (place, name) in new.into_iter().enumerate() {
        match places.get(name) {
            Some(&was) => {
                kept.insert(was);
                pairs.both.push((was, place));
            }
            None => pairs.added.push(place),
        }
    }
    pairs.reordered = !pairs.both.is_sorted();
    pairs.removed = (0..before.len()).filter(|place| !kept.contains(place)).collect();
    // Thousands that went and came are a new spec, and no renaming.
    if pairs.removed.len().saturating_mul(pairs.added.len()) > MOST_COMPARED {
        return pairs;
    }
    let mut renamed = Vec::new();
    for &was in &pairs.removed {
        let mut candidates = pairs.added.iter().copied().filter(|&is| same(was, is));
        if let (Some(is), None) = (candidates.next(), candidates.next())
            && pairs.removed.iter().filter(|&&other| same(other, is)).count() == 1
        {
            renamed.push((was, is));
        }
    }
    pairs.removed.retain(|place| !renamed.iter().any(|(was, _)| was == place));
    pairs.added.retain(|place| !renamed.iter().any(|(_, is)| is == place));
    pairs.renamed = renamed;
    pairs
}

/// How many pairs are looked at for a renaming.
const MOST_COMPARED: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::pair;

    #[test]
    fn what_is_one_but_for_its_name_is_renamed_once() {
        let values = ([1, 2, 3, 3], [3, 1, 2, 5]);
        let same = |was: usize, is: usize| values.0[was] == values.1[is];
        let pairs = pair(["a", "b", "c", "d"], ["c", "a", "x", "y"], same);
        assert_eq!(pairs.both, [(2, 0), (0, 1)]);
        assert!(pairs.reordered);
        assert_eq!((pairs.renamed, pairs.removed, pairs.added), (vec![(1, 2)], vec![3], vec![3]));
        let doubtful = pair(["a", "b"], ["x"], |_, _| true);
        assert_eq!((doubtful.renamed.len(), doubtful.removed.len(), doubtful.added.len()), (0, 2, 1));
    }
}

//! Whether a network says the same again and again: what follows a short recording sometimes does, to the end of its window.

/// The longest thing whose repetition is looked for, in pieces.
const LONGEST: usize = 32;
/// A phrase that is said so often in a row was not said so; nor was a word or a syllable, of which people repeat more.
const PHRASES: usize = 3;
const WORDS: usize = 7;
/// From so many pieces on it is a phrase.
const PHRASE: usize = 4;

/// How many of these pieces are left where something is repeated at their end, with one of it. Nothing where nothing is. With
/// `patience` it may be repeated so many times as often.
#[must_use]
pub fn repeated(said: &[u32], patience: usize) -> Option<usize> {
    (1..=LONGEST.min(said.len() / PHRASES)).find_map(|length| {
        let times = patience * if length < PHRASE { WORDS } else { PHRASES };
        let from = said.len().checked_sub(length * times)?;
        let (first, rest) = said[from..].split_at(length);
        let again = |piece: &[u32], of: &[u32]| of.chunks_exact(piece.len()).all(|other| other == piece);
        // A word twice over is no phrase.
        let shorter = || (1..length).any(|part| length % part == 0 && again(&first[..part], first));
        (again(first, rest) && !shorter()).then_some(from + length)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_people_say_is_no_loop() {
        for said in [vec![], vec![1; 6], [1, 2].repeat(6), [1, 2, 3].repeat(6), [1, 2, 3, 4].repeat(2)] {
            assert_eq!(repeated(&said, 1), None, "{said:?}");
        }
    }

    #[test]
    fn what_is_repeated_is_cut_to_one() {
        assert_eq!(repeated(&[9, 1, 1, 1, 1, 1, 1, 1], 1), Some(2));
        assert_eq!(repeated(&[9, 8, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4], 1), Some(6));
        assert_eq!(repeated(&[1, 2].repeat(7), 1), Some(2));
        assert_eq!(repeated(&[1, 2].repeat(7), 2), None, "with patience it may be meant");
    }

    proptest! {
        /// A loop of any length is found before it has gone round seven times and once more.
        #[test]
        fn every_loop_is_found(before in prop::collection::vec(0_u32..9, 0..20), turn in prop::collection::vec(0_u32..9, 1..LONGEST)) {
            let mut said = before.clone();
            let found = turn.iter().cycle().take(turn.len() * 8).find_map(|piece| {
                said.push(*piece);
                repeated(&said, 1)
            });
            let kept = found.expect("it is found");
            prop_assert!(kept >= 1 && kept < said.len());
        }
    }
}

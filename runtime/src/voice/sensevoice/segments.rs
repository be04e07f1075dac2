//! Long talk in parts that the network takes in one go: what it computes grows with the square of their length.

use std::ops::Range;

/// Samples of the longest part, 30 seconds: what the network was trained on.
const LONGEST: usize = 30 * 16_000;
/// A part ends at the quietest place of its last five seconds.
const SEARCH: usize = 5 * 16_000;
/// How much is looked at for a quiet place: 50 ms.
const QUIET: usize = 800;

/// The parts, one after the other, none of them empty.
#[must_use]
pub fn segments(samples: &[f32]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut from = 0;
    while samples.len() - from > LONGEST {
        let begin = from + LONGEST - SEARCH;
        let loud =
            |place: &usize| samples[*place..*place + QUIET].iter().map(|sample| sample * sample).sum::<f32>();
        let places = (begin..from + LONGEST - QUIET).step_by(QUIET / 2);
        let quietest = places.min_by(|one, other| loud(one).total_cmp(&loud(other)));
        let to = quietest.map_or(from + LONGEST, |place| place + QUIET / 2);
        parts.push(from..to);
        from = to;
    }
    if from < samples.len() {
        parts.push(from..samples.len());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_talk_is_cut_where_it_is_quiet() {
        assert!(segments(&[]).is_empty());
        assert_eq!(segments(&vec![0.1; LONGEST]), vec![0..LONGEST]);
        let mut talk = vec![0.1; 75 * 16_000];
        talk[27 * 16_000..27 * 16_000 + 1_600].fill(0.0);
        let parts = segments(&talk);
        assert_eq!(parts.len(), 3);
        assert!((27 * 16_000..27 * 16_000 + 1_600).contains(&parts[0].end), "{parts:?}");
        assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert!(parts.iter().all(|part| !part.is_empty() && part.len() <= LONGEST));
        assert_eq!(parts[2].end, talk.len());
    }
}

//! Long talk in parts that a network takes in one go, cut where nobody speaks.

use std::ops::Range;

use super::audio::RATE;

/// A second, in samples.
const SECOND: usize = RATE as usize;

/// How talk is cut, in samples.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The longest part.
    pub longest: usize,
    /// A part ends at the quietest place of its last so many.
    pub search: usize,
    /// How much is looked at for a quiet place.
    pub quiet: usize,
}

/// What SenseVoice was trained on: 30 seconds; what it computes grows with the square of a part's length.
pub const SENSEVOICE: Cut = Cut { longest: 30 * SECOND, search: 5 * SECOND, quiet: SECOND / 20 };
/// What fits into Whisper's window with some silence behind it, without which it is less sure of the end. What is quiet for long
/// is a pause; what is so for a moment may be the middle of a word.
pub const WHISPER: Cut = Cut { longest: 29 * SECOND, search: 10 * SECOND, quiet: SECOND / 5 };

/// The parts, one after the other, none of them empty.
#[must_use]
pub fn segments(samples: &[f32], cut: Cut) -> Vec<Range<usize>> {
    let Cut { longest, search, quiet } = cut;
    let mut parts = Vec::new();
    let mut from = 0;
    while samples.len() - from > longest {
        let begin = from + longest - search;
        let loud =
            |place: &usize| samples[*place..*place + quiet].iter().map(|sample| sample * sample).sum::<f32>();
        // Of places that are as quiet the last, so that there are few parts.
        let places = (begin..from + longest - quiet).step_by(quiet / 2).rev();
        let quietest = places.min_by(|one, other| loud(one).total_cmp(&loud(other)));
        let to = quietest.map_or(from + longest, |place| place + quiet / 2);
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
        for cut in [SENSEVOICE, WHISPER] {
            let longest = cut.longest;
            assert!(segments(&[], cut).is_empty());
            assert_eq!(segments(&vec![0.1; longest], cut), vec![0..longest]);
            let mut talk = vec![0.1; 75 * SECOND];
            talk[26 * SECOND..26 * SECOND + 4_800].fill(0.0);
            let parts = segments(&talk, cut);
            assert_eq!(parts.len(), 3);
            assert!((26 * SECOND..26 * SECOND + 4_800).contains(&parts[0].end), "{parts:?}");
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(parts.iter().all(|part| !part.is_empty() && part.len() <= longest));
            assert_eq!(parts[2].end, talk.len());
        }
    }

    /// 80 ms, as before a p or a t.
    #[test]
    fn a_stop_within_a_word_is_no_pause() {
        let mut talk = vec![0.1; 40 * SECOND];
        talk[24 * SECOND..24 * SECOND + 1_280].fill(0.0);
        talk[22 * SECOND..22 * SECOND + 6_400].fill(0.01);
        let parts = segments(&talk, WHISPER);
        assert!((22 * SECOND..22 * SECOND + 6_400).contains(&parts[0].end), "{parts:?}");
    }
}

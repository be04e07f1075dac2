//! Piece by piece, the likeliest each time, to the end of what was said.

use std::collections::BTreeSet;

use super::guard;
use super::pieces::Pieces;

/// The most pieces of a window: half of what the network has places for, as in training.
const MOST: usize = 224;
/// So many pieces are said in a second at most, and so many more in all: what goes beyond was not said.
const EACH_SECOND: usize = 16;
const MORE: usize = 24;
/// Nobody spoke where the network holds that for likelier than this, and is less sure of its words than that (the mean of their
/// logarithms). Both are Whisper's own.
const NO_SPEECH: f32 = 0.6;
const UNSURE: f32 = -1.0;

/// What a model never says, by its own account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Never {
    /// At any place.
    pub anywhere: BTreeSet<u32>,
    /// At the beginning.
    pub first: BTreeSet<u32>,
}

impl Never {
    /// From a model's metadata: numbers with commas between them.
    ///
    /// # Errors
    /// What is no number.
    pub fn read(anywhere: Option<&str>, first: Option<&str>) -> Result<Self, String> {
        let read = |list: Option<&str>| {
            let numbers =
                list.unwrap_or_default().split(',').map(str::trim).filter(|number| !number.is_empty());
            let read =
                |number: &str| number.parse().map_err(|_| format!("the decoder's metadata holds {number:?}"));
            numbers.map(read).collect::<Result<_, String>>()
        };
        Ok(Self { anywhere: read(anywhere)?, first: read(first)? })
    }
}

/// What is wanted of a window.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The language, where it is known; one that the model does not know counts as none.
    pub language: Option<&'a str>,
    /// How long somebody speaks, in seconds.
    pub seconds: f64,
    /// How often as much may be repeated before it is held for a loop.
    pub patience: usize,
}

/// What was said in a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Its pieces.
    pub pieces: Vec<u32>,
    /// Its language, in a model that knows several.
    pub language: Option<String>,
    /// Whether it said the same again and again, or did not come to an end; what is left is what stands before.
    pub looped: bool,
}

/// Hears a window. `next` is given pieces that follow those it was given before, and gives the scores of what comes next.
///
/// # Errors
/// Those of `next`.
pub fn hear<E>(
    pieces: &Pieces,
    never: &Never,
    wanted: Wanted<'_>,
    mut next: impl FnMut(&[u32]) -> Result<Vec<f32>, E>,
) -> Result<Said, E> {
    let signs = &pieces.signs;
    let mut scores = next(&[signs.start])?;
    let silence = likelihood(&scores, signs.no_speech).exp();
    let known = wanted.language.and_then(|code| signs.languages.get_key_value(code));
    let score = |id: u32| scores.get(id as usize).copied().unwrap_or(f32::NEG_INFINITY);
    let likeliest = || signs.languages.iter().max_by(|one, other| score(*one.1).total_cmp(&score(*other.1)));
    let language = known.or_else(likeliest);
    scores = match language {
        Some((_, id)) => next(&[*id, signs.transcribe, signs.no_times])?,
        None => next(&[signs.no_times])?,
    };
    let most = MOST.min(MORE + (wanted.seconds * EACH_SECOND as f64) as usize);
    let mut said =
        Said { pieces: Vec::new(), language: language.map(|(code, _)| code.clone()), looped: false };
    let mut sure = 0.0;
    loop {
        let allowed = |id: u32| {
            let beginning = said.pieces.is_empty();
            id <= signs.no_times && !never.anywhere.contains(&id) && !(beginning && never.first.contains(&id))
        };
        let best = best(&scores, allowed).unwrap_or(signs.end);
        sure += likelihood(&scores, best);
        if best == signs.end {
            break;
        }
        said.pieces.push(best);
        let left = guard::repeated(&said.pieces, wanted.patience);
        if left.is_some() || said.pieces.len() >= most {
            said.pieces.truncate(left.unwrap_or(most));
            said.looped = true;
            break;
        }
        scores = next(&[best])?;
    }
    if silence > NO_SPEECH && sure / (said.pieces.len() + 1) as f32 <= UNSURE {
        said.pieces.clear();
    }
    Ok(said)
}

/// The first of the highest that is allowed.
fn best(scores: &[f32], allowed: impl Fn(u32) -> bool) -> Option<u32> {
    let mut best = (None, f32::NEG_INFINITY);
    for (id, score) in (0..).zip(scores) {
        if *score > best.1 && allowed(id) {
            best = (Some(id), *score);
        }
    }
    best.0
}

/// The logarithm of how likely one is.
fn likelihood(scores: &[f32], id: u32) -> f32 {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let all: f32 = scores.iter().map(|score| (score - highest).exp()).sum();
    scores.get(id as usize).map_or(f32::NEG_INFINITY, |score| score - highest - all.ln())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::super::pieces::tests::TOKENS;
    use super::*;

    const PATIENT: Wanted<'static> = Wanted { language: None, seconds: 2.0, patience: 1 };

    /// A network that says these one after the other, each by so much more than anything else, and then these again and again.
    fn said(
        wanted: Wanted<'_>,
        multilingual: bool,
        script: &[(u32, f32)],
        silence: f32,
    ) -> (Said, Vec<Vec<u32>>) {
        let pieces = Pieces::read(TOKENS, multilingual).unwrap();
        let never = Never::read(Some("2, 7"), Some("5")).unwrap();
        let mut asked = Vec::new();
        let mut script = script.iter().cycle();
        let next = |given: &[u32]| {
            asked.push(given.to_vec());
            let mut scores = vec![0.0; pieces.len()];
            if given == [6] {
                // Chinese is likelier, and this likely nobody speaks.
                (scores[7], scores[8]) = (1.0, 2.0);
                scores[13] = (silence / (1.0 - silence) * (13.0 + 1_f32.exp() + 2_f32.exp())).ln();
            } else {
                let (id, by) = script.next().unwrap();
                scores[*id as usize] = *by;
                // What is never said is the likeliest.
                (scores[2], scores[15]) = (99.0, 99.0);
            }
            Ok::<_, Infallible>(scores)
        };
        let said = hear(&pieces, &never, wanted, next).unwrap();
        (said, asked)
    }

    #[test]
    fn the_likeliest_is_said_to_its_end_in_the_likeliest_language() {
        let (heard, asked) = said(PATIENT, true, &[(0, 9.0), (1, 9.0), (5, 9.0)], 0.1);
        assert_eq!((heard.pieces, heard.language.as_deref(), heard.looped), (vec![0, 1], Some("zh"), false));
        assert_eq!(asked, [vec![6], vec![8, 10, 14], vec![0], vec![1]]);
    }

    #[test]
    fn a_known_language_is_taken_and_an_unknown_one_is_not() {
        let wanted = |language| Wanted { language: Some(language), ..PATIENT };
        let (heard, asked) = said(wanted("en"), true, &[(0, 9.0), (5, 9.0)], 0.1);
        assert_eq!((heard.language.as_deref(), asked[1].as_slice()), (Some("en"), &[7, 10, 14][..]));
        let (heard, _) = said(wanted("tlh"), true, &[(0, 9.0), (5, 9.0)], 0.1);
        assert_eq!(heard.language.as_deref(), Some("zh"));
        let (heard, asked) = said(wanted("zh"), false, &[(0, 9.0), (5, 9.0)], 0.1);
        assert_eq!((heard.language, asked[1].as_slice()), (None, &[14][..]), "one that knows English alone");
    }

    #[test]
    fn a_loop_is_cut_to_one_and_told() {
        let (heard, _) = said(PATIENT, true, &[(0, 9.0), (1, 9.0)], 0.1);
        assert_eq!((heard.pieces, heard.looped), (vec![0, 1], true));
        // With patience, up to what can be said in the time.
        let (heard, _) = said(Wanted { patience: 9, ..PATIENT }, true, &[(0, 9.0), (1, 9.0)], 0.1);
        assert_eq!((heard.pieces.len(), heard.looped), (MORE + 2 * EACH_SECOND, true));
    }

    /// P127: words are made up for silence.
    #[test]
    fn unsure_words_where_nobody_seems_to_speak_are_none() {
        let script = |by| [(0, by), (1, by), (5, by)];
        assert_eq!(said(PATIENT, true, &script(9.0), 0.9).0.pieces, Vec::<u32>::new());
        assert_eq!(said(PATIENT, true, &script(9.0), 0.1).0.pieces, [0, 1], "somebody seems to speak");
    }

    #[test]
    fn scores_that_are_no_numbers_say_nothing() {
        let pieces = Pieces::read(TOKENS, true).unwrap();
        let heard =
            hear(&pieces, &Never::default(), PATIENT, |_| Ok::<_, Infallible>(vec![f32::NAN; 17])).unwrap();
        assert_eq!(heard.pieces, Vec::<u32>::new());
        let heard = hear(&pieces, &Never::default(), PATIENT, |_| Ok::<_, Infallible>(Vec::new())).unwrap();
        assert_eq!(heard.pieces, Vec::<u32>::new());
    }

    #[test]
    fn what_is_never_said_is_read() {
        assert_eq!(Never::read(None, Some("")).unwrap(), Never::default());
        assert!(Never::read(Some("1,x"), None).unwrap_err().contains("\"x\""));
    }
}

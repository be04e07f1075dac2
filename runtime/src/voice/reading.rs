//! Reading aloud from a text: what is read next, and from where to go on. Pure: the text, where its bookmark stands, and how long
//! a passage may take.

use std::ops::Range;
use std::time::Duration;

use super::sentences::{self, Splitter};
use crate::gateway::language::is_han;

/// How far behind the end of what fits is looked for what makes sure that a sentence has ended there, in characters.
const AHEAD: usize = 64;

/// How long a passage takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The most.
    pub passage: Duration,
    /// How many characters a voice reads in a minute.
    pub letters_a_minute: usize,
    /// The same of Han characters, each of which is a syllable.
    pub han_a_minute: usize,
}

/// What is read in one go. Places are bytes from where the bookmark stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// What is read: without the blanks at its ends.
    pub shown: Range<usize>,
    /// Where the next one begins.
    pub to: usize,
}

impl Pace {
    /// How many bytes of a text are read in the time of a passage: to the edge of a character, and at least one.
    fn bound(&self, text: &str) -> usize {
        let minute = |per: usize| 60.0 / per.max(1) as f64;
        let (letter, han) = (minute(self.letters_a_minute), minute(self.han_a_minute));
        let most = self.passage.as_secs_f64();
        let mut took = 0.0;
        for (at, c) in text.char_indices() {
            took += if is_han(c) { han } else { letter };
            // A sum of hundreds of parts is off in its last digits.
            if took > most + 1e-6 && at > 0 {
                return at;
            }
        }
        text.len()
    }
}

/// The next passage of what is left of a text: as many whole sentences as fit, and where the last third of them has the end of a
/// paragraph, up to that. A sentence that does not fit by itself is cut, between words if it has any. Nothing where there is no word
/// left to read.
#[must_use]
pub fn next(rest: &str, pace: &Pace) -> Option<Passage> {
    let mut to = 0;
    // What has no word in it (a row of stars between chapters) is no passage.
    while !has_words(&rest[..to]) {
        if !has_words(&rest[to..]) {
            return None;
        }
        to += end(&rest[to..], pace);
    }
    if !has_words(&rest[to..]) {
        to = rest.len();
    }
    let read = &rest[..to];
    let from = read.len() - read.trim_start().len();
    Some(Passage { shown: from..read.trim_end().len(), to })
}

/// From where to go on where so many characters of a passage were heard: behind the last sentence that was heard whole. Bytes.
#[must_use]
pub fn heard(shown: &str, chars: usize) -> usize {
    let Some((heard, _)) = shown.char_indices().nth(chars) else { return shown.len() };
    let pieces = sentences::split(shown, usize::MAX);
    if pieces.last().is_none_or(|last| last.shown_to <= heard) {
        return shown.len();
    }
    pieces.iter().map(|piece| piece.shown_to).take_while(|to| *to <= heard).last().unwrap_or(0)
}

/// Whether there is something to say in a text.
fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Where the first part of a text ends; behind the blanks that follow it.
fn end(text: &str, pace: &Pace) -> usize {
    let bound = pace.bound(text);
    if bound == text.len() {
        return bound;
    }
    let ahead = text[bound..].char_indices().nth(AHEAD).map_or(text.len(), |(at, _)| bound + at);
    let mut ends = Vec::new();
    // It is not told that the text is over, so that each end is certain.
    let mut splitter = Splitter::new(usize::MAX);
    splitter.push(&text[..ahead], |piece| {
        // What fits without the line break behind it fits.
        let end = text[..piece.shown_to].trim_end().len();
        if end <= bound {
            ends.push(end);
        }
    });
    let paragraph = |end: &usize| text[*end..].trim_start_matches([' ', '\t']).starts_with('\n');
    let late = |end: &usize| *end >= bound / 3 * 2;
    let last = ends.iter().rev().take_while(|end| late(end)).find(|end| paragraph(end));
    let end = last.or(ends.last()).copied().unwrap_or_else(|| {
        // A sentence longer than a passage.
        text[..bound].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(bound)
    });
    text.len() - text[end..].trim_start().len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pace(seconds: u64) -> Pace {
        Pace { passage: Duration::from_secs(seconds), letters_a_minute: 600, han_a_minute: 240 }
    }

    /// A text's passages, as they are shown.
    fn all(text: &str, pace: &Pace) -> Vec<String> {
        let (mut at, mut shown) = (0, Vec::new());
        while let Some(passage) = next(&text[at..], pace) {
            shown.push(text[at..][passage.shown].to_owned());
            at += passage.to;
        }
        shown
    }

    #[test]
    fn passages_are_whole_sentences() {
        // Ten letters a second.
        let text =
            "The hall was dark. Dr. Vale came at 9 a.m. and left again.\n\nNobody saw him. Not a soul!";
        assert_eq!(
            all(text, &pace(6)),
            ["The hall was dark. Dr. Vale came at 9 a.m. and left again.", "Nobody saw him. Not a soul!"]
        );
        assert_eq!(
            all(text, &pace(4)),
            ["The hall was dark.", "Dr. Vale came at 9 a.m. and left again.", "Nobody saw him. Not a soul!"]
        );
        // Four characters a second.
        let text = "月亮出来了。小熊问：“你睡了吗？”没有人回答。";
        assert_eq!(all(text, &pace(4)), ["月亮出来了。小熊问：“你睡了吗？”", "没有人回答。"]);
    }

    #[test]
    fn a_paragraph_near_the_end_ends_a_passage() {
        let text = "One is here. Two is here. Three is here.\nFour. And the rest of it goes on.";
        assert_eq!(all(text, &pace(5))[0], "One is here. Two is here. Three is here.");
    }

    #[test]
    fn a_sentence_longer_than_a_passage_is_cut_between_words() {
        let text = "and ".repeat(30);
        let parts = all(&text, &pace(2));
        assert!(parts.iter().all(|part| part.chars().count() <= 20 && part.ends_with("and")), "{parts:?}");
        let parts = all(&"字".repeat(30), &pace(2));
        assert_eq!(parts[0].chars().count(), 8);
    }

    #[test]
    fn what_has_no_words_is_not_read() {
        for text in ["", "  \n", "* * *\n\n***\n"] {
            assert_eq!(next(text, &pace(1)), None, "{text:?}");
        }
        assert_eq!(all("One.\n\n* * *\n\nTwo.\n\n* * *\n", &pace(1)), ["One.", "* * *\n\nTwo.\n\n* * *"]);
    }

    #[test]
    fn reading_goes_on_behind_what_was_heard() {
        let text = "The hall was dark. Nobody was there. He waited.";
        let from = |chars| &text[heard(text, chars)..];
        assert_eq!(from(0), text);
        assert_eq!(from(17), text, "a sentence that was cut off is read again");
        assert_eq!(from(19), " Nobody was there. He waited.");
        assert_eq!(from(40), " He waited.");
        assert_eq!(from(46), " He waited.");
        assert_eq!((from(47), from(1_000)), ("", ""));
    }

    proptest! {
        /// Nothing is left out and nothing is read twice; each passage fits, and ends where a sentence does unless one does not fit.
        #[test]
        fn passages_are_the_text(
            text in "([a-zA-Z,]{1,9}|[0-9.]{1,3}|[。！？…”“\"'.!?] ?|[ \n*#-]{1,3}|[天地人月]{1,6}){0,60}",
            seconds in 1_u64..8,
        ) {
            let pace = pace(seconds);
            let (mut at, mut joined) = (0, String::new());
            while let Some(Passage { shown, to }) = next(&text[at..], &pace) {
                prop_assert!(to > 0 && shown.end <= to && has_words(&text[at..][shown.clone()]));
                let read = &text[at..at + to];
                joined.push_str(read);
                let seen = &text[at..][shown];
                prop_assert_eq!(read.trim(), seen);
                at += to;
                // Cut in the middle: it is one sentence, and the next word would not have fitted.
                let whole = sentences::split(&text[at - to..], usize::MAX);
                let ends = whole.iter().any(|piece| text[at - to..][..piece.shown_to].trim_end() == read.trim_end());
                if !ends && has_words(&text[at..]) {
                    let spoken = sentences::split(seen, usize::MAX);
                    prop_assert!(spoken.len() <= 1, "{:?} is cut in its {} sentences", seen, spoken.len());
                }
            }
            joined.push_str(&text[at..]);
            prop_assert_eq!(&joined, &text);
            prop_assert!(!has_words(&text[at..]));
        }

        /// What was heard is never behind what was heard, and more of it never goes back.
        #[test]
        fn more_heard_is_further(text in "([a-z]{1,6}[.!?,]? |[天地]{1,4}。|\n){0,30}") {
            let mut last = 0;
            for chars in 0..=text.chars().count() {
                let at = heard(&text, chars);
                prop_assert!(at >= last && text.is_char_boundary(at));
                let heard: String = text.chars().take(chars).collect();
                prop_assert!(at <= heard.len() || !has_words(&text[heard.len()..]), "{} of {:?}", at, heard);
                last = at;
            }
            prop_assert_eq!(last, text.len());
        }
    }
}

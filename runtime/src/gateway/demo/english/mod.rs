//! Plain English sentences.

mod device;
mod people;
mod places;
mod time;
mod when;

use super::proposal::Proposal;

/// Reads a sentence; the more telling forms come first.
pub(super) fn understand(text: &str) -> Option<Proposal> {
    let sentence = Sentence::new(polite(text));
    let readers: &[fn(&Sentence<'_>) -> Option<Proposal>] = &[
        device::url,
        people::email,
        people::sms,
        device::automation,
        places::stop_navigation,
        places::add_stop,
        when::timer,
        when::alarm,
        when::calendar,
        device::torch,
        device::settings,
        people::dial,
        places::navigate,
        places::search,
        device::media,
        device::app,
    ];
    readers.iter().find_map(|read| read(&sentence))
}

/// The sentence without what politeness adds.
fn polite(text: &str) -> &str {
    let mut text = text.trim().trim_end_matches(['.', '!', '?']).trim_end();
    loop {
        let before = text;
        for word in [
            "please",
            "can you",
            "could you",
            "would you",
            "will you",
            "i want to",
            "i would like to",
            "hey",
            "ok",
            "okay",
        ] {
            if let Some(rest) = Sentence::new(text).begins(&[word]) {
                text = rest.trim_start_matches([',', ' ']);
            }
        }
        let low = text.to_ascii_lowercase();
        for word in [" please", " for me", " now"] {
            if low.ends_with(word) {
                text = text[..text.len() - word.len()].trim_end_matches([',', ' ']);
                break;
            }
        }
        if text == before {
            return text;
        }
    }
}

/// A sentence with its lower-case form, byte for byte alike, so that a place found in one is a place in the other.
pub(super) struct Sentence<'a> {
    raw: &'a str,
    low: String,
}

impl<'a> Sentence<'a> {
    fn new(raw: &'a str) -> Self {
        Self { raw, low: raw.to_ascii_lowercase() }
    }

    /// Where a phrase stands, as whole words.
    fn find(&self, phrase: &str) -> Option<usize> {
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        self.low.match_indices(phrase).map(|(at, _)| at).find(|&at| {
            let (before, after) =
                (self.low[..at].chars().next_back(), self.low[at + phrase.len()..].chars().next());
            let open = phrase.starts_with(char::is_alphanumeric) && is_word(before);
            let close = phrase.ends_with(char::is_alphanumeric) && is_word(after);
            !open && !close
        })
    }

    fn has(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.find(phrase).is_some())
    }

    /// The rest of a sentence that begins with one of these phrases.
    fn begins(&self, phrases: &[&str]) -> Option<&'a str> {
        let phrase = phrases.iter().find(|phrase| self.find(phrase) == Some(0))?;
        Some(self.raw[phrase.len()..].trim())
    }

    /// What stands before and behind the first of these phrases that the sentence holds.
    fn split(&self, phrases: &[&str]) -> Option<(&'a str, &'a str)> {
        let places = phrases.iter().filter_map(|phrase| Some((self.find(phrase)?, phrase.len())));
        let (at, length) = places.min_by_key(|&(at, length)| (at, std::cmp::Reverse(length)))?;
        Some((self.raw[..at].trim(), self.raw[at + length..].trim()))
    }

    /// What stands before the first of these phrases; the whole where it holds none.
    fn until(&self, phrases: &[&str]) -> &'a str {
        self.split(phrases).map_or(self.raw, |(before, _)| before).trim()
    }
}

/// Text without the article or pronoun before it, and without marks around it; none when nothing is left.
fn bare(text: &str) -> Option<&str> {
    let mut text = text.trim().trim_matches(['"', '“', '”', ',', ':', ' ']);
    for article in ["the ", "a ", "an ", "my ", "some "] {
        if text.get(..article.len()).is_some_and(|head| head.eq_ignore_ascii_case(article)) {
            text = text[article.len()..].trim_start();
            break;
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The names in a list written with commas or `and`.
fn names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for part in text.split([',', ';', '&']) {
        let mut rest = part;
        while let Some((before, after)) = Sentence::new(rest).split(&["and"]) {
            names.push(before);
            rest = after;
        }
        names.push(rest);
    }
    names.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect()
}

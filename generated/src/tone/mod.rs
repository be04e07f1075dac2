//! What is said of how something was said (spec-format, "tone"): for each figure of a voice, the percentiles of the speaker's
//! own past beyond which it is worth a word, and the word.

use crate::support::Language;

#[rustfmt::skip]
#[allow(clippy::match_single_binding, reason = "of which figures something is said is the spec's to say")]
mod cues;

pub use cues::Feature;

/// A phrase for a value beyond a percentile of the speaker's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tier {
    /// From 0 to 100, both excluded.
    pub percentile: f64,
    /// What is said, in the order of [`Language::ALL`].
    phrase: [&'static str; 2],
    /// Whether it calls for a soft voice.
    pub soft: bool,
}

impl Tier {
    /// What is said.
    pub fn phrase(&self, language: Language) -> &'static str {
        let [english, chinese] = self.phrase;
        match language {
            Language::En => english,
            Language::Zh => chinese,
        }
    }
}

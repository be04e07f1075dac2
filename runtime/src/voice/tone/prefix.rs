//! What a model reads before words that were spoken: `[voice call · sad · quiet, lots of pauses]` (document 2).

use handset_spec::Language;
use handset_spec_macros::text;
use serde::{Deserialize, Serialize};

use super::Cue;

/// A feeling that a recogniser hears. What is neutral or unknown is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Emotion {
    /// Happy.
    Happy,
    /// Sad.
    Sad,
    /// Angry.
    Angry,
    /// Afraid.
    Fearful,
    /// Disgusted.
    Disgusted,
    /// Surprised.
    Surprised,
}

impl Emotion {
    /// The spec's word.
    #[must_use]
    pub fn word(self, language: Language) -> &'static str {
        match self {
            Self::Happy => text!(tone.happy in language),
            Self::Sad => text!(tone.sad in language),
            Self::Angry => text!(tone.angry in language),
            Self::Fearful => text!(tone.fearful in language),
            Self::Disgusted => text!(tone.disgusted in language),
            Self::Surprised => text!(tone.surprised in language),
        }
    }
}

/// The cues in words; nothing where there are none.
#[must_use]
pub fn words(cues: &[Cue], language: Language) -> Option<String> {
    let phrases: Vec<_> = cues.iter().map(|cue| cue.tier.phrase(language)).collect();
    (!phrases.is_empty()).then(|| phrases.join(text!(tone.between in language)))
}

/// What was said behind a prefix, by whatever it was felt to be; where there is none, all of it.
#[must_use]
pub fn unprefixed(words: &str) -> &str {
    const HERE: &str = "\0";
    Language::ALL
        .iter()
        .find_map(|language| {
            let around = text!(tone.prefix in *language, emotion = HERE, cues = "");
            let (before, behind) = around.split_once(HERE)?;
            let (_, said) = words.strip_prefix(before)?.split_once(behind).filter(|_| !behind.is_empty())?;
            Some(said.trim_start())
        })
        .unwrap_or(words)
}

/// The prefix of a message that was spoken in a call.
#[must_use]
pub fn prefix(emotion: Option<Emotion>, cues: &[Cue], language: Language) -> String {
    let emotion = emotion.map(|emotion| text!(tone.emotion in language, emotion = emotion.word(language)));
    let cues = words(cues, language).map(|cues| text!(tone.cues in language, cues = cues));
    text!(
        tone.prefix in language,
        emotion = emotion.unwrap_or_default(),
        cues = cues.unwrap_or_default(),
    )
}

/// A feeling and cues as the person is shown them; nothing where there are neither.
#[must_use]
pub fn feeling(emotion: Option<Emotion>, tone: Option<&str>, language: Language) -> Option<String> {
    match (emotion, tone) {
        (Some(emotion), Some(tone)) => {
            Some(text!(tone.feeling in language, emotion = emotion.word(language), cues = tone))
        }
        (Some(emotion), None) => Some(emotion.word(language).to_owned()),
        (None, tone) => tone.map(str::to_owned),
    }
}

/// Whether the voice calls for a soft one in answer.
#[must_use]
pub fn is_soft(cues: &[Cue]) -> bool {
    cues.iter().any(|cue| cue.tier.soft)
}

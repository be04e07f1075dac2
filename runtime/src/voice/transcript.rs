//! What `/transcribe` answers (document 2, "Emotion & tone").

use handset_spec::Language;
use serde::Serialize;

use super::hearing::Sound;
use super::recogniser::Words;
use super::tone::{self, Baseline, Emotion, Features, Limits};

/// What was said, and how.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transcript {
    /// The words: empty where nobody spoke, null where there is no recogniser.
    pub text: Option<String>,
    /// The feeling that the recogniser hears; null for none, neutral or unknown.
    pub emotion: Option<Emotion>,
    /// What stands out in the voice, in the person's language; null for nothing.
    pub tone: Option<String>,
    /// The figures of the voice; null where nobody spoke, or under 0.6 seconds.
    pub features: Option<Figures>,
    /// The language that was spoken, where the recogniser says one.
    pub language: Option<String>,
    /// What else is to be heard, such as laughter, where the recogniser says so.
    pub events: Vec<String>,
    /// Whether the voice calls for a soft one in answer.
    pub soft: bool,
    /// What the message begins with that a model is given: `[voice call · sad · quiet, lots of pauses]`.
    pub prefix: String,
    /// Where the speech begins and ends, in seconds; null where nobody spoke.
    pub speech: Option<Span>,
    /// What was uploaded.
    pub upload: Upload,
}

/// The figures, as many digits of each as mean something.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Seconds.
    pub dur: f64,
    /// Hz; null where no voice has a pitch.
    pub pitch: Option<f64>,
    /// Hz.
    pub pitch_var: Option<f64>,
    /// From 0 to 1.
    pub energy: f64,
    /// A share, from 0 to 1.
    pub pause: f64,
    /// Letters a second; null without words.
    pub rate: Option<f64>,
    /// How loud it ends, against its middle.
    pub tail: Option<f64>,
}

/// From where to where, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Span {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// What an upload was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Upload {
    /// Its container, by its bytes.
    pub container: &'static str,
    /// How the sound in it was written.
    pub codec: &'static str,
    /// Its length in seconds.
    pub seconds: f64,
}

impl Transcript {
    /// Puts together what was heard. `words` are none where there is no recogniser; `usual` is what the voice is compared with.
    #[must_use]
    pub fn new(
        sound: &Sound,
        words: Option<Words>,
        features: Option<&Features>,
        usual: &Baseline,
        limits: Limits,
        language: Language,
    ) -> Self {
        let cues = features.map(|features| tone::cues(features, usual, limits)).unwrap_or_default();
        let rate = f64::from(super::audio::RATE);
        let seconds = |samples: usize| round(samples as f64 / rate, 2);
        let Words { text, language: spoken, emotion, events } = words.clone().unwrap_or_default();
        Self {
            text: words.map(|_| text),
            emotion,
            tone: tone::words(&cues, language),
            features: features.map(Figures::new),
            language: spoken,
            events,
            soft: tone::is_soft(&cues),
            prefix: tone::prefix(emotion, &cues, language),
            speech: sound
                .speech
                .clone()
                .map(|span| Span { from: seconds(span.start), to: seconds(span.end) }),
            upload: Upload {
                container: sound.container.name(),
                codec: sound.codec,
                seconds: seconds(sound.samples.len()),
            },
        }
    }
}

impl Figures {
    fn new(of: &Features) -> Self {
        let some = |value: Option<f64>, digits| value.map(|value| round(value, digits));
        Self {
            dur: round(of.dur, 1),
            pitch: some(of.pitch, 1),
            pitch_var: some(of.pitch_var, 1),
            energy: round(of.energy, 3),
            pause: round(of.pause, 2),
            rate: some(of.rate, 1),
            tail: some(of.tail, 2),
        }
    }
}

fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The very figures of document 2.
    #[test]
    fn figures_have_the_digits_of_the_document() {
        let figures = Figures::new(&Features {
            dur: 4.72,
            pitch: Some(169.2371),
            pitch_var: Some(88.4449),
            energy: 0.036_96,
            pause: 0.4779,
            rate: None,
            tail: Some(0.816),
        });
        let json = serde_json::to_string(&figures).unwrap();
        assert_eq!(
            json,
            r#"{"dur":4.7,"pitch":169.2,"pitch_var":88.4,"energy":0.037,"pause":0.48,"rate":null,"tail":0.82}"#
        );
    }
}

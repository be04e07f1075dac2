//! Hearing: bytes in; words, feeling and figures out.
//!
//! | stage | what | where |
//! |---|---|---|
//! | decode | bytes to samples | [`super::audio`] |
//! | resample | to one rate | [`super::audio::resample`] |
//! | gate | from where to where somebody speaks | [`super::gate`] |
//! | recognise | samples to words | [`super::recogniser`] |
//! | features | how it was said | [`super::tone`] |

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::audio::{self, Container, Fault, Limits};
use super::gate;
use super::recogniser::{Failure, Recogniser, Utterance, Words};
use super::tone::{self, Features};

/// What was heard of an upload before anybody tried to understand it.
#[derive(Clone)]
pub struct Sound {
    /// The whole of it: mono, at [`audio::RATE`].
    pub samples: Arc<[f32]>,
    /// What it came in.
    pub container: Container,
    /// How it was written.
    pub codec: &'static str,
    /// From where to where somebody speaks, in samples; nothing where nobody does.
    pub speech: Option<Range<usize>>,
    /// How long each stage took.
    pub times: Times,
}

/// How long each stage took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Bytes to samples.
    pub decode: Duration,
    /// To one rate.
    pub resample: Duration,
    /// Where somebody speaks.
    pub gate: Duration,
}

impl Sound {
    /// Its length in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(audio::RATE)
    }
}

/// Listens to an upload. It computes for some milliseconds a second of sound, so not on a thread that others wait for.
///
/// # Errors
/// What is wrong with the upload.
pub fn listen(bytes: Vec<u8>, limits: Limits) -> Result<Sound, Fault> {
    let begin = Instant::now();
    let decoded = audio::decode(bytes, limits)?;
    let decode = begin.elapsed();
    let samples: Arc<[f32]> = audio::resample(&decoded.samples, decoded.rate).into();
    let resample = begin.elapsed() - decode;
    let speech = gate::speech(&samples);
    let gate = begin.elapsed() - decode - resample;
    let audio::Sound { container, codec, .. } = decoded;
    Ok(Sound { samples, container, codec, speech, times: Times { decode, resample, gate } })
}

/// Understands what was heard. Where nobody speaks there are no words, and the recogniser is not asked: it would make some up.
///
/// # Errors
/// Why the recogniser gave nothing.
pub async fn understand(
    recogniser: &dyn Recogniser,
    sound: &Sound,
    language: Option<String>,
) -> Result<Words, Failure> {
    let Some(speech) = sound.speech.clone() else { return Ok(Words::default()) };
    let samples = sound.samples.get(speech).unwrap_or_default().into();
    recogniser.recognise(Utterance { samples, language }).await
}

/// How it was said; nothing where nobody spoke, or too shortly to tell ([`tone::SHORTEST`]).
#[must_use]
pub fn features(sound: &Sound, text: Option<&str>) -> Option<Features> {
    sound.speech.as_ref()?;
    tone::measure(&sound.samples, text.filter(|text| !text.is_empty()))
}

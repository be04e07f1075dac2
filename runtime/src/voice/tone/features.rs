//! How something was said, in figures (facts of the field, "Tone"): length, pitch, loudness, pauses, rate, how it ends.

use handset_spec::tone::Feature;

use super::percentile;
use super::pitch::{FRAME, Frame, HOP, Pitch, RATE, Yin, is_inside, power};

/// The least that is measured, in seconds.
pub const SHORTEST: f64 = 0.6;
/// A frame is part of the speech where its loudness is over this part of the loudest frame's.
const VOICED: f64 = 0.15;
/// A voiced frame with less likeness to itself a period later is a hiss.
const PERIODIC: f64 = 0.5;

/// The features of an utterance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// Seconds.
    pub dur: f64,
    /// Mean pitch of the voiced frames, Hz; nothing where none is.
    pub pitch: Option<f64>,
    /// Its standard deviation, Hz.
    pub pitch_var: Option<f64>,
    /// Mean loudness (root mean square), 1 being the loudest there is.
    pub energy: f64,
    /// The share of frames that are quieter than one and a half times the quiet fifth's loudness.
    pub pause: f64,
    /// Letters a second of the speech, where the words are known.
    pub rate: Option<f64>,
    /// The loudness of the speech's last quarter over that of its middle half.
    pub tail: Option<f64>,
}

impl Features {
    /// Whether each figure that there is is a number: of samples that are none, none is.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let Self { dur, pitch, pitch_var, energy, pause, rate, tail } = *self;
        let all = [Some(dur), pitch, pitch_var, Some(energy), Some(pause), rate, tail];
        all.into_iter().flatten().all(f64::is_finite)
    }

    /// A figure by its name in the spec; nothing where it could not be measured.
    #[must_use]
    pub fn get(&self, feature: Feature) -> Option<f64> {
        let value = match feature.name() {
            "dur" => Some(self.dur),
            "pitch" => self.pitch,
            "pitch_var" => self.pitch_var,
            "energy" => Some(self.energy),
            "pause" => Some(self.pause),
            "rate" => self.rate,
            "tail" => self.tail,
            _ => None,
        };
        value.filter(|value| value.is_finite())
    }
}

/// Measures an utterance: mono samples between -1 and 1 at [`RATE`], and the words said. Nothing where it is shorter than
/// [`SHORTEST`].
pub fn measure(samples: &[f32], words: Option<&str>) -> Option<Features> {
    let dur = samples.len() as f64 / RATE as f64;
    if dur < SHORTEST {
        return None;
    }
    let (loudness, pitches) = frames(samples);
    let least = least(&loudness);
    let spoken = |loud: f64| loud > least;
    let voices = pitches.iter().zip(voiced(&loudness, &pitches));
    let pitches: Vec<f64> = voices.filter(|(_, voiced)| *voiced).map(|(pitch, _)| pitch.hz).collect();
    let pitch = mean(&pitches);
    let pitch_var = pitch.and_then(|middle| {
        mean(&pitches.iter().map(|hz| (hz - middle).powi(2)).collect::<Vec<_>>()).map(f64::sqrt)
    });
    let mut sorted = loudness.clone();
    sorted.sort_by(f64::total_cmp);
    let quiet = 1.5 * percentile(&sorted, 20.0);
    let pause = loudness.iter().filter(|loud| **loud < quiet).count() as f64 / loudness.len() as f64;
    let first = loudness.iter().position(|loud| spoken(*loud));
    let last = loudness.iter().rposition(|loud| spoken(*loud));
    let span = first.zip(last).map(|(first, last)| &loudness[first..=last]);
    let letters = words.map(|words| words.chars().filter(|c| c.is_alphanumeric()).count());
    Some(Features {
        dur,
        pitch,
        pitch_var,
        energy: loudness.iter().sum::<f64>() / loudness.len() as f64,
        pause,
        rate: letters
            .zip(span)
            .map(|(letters, span)| letters as f64 * RATE as f64 / (span.len() * HOP) as f64),
        tail: span.and_then(tail),
    })
}

/// Over which loudness a frame is part of the speech.
fn least(loudness: &[f64]) -> f64 {
    VOICED * loudness.iter().copied().fold(0.0, f64::max)
}

/// In which frames a voice has a pitch: they are part of the speech, like themselves a period later, and inside the range.
#[must_use]
pub fn voiced(loudness: &[f64], pitches: &[Pitch]) -> Vec<bool> {
    let least = least(loudness);
    let is_voiced =
        |(pitch, loud): (&Pitch, &f64)| *loud > least && pitch.periodicity >= PERIODIC && is_inside(pitch.hz);
    pitches.iter().zip(loudness).map(is_voiced).collect()
}

/// The loudness and the pitch of each frame. Frames are centred: the first begins half a frame before the samples do.
pub fn frames(samples: &[f32]) -> (Vec<f64>, Vec<Pitch>) {
    let count = samples.len() / HOP + 1;
    let mut hops = Vec::with_capacity((count + 1) * HOP);
    hops.resize(HOP, 0.0);
    hops.extend_from_slice(samples);
    hops.resize((count + 1) * HOP, 0.0);
    let powers: Vec<f64> = hops.chunks_exact(HOP).map(power).collect();
    // Two hops each.
    let frames: Vec<_> = hops
        .array_windows::<FRAME>()
        .step_by(HOP)
        .zip(powers.array_windows())
        .map(|(samples, [first, second])| Frame { samples, power: first + second })
        .collect();
    let mut yin = Yin::default();
    let pairs = frames.chunks(2).map(|pair| [pair[0], pair[pair.len() - 1]]);
    let mut pitches: Vec<_> = pairs.flat_map(|pair| yin.pair(pair)).collect();
    // An odd one was its own neighbour.
    pitches.truncate(frames.len());
    let loudness = frames.iter().map(|frame| (frame.power / FRAME as f64).sqrt()).collect();
    (loudness, pitches)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// How the speech ends; nothing where it has fewer than four frames or its middle is silent.
fn tail(span: &[f64]) -> Option<f64> {
    let quarter = span.len() / 4;
    let (end, middle) = (mean(&span[span.len() - quarter..])?, mean(&span[quarter..span.len() - quarter])?);
    (middle > 0.0).then(|| end / middle)
}

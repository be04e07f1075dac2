//! What is usual for a person's voice. An utterance is described first and remembered then: compared with itself, it would be a
//! little more usual than it is.

use handset_spec::settings::Tone;
use serde::Serialize;

use super::Gateway;
use crate::clock::rfc3339;
use crate::ids::PersonId;
use crate::store::{Error, Once, VoiceClip};
use crate::voice::tone::{Baseline, FEATURES_VERSION, Features};

/// What is kept of a person's voice, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoicePrint {
    /// How many utterances it is made of.
    samples: usize,
    /// How many it may be made of: the person's own setting.
    keep: i64,
    /// From how many on something is said of a figure: the person's own setting.
    needed: i64,
    /// How many more utterances it takes until something can be said of any figure; 0 where it can.
    missing: i64,
    /// The figures of which something can be said, each with what there is of it.
    features: Vec<FeaturePrint>,
    /// When the oldest of the utterances was heard; null where there is none.
    since: Option<String>,
    since_ms: Option<i64>,
    /// When the last was.
    last: Option<String>,
    last_ms: Option<i64>,
    /// The number of the way in which the figures are measured.
    version: i64,
}

/// What there is of one figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct FeaturePrint {
    name: &'static str,
    /// How many utterances have it.
    samples: usize,
    /// How many more have to.
    missing: i64,
}

impl VoicePrint {
    fn new(clips: &[VoiceClip], settings: &Tone) -> Self {
        let needed = settings.baseline_min;
        let missing = |samples: usize| (needed - i64::try_from(samples).unwrap_or(i64::MAX)).max(0);
        let usual = Baseline::new(clips.iter().map(|clip| clip.features));
        let features: Vec<_> = usual
            .counts()
            .map(|(feature, samples)| FeaturePrint {
                name: feature.name(),
                samples,
                missing: missing(samples),
            })
            .collect();
        let (since_ms, last_ms) =
            (clips.first().map(|clip| clip.heard_ms), clips.last().map(|clip| clip.heard_ms));
        Self {
            samples: clips.len(),
            keep: settings.baseline_keep,
            needed,
            missing: features.iter().map(|feature| feature.missing).min().unwrap_or(0),
            features,
            since: since_ms.map(rfc3339),
            since_ms,
            last: last_ms.map(rfc3339),
            last_ms,
            version: FEATURES_VERSION,
        }
    }
}

impl Gateway {
    /// What is usual for a person's voice, by what they have set of how much is kept.
    ///
    /// # Errors
    /// What the store says.
    pub async fn usual_voice(&self, person: &PersonId, settings: &Tone) -> Result<Baseline, Error> {
        let clips = self.voice_clips(person, settings).await?;
        Ok(Baseline::new(clips.into_iter().map(|clip| clip.features)))
    }

    async fn voice_clips(&self, person: &PersonId, settings: &Tone) -> Result<Vec<VoiceClip>, Error> {
        self.store.voice_clips(person.clone(), FEATURES_VERSION, settings.baseline_keep).await
    }

    /// Remembers how somebody has just said something, once it was described. To be called for their own words alone, and not for
    /// a trial; what nobody could make words of is no utterance, and is not kept. Gives whether it was.
    ///
    /// # Errors
    /// What the store says.
    pub async fn remember_voice(
        &self,
        person: &PersonId,
        words: &str,
        features: &Features,
        once: Option<Once>,
    ) -> Result<bool, Error> {
        if words.trim().is_empty() || !features.is_finite() {
            return Ok(false);
        }
        let clip = VoiceClip { heard_ms: self.clock.now_ms(), features: *features };
        self.store.keep_voice_clip(person.clone(), FEATURES_VERSION, clip, once).await
    }

    /// What is kept of a person's voice.
    ///
    /// # Errors
    /// What the store says.
    pub async fn voice_print(&self, person: &PersonId, settings: &Tone) -> Result<VoicePrint, Error> {
        Ok(VoicePrint::new(&self.voice_clips(person, settings).await?, settings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_print_says_what_is_missing() {
        let features = |rate| Features {
            dur: 1.0,
            pitch: Some(150.0),
            pitch_var: Some(20.0),
            energy: 0.1,
            pause: 0.3,
            rate,
            tail: None,
        };
        let clip = |number: i64| VoiceClip {
            heard_ms: number,
            features: features((number % 2 == 0).then_some(10.0)),
        };
        let settings = Tone { baseline_min: 25, ..Tone::default() };
        let print = |count: i64| VoicePrint::new(&(0..count).map(clip).collect::<Vec<_>>(), &settings);
        let none = print(0);
        assert_eq!((none.samples, none.missing, none.since_ms, none.last_ms), (0, 25, None, None));
        let some = print(20);
        assert_eq!((some.samples, some.missing, some.since_ms, some.last_ms), (20, 5, Some(0), Some(19)));
        let enough = print(30);
        assert_eq!(enough.missing, 0);
        let missing = |name| enough.features.iter().find(|feature| feature.name == name).unwrap().missing;
        assert_eq!((missing("energy"), missing("rate"), missing("tail")), (0, 10, 25));
    }
}

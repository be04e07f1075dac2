//! What a person sets: changed, told to their devices, and shown with what they should know of it.

use handset_spec::Language;
use handset_spec::settings::{Call, Clamped};
use handset_spec_macros::text;
use serde::Serialize;
use serde_json::Value;

use super::Gateway;
use super::events::{Kind, News};
use crate::ids::PersonId;
use crate::store::{Error, Once, Personal, Tune, TuneFault, Tuned};

/// What is set, as JSON: each knob in its own unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingsView {
    /// The knobs, by section.
    settings: Value,
    /// The language that was chosen; null for that of the person's words.
    language: Option<&'static str>,
    /// The IANA name of the time zone.
    zone: String,
    /// Whether the person does not want to be disturbed.
    dnd: bool,
    /// What was not taken as it was given, or is out of the spec's bounds by now.
    clamped: Vec<Clamped>,
    /// The paths of what is kept and unknown to this version of the spec.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    /// What the person should know of how these go together.
    notes: Vec<Note>,
}

/// A notice, in the person's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// What it is about.
    code: &'static str,
    /// What it says.
    text: String,
}

impl SettingsView {
    /// What a person has set; `clamped` is what was not taken as it was given.
    #[must_use]
    pub fn new(personal: &Personal, clamped: Vec<Clamped>) -> Self {
        let mut all = personal.clamped.clone();
        all.extend(clamped);
        Self {
            settings: personal.settings.to_json(),
            language: personal.language.map(Language::key),
            zone: personal.zone.clone(),
            dnd: personal.dnd,
            clamped: all,
            ignored: personal.ignored.clone(),
            notes: notes(&personal.settings.call, personal.reads()),
        }
    }
}

fn notes(call: &Call, language: Language) -> Vec<Note> {
    let (rings, kept) = rings(call);
    let dropped = (kept < rings).then(|| {
        let seconds = call.invite_expires.as_secs_f64();
        let text = text!(settings.rings_dropped in language, seconds = seconds, rings = rings, kept = kept);
        Note { code: "rings_dropped", text }
    });
    dropped.into_iter().collect()
}

/// How many rings are set, and how many of them are due before the invite expires.
fn rings(call: &Call) -> (i64, i64) {
    let rings = call.extra_rings.max(0).saturating_add(1);
    let (expires, interval) = (call.invite_expires.as_millis(), call.ring_interval.as_millis());
    // The first is due at once; one that is due as the invite expires comes too late.
    let in_time =
        if interval == 0 { i64::MAX } else { i64::try_from(expires.div_ceil(interval)).unwrap_or(i64::MAX) };
    (rings, rings.min(in_time))
}

impl Gateway {
    /// Changes what a person has set, and tells their devices where it was otherwise before. Nothing where there is no such
    /// person.
    ///
    /// # Errors
    /// What the store says; inside, everything of the change that is unknown or of another type.
    pub async fn tune(
        &self,
        person: &PersonId,
        tune: Tune,
        once: Option<Once>,
    ) -> Result<Option<Result<Tuned, TuneFault>>, Error> {
        let tuned = self.store.tune(person.clone(), tune, self.clock.now_ms(), once).await?;
        if let Some(Ok(tuned)) = &tuned {
            self.tell_flags(person, tuned);
            if tuned.changed || tuned.switched {
                let view = SettingsView::new(&tuned.personal, Vec::new());
                self.hub.publish(person, News::of_person(Kind::Settings, view));
            }
        }
        Ok(tuned)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn rings_that_come_too_late_are_told() {
        let call = |interval: u64, extra_rings: i64, expires: u64| Call {
            ring_interval: Duration::from_secs(interval),
            extra_rings,
            invite_expires: Duration::from_secs(expires),
            ..Call::default()
        };
        for (interval, extra, expires, kept) in [
            (2, 10, 30, 11),
            (10, 10, 30, 3),
            (2, 14, 30, 15),
            (2, 15, 30, 15),
            (60, 0, 15, 1),
            (7, 60, 600, 61),
        ] {
            let call = call(interval, extra, expires);
            assert_eq!(rings(&call), (extra + 1, kept), "{call:?}");
            for &language in Language::ALL {
                let notes = notes(&call, language);
                assert_eq!(notes.len(), usize::from(kept < extra + 1));
                assert!(notes.iter().all(|note| note.text.contains(&kept.to_string())), "{notes:?}");
            }
        }
    }
}

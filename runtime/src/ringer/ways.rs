//! How a person wants to be called: what the ringer takes from their settings, in its own units.

use std::time::Duration;

use handset_spec::Language;
use handset_spec::settings::Settings;

use super::linger::Bounds;
use super::record::Limits;
use crate::store::Personal;

/// A person's ways with calls. Times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ways {
    /// Whether an invite rings at all; without, it waits on the screen.
    pub rings: bool,
    /// From one ring to the next.
    pub interval_ms: i64,
    /// How many rings follow the first.
    pub extra: u32,
    /// How long an invite waits for its answer.
    pub expires_ms: i64,
    /// How often a device asks that is not told of events.
    pub poll_ms: i64,
    /// Between what the lingering window is drawn.
    pub linger: Bounds,
    /// From which length on a call leaves what.
    pub limits: Limits,
    /// How long a record waits for its summary.
    pub summary_ms: i64,
    /// The language that the person chose; none follows what is written.
    pub chosen: Option<Language>,
    /// The language in which they read.
    pub reads: Language,
}

impl Ways {
    /// What a person's settings say.
    #[must_use]
    pub fn new(personal: &Personal) -> Self {
        let Settings { call, voice, record, .. } = &personal.settings;
        Self {
            rings: call.ring_enabled,
            interval_ms: ms(call.ring_interval),
            // Bounded by the spec, and never negative.
            extra: u32::try_from(call.extra_rings).unwrap_or(0),
            expires_ms: ms(call.invite_expires),
            poll_ms: ms(call.poll_interval),
            linger: Bounds { min_ms: ms(voice.linger_min), max_ms: ms(voice.linger_max) },
            limits: Limits { min_call_ms: ms(record.min_call), min_summary_ms: ms(record.min_summary) },
            summary_ms: ms(record.summary_timeout),
            chosen: personal.language,
            reads: personal.reads(),
        }
    }
}

fn ms(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

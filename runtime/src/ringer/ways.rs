//! How a person wants to be called: what the ringer needs of their settings.

use handset_spec::Language;

use super::linger::Bounds;
use super::record::Limits;

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
    /// How often a device that is not told of events asks.
    pub poll_ms: i64,
    /// Between what the lingering window is drawn.
    pub linger: Bounds,
    /// From which length on a call leaves what.
    pub limits: Limits,
    /// How long a record waits for its summary.
    pub summary_ms: i64,
    /// The language that the person chose; none follows what they write.
    pub language: Option<Language>,
}

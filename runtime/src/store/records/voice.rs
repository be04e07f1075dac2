//! What is kept of an utterance.

use crate::voice::tone::Features;

/// The figures of one utterance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoiceClip {
    /// When it was heard.
    pub heard_ms: i64,
    /// Its figures.
    pub features: Features,
}

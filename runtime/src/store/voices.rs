//! What is kept of each person's voice: the figures of their last utterances, and nothing of what they said.

use super::{Answer, Once, VoiceClip};
use crate::ids::PersonId;

/// Prints of voices. `version` is the way in which figures are measured
/// ([`FEATURES_VERSION`](crate::voice::tone::FEATURES_VERSION)): what was measured in another way is void.
pub trait Voices: Send + Sync {
    /// The figures of a person's last utterances that were measured in this way, the oldest first, at most so many.
    fn voice_clips(&self, person: PersonId, version: i64, limit: i64) -> Answer<'_, Vec<VoiceClip>>;
    /// Keeps the figures of one more utterance. What is beyond the number that the person has set
    /// (`tone.baseline_keep`) goes in the same write, and whatever was measured in another way; false where there is no such
    /// person. A repetition is kept once.
    fn keep_voice_clip(
        &self,
        person: PersonId,
        version: i64,
        clip: VoiceClip,
        once: Option<Once>,
    ) -> Answer<'_, bool>;
    /// Forgets a person's voice; gives how many utterances that were.
    fn forget_voice(&self, person: PersonId) -> Answer<'_, u64>;
    /// Removes what was measured in another way, whosever it is; gives how many utterances that were.
    fn drop_void_voices(&self, version: i64) -> Answer<'_, u64>;
}

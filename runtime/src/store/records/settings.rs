//! What a person has set, and what their companion's own calls depend on.

use handset_spec::Language;
use handset_spec::settings::{Clamped, Fault, Settings};
use serde_json::Value;

use super::Role;
use crate::ids::{ChatId, PersonId};
use crate::ringer::escalation::state::Escalated;

/// What a person has set.
#[derive(Debug, Clone, PartialEq)]
pub struct Personal {
    /// The knobs, each within its bounds.
    pub settings: Settings,
    /// The language that they chose, if they chose one.
    pub language: Option<Language>,
    /// The language of their last words, if they ever said some.
    pub spoken: Option<Language>,
    /// The IANA name of their time zone.
    pub zone: String,
    /// Whether they do not want to be disturbed.
    pub dnd: bool,
    /// When that was last switched.
    pub dnd_changed_ms: Option<i64>,
    /// What is kept and out of the spec's bounds by now.
    pub clamped: Vec<Clamped>,
    /// The paths of what is kept and unknown to this spec.
    pub ignored: Vec<String>,
}

impl Personal {
    /// The language in which they read: the one they chose, else the one they write in.
    #[must_use]
    pub fn reads(&self) -> Language {
        self.language.or(self.spoken).unwrap_or_default()
    }
}

/// A change of what a person has set. What is `None` stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tune {
    /// The knobs, as a JSON merge patch.
    pub settings: Option<Value>,
    /// A language, or none: that of their words.
    pub language: Option<Option<Language>>,
    /// The IANA name of a time zone that is known.
    pub zone: Option<String>,
    /// Whether they want not to be disturbed.
    pub dnd: Option<bool>,
}

/// What came of a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// What is set now.
    pub personal: Personal,
    /// What was given out of bounds, and what was taken in its place.
    pub clamped: Vec<Clamped>,
    /// Whether anything but do-not-disturb is other than before.
    pub changed: bool,
    /// Whether do-not-disturb is other than before.
    pub switched: bool,
}

/// Why a change was not made: everything in it that is unknown or of another type.
pub type TuneFault = Vec<Fault>;

/// What is known of somebody whom the companion may have to call of its own accord.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Who it is.
    pub person: PersonId,
    /// What they have set.
    pub personal: Personal,
    /// When they were last heard.
    pub heard_ms: Option<i64>,
    /// In which chat.
    pub heard_in: Option<ChatId>,
    /// The last such call.
    pub escalated: Option<Escalated>,
    /// When this look was due; it names the look for [`crate::store::Tuning::look_again`].
    pub look_ms: Option<i64>,
}

/// Somebody's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Whose: the person's or the companion's.
    pub role: Role,
    /// What was said.
    pub text: String,
}

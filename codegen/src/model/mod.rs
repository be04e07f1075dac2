//! The checked spec: what the emitters see. Every name in it resolves, every text has the holes it may have, every
//! bound holds; building one from JSON, or saying why not, is `read`'s and `check`'s work.

mod markers;
mod name;
mod number;
mod phone;
mod text;
mod tone;
mod tool;
pub mod wire;

pub use markers::{MarkerKind, Markers, folded};
pub use name::Name;
pub use number::{Constant, Fixed, Knob, NumberSection, Setting, Unit, Wordings};
pub use phone::{Action, ActionId, Check, Entry, Field, FieldId, Kind, Phone, Shape};
pub use text::{Audience, Language, Part, Template, Text, TextSection};
pub use tone::{Tier, ToneFeature};
pub use tool::{Confirm, Requirement, Risk, Scope, Session, Tool};

/// The whole checked spec.
#[derive(Clone, Debug)]
pub struct Spec {
    /// `version` of loop.json.
    pub version: Version,
    /// `phone` of loop.json; its texts are in [`Spec::texts`].
    pub phone: Phone,
    /// `markers` of loop.json.
    pub markers: Markers,
    /// `tone.cues` of loop.json, in the spec's order.
    pub tone: Vec<ToneFeature>,
    /// One per file of `tools/`, by name.
    pub tools: Vec<Tool>,
    /// The texts of every section that has some (`phone`, `tools`, `demo`), in the order of loop.json.
    pub texts: Vec<TextSection>,
    /// The constants and knobs of every section that has some, in the order of loop.json.
    pub numbers: Vec<NumberSection>,
}

/// MAJOR.MINOR.PATCH of loop.json.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Version {
    /// Changes when a client must change.
    pub major: u32,
    /// Changes when the compiler must know more.
    pub minor: u32,
    /// Changes with every other edit that is worth a number.
    pub patch: u32,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

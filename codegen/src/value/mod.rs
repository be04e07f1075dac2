//! The checked spec as one plain value: what templates are filled from and `cargo spec model` prints
//! (specs/schema/model.schema.json; docs/templates.md).
//!
//! Its keys are an interface of other people's templates: one is added, never renamed, as long as [`FORMAT`] stays.
//! What there is none of is null or an empty list, never left out, so that a template may ask for everything.

mod markers;
mod name;
mod numbers;
mod phone;
mod texts;
mod tone;
mod tools;
mod wire;

use serde::Serialize;

pub use markers::{Delimiter, Marker, Markers, Spelling};
pub use name::Named;
pub use numbers::{Constant, Knob, Labels, Numbers};
pub use phone::{Action, Check, Field, Phone};
pub use texts::{Part, Text, Texts, Wording};
pub use tone::{Tier, Tone};
pub use tools::{Gate, Tool};
pub use wire::{
    Answer, Body, Code, Event, Header, Member, Operation, Path, Place, Record, Topic, Type, Value, Wire,
    Words,
};

use crate::model::{Language, Spec};
use crate::sync::HEADER;

/// The number of this value's form: it changes when a key goes or changes its meaning.
pub const FORMAT: u32 = 1;

/// The whole spec.
#[derive(Debug, Serialize)]
pub struct Model {
    /// [`FORMAT`].
    pub format: u32,
    /// What the first lines of every generated file have to say, in a comment of its language.
    pub header: &'static str,
    /// The compiler's own version.
    pub compiler: &'static str,
    /// MAJOR.MINOR.PATCH of loop.json.
    pub version: String,
    /// The languages in which every text for a person is written: `en`, `zh`.
    pub languages: Vec<&'static str>,
    /// The actions, their fields and checks.
    pub phone: Phone,
    /// The sections with texts, in the spec's order.
    pub texts: Vec<Texts>,
    /// The sections with constants or knobs, in the spec's order.
    pub numbers: Vec<Numbers>,
    /// What a companion writes into its reply for the gateway to do.
    pub markers: Markers,
    /// What is said of a voice, by what is measured of it, in the spec's order.
    pub tone: Vec<Tone>,
    /// One a file of `tools/`, by name.
    pub tools: Vec<Tool>,
    /// What goes between the server and a client, which is the same in all specs of this version.
    pub wire: Wire,
}

impl Model {
    /// The value of a spec.
    #[must_use]
    pub fn new(spec: &Spec) -> Self {
        Self {
            format: FORMAT,
            header: HEADER,
            compiler: env!("CARGO_PKG_VERSION"),
            version: spec.version.to_string(),
            languages: Language::ALL.iter().map(|language| language.key()).collect(),
            phone: Phone::new(&spec.phone),
            texts: spec.texts.iter().map(Texts::new).collect(),
            numbers: spec.numbers.iter().map(Numbers::new).collect(),
            markers: Markers::new(&spec.markers),
            tone: spec.tone.iter().map(Tone::new).collect(),
            tools: spec.tools.iter().map(Tool::new).collect(),
            wire: Wire::new(),
        }
    }

    /// As JSON, indented, its keys in this order.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings and numbers under string keys: there is nothing in it that JSON cannot say.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

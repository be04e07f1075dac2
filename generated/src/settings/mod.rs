//! What each person sets for themselves: typed, read from what is stored, changed by a request, shown as a form.
//!
//! A value out of its bounds is clamped, and told; it is never an error in the midst of a call. What is stored is only what
//! differs from the spec's default, so that a better default reaches everybody who never chose another.

mod form;
mod knob;
mod patch;
mod rules;
mod stored;

#[rustfmt::skip]
#[allow(unused_imports, unused_variables, clippy::match_single_binding, clippy::single_match, reason = "which knobs there are is the spec's to say")]
mod sections;

pub use crate::support::types::ClockTime;
pub use knob::{Knob, Section, Setting, Unit, Wording};
pub use patch::{Fault, FaultKind, Patched};
pub use rules::Clamped;
pub use sections::*;
pub use stored::Read;

//! The spec read a second time, by an interpreter of loop.json: slow, plain, and written against the documents alone.
//! Where it and the compiled reader differ, one of them is wrong.

mod arguments;
mod calls;
mod checks;
mod edit;
mod json;
mod markers;
mod number;
mod random;
mod spec;

pub use arguments::{Fault, objects};
pub use json::Json;
pub use markers::Marked;
pub use number::Decimal;
pub use random::{Random, Writer};
pub use spec::Spec;

/// What becomes of one call.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It passes, flat.
    Ok(Json),
    /// It is refused with this sentence; none where only the kind of text is comparable.
    Refused(String),
}

//! What the generated readers stand on: the primitives of the spec's format, and one function a kind of check.

pub mod arguments;
pub mod check;
mod escape;
mod given;
mod json;
mod keys;
mod language;
mod number;
mod raw;
mod scan;
mod source;
mod text;
pub mod types;
mod value;
mod write;

pub use arguments::{Fault, FaultKind};
pub use given::{Given, GivenType};
pub use json::Json;
pub use language::Language;
pub use number::Number;
pub use raw::Raw;
pub use scan::Members;
pub use source::{Fields, Source, View};
pub use text::{Text, clean, first_chars};
pub use write::WriteJson;

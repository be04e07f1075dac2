//! The spec compiler: `read` JSON with positions → `model` the checked spec → `emit` one emitter a target →
//! `sync` the one writer.
//!
//! [`compile`] is pure. The build script of `generated/`, the command line (`cargo spec`) and the freshness test
//! are three thin callers of it and of [`sync::sync`].

pub mod author;
mod check;
pub mod cli;
pub mod diagnostic;
pub mod diff;
pub mod emit;
pub mod model;
pub mod nearest;
pub mod read;
pub mod rules;
mod specs;
pub mod sync;
pub mod value;

pub use check::check;
pub use diagnostic::{Diagnostic, Diagnostics, Format};
pub use emit::Files;
pub use specs::Specs;

/// Compiles the spec: every file of `generated/`, or everything that is wrong with the spec.
///
/// # Errors
/// All faults of all files.
pub fn compile(specs: &Specs) -> Result<Files, Diagnostics> {
    check(specs).map(|spec| emit::emit(&spec))
}

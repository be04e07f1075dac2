//! JSON with positions: RFC 8259 to the letter, every key and value with its place in the text, repeated keys kept,
//! numbers as they are written.
//!
//! Faults that people make (a trailing comma, a comment, a single quote, a missing comma) have sentences of their own.

mod literal;
mod node;
mod number;
mod parser;
mod scalar;
mod syntax;

pub use node::{Member, Node, Span, Value};
pub use number::{Integral, integral};
pub use syntax::SyntaxError;

/// How many lists and objects may stand inside one another.
pub const MAX_DEPTH: usize = 100;

/// Reads one JSON text.
///
/// # Errors
/// The first place where the text is no JSON, with what stands there and what was expected.
pub fn parse(text: &str) -> Result<Node, SyntaxError> {
    parser::Parser::new(text).document()
}

pub(crate) use literal::{Walk, span_within};
pub(crate) use node::write_string;

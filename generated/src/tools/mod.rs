//! The tools as models' APIs take them, and the gate before each (document 1 §1).

#[rustfmt::skip]
mod definitions;
#[rustfmt::skip]
mod gate;

pub use definitions::*;
pub use gate::{Confirm, Requirement, Risk, Scope, Session};

/// A tool that a model may call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What the model reads of it.
    pub description: &'static str,
    /// The JSON Schema of its arguments.
    pub parameters: &'static str,
    /// Who offers it.
    pub scope: Scope,
    /// In which sessions.
    pub sessions: Session,
    /// What a session must have shown before it is offered.
    pub requires: Requirement,
    /// When the person is asked.
    pub confirm: Confirm,
    /// What it puts at stake.
    pub risk: Risk,
    /// The result of a call that can reach nobody.
    pub unavailable: &'static str,
    /// The whole definition as OpenAI's and compatible APIs take it, as JSON.
    pub openai: &'static str,
    /// The whole definition as Anthropic's API takes it, as JSON.
    pub anthropic: &'static str,
}

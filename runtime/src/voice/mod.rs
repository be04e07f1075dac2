//! The voice: what is spoken, and how.

pub mod sentences;

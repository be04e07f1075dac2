//! The compiled spec against the documents: the conformance cases, and a second reading of loop.json.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed"
)]

mod any_bytes;
mod calls;
mod compiled;
mod conformance;
mod differential;
mod edits;
mod escalation;
mod field_faults;
mod markers;
mod schemas;
mod sentences;
mod settings;
mod tone;

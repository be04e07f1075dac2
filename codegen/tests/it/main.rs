//! The compiler's tests, as one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod cli;
mod formats;
mod fresh;
mod parser;
mod robust;
mod rules;
mod spec;
mod support;
mod synced;
mod templates;

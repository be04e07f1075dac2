//! The compiler's tests, as one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod author;
mod cli;
mod diff;
mod diff_cli;
mod formats;
mod fresh;
mod names;
mod pages;
mod parser;
mod robust;
mod rules;
mod spec;
mod support;
mod synced;
mod templates;
mod watch;

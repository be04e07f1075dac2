//! Logs on standard error: ids and states, never a word of a message and never a token.

use std::io::IsTerminal as _;

use tracing_subscriber::filter::LevelFilter;

/// Starts logging, from `level` on.
pub(super) fn start(level: LevelFilter) {
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    // A second subscriber in one process cannot be set; the first one serves.
    let _ = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(colours)
        .with_target(false)
        // A log that cannot be written is lost, and nothing else: told to standard error, that would be a panic.
        .log_internal_errors(false)
        .try_init();
}

//! Brings this crate's generated files to what `../specs` says before they are compiled.
//!
//! With `HANDSET_GENERATED=check`, or `CI` set, nothing is written: a file that is not what the specs say fails the
//! build and is named, with the one command that mends it.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use handset_codegen::{Specs, cli::stale_message, compile, sync};
use sync::Mode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Where standard error is gone there is nobody to tell; the exit code still says it.
            let _ = writeln!(io::stderr(), "{}", message.trim_end());
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let specs = Path::new("../specs");
    let mut out = io::stdout().lock();
    let mut say = |line: String| {
        writeln!(out, "cargo::{line}").map_err(|error| format!("error: cannot write to cargo: {error}"))
    };
    for variable in ["HANDSET_GENERATED", "CI"] {
        say(format!("rerun-if-env-changed={variable}"))?;
    }
    if !specs.is_dir() {
        // A path that is not there makes cargo run this again.
        say(format!("rerun-if-changed={}", specs.display()))?;
        return Err("error: there is no folder ../specs beside this crate: the generated files come from it"
            .to_owned());
    }
    let loaded = Specs::load(specs).map_err(|error| format!("error: cannot read the specs: {error}"))?;
    for path in loaded.watched(specs) {
        say(format!("rerun-if-changed={}", path.display()))?;
    }
    let files = compile(&loaded).map_err(|faults| faults.to_string())?;
    let mode = mode()?;
    let report = sync::sync(Path::new("."), &files, mode).map_err(|error| format!("error: {error}"))?;
    if mode == Mode::Check {
        // Where nothing is written, the outputs can be watched as well: an edit of one is found by the next build.
        for file in files.keys() {
            say(format!("rerun-if-changed={file}"))?;
        }
        if !report.is_fresh() {
            return Err(stale_message("generated", &report));
        }
    }
    Ok(())
}

/// `HANDSET_GENERATED` decides; else whether this is a build in CI.
fn mode() -> Result<Mode, String> {
    match std::env::var("HANDSET_GENERATED").as_deref() {
        Ok("check") => Ok(Mode::Check),
        Ok("write") => Ok(Mode::Write),
        Ok("") | Err(_) => {
            let ci = std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false");
            Ok(if ci { Mode::Check } else { Mode::Write })
        }
        Ok(other) => Err(format!("error: HANDSET_GENERATED is `{other}`; it may be `check` or `write`")),
    }
}

//! `cargo spec`: check, build, diff, watch, new, explain, model, emit. What is written goes through two writers, so that a test can hold it.

mod arguments;
mod diff;
mod emit;
mod explain;
mod help;
mod new;
mod places;
mod revision;
mod watch;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use arguments::{Arguments, Command};
use places::{Places, places};

use crate::diagnostic::{Diagnostics, Format};
use crate::emit::Files;
use crate::specs::Specs;
use crate::sync::{Mode, sync};

/// The command that brings `generated/` up to date.
pub const BUILD_COMMAND: &str = "cargo spec build";

/// Everything was right.
const FINE: u8 = 0;
/// The spec has faults, or `generated/` is stale.
const FAULTY: u8 = 1;
/// The command line was not understood, or a file could not be read or written.
const USAGE: u8 = 2;

/// What the command line runs in.
pub struct Surroundings<'w> {
    /// Where to look for the specs from.
    pub directory: PathBuf,
    /// Standard output: what was asked for.
    pub out: &'w mut dyn Write,
    /// Standard error: faults, and how the command is used.
    pub err: &'w mut dyn Write,
    /// Whether `err` is a terminal that shows colours.
    pub colour: bool,
}

/// Runs the command line `arguments` (without the program's name) and gives the exit code: 0 fine, 1 faults or stale
/// files, 2 a command line not understood or a file that could not be read or written.
///
/// # Errors
/// Only what writing to `out` or `err` gives.
pub fn run(arguments: &[String], around: &mut Surroundings<'_>) -> io::Result<u8> {
    let arguments = match Arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(message) => {
            writeln!(around.err, "error: {message}\n\n{}", help::SHORT)?;
            return Ok(USAGE);
        }
    };
    match &arguments.command {
        Command::Help => {
            write!(around.out, "{}", help::LONG)?;
            Ok(FINE)
        }
        Command::Version => {
            writeln!(around.out, "cargo-spec {}", env!("CARGO_PKG_VERSION"))?;
            Ok(FINE)
        }
        Command::Explain(rule) => explain(rule.as_deref(), around),
        Command::Check => compile(&arguments, None, around),
        Command::Build(mode) => compile(&arguments, Some(*mode), around),
        Command::Model => emit::model(&arguments, around),
        Command::Emit { templates, out, mode } => emit::emit(&arguments, templates, out, *mode, around),
        Command::Diff(against) => match places(&arguments, &around.directory) {
            Some(places) => diff::run(against.as_deref(), arguments.format, &places, around),
            None => nowhere(around),
        },
        Command::New(words) => match places(&arguments, &around.directory) {
            Some(places) => new::run(words, arguments.format, &places, around),
            None => nowhere(around),
        },
        Command::Watch(options) => match places(&arguments, &around.directory) {
            Some(places) => watch::run(options, arguments.format, &places, around),
            None => nowhere(around),
        },
    }
}

fn explain(rule: Option<&str>, around: &mut Surroundings<'_>) -> io::Result<u8> {
    match rule.map(explain::rule) {
        None => write!(around.out, "{}", explain::list())?,
        Some(Ok(text)) => write!(around.out, "{text}")?,
        Some(Err(message)) => {
            writeln!(around.err, "error: {message}")?;
            return Ok(USAGE);
        }
    }
    Ok(FINE)
}

/// The places, and the specs read; or the exit code, the fault being told.
fn load(arguments: &Arguments, around: &mut Surroundings<'_>) -> io::Result<Result<(Places, Specs), u8>> {
    let Some(places) = places(arguments, &around.directory) else {
        return Ok(Err(nowhere(around)?));
    };
    Ok(match Specs::load(&places.specs) {
        Ok(loaded) => Ok((places, loaded)),
        Err(error) => Err(failed(&format!("cannot read the specs: {error}"), around)?),
    })
}

/// Tells the faults of a spec.
fn faulty(
    faults: Diagnostics,
    places: &Places,
    arguments: &Arguments,
    around: &mut Surroundings<'_>,
) -> io::Result<u8> {
    let text = faults.shown_below(&places.specs_shown).render(arguments.format, around.colour);
    // A person reads faults where a compiler writes them; a program reads them where it reads everything.
    let writer = if arguments.format == Format::Human { &mut *around.err } else { &mut *around.out };
    write!(writer, "{text}")?;
    Ok(FAULTY)
}

/// Compiles, and with a mode brings `generated/` up to date.
fn compile(arguments: &Arguments, mode: Option<Mode>, around: &mut Surroundings<'_>) -> io::Result<u8> {
    let start = Instant::now();
    let (places, loaded) = match load(arguments, around)? {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    let files = match crate::compile(&loaded) {
        Ok(files) => files,
        Err(faults) => return faulty(faults, &places, arguments, around),
    };
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    let Some(mode) = mode else {
        if arguments.format == Format::Human {
            let count = loaded.files.len();
            writeln!(
                around.out,
                "{count} spec {} without a fault ({milliseconds:.1} ms)",
                plural(count, "file")
            )?;
        }
        return Ok(FINE);
    };
    bring(&places.generated, &places.shown, &files, (mode, BUILD_COMMAND), milliseconds, arguments, around)
}

/// Brings a folder up to date, and says what was done; `shown` is the folder as the reader sees it, and
/// `command` what writes it.
fn bring(
    folder: &Path,
    shown: &str,
    files: &Files,
    (mode, command): (Mode, &str),
    milliseconds: f64,
    arguments: &Arguments,
    around: &mut Surroundings<'_>,
) -> io::Result<u8> {
    let report = match sync(folder, files, mode) {
        Ok(report) => report,
        Err(error) => return failed(&error.to_string(), around),
    };
    if mode == Mode::Check && !report.is_fresh() {
        if arguments.format == Format::Human {
            write!(around.err, "{}", stale(shown, &report, command))?;
        } else {
            write!(around.out, "{}", stale_lines(shown, &report, arguments.format, command))?;
        }
        return Ok(FAULTY);
    }
    if arguments.format == Format::Human {
        let (wrote, removed) =
            if mode == Mode::DryRun { ("would write", "would remove") } else { ("wrote", "removed") };
        for file in &report.written {
            writeln!(around.out, "{wrote} {shown}/{file}")?;
        }
        for file in &report.removed {
            writeln!(around.out, "{removed} {shown}/{file}")?;
        }
        let count = report.unchanged;
        writeln!(around.out, "{count} {} unchanged ({milliseconds:.1} ms)", plural(count, "file"))?;
    }
    Ok(FINE)
}

/// Says that there are no specs.
fn nowhere(around: &mut Surroundings<'_>) -> io::Result<u8> {
    let directory = around.directory.display().to_string();
    failed(
        &format!(
            "no specs/loop.json in {directory} nor in a folder above it; give its folder with --specs DIR"
        ),
        around,
    )
}

fn failed(message: &str, around: &mut Surroundings<'_>) -> io::Result<u8> {
    writeln!(around.err, "error: {message}")?;
    Ok(USAGE)
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

/// What a stale `generated/` is told with: each file, and the one command. `shown` is the folder as the reader sees it.
pub fn stale_message(shown: &str, report: &crate::sync::Report) -> String {
    stale(shown, report, BUILD_COMMAND)
}

/// The same for a command that writes the files.
fn stale(shown: &str, report: &crate::sync::Report, command: &str) -> String {
    let mut message = String::from(
        "error: the files are not what the specs say: the specs or the templates changed, or a file was edited\n",
    );
    for file in &report.written {
        message.push_str(&format!("  stale: {shown}/{file}\n"));
    }
    for file in &report.removed {
        message.push_str(&format!("  no longer generated: {shown}/{file}\n"));
    }
    message.push_str(&format!("run `{command}` and commit what it writes\n"));
    message
}

/// The same for a program, a line a file.
fn stale_lines(shown: &str, report: &crate::sync::Report, format: Format, command: &str) -> String {
    let mut lines = String::new();
    for file in report.written.iter().chain(&report.removed) {
        let path = format!("{shown}/{file}");
        let message = format!("not what the specs say: run `{command}`");
        match format {
            Format::Github => lines.push_str(&format!("::error file={path},title=stale::{message}\n")),
            _ => {
                lines.push_str("{\"rule\":\"stale\",\"severity\":\"error\",\"file\":");
                crate::read::write_string(&path, &mut lines);
                lines.push_str(
                    ",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":1,\"pointer\":\"\",\"message\":",
                );
                crate::read::write_string(&message, &mut lines);
                lines.push_str(",\"help\":null}\n");
            }
        }
    }
    lines
}

//! `cargo spec`: see `cargo spec --help`.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;

use handset_codegen::cli::{Surroundings, run};

/// A compile is many small strings, which take a quarter longer from the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut arguments: Vec<String> =
        std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect();
    // As a program named cargo-spec, cargo gives its own subcommand as the first word.
    if arguments.first().is_some_and(|first| first == "spec") {
        arguments.remove(0);
    }
    let directory = match std::env::current_dir() {
        Ok(directory) => directory,
        Err(error) => {
            // Where even this cannot be said there is nobody to hear it.
            let _ = writeln!(stderr(), "error: there is no current directory: {error}");
            return ExitCode::from(2);
        }
    };
    let colour = stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let (mut out, mut err) = (stdout().lock(), stderr().lock());
    let code = run(&arguments, &mut Surroundings { directory, out: &mut out, err: &mut err, colour });
    // A reader that went away (a closed pipe) is no fault of the spec's, and nobody is left to tell.
    ExitCode::from(code.unwrap_or(2))
}

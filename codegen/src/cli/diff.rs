//! `cargo spec diff`: the spec as it is against the spec as it was.

use std::io::{self, IsTerminal};
use std::path::Path;

use super::places::{Places, below};
use super::revision;
use super::{FAULTY, FINE, Surroundings, USAGE};
use crate::check;
use crate::diagnostic::{Diagnostics, Format};
use crate::diff::{Side, compare};
use crate::specs::Specs;

/// Compares, writes and says with which code to exit.
pub(super) fn run(
    against: Option<&str>,
    format: Format,
    places: &Places,
    around: &mut Surroundings<'_>,
) -> io::Result<u8> {
    let old = match old(against, places, &around.directory) {
        Ok(old) => old,
        Err(message) => {
            writeln!(around.err, "error: {message}")?;
            return Ok(USAGE);
        }
    };
    let loaded = match Specs::load(&places.specs) {
        Ok(loaded) => loaded,
        Err(error) => {
            writeln!(around.err, "error: cannot read the specs: {error}")?;
            return Ok(USAGE);
        }
    };
    let (name, shown) = (old.name, old.shown.clone());
    // A spec of another version is compared as well, where this compiler can read it; where it cannot, its version is
    // what is wrong with it.
    let faults_of_version = check(&old.specs).err().map(|faults| faults.shown_below(shown.clone()));
    let was = match Side::old(old.specs, old.shown) {
        Ok(side) => side,
        Err(faults) => {
            let faults = faults_of_version.unwrap_or(faults);
            writeln!(
                around.err,
                "error: the old spec ({name}) cannot be compared with, as it has faults under this compiler"
            )?;
            write_faults(&faults, format, around)?;
            writeln!(
                around.err,
                "these faults are the old spec's, below {shown}, and not in the files as they are"
            )?;
            return Ok(USAGE);
        }
    };
    let now = match Side::new(loaded, &*places.specs_shown) {
        Ok(side) => side,
        Err(faults) => {
            write_faults(&faults, format, around)?;
            writeln!(around.err, "error: the spec as it is has faults; it is compared once they are mended")?;
            return Ok(FAULTY);
        }
    };
    if let Some(note) = version_note(&was, &now) {
        writeln!(around.err, "{note}")?;
    }
    let changes = compare(&was, &now);
    // What is asked for goes to standard output, which may be a file where standard error is a terminal.
    let colour = around.colour && io::stdout().is_terminal();
    write!(around.out, "{}", changes.render(format, colour))?;
    Ok(if changes.verdict.passes() { FINE } else { FAULTY })
}

fn write_faults(faults: &Diagnostics, format: Format, around: &mut Surroundings<'_>) -> io::Result<()> {
    let text = faults.render(format, around.colour);
    let writer = if format == Format::Human { &mut *around.err } else { &mut *around.out };
    write!(writer, "{text}")
}

/// A line for specs of different MAJOR.MINOR.
fn version_note(was: &Side, now: &Side) -> Option<String> {
    let (old, new) = (was.version(), now.version());
    ((old.major, old.minor) != (new.major, new.minor)).then(|| {
        format!("note: the old spec is version {old} and this is {new}; both are read by the rules of this compiler")
    })
}

/// The old spec and what it is called.
struct Old {
    specs: Specs,
    /// For a sentence: `HEAD`, `../before`.
    name: String,
    /// Its folder, where its places are shown.
    shown: String,
}

fn old(against: Option<&str>, places: &Places, directory: &Path) -> Result<Old, String> {
    if let Some(given) = against {
        let folder = directory.join(given);
        for inner in ["", "specs"] {
            let folder = folder.join(inner);
            if folder.join("loop.json").exists() {
                let specs =
                    Specs::load(&folder).map_err(|error| format!("cannot read the old specs: {error}"))?;
                let shown = below(Path::new(given), directory).join(inner).display().to_string();
                return Ok(Old { specs, name: given.to_owned(), shown });
            }
        }
        if folder.is_dir() && !revision::is_one(&places.specs, given) {
            return Err(format!("{given}: there is no loop.json in this folder, nor in its folder specs"));
        }
    }
    let name = against.unwrap_or("HEAD");
    let specs = revision::specs(&places.specs, name)?;
    Ok(Old { specs, name: name.to_owned(), shown: format!("{name}:{}", places.specs_shown) })
}

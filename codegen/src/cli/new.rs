//! `cargo spec new`: an edit of the spec, written and told.

use std::io;

use super::places::Places;
use super::{FAULTY, FINE, Surroundings, USAGE, failed};
use crate::author::{Added, Refused, add};
use crate::diagnostic::{Diagnostics, Format};
use crate::specs::Specs;
use crate::sync::write;

/// Adds what the words ask for.
pub(super) fn run(
    words: &[String],
    format: Format,
    places: &Places,
    around: &mut Surroundings<'_>,
) -> io::Result<u8> {
    let loaded = match Specs::load(&places.specs) {
        Ok(loaded) => loaded,
        Err(error) => return failed(&format!("cannot read the specs: {error}"), around),
    };
    let added = match add(&loaded, words) {
        Ok(added) => added,
        Err(Refused::Request(message)) => {
            writeln!(around.err, "error: {message}; nothing was changed")?;
            return Ok(USAGE);
        }
        Err(Refused::Before(faults)) => {
            faulty(faults, format, places, around)?;
            writeln!(around.err, "error: the spec has faults; nothing is added to it until they are mended")?;
            return Ok(FAULTY);
        }
        Err(Refused::Behind(faults)) => {
            faulty(faults, format, places, around)?;
            writeln!(around.err, "error: with this the spec would have these faults; nothing was changed")?;
            return Ok(USAGE);
        }
    };
    for (file, text) in &added.files {
        if let Err(error) = write(&places.specs.join(file), text) {
            return failed(&error.to_string(), around);
        }
    }
    tell(&added, places, around)?;
    Ok(FINE)
}

fn faulty(
    faults: Diagnostics,
    format: Format,
    places: &Places,
    around: &mut Surroundings<'_>,
) -> io::Result<()> {
    let text = faults.shown_below(&*places.specs_shown).render(format, around.colour);
    let writer = if format == Format::Human { &mut *around.err } else { &mut *around.out };
    write!(writer, "{text}")
}

/// What was written, and what there is to word.
fn tell(added: &Added, places: &Places, around: &mut Surroundings<'_>) -> io::Result<()> {
    let shown = |file: &str| places.file(file);
    writeln!(around.out, "added {}", added.what)?;
    for file in added.files.keys() {
        writeln!(around.out, "wrote {}", shown(file))?;
    }
    if !added.wordings.is_empty() {
        writeln!(around.out, "\nword these as you would say them:")?;
        for wording in &added.wordings {
            let (line, column) = (wording.position.line, wording.position.column);
            writeln!(around.out, "  {}:{line}:{column}: {}", shown(&wording.file), wording.why)?;
        }
    }
    for note in &added.notes {
        writeln!(around.out, "note: {note}")?;
    }
    writeln!(around.out, "\n`cargo spec build`, or any build, brings what is generated up to date")
}

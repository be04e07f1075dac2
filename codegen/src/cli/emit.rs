//! `cargo spec model` and `cargo spec emit`: the checked spec for everybody's own templates.

use std::io;
use std::path::Path;
use std::time::Instant;

use super::arguments::Arguments;
use super::{FAULTY, FINE, Surroundings, bring, failed, faulty, load};
use crate::emit::templates::{Renderer, Templates};
use crate::specs::at;
use crate::sync::Mode;
use crate::value::Model;

/// Prints the model.
pub(super) fn model(arguments: &Arguments, around: &mut Surroundings<'_>) -> io::Result<u8> {
    let (places, specs) = match load(arguments, around)? {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    match crate::check(&specs) {
        Ok(spec) => {
            write!(around.out, "{}", Model::new(&spec).to_json())?;
            Ok(FINE)
        }
        Err(faults) => faulty(faults, &places, arguments, around),
    }
}

/// Fills the templates of one folder into another.
pub(super) fn emit(
    arguments: &Arguments,
    templates: &Path,
    out: &Path,
    mode: Mode,
    around: &mut Surroundings<'_>,
) -> io::Result<u8> {
    let start = Instant::now();
    let (places, specs) = match load(arguments, around)? {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    let folder = around.directory.join(templates);
    let read = match read(&folder) {
        Ok(read) if read.is_empty() => {
            return failed(&format!("{}: there is no template in it", templates.display()), around);
        }
        Ok(read) => read,
        Err(error) => return failed(&format!("cannot read the templates: {error}"), around),
    };
    let spec = match crate::check(&specs) {
        Ok(spec) => spec,
        Err(faults) => return faulty(faults, &places, arguments, around),
    };
    let (files, faults) = Renderer::new(&read).render(&Model::new(&spec));
    for fault in &faults {
        writeln!(around.err, "error: {}/{fault}", templates.display())?;
    }
    if !faults.is_empty() {
        return Ok(FAULTY);
    }
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    let shown = out.display().to_string();
    let command = format!("cargo spec emit --templates {} --out {shown}", templates.display());
    bring(&around.directory.join(out), &shown, &files, (mode, &command), milliseconds, arguments, around)
}

/// Every file below a folder, but for hidden ones.
fn read(folder: &Path) -> io::Result<Templates> {
    let mut templates = Templates::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, below)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| at(&folder, &error))? {
            let entry = entry.map_err(|error| at(&folder, &error))?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
            let path = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            if entry.file_type().map_err(|error| at(&entry.path(), &error))?.is_dir() {
                folders.push((entry.path(), path));
            } else {
                let text =
                    std::fs::read_to_string(entry.path()).map_err(|error| at(&entry.path(), &error))?;
                templates.insert(path, text);
            }
        }
    }
    Ok(templates)
}

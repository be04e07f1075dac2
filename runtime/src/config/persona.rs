//! `persona`: who the companion is, in a file of the operator's.

use std::fs;
use std::path::Path;

use super::fault::Place;
use super::given::Given;
use super::keys;

/// The file in the data folder that is read where none is named.
const FILE: &str = "persona.md";
/// How long a persona may be, in bytes: every request bears it.
const MAX_BYTES: usize = 64 << 10;

/// The persona's text, if there is one that says anything. Line breaks are LF, whatever wrote the file, so that the same
/// words are the same bytes.
pub(super) fn read(given: &mut Given, folder: &Path, data: &Path) -> Option<String> {
    let named = given.text(&keys::PERSONA);
    if named.is_none() && given.place(&keys::PERSONA) != Place::Nowhere {
        return None;
    }
    let path = match &named {
        Some(named) => given.path(&keys::PERSONA, named, folder),
        None => data.join(FILE),
    };
    if named.is_none() && !path.exists() {
        return None;
    }
    let place = match named {
        Some(_) => given.place(&keys::PERSONA),
        None => Place::File(path.clone()),
    };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text.replace("\r\n", "\n"),
        Err(error) => {
            given.fault(place, format!("the persona {} cannot be read: {error}", path.display()));
            return None;
        }
    };
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.len() > MAX_BYTES {
        given.fault(
            place,
            format!("the persona {} has more than 64 KiB; every request bears it", path.display()),
        );
        return None;
    }
    (!text.is_empty()).then(|| text.to_owned())
}

//! The spec's files as texts: the compiler's whole input.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The folders of JSON files, below the specs' root, that the compiler reads; and `loop.json` beside them.
pub(crate) const FOLDERS: [&str; 2] = ["conformance", "tools"];

/// The files of a spec.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Specs {
    /// Texts by their path below `specs/`, with `/` between the folders.
    pub files: BTreeMap<String, String>,
    /// The first byte that is no UTF-8, of each file that is not wholly so; its text in `files` has a U+FFFD there.
    pub not_utf8: BTreeMap<String, usize>,
}

impl Specs {
    /// Reads `loop.json`, `tools/*.json` and `conformance/*.json` below `dir`. A file or folder that is not there is
    /// left out; what must be there, [`crate::check`] says.
    ///
    /// # Errors
    /// What the file system says, with the path; also where `dir` is no folder, or its loop.json no file. A file that is not UTF-8 is no error here but a diagnostic.
    pub fn load(dir: &Path) -> io::Result<Self> {
        let mut specs = Self::default();
        let found = std::fs::metadata(dir).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => told(dir, error.kind(), "there is no such folder"),
            _ => at(dir, &error),
        })?;
        if !found.is_dir() {
            return Err(told(dir, io::ErrorKind::NotADirectory, "this is no folder, and the specs are one"));
        }
        let first = dir.join("loop.json");
        if first.is_dir() {
            return Err(told(&first, io::ErrorKind::IsADirectory, "this is a folder, and must be a file"));
        }
        specs.add(dir, "loop.json")?;
        for folder in FOLDERS {
            let entries = match std::fs::read_dir(dir.join(folder)) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(at(&dir.join(folder), &error)),
            };
            for entry in entries {
                let name = entry.map_err(|error| at(&dir.join(folder), &error))?.file_name();
                if let Some(name) =
                    name.to_str().filter(|name| name.ends_with(".json") && !name.starts_with('.'))
                {
                    specs.add(dir, &format!("{folder}/{name}"))?;
                }
            }
        }
        Ok(specs)
    }

    /// What a build must watch to know when to compile again: the files and folders that [`Specs::load`] reads, and
    /// the root only while one of them is not there yet.
    pub fn watched(&self, dir: &Path) -> Vec<PathBuf> {
        let (there, missing): (Vec<_>, Vec<_>) = FOLDERS
            .iter()
            .copied()
            .chain(["loop.json"])
            .map(|name| dir.join(name))
            .partition(|path| path.exists());
        let mut paths: Vec<_> = missing.first().map(|_| dir.to_owned()).into_iter().chain(there).collect();
        paths.extend(self.files.keys().map(|file| dir.join(file)));
        paths.sort();
        paths.dedup();
        paths
    }

    fn add(&mut self, dir: &Path, file: &str) -> io::Result<()> {
        let path = dir.join(file);
        match path.metadata() {
            Ok(found) if found.is_dir() => return Ok(()),
            // Of a pipe nobody may ever write the end.
            Ok(found) if !found.is_file() => {
                let message = "this is no regular file; put one in its place, or take it away";
                return Err(told(&path, io::ErrorKind::InvalidInput, message));
            }
            // Read all the same, for the error that this is.
            Ok(_) | Err(_) => {}
        }
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(at(&path, &error)),
        };
        self.insert(file, bytes);
        Ok(())
    }

    /// Puts a file in place, `file` being its path below `specs/`.
    pub fn insert(&mut self, file: &str, bytes: Vec<u8>) {
        self.not_utf8.remove(file);
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            self.not_utf8.insert(file.to_owned(), error.utf8_error().valid_up_to());
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        self.files.insert(file.to_owned(), text);
    }
}

/// Whether a path below the specs' root is one that [`Specs::load`] reads.
pub(crate) fn is_read(path: &str) -> bool {
    let json = |name: &str| name.ends_with(".json") && !name.starts_with('.') && !name.contains('/');
    path == "loop.json"
        || path.split_once('/').is_some_and(|(folder, name)| FOLDERS.contains(&folder) && json(name))
}

fn told(path: &Path, kind: io::ErrorKind, message: &str) -> io::Error {
    io::Error::new(kind, format!("{}: {message}", path.display()))
}

/// An I/O error that says which file it is about.
pub(crate) fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

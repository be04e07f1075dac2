//! What a look at the folder shows: which files there are, and by what one would know that they were saved.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use crate::specs::{FOLDERS, is_read};

/// The files at one moment. A folder that is not there has none.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Glance(BTreeMap<String, Mark>);

/// What changes when a file is saved.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Mark {
    modified: Option<SystemTime>,
    length: u64,
    /// Which file it is, and when it was put there: an editor that saves by a rename may keep the time.
    identity: (u64, i64, i64),
}

impl Glance {
    /// Looks. What cannot be looked at is as if it were not there.
    pub(super) fn take(root: &Path) -> Self {
        let mut glance = Self::default();
        glance.add(root, "loop.json");
        for folder in FOLDERS {
            for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
                if let Some(name) = entry.file_name().to_str() {
                    let file = format!("{folder}/{name}");
                    if is_read(&file) {
                        glance.add(root, &file);
                    }
                }
            }
        }
        glance
    }

    fn add(&mut self, root: &Path, file: &str) {
        if let Ok(found) = std::fs::metadata(root.join(file)) {
            let mark =
                Mark { modified: found.modified().ok(), length: found.len(), identity: identity(&found) };
            self.0.insert(file.to_owned(), mark);
        }
    }

    /// Whether a file of the other is not here.
    pub(super) fn lacks_of(&self, other: &Self) -> bool {
        other.0.keys().any(|file| !self.0.contains_key(file))
    }

    /// When the last of the files was saved that are not as they were.
    pub(super) fn newest(&self, before: Option<&Self>) -> Option<SystemTime> {
        let before = before?;
        let changed = self.0.iter().filter(|(file, mark)| before.0.get(*file) != Some(*mark));
        changed.filter_map(|(_, mark)| mark.modified).max()
    }
}

#[cfg(unix)]
fn identity(found: &std::fs::Metadata) -> (u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (found.ino(), found.ctime(), found.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> (u64, i64, i64) {
    (0, 0, 0)
}

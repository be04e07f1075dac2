//! Where the specs and what is generated are, and how they are shown.

use std::path::{Component, Path, PathBuf};

use super::arguments::Arguments;
use crate::diagnostic::SPECS;

/// Where the specs and what is generated are.
pub(super) struct Places {
    pub(super) specs: PathBuf,
    /// `specs` as it is shown: as it was given, from the current directory where it lies below that; else below the
    /// workspace's root.
    pub(super) specs_shown: String,
    pub(super) generated: PathBuf,
    /// `generated` as it is shown: as it was given, or below the workspace's root.
    pub(super) shown: String,
}

pub(super) fn places(arguments: &Arguments, directory: &Path) -> Option<Places> {
    let specs = match &arguments.specs {
        Some(specs) => directory.join(specs),
        None => directory
            .ancestors()
            .map(|folder| folder.join("specs"))
            .find(|specs| specs.join("loop.json").exists())?,
    };
    let below = arguments.specs.as_deref().map(|given| below(given, directory));
    let generated = match &arguments.generated {
        Some(given) => directory.join(given),
        None => specs.parent().unwrap_or(directory).join("generated"),
    };
    let shown = match (&arguments.generated, below.as_deref().and_then(Path::parent)) {
        (Some(given), _) => given.clone(),
        (None, Some(parent)) => parent.join("generated"),
        (None, None) => PathBuf::from("generated"),
    };
    let specs_shown = below.unwrap_or_else(|| PathBuf::from(SPECS)).display().to_string();
    Some(Places { specs, specs_shown, generated, shown: shown.display().to_string() })
}

/// A path as it is shown: as it was given, without `.` and a slash at its end, and from `directory` where it lies below
/// it.
pub(super) fn below(given: &Path, directory: &Path) -> PathBuf {
    let given: PathBuf = given.components().filter(|part| *part != Component::CurDir).collect();
    given.strip_prefix(directory).map(Path::to_owned).unwrap_or(given)
}

impl Places {
    /// A file of the specs as it is shown.
    pub(super) fn file(&self, file: &str) -> String {
        Path::new(&self.specs_shown).join(file).display().to_string()
    }
}

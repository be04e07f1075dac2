//! The spec above the crate that is being compiled.

use std::path::PathBuf;
use std::sync::OnceLock;

use handset_codegen::model::Spec;
use handset_codegen::{Specs, check};

/// Where the specs are: the nearest `specs/loop.json` above the crate's folder.
pub(crate) fn folder() -> Result<PathBuf, String> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .ok_or("this macro needs cargo: CARGO_MANIFEST_DIR is not set")?;
    let manifest = PathBuf::from(manifest);
    let above = manifest.ancestors().map(|folder| folder.join("specs"));
    let found = above.into_iter().find(|specs| specs.join("loop.json").is_file());
    found.ok_or_else(|| format!("no specs/loop.json in {} or above it", manifest.display()))
}

/// The checked spec, read once a crate.
pub(crate) fn spec() -> Result<&'static Spec, String> {
    static SPEC: OnceLock<Result<Spec, String>> = OnceLock::new();
    let read = || {
        let specs = Specs::load(&folder()?).map_err(|error| format!("the specs cannot be read: {error}"))?;
        check(&specs).map_err(|_| "the spec has faults: `cargo spec check` shows them".to_owned())
    };
    SPEC.get_or_init(read).as_ref().map_err(Clone::clone)
}

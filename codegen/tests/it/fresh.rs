//! `generated/` is what `specs/` says: the gate, as a build script may be skipped.

use std::path::Path;

use handset_codegen::cli::stale_message;
use handset_codegen::sync::{Mode, sync};
use handset_codegen::{Specs, compile};

#[test]
fn generated_files_are_what_the_specs_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let specs = Specs::load(&root.join("specs")).unwrap();
    let files = compile(&specs).unwrap_or_else(|faults| panic!("{faults}"));
    let report = sync(&root.join("generated"), &files, Mode::Check).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.is_fresh(), "{}", stale_message("generated", &report));
}

//! Where the binary is. Cargo gives an integration test the binaries of its own package alone; this one is asked for, so
//! that it is never an old one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

static BINARY: LazyLock<PathBuf> = LazyLock::new(build);

/// The `handset` binary: that of `HANDSET_BIN`, else the one beside this test, brought up to date.
pub(crate) fn path() -> &'static Path {
    &BINARY
}

fn build() -> PathBuf {
    if let Some(given) = std::env::var_os("HANDSET_BIN") {
        return given.into();
    }
    // TARGET/PROFILE/deps/server-HASH
    let own = std::env::current_exe().unwrap();
    let folder = own.parent().and_then(Path::parent).unwrap();
    let profile = match folder.file_name().and_then(|name| name.to_str()).unwrap() {
        "debug" => "dev",
        name => name,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--package", "handset", "--bin", "handset", "--profile", profile])
        .arg("--target-dir")
        .arg(folder.parent().unwrap())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(built.success(), "cargo could not build the handset binary");
    folder.join(format!("handset{}", std::env::consts::EXE_SUFFIX))
}

//! A configuration that is wrong, and what the default build is made of.

use std::fs;

use crate::process::{Folder, command, run};

#[test]
fn a_wrong_configuration_does_not_start() {
    let data = Folder::new();
    fs::create_dir_all(data.path()).unwrap();
    let file = data.path().join("mine.toml");
    fs::write(&file, "[model]\nkind = \"openai\"\nurl = \"http://h\"\nmodle = \"m\"\nkey = \"sk-secret\"")
        .unwrap();
    let mut command = command(data.path());
    command.arg("--config").arg(&file);
    let (status, _, errors) = run(command, None);
    assert!(!status.success());
    for part in [
        &*file.to_string_lossy(),
        "line 4",
        "model.modle",
        "did you mean model.model?",
        "model.model is missing",
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    assert!(!errors.contains("sk-secret"));
}

#[test]
fn a_configuration_that_is_not_there() {
    let data = Folder::new();
    let mut command = command(data.path());
    command.args(["--config", "/nowhere/handset.toml"]);
    let (status, _, errors) = run(command, None);
    assert!(!status.success() && errors.contains("/nowhere/handset.toml"), "{errors}");
}

/// The default build needs cargo and a C compiler alone.
#[test]
fn no_foreign_tls() {
    let lock = include_str!("../../../../Cargo.lock");
    for package in ["aws-lc-sys", "aws-lc-rs", "openssl", "openssl-sys", "native-tls"] {
        assert!(!lock.contains(&format!("name = \"{package}\"\n")), "{package}");
    }
}

//! `handset voice`: models are listed, installed and found; what cannot be is told with what to do.

use std::fs;
use std::path::Path;

use crate::process::{Folder, Server, handset, printed};

/// What the two files hash to.
const SUMS: &str = "98ad61a25e3683b6adf2474b01bbe1c27de6aad2ce3a80ff4140fe473c14e691  model.int8.onnx\nd1cbfe917df61dbb3073a8444c45ccc07aa2c0c80c61aac186abe2d4c6b60a73  tokens.txt\n";

/// Files that could be SenseVoice's by their names, with hashes beside them.
fn files(folder: &Path, sums: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("model.int8.onnx"), "model\n").unwrap();
    fs::write(folder.join("tokens.txt"), "<unk> 0\n").unwrap();
    fs::write(folder.join("SHA256SUMS"), sums).unwrap();
}

#[test]
fn models_are_listed_with_whose_they_are() {
    let data = Folder::new();
    let told = printed(&data, &["voice", "list"]);
    for part in [
        "whisper-base",
        "whisper-tiny.en",
        "sensevoice-small",
        "licence: MIT",
        "not installed",
        "In use: none",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn what_cannot_be_installed_is_told_with_what_to_do() {
    let data = Folder::new();
    let told = |arguments: &[&str]| {
        let (status, _, errors) = handset(&data, arguments);
        assert!(!status.success());
        errors
    };
    assert!(told(&["voice", "install", "whisper-bose"]).contains("did you mean whisper-base?"));
    let unserved = told(&["voice", "install", "whisper-base"]);
    assert!(unserved.contains("tests/voice/convert.py") && unserved.contains("--from"), "{unserved}");
    assert!(told(&["voice", "install", "whisper-base", "--from", "ftp://x"]).contains("ftp://x"));
    let from = Folder::new();
    files(from.path(), &SUMS.replace(&SUMS[..8], "8b7d1f0c"));
    let wrong = told(&["voice", "install", "sensevoice-small", "--from", from.path().to_str().unwrap()]);
    assert!(wrong.contains("model.int8.onnx from") && wrong.contains("8b7d1f0c"), "{wrong}");
    assert!(!data.path().join("models/sensevoice-small").exists());
}

#[test]
fn an_installed_model_is_found_by_the_server_and_by_the_doctor() {
    let (data, mirror) = (Folder::new(), Folder::new());
    let from = mirror.path().join("sensevoice-small");
    files(&from, SUMS);
    fs::create_dir_all(data.path()).unwrap();
    fs::write(
        data.path().join("handset.toml"),
        format!("[voice]\nmodels = \"{}\"\n", mirror.path().display()),
    )
    .unwrap();
    let doctor = handset(&data, &["doctor"]).1;
    assert!(doctor.contains("handset voice install"), "{doctor}");

    let told = printed(&data, &["voice", "install", "sensevoice-small"]);
    assert!(told.contains("Licence: ") && told.contains("next start"), "{told}");
    assert!(!told.contains("No SHA-256"), "{told}");
    let folder = data.path().join("models/sensevoice-small");
    assert_eq!(fs::read_to_string(folder.join("tokens.txt")).unwrap(), "<unk> 0\n");
    assert!(printed(&data, &["voice", "install", "sensevoice-small"]).contains("already"));

    let listed = printed(&data, &["voice", "list"]);
    assert!(listed.contains("installed in") && listed.contains("In use: sensevoice in"), "{listed}");
    let doctor = handset(&data, &["doctor"]).1;
    assert!(doctor.contains("sensevoice in") && doctor.contains("loaded at the first utterance"), "{doctor}");
    // It is no model, which the first recording tells; not the start.
    let server = Server::start(&data);
    assert_eq!(server.get("/api/chats")["chats"], serde_json::json!([]));

    fs::remove_file(folder.join("tokens.txt")).unwrap();
    fs::write(data.path().join("handset.toml"), "[voice.recogniser]\nkind = \"sensevoice\"\n").unwrap();
    let (status, doctor, _) = handset(&data, &["doctor"]);
    assert!(!status.success());
    assert!(
        doctor.contains("holds no tokens.txt") && doctor.contains("handset voice install sensevoice-small"),
        "{doctor}"
    );
}

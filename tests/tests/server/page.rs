//! The page in a real browser: its tests are JavaScript, in `tests/web`, driven by node; its types are checked there as well.
//!
//! They need node, npm, Chromium and a voice that reads aloud, espeak-ng. Where one is missing the test says so and passes; with `CI` set it fails.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binary;
use crate::process::{Folder, Server, without_settings};

/// Where Chromium is as a rule.
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web")
}

/// The tests with all they need, as the lock has it, in a folder of their own: nothing is written beside the sources.
fn install() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("web");
    let lock = std::fs::read(source().join("package-lock.json")).unwrap();
    let missing = |error: std::io::Error| {
        format!("node and npm are needed for this test ({error}). Debian: apt-get install nodejs npm")
    };
    Command::new("node").arg("--version").output().map_err(missing)?;
    let browser =
        std::env::var_os("CHROMIUM").is_some() || BROWSERS.iter().any(|path| Path::new(path).exists());
    if !browser {
        return Err(
            "Chromium is needed for this test. Debian: apt-get install chromium, or name one in CHROMIUM"
                .to_owned(),
        );
    }
    Command::new("espeak-ng").arg("--version").output().map_err(|error| {
        format!("espeak-ng is needed for this test ({error}). Debian: apt-get install espeak-ng")
    })?;
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(source()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
    }
    let done = folder.join("installed");
    if std::fs::read(&done).is_ok_and(|installed| installed == lock) {
        return Ok(folder);
    }
    let installed = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(&folder)
        .output()
        .map_err(missing)?;
    if !installed.status.success() {
        return Err(format!("npm ci failed: {}", String::from_utf8_lossy(&installed.stderr)));
    }
    std::fs::write(done, lock).unwrap();
    Ok(folder)
}

#[test]
fn the_page_in_a_browser() {
    let folder = match install() {
        Ok(folder) => folder,
        Err(missing) => {
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            println!("not run: {missing}");
            return;
        }
    };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/web");
    let checked = Command::new(folder.join("node_modules/.bin/tsc")).arg("-p").arg(&page).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));

    let mut tests: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    tests.retain(|path| path.to_str().is_some_and(|path| path.ends_with(".test.js")));
    tests.sort();
    let mut command = Command::new("node");
    // One after another: each has a browser of its own, and a build machine has few cores.
    command.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]).args(tests);
    without_settings(&mut command);
    command
        .env("HANDSET_BIN", binary::path())
        .env("HANDSET_WEB", page)
        .env("HANDSET_SHOTS", folder.join("shots"))
        .current_dir(&folder);
    let ran = command.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
}

/// The newest page of a chat, the one before it, and what became of the calls in it.
#[test]
fn messages_are_read_from_the_end_as_well() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    for text in ["hello", "torch on", "help"] {
        server.send(&chat, &serde_json::json!({ "text": text })).until("reply");
    }
    let all = server.get(&format!("/api/chats/{chat}/messages"));
    let all = all["messages"].as_array().unwrap();
    assert!(all.len() > 6);
    let newest =
        server.get(&format!("/api/chats/{chat}/messages?before=9007199254740991&limit=3&cards=true"));
    assert_eq!(newest["messages"].as_array().unwrap()[..], all[all.len() - 3..]);
    assert_eq!((&newest["more"], newest["cards"].as_array().unwrap().len()), (&true.into(), 0));
    let before = newest["messages"][0]["seq"].as_i64().unwrap();
    let older = server.get(&format!("/api/chats/{chat}/messages?before={before}&limit=1000"));
    assert_eq!(older["messages"].as_array().unwrap()[..], all[..all.len() - 3]);
    assert_eq!((&older["more"], older.get("cards")), (&false.into(), None));

    let mut turn = server.say(&chat, "set a timer for 5 minutes");
    let card = crate::process::card_id(&turn.until("card").data);
    server.answer(&card, &serde_json::json!({"status": "done"}));
    turn.until("reply");
    let newest =
        server.get(&format!("/api/chats/{chat}/messages?before=9007199254740991&limit=1&cards=true"));
    assert_eq!(newest["cards"][0]["id"], card.as_str());
    assert_eq!(newest["cards"][0]["state"], "done");

    let listed = &server.get("/api/chats")["chats"][0];
    assert_eq!(listed["opening"], "hello");
    assert_eq!(listed["last"]["text"], newest["messages"][0]["text"]);
}

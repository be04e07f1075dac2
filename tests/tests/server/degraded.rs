//! A database that is damaged, no database, read-only, or on a full disk: the server starts, says so, serves what can be
//! read, refuses every write with a reason, and touches nothing.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::binary;
use crate::http::Request;
use crate::process::{Folder, Server, command};

/// What every degraded server does; `reason` stands in its banner and in `/readyz`.
fn is_degraded(server: &Server, reason: &str) {
    let banner = &server.banner;
    assert!(banner.contains("DEGRADED") && banner.contains(reason), "{banner}");
    assert_eq!(server.request("GET", "/healthz").send(&server.address).status, 200);
    says_so(server, reason);
}

fn says_so(server: &Server, reason: &str) {
    let ready = Request { token: None, ..server.request("GET", "/readyz") }.send(&server.address);
    assert_eq!(ready.status, 503);
    let ready = ready.json();
    assert_eq!(ready["error"]["code"], json!("degraded"));
    assert!(ready["error"]["message"].as_str().unwrap().contains(reason), "{ready}");
}

fn refuses_writes(server: &Server) {
    let response = server.request("POST", "/api/chats").send(&server.address);
    assert_eq!(response.status, 503);
    let body = response.json();
    assert_eq!(body["error"]["code"], json!("degraded"));
    assert!(body["error"]["hint"].is_string(), "{body}");
}

/// A folder with a chat in it, and the chat.
fn used() -> (Folder, String) {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    for _ in 0..8 {
        server.send(&chat, &json!({"text": "x".repeat(60_000)})).until("reply");
    }
    assert!(server.stop().success());
    (data, chat)
}

fn chats(server: &Server) -> Vec<Value> {
    server.get("/api/chats")["chats"].as_array().unwrap().iter().map(|chat| chat["id"].clone()).collect()
}

/// P151, P153.
#[test]
fn p151_a_file_that_is_no_database() {
    let data = Folder::new();
    std::fs::create_dir_all(data.path()).unwrap();
    let path = data.path().join("handset.db");
    let words = "no database, but words; ".repeat(10);
    std::fs::write(&path, &words).unwrap();
    let server = Server::start(&data);
    is_degraded(&server, "handset.db");
    let request = Request { token: Some("any"), ..server.request("GET", "/api/chats") };
    let response = request.send(&server.address);
    assert_eq!((response.status, response.json()["error"]["code"].clone()), (503, json!("degraded")));
    assert!(server.stop().success());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), words);
}

#[test]
fn p151_a_damaged_file() {
    let (data, chat) = used();
    let path = data.path().join("handset.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // The last pages hold the long messages; chats and tokens stand before them.
    let from = bytes.len() - 4 * 4096;
    bytes[from..].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let server = Server::start(&data);
    is_degraded(&server, "damaged");
    assert_eq!(chats(&server), [json!(chat)], "what can be read is served");
    refuses_writes(&server);
    let metrics = server.request("GET", "/metrics").send(&server.address).text();
    assert!(metrics.contains("handset_store_degraded 1"));
    assert!(server.stop().success());
    assert!(std::fs::read(&path).unwrap() == bytes, "not a byte was changed");
}

/// Whoever is root may write everything: then the server runs as nobody, from a copy that nobody may reach.
fn without_rights(data: &Path) -> Command {
    let id = Command::new("id").arg("-u").output().unwrap().stdout;
    if id.trim_ascii() != b"0" {
        return command(data);
    }
    let copy = data.join("handset");
    std::fs::copy(binary::path(), &copy).unwrap();
    let given = Command::new("chown").args(["-R", "65534:65534"]).arg(data).status().unwrap();
    assert!(given.success());
    let plain = command(data);
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(copy).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[test]
fn a_read_only_folder() {
    let (data, chat) = used();
    let command = without_rights(data.path());
    let mode = |name: &str, mode| {
        std::fs::set_permissions(data.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("handset.db", 0o400);
    mode("lock", 0o400);
    mode("", 0o500);
    let before = std::fs::read(data.path().join("handset.db")).unwrap();
    let server = Server::start_by(command, Stdio::inherit());
    is_degraded(&server, "handset.db");
    assert_eq!(chats(&server), [json!(chat)]);
    assert_eq!(server.said(&chat).len(), 16, "with every message");
    refuses_writes(&server);
    assert!(server.stop().success());
    mode("", 0o700);
    assert!(std::fs::read(data.path().join("handset.db")).unwrap() == before);
}

/// A command whose files may not grow beyond so many blocks of 512 bytes: a full disk without a disk.
fn limited(data: &Path, blocks: u32) -> Command {
    let plain = command(data);
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script]).arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// The disk fills while the server runs: writes are refused, reads are served, and what was answered is there afterwards.
#[test]
fn a_disk_that_fills() {
    let data = Folder::new();
    let server = Server::start_by(limited(data.path(), 2_000), Stdio::null());
    let chat = server.chat();
    let path = format!("/api/chats/{chat}/messages");
    let mut taken = 0;
    let refused = loop {
        let response = server.post(&path, &json!({"text": "x".repeat(60_000)}));
        if response.status != 202 {
            break response;
        }
        taken += 1;
        assert!(taken < 100, "it never fills");
    };
    assert_eq!((refused.status, refused.json()["error"]["code"].clone()), (503, json!("degraded")));
    assert_eq!(server.request("GET", "/healthz").send(&server.address).status, 200);
    assert_eq!(chats(&server), [json!(chat)]);
    server.kill();
    let server = Server::start(&data);
    let persons = server.said(&chat).iter().filter(|(role, _)| role == "person").count();
    assert_eq!(persons, taken, "what was answered is kept, what was refused is not");
    server.say(&chat, "hello").until("reply");
}

/// The disk is full at the start.
#[test]
fn a_full_disk_at_the_start() {
    let (data, chat) = used();
    let server = Server::start_by(limited(data.path(), 0), Stdio::piped());
    is_degraded(&server, "handset.db");
    assert_eq!(chats(&server), [json!(chat)]);
    refuses_writes(&server);
}

/// A log that cannot be written ends nothing.
#[test]
fn a_full_log_is_lost_alone() {
    let data = Folder::new();
    let mut command = command(data.path());
    command.args(["--log", "trace"]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let server = Server::start_by(command, Stdio::from(full));
    server.say(&server.chat(), "hello").until("reply");
}

/// The database was emptied (a full disk, a copy that broke off) while the token stayed: what was there is lost, and a
/// server that began anew would not say so. A device whose row is gone with it keeps its token for the day of the repair.
#[test]
fn an_empty_file_beside_a_token() {
    let (data, _) = used();
    let path = data.path().join("handset.db");
    std::fs::write(&path, "").unwrap();
    let server = Server::start(&data);
    is_degraded(&server, "is empty");
    let response = server.request("GET", "/api/chats").send(&server.address);
    assert_eq!((response.status, response.json()["error"]["code"].clone()), (503, json!("degraded")));
    assert!(server.stop().success());
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0, "touched");
    let (status, told, _) = crate::process::handset(&data, &["doctor"]);
    assert!(!status.success() && told.contains("is empty"), "{told}");
}

/// A lock that is there and cannot be opened may be held by another server.
#[test]
fn a_lock_that_cannot_be_opened() {
    let (data, _) = used();
    let mut command = without_rights(data.path());
    std::fs::set_permissions(data.path().join("lock"), std::fs::Permissions::from_mode(0o000)).unwrap();
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("lock"), "{told}");
}

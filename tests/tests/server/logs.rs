//! Logs hold ids and states, never a word of anybody's and never a token, whatever the level.

use std::process::Stdio;

use serde_json::json;

use crate::http::Request;
use crate::process::{Folder, Server, card_id, command};

#[test]
fn a_whole_chat_at_trace_level_leaves_no_word() {
    let data = Folder::new();
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path()).unwrap();
    let log = folder.path().join("log");
    let mut command = command(data.path());
    command.args(["--log", "trace"]);
    let server = Server::start_by(command, Stdio::from(std::fs::File::create(&log).unwrap()));
    let chat = server.chat();
    let mut turn = server.say(&chat, "text Zebediah Quince that marmalade matters");
    let card = card_id(&turn.until("card").data);
    server.answer(&card, &json!({"status": "failed", "message": "gooseberry outage"}));
    turn.until("reply");
    // What is refused, and what cannot be read.
    let path = format!("/api/chats/{chat}/messages");
    let raw = |body: &str| {
        Request { body: Some(body.to_owned()), ..server.request("POST", &path) }.send(&server.address).status
    };
    assert_eq!(raw(r#"{"text": "rhubarb", "rhubarb": 1}"#), 422);
    assert_eq!(raw(r#"{"text": "damson"#), 400);
    assert_eq!(raw(r#"{"text": "persimmon", "client_id": "medlar", "device": "loquat"}"#), 202);
    let stranger = Request { token: Some("elderberry"), ..server.request("GET", "/api/chats") };
    assert_eq!(stranger.send(&server.address).status, 401);
    server.request("GET", "/api/cards?device=mulberry").send(&server.address);
    server.request("GET", "/api/chats/tamarind").send(&server.address);
    let token = server.token.clone();
    assert!(server.stop().success());
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains(&card), "the log tells of the card: {log}");
    for word in [
        "Zebediah",
        "marmalade",
        "gooseberry",
        "rhubarb",
        "damson",
        "persimmon",
        "medlar",
        "elderberry",
        "tamarind",
        token.as_str(),
        "Bearer",
    ] {
        assert!(!log.contains(word), "{word} stands in the log:\n{log}");
    }
}

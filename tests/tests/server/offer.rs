//! Who is offered the phone (document 1, section 1).

use handset_spec::Language;
use handset_spec::tools::PHONE_ACTION;
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::process::{Folder, Server};

/// P167: the same sentence without the capability: the tool's words, and nothing on any phone.
#[test]
fn p167_without_the_capability_it_is_unavailable() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut device = server.follow("pixel", None);
    let events: Vec<_> = server
        .send(&chat, &json!({"text": "set an alarm for 7:30 on weekdays", "device": "pixel"}))
        .collect();
    assert!(events.iter().all(|event| event.kind != "card"));
    assert_eq!(server.results(&chat), [PHONE_ACTION.unavailable]);
    let expected = text!(demo.unavailable in Language::En);
    assert_eq!(events.last().unwrap().data["message"]["text"], json!(expected));
    assert_eq!(server.get("/api/cards")["cards"], json!([]));
    while device.next().is_some_and(|event| {
        assert_ne!(event.kind, "card");
        event.kind != "reply"
    }) {}
    assert_eq!(server.get(&format!("/api/chats/{chat}"))["offered"], json!(false));
}

/// A chat that began on the phone and goes on elsewhere keeps the tool, and the tool is unavailable there.
#[test]
fn a_chat_that_leaves_the_phone() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    server.say(&chat, "hello").until("reply");
    assert_eq!(server.get(&format!("/api/chats/{chat}"))["offered"], json!(true));
    server.send(&chat, &json!({"text": "torch on"})).until("reply");
    assert_eq!(server.results(&chat), [PHONE_ACTION.unavailable]);
}

/// Nobody attends a schedule's or a subagent's chat.
#[test]
fn a_chat_that_nobody_attends() {
    let data = Folder::new();
    let server = Server::start(&data);
    for kind in ["schedule", "subagent"] {
        let chat =
            server.post("/api/chats", &json!({"kind": kind})).json()["id"].as_str().unwrap().to_owned();
        server.say(&chat, "torch on").until("reply");
        assert_eq!(server.results(&chat), [PHONE_ACTION.unavailable]);
    }
}

#[test]
fn the_tools_are_told_as_models_take_them() {
    let data = Folder::new();
    let server = Server::start(&data);
    let tools = server.get("/api/tools");
    assert_eq!(tools["spec"], json!(handset_spec::VERSION));
    let tool = &tools["tools"][0];
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(tool["openai"], read(PHONE_ACTION.openai));
    assert_eq!(tool["anthropic"], read(PHONE_ACTION.anthropic));
    assert_eq!(tool["parameters"], read(PHONE_ACTION.parameters));
}

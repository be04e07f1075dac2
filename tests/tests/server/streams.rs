//! The person's stream: filtered by device, resumed without loss, with the headers that proxies need.

use serde_json::json;

use crate::process::{Folder, Server, card_id};

#[test]
fn a_stream_says_what_proxies_need_to_know() {
    let data = Folder::new();
    let server = Server::start(&data);
    let response = server.request("GET", "/api/events").send(&server.address);
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert_eq!(response.header("x-accel-buffering"), Some("no"));
    assert_eq!(response.header("content-type"), Some("text/event-stream"));
}

/// Dropped after each event in turn and resumed by its id: nothing is lost and nothing comes twice.
#[test]
fn p133_resumed_after_each_event() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut whole = server.follow("pixel", None);
    let mut turn = server.say(&chat, "torch on");
    server.answer(&card_id(&turn.until("card").data), &json!({"status": "done"}));
    turn.until("reply");
    let mut events = Vec::new();
    for event in whole.by_ref() {
        let over = event.kind == "reply";
        events.push(event);
        if over {
            break;
        }
    }
    for (place, event) in events.iter().enumerate().take(events.len() - 1) {
        let mut resumed = server.follow("pixel", Some(&event.id));
        assert_eq!(resumed.next().as_ref(), Some(&events[place + 1]));
    }
}

/// Another device is told everything but the card.
#[test]
fn another_devices_stream_has_no_card() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut tablet = server.follow("tablet", None);
    let mut turn = server.say(&chat, "torch on");
    server.answer(&card_id(&turn.until("card").data), &json!({"status": "done"}));
    turn.until("reply");
    let mut kinds = Vec::new();
    for event in tablet.by_ref() {
        kinds.push(event.kind.clone());
        if event.kind == "reply" {
            break;
        }
    }
    assert!(kinds.contains(&"call".to_owned()) && kinds.contains(&"result".to_owned()));
    assert!(!kinds.contains(&"card".to_owned()) && !kinds.contains(&"card_closed".to_owned()));
}

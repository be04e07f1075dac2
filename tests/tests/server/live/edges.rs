//! Who may open a line, and what is told of what cannot be read.

use serde_json::{Value, json};

use super::client::{House, Line, call, path, text, whole};
use super::talk::silence;
use crate::process::{newcomer, wait_for};

#[test]
fn another_persons_call_is_not_there() {
    let house = House::new(false, |_, _| whole(&["Hello."]));
    let server = house.start();
    let (_, ann) = newcomer(&house.data, &server, "Ann");
    let id = call(&server, &ann);
    let bearer = |token: &str| vec![("authorization", format!("Bearer {token}"))];
    assert_eq!(Line::with(&server, &id, &bearer(&server.token)).err(), Some(404));
    assert_eq!(Line::with(&server, "none", &bearer(&ann)).err(), Some(404));
    assert_eq!(Line::with(&server, &id, &[]).err(), Some(401));
    assert_eq!(Line::with(&server, &id, &bearer("wrong")).err(), Some(401));
    // As a browser does, from its own page and from another's.
    let offered = ("sec-websocket-protocol", format!("handset, bearer.{ann}"));
    let of = |origin: String| vec![offered.clone(), ("origin", origin)];
    assert_eq!(Line::with(&server, &id, &of("https://evil.example".to_owned())).err(), Some(403));
    let mut line = Line::with(&server, &id, &of(format!("http://{}", server.address))).unwrap();
    assert_eq!(line.next()["type"], "ready");
    // What is no WebSocket is told so.
    let plain = server.ask(Some(&ann), "GET", &format!("/api/call/live?call={id}"), None);
    assert_eq!((plain.status, &plain.json()["error"]["code"]), (426, &json!("not_websocket")));
    let nothing = server.ask(Some(&ann), "GET", "/api/call/live", None);
    assert_eq!(nothing.status, 400);
}

/// A device that is revoked is cut off at once.
#[test]
fn a_token_that_is_revoked_ends_its_line() {
    let house = House::new(false, |_, _| whole(&["Hello."]));
    let server = house.start();
    let (_, ann) = newcomer(&house.data, &server, "Ann");
    let id = call(&server, &ann);
    let mut line = Line::open_as(&server, &ann, &id);
    line.until("ready");
    let devices = server.ask(Some(&ann), "GET", "/api/devices", None).json();
    let device = text(&devices["devices"][0], "id");
    let revoked = server.ask(Some(&ann), "DELETE", &format!("/api/devices/{device}"), None);
    assert_eq!(revoked.status, 204);
    assert_eq!(line.ended(), 1008);
}

#[test]
fn what_cannot_be_read_is_told_so_and_the_socket_stays() {
    let house = House::new(false, |_, _| whole(&["Hello."]));
    let server = house.start();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    let long = "a".repeat(20_000);
    for (sign, code) in [
        (json!({"type": "sing"}), "bad_frame"),
        (json!({"turn": "x"}), "bad_frame"),
        (json!({"type": "played"}), "bad_frame"),
        (json!({"type": "played", "turn": "x", "piece": -1}), "bad_frame"),
        (json!({"type": "utterance"}), "bad_frame"),
        (json!({"type": "utterance", "client_id": " "}), "bad_frame"),
        (json!({"type": "frames", "rate": 44_100}), "bad_rate"),
        (json!([1]), "bad_frame"),
        (json!({"type": "played", "turn": long, "piece": 0}), "frame_too_large"),
    ] {
        line.say(&sign);
        let bad = line.next();
        assert_eq!((&bad["type"], &bad["error"]["code"]), (&json!("bad"), &json!(code)), "{sign}");
        assert!(text(&bad["error"], "message").ends_with('.'), "{bad}");
    }
    line.send(vec![0; 100]);
    assert_eq!(line.next()["error"]["code"], "unexpected_sound");
    // What there is not counts for nothing.
    line.say(&json!({"type": "played", "turn": "x", "piece": 7}));
    line.say(&json!({"type": "speaking", "turn": "x", "piece": 7, "share": 12}));
    // No recording at all: the fault has the code that the upload has.
    line.say(&json!({"type": "utterance", "client_id": "u0"}));
    line.send(b"<!doctype html>".to_vec());
    line.until("understanding");
    let fault = line.next();
    assert_eq!((&fault["type"], &fault["client_id"]), (&json!("fault"), &json!("u0")));
    assert_eq!(fault["error"]["code"], "audio_unknown_container");
    // Failed, it may be tried again.
    line.utter("u0");
    assert_eq!(line.until("caption")["text"], "hello");
    line.until("reply");
}

/// A microphone alone: the server finds the utterances itself, and the companion stops when somebody begins.
#[test]
fn sound_that_flows_is_cut_into_utterances() {
    let house = House::new(false, |words, _| match words {
        "[voice call] One." => whole(&["First. Second."]),
        _ => whole(&["Yes."]),
    });
    let server = house.start();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    house.ears.hears("One.");
    house.ears.hears("Two.");
    let voice = std::fs::read(path("speech.wav")).unwrap()[44..].to_vec();
    let quiet = silence()[44..].to_vec();
    line.say(&json!({"type": "frames", "rate": 16_000}));
    let flow = [&quiet[..], &voice, &quiet].concat();
    // Cut anywhere, in the midst of a sample too.
    for bytes in flow.chunks(1_333) {
        line.send(bytes.to_vec());
    }
    assert_eq!(line.until("caption")["text"], "One.");
    let turn = text(&line.until("reply"), "turn");
    line.played(&turn, 0);
    for bytes in voice.chunks(999) {
        line.send(bytes.to_vec());
    }
    // It is quiet while they still speak.
    let stopped = line.until("stopped");
    assert_eq!(stopped["message"]["text"], "First.");
    line.say(&json!({"type": "frames_end"}));
    assert_eq!(line.until("caption")["text"], "Two.");
    assert_eq!(line.until("reply")["message"]["text"], "Yes.");
    assert_eq!(house.ears.count(), 2);
}

/// Without a recogniser the line is there, and says so.
#[test]
fn a_server_without_ears_says_so() {
    let data = crate::process::Folder::new();
    let server = crate::process::Server::start(&data);
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    assert_eq!(line.next()["hears"], false);
    line.utter("u1");
    line.until("understanding");
    let fault = line.next();
    assert_eq!((&fault["type"], &fault["error"]["code"]), (&json!("fault"), &json!("no_recogniser")));
    // What is typed is answered aloud all the same, by the demo companion.
    server.send(&chat, &json!({"text": "hello"})).until("reply");
    line.until("piece");
    let told: Value = wait_for(|| Some(server.get("/api/call/invite")));
    assert_eq!(told["call"]["state"], "going");
}

/// An export has what was heard; another person's has nothing of it.
#[test]
fn what_was_heard_is_in_the_export() {
    let house = House::new(false, |_, _| whole(&["Good. Day."]));
    let server = house.start();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.utter("u1");
    let turn = text(&line.until("reply"), "turn");
    line.played(&turn, 0);
    let export = wait_for(|| {
        let export = server.ask(Some(&server.token), "GET", "/api/export", None).text();
        export.contains("\"spoken\"").then_some(export)
    });
    assert!(export.contains("[voice call]"), "{export}");
}

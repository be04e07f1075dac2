//! `/api/readings`, and being read to by the demo: a newcomer needs no model for it.

use handset_spec::Language;
use handset_spec::markers;
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::process::{Folder, Server, newcomer};

fn ask(server: &Server, method: &str, path: &str, body: Value) -> (u16, Value) {
    let answer = server.ask(Some(&server.token), method, path, Some(&body));
    (answer.status, if answer.status == 204 { Value::Null } else { answer.json() })
}

/// What the companion said last in a chat.
fn reply(server: &Server, chat: &str, text: &str) -> String {
    server.say(chat, text).until("reply");
    server.said(chat).last().unwrap().1.clone()
}

#[test]
fn the_demo_reads_from_the_bookmark() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let words = |language| markers::read(text!(demo.reading in language)).text.trim_end().to_owned();
    let none = reply(&server, &chat, "Read me something, please.");
    assert_eq!(none, format!("{}\n\n{}", words(Language::En), text!(reading.nothing in Language::En)));

    let text = "月亮出来了。小熊还没有睡。它问：“你睡了吗？”";
    let (status, added) =
        ask(&server, "POST", "/api/readings", json!({"text": format!("\u{feff}{text}\r\n")}));
    assert_eq!((status, &added["title"]), (201, &json!(text)), "its first line");
    assert_eq!((&added["language"], &added["bookmark"]), (&json!("zh"), &json!(0)));
    assert_eq!((&added["chars"], &added["next"]), (&json!(text.chars().count()), &json!(text)));
    let said = reply(&server, &chat, "给我念点什么");
    let ended = text!(reading.ended in Language::Zh, title = text);
    assert_eq!(said, format!("{}\n\n{text}\n\n{ended}", words(Language::Zh)));
    let (_, listed) = ask(&server, "GET", "/api/readings", Value::Null);
    let reading = &listed["readings"][0];
    assert_eq!((&reading["bookmark"], &reading["next"]), (&added["chars"], &json!("")));
    assert!(reading["read_at_ms"].is_i64() && listed["limits"]["texts"].is_i64(), "{listed}");

    // From the middle, over a restart.
    let path = format!("/api/readings/{}", added["id"].as_str().unwrap());
    let (status, moved) = ask(&server, "PATCH", &path, json!({"bookmark": 6, "title": " 小熊 "}));
    assert_eq!((status, &moved["title"], &moved["bookmark"]), (200, &json!("小熊"), &json!(6)));
    server.stop();
    let server = Server::start(&data);
    let said = reply(&server, &chat, "接着念");
    assert!(said.contains("\n\n小熊还没有睡。") && !said.contains("月亮"), "{said}");
    assert_eq!(ask(&server, "DELETE", &path, json!({})).0, 204);
    assert_eq!(ask(&server, "DELETE", &path, json!({})).0, 404);
}

#[test]
fn texts_are_bounded_and_their_persons() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, bob) = newcomer(&data, &server, "Bob");
    let post = |body: Value| ask(&server, "POST", "/api/readings", body);
    for (body, status, code) in [
        (json!({"text": " \n*** "}), 422, "invalid"),
        (json!({"text": "One.", "title": "x".repeat(121)}), 422, "invalid"),
        (json!({"text": "One.", "language": "fr"}), 422, "invalid"),
        (json!({"text": "x".repeat(2_000_001)}), 413, "too_large"),
    ] {
        let (found, told) = post(body);
        assert_eq!((found, &told["error"]["code"]), (status, &json!(code)), "{told}");
    }
    // As large as may be, escaped line breaks and all; sent twice, it is there once.
    let large = "One sentence of many.\r\n".repeat(86_000);
    let mut ids = Vec::new();
    for _ in 0..2 {
        let (status, added) = post(json!({"text": large, "title": "Large", "client_id": "t1"}));
        assert_eq!(status, 201, "{added}");
        ids.push(added["id"].clone());
    }
    assert_eq!(ids[0], ids[1]);
    let (_, listed) = ask(&server, "GET", "/api/readings", Value::Null);
    assert_eq!(listed["readings"].as_array().unwrap().len(), 1);
    let most = usize::try_from(listed["limits"]["texts"].as_u64().unwrap()).unwrap();
    for number in 1..most {
        assert_eq!(post(json!({"text": format!("Text {number}.")})).0, 201);
    }
    let (status, told) = post(json!({"text": "One more."}));
    assert_eq!((status, &told["error"]["code"]), (409, &json!("too_many_readings")));
    let theirs = server.ask(Some(&bob), "GET", "/api/readings", None).json();
    assert_eq!(theirs["readings"], json!([]));
    let path = format!("/api/readings/{}", ids[0].as_str().unwrap());
    let (status, moved) = ask(&server, "PATCH", &path, json!({"bookmark": 1_000_000_000}));
    assert_eq!((status, &moved["bookmark"]), (200, &moved["chars"]));
    assert_eq!(ask(&server, "PATCH", &path, json!({"bookmark": -1})).0, 422);
}

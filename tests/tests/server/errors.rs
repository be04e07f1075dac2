//! Every error is JSON with a code and a sentence.

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::process::{Folder, Server};

fn check(response: Response, status: u16, code: &str) {
    assert_eq!(response.status, status, "{code}");
    assert_eq!(response.header("content-type"), Some("application/json"), "{code}");
    let body = response.json();
    assert_eq!(body["error"]["code"], json!(code), "{body}");
    let message = body["error"]["message"].as_str().unwrap();
    assert!(message.ends_with('.') && !message.to_lowercase().contains("deserialize"), "{body}");
}

#[test]
fn errors_are_json() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let messages = format!("/api/chats/{chat}/messages");
    let raw = |method: &str, path: &str, kind: Option<&str>, body: &str| {
        let headers = kind.map(|kind| ("Content-Type", kind.to_owned())).into_iter().collect();
        let request = Request { headers, body: Some(body.to_owned()), ..server.request(method, path) };
        request.send(&server.address)
    };
    let json_type = Some("application/json");

    check(raw("GET", "/nope", None, ""), 404, "no_such_route");
    check(raw("GET", "/api/nope", None, ""), 404, "no_such_route");
    // A browser that was sent somewhere is shown the page, which says so in words.
    let shown = |path: &str| {
        let headers = vec![("Accept", "text/html,*/*;q=0.8".to_owned())];
        Request { headers, ..server.request("GET", path) }.send(&server.address)
    };
    let lost = shown("/nope");
    assert_eq!((lost.status, lost.text().contains("<!doctype html>")), (404, true));
    check(shown("/api/nope"), 404, "no_such_route");
    check(raw("PUT", "/api/chats", None, ""), 405, "no_such_method");
    check(raw("GET", "/api/chats/nope", None, ""), 404, "not_found");
    check(raw("GET", "/api/chats/%ff", None, ""), 404, "not_found");
    check(raw("GET", "/api/cards/nope", None, ""), 404, "not_found");
    check(raw("POST", "/api/cards/nope/answer", json_type, r#"{"status":"done"}"#), 404, "not_found");
    check(raw("GET", &format!("{messages}?after=soon"), None, ""), 400, "bad_query");
    check(raw("POST", &messages, json_type, "{"), 400, "not_json");
    check(raw("POST", &messages, json_type, r#"{"words":"x"}"#), 422, "invalid");
    check(
        raw("POST", &messages, json_type, r#"["turn on the torch", ["phone_actions"], "pixel", null]"#),
        422,
        "invalid",
    );
    check(raw("POST", "/api/cards/nope/answer", json_type, r#""done""#), 422, "invalid");
    let stamp = r#"{"status":"done","answered_at":true}"#;
    check(raw("POST", "/api/cards/nope/answer", json_type, stamp), 422, "invalid");
    check(raw("POST", &messages, json_type, r#"{"text":"x","capabilites":[]}"#), 422, "invalid");
    check(raw("POST", &messages, json_type, r#"{"text":" \n "}"#), 422, "invalid");
    check(
        raw("POST", &messages, json_type, &format!(r#"{{"text":"{}"}}"#, "x".repeat(300_000))),
        413,
        "too_large",
    );
    let deep = format!(r#"{{"status":"done","message":{}"#, "[".repeat(100_000));
    check(raw("POST", "/api/cards/nope/answer", json_type, &deep), 400, "too_deep");
    let deep = format!(r#"{{"status":{}{}}}"#, "[".repeat(32), "]".repeat(32));
    check(raw("POST", "/api/cards/nope/answer", json_type, &deep), 400, "too_deep");
    check(raw("GET", "/api/chats/%00%zz", None, ""), 404, "not_found");
    check(raw("POST", "/api/chats", json_type, r#"{"kind":"party"}"#), 422, "invalid");
    check(raw("POST", "/api/chats", json_type, &"x".repeat(300_000)), 413, "too_large");
    let stamp = r#"{"status":"done","answered_at":"yesterday"}"#;
    check(raw("POST", "/api/cards/nope/answer", json_type, stamp), 422, "invalid");
    assert_eq!(server.said(&chat), [], "nothing of all this was stored");
}

/// A field's name stands as it is written, wherever a sentence begins with it.
#[test]
fn a_field_keeps_its_name() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    for (method, path, body, begins) in [
        ("PUT", "/api/push/subscription", json!({"endpoint": "x", "keys": 7}), "keys: invalid type"),
        (
            "PUT",
            "/api/push/subscription",
            json!({"endpoint": "x", "keys": {}}),
            "keys: missing field `p256dh`",
        ),
        ("POST", "/api/flags", json!({"dnd": "yes"}), "dnd: invalid type"),
        ("POST", "/api/cards/x/answer", json!({"status": "done", "device": 7}), "device: invalid type"),
        ("POST", &format!("/api/chats/{chat}/messages"), json!({"text": 7}), "text: invalid type"),
        ("POST", "/api/flags", json!({}), "Missing field `dnd`"),
    ] {
        let told = server.ask(Some(&server.token), method, path, Some(&body)).json();
        let message = told["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(begins), "{method} {path}: {message}");
    }
    let told =
        server.request("GET", &format!("/api/chats/{chat}/messages?cards=7")).send(&server.address).json();
    let message = told["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("cards: "), "{message}");
}

/// What the HTTP library refuses before it is a request is JSON as well.
#[test]
fn what_is_no_request_is_refused_in_json() {
    let data = Folder::new();
    let server = Server::start(&data);
    let long = "x".repeat(70_000);
    for (bytes, status, code) in [
        ("GET /api/ch ats HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), 400, "not_http"),
        ("nonsense\r\n\r\n".to_owned(), 400, "not_http"),
        ("GET /api/chats HTTP/9.9\r\n\r\n".to_owned(), 400, "not_http"),
        ("GET /\u{0} HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), 400, "not_http"),
        (format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n"), 414, "uri_too_long"),
        (format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(200)), 431, "head_too_large"),
    ] {
        let response = crate::http::raw(&server.address, bytes.as_bytes());
        assert_eq!(response.header("connection"), Some("close"), "{code}");
        check(response, status, code);
    }
    // A good request first, on the same connection.
    let mixed = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    let response = crate::http::raw(&server.address, format!("{mixed}nonsense\r\n\r\n").as_bytes());
    assert_eq!(response.status, 200);
}

#[test]
fn without_a_token_there_is_nothing() {
    let data = Folder::new();
    let server = Server::start(&data);
    for token in [None, Some(""), Some("wrong"), Some("é")] {
        for path in ["/api/chats", "/api/events", "/api/cards", "/api/tools"] {
            let request = Request { token, ..server.request("GET", path) };
            let response = request.send(&server.address);
            assert_eq!(response.header("www-authenticate"), Some("Bearer"));
            check(response, 401, "unauthorized");
        }
    }
    for path in ["/healthz", "/readyz"] {
        let response = Request { token: None, ..server.request("GET", path) }.send(&server.address);
        assert_eq!((response.status, response.json()), (200, json!({"status": "ok"})), "{path}");
    }
}

#[test]
fn a_repeated_client_id_gives_the_first_message() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let path = format!("/api/chats/{chat}/messages");
    let message = json!({"text": "hello", "client_id": "m1"});
    let first: Vec<_> = server.send(&chat, &message).filter(|event| event.kind != "delta").collect();
    let again: Vec<_> = server.send(&chat, &message).filter(|event| event.kind != "delta").collect();
    let told = |events: &[crate::http::Event]| -> Vec<(String, Value)> {
        events.iter().map(|event| (event.kind.clone(), event.data.clone())).collect()
    };
    assert_eq!(told(&first), told(&again), "the stream of a turn that is over tells the same");
    let taken = server.post(&path, &message);
    assert_eq!((taken.status, taken.json()["id"].clone()), (202, first[0].data["message"]["id"].clone()));
    assert_eq!(server.said(&chat).len(), 2);
}

//! Devices report what arrived, and the server says how even it was.

use handset::clock::rfc3339;
use serde_json::{Value, json};

use super::service::Service;
use super::{device, ring, server, subscribe};
use crate::contract;
use crate::process::{Folder, Server, newcomer};

fn report(server: &Server, token: &str, method: &str, value: &str) -> (u16, Value) {
    let path = format!("/api/events?type=swpush&value={}", escaped(value));
    let response = server.ask(Some(token), method, &path, None);
    let status = response.status;
    (status, if status == 204 { Value::Null } else { response.json() })
}

/// As a page's `encodeURIComponent` writes it.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[test]
fn a_report_is_kept_beside_its_ring() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    let token = device(&data, "pixel");
    let (_, bob) = newcomer(&data, &server, "Bob");
    subscribe(&server, &token, &service, "/push");
    let told = ring(&server, &token);
    let id = told["id"].as_str().unwrap();
    let path = format!("/api/calls/{id}/rings");
    let rings = server.ask(Some(&token), "GET", &path, None).json();
    let due = rings["devices"][0]["rings"][0]["due_at_ms"].as_i64().unwrap();
    assert_eq!(rings["devices"][0]["rings"][0]["arrived_at_ms"], Value::Null);

    assert_eq!(report(&server, &token, "POST", &format!("w7|test|{id}|0|{}", due + 40)).0, 204);
    // As the workers in the field ask, and once more, which changes nothing.
    let object = json!({"version": "w8", "kind": "test", "id": id, "sequence": 0, "at": rfc3339(due + 99)});
    contract::record("arrival", &object);
    assert_eq!(report(&server, &token, "GET", &object.to_string()).0, 204);
    // A tablet says that it got a second one.
    let tablet = device(&data, "tablet");
    let object =
        json!({"version": "w8", "kind": "test", "id": id, "sequence": 1, "at": due + 2_070}).to_string();
    assert_eq!(report(&server, &tablet, "POST", &object).0, 204);

    let rings = server.ask(Some(&token), "GET", &path, None).json();
    let devices = rings["devices"].as_array().unwrap();
    let of = |name: &str| devices.iter().find(|device| device["name"] == name).unwrap();
    let first = &of("pixel")["rings"][0];
    assert_eq!((&first["outcome"], &first["status"]), (&json!("accepted"), &json!(201)));
    assert_eq!((&first["worker"], &first["kind"]), (&json!("w7"), &json!("test")));
    assert_eq!(first["arrived_at_ms"], due + 40);
    let moment = |key: &str| first[key].as_i64().unwrap();
    assert!(due <= moment("sent_at_ms") && moment("sent_at_ms") <= moment("answered_at_ms"));
    let figures = &of("pixel")["figures"]["arrived_after_due"];
    assert_eq!(figures, &json!({"count": 1, "min_ms": 40, "median_ms": 40, "max_ms": 40, "spread_ms": 0}));
    let second = &of("tablet")["rings"][0];
    assert_eq!(
        (&second["sequence"], &second["outcome"]),
        (&json!(1), &Value::Null),
        "it was not sent from here"
    );
    assert_eq!(rings["figures"]["sent_after_due"]["count"], 1);
    assert_eq!(rings["figures"]["between_arrivals"], Value::Null);

    // Another person has no such call, whatever they say.
    assert_eq!(report(&server, &bob, "POST", &format!("w7|test|{id}|0|{due}")).0, 404);
    assert_eq!(server.ask(Some(&bob), "GET", &path, None).status, 404);
    // What was kept is there after a restart, and so takes reports.
    assert!(server.stop().success());
    let server = super::server(&data, &service);
    assert_eq!(report(&server, &token, "POST", &format!("w7|test|{id}|2|{}", due + 4_100)).0, 204);
    let rings = server.ask(Some(&token), "GET", &path, None).json();
    let pixel = rings["devices"].as_array().unwrap().iter().find(|device| device["name"] == "pixel").unwrap();
    assert_eq!(pixel["figures"]["between_arrivals"]["median_ms"], 4_060);
}

/// The last calls with their rings, and whether the interval that is set works; a test ring is no call.
#[test]
fn the_calls_that_rang_are_listed_with_a_verdict() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    let token = device(&data, "pixel");
    let (_, bob) = newcomer(&data, &server, "Bob");
    let told = |token: &str| server.ask(Some(token), "GET", "/api/rings", None).json();
    subscribe(&server, &token, &service, "/push");
    ring(&server, &token);
    let none = told(&token);
    assert_eq!((&none["calls"], &none["verdict"]["code"]), (&json!([]), &json!("none")));
    assert_eq!(none["verdict"]["interval_ms"], 2000);
    let ask =
        |method: &str, path: &str, body: Value| server.ask(Some(&token), method, path, Some(&body)).json();
    let invite = ask("POST", "/api/call/invite", json!({"reason": "tea"}))["invite"]["id"].clone();
    // The test, and the first ring of the call.
    service.wait("/push", 2);
    ask("POST", "/api/call/answer", json!({"id": invite, "action": "decline"}));
    let rang = told(&token);
    let call = &rang["calls"][0];
    assert_eq!(
        (&call["invite"], &call["reason"], &call["interval_ms"]),
        (&invite, &json!("tea"), &json!(2000))
    );
    assert_eq!((&call["state"], &call["devices"][0]["name"]), (&json!("declined"), &json!("pixel")));
    assert_eq!(rang["verdict"]["code"], "silent");
    let (id, due) = (invite.as_str().unwrap(), call["devices"][0]["rings"][0]["due_at_ms"].as_i64().unwrap());
    assert_eq!(report(&server, &token, "POST", &format!("w|call|{id}|0|{}", due + 300)).0, 204);
    let heard = told(&token);
    assert_eq!((&heard["verdict"]["code"], &heard["verdict"]["arrived"]), (&json!("few"), &json!(1)));
    assert_eq!(heard["calls"][0]["figures"]["arrived_after_due"]["median_ms"], 300);
    // Of another interval nothing is known yet.
    ask("PATCH", "/api/settings", json!({"settings": {"call": {"ring_interval": 3}}}));
    assert_eq!(told(&token)["verdict"]["code"], "none");
    assert_eq!(told(&bob)["calls"], json!([]));
}

#[test]
fn a_report_that_says_nothing_is_refused_with_the_reason() {
    let data = Folder::new();
    let server = Server::start(&data);
    let fault = |method: &str, path: &str| {
        let response = server.ask(Some(&server.token), method, path, None);
        let status = response.status;
        let told = response.json();
        assert!(told["error"]["hint"].is_string() || status == 404, "{told}");
        (status, told["error"]["message"].as_str().unwrap().to_owned())
    };
    for method in ["GET", "POST"] {
        let (status, message) = fault(method, "/api/events?type=swpush");
        assert_eq!((status, message.as_str()), (422, "value is missing."));
        let (status, message) = fault(method, "/api/events?type=sw&value=a");
        assert!(status == 422 && message.contains("\"sw\""), "{message}");
        let (status, message) = fault(method, "/api/events?type=swpush&value=a%7Cb");
        assert!(status == 422 && message.contains("2 parts"), "{message}");
        let long = format!("/api/events?type=swpush&value={}", "a".repeat(600));
        assert_eq!(fault(method, &long).0, 422);
    }
    assert_eq!(fault("POST", "/api/events").0, 422);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let (status, value) = report(&server, &server.token, "POST", &format!("w1|call|nothing|0|{now}"));
    assert_eq!((status, &value["error"]["code"]), (404, &json!("not_found")));
}

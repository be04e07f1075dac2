//! Where devices are rung: what is kept, what is refused, and what a push is like.

use serde_json::{Value, json};

use super::browser::{Browser, claims};
use super::service::Service;
use super::{command_for, device, put, ring, server, subscribe, subscriptions};
use crate::http::Request;
use crate::process::{Folder, Server, newcomer};

/// The whole way: key, subscription, a ring that the browser alone can read, and the signature under it.
#[test]
fn a_ring_reaches_the_browser_that_subscribed() {
    let (data, service) = (Folder::new(), Service::start());
    let mut command = command_for(&data, &service.origin);
    command.env("HANDSET_PUSH_SUBJECT", "mailto:ann@example.org");
    let server = Server::start_as(command);
    let token = device(&data, "pixel");
    let key = server.get("/api/push/key");
    assert_eq!(key["subject"], "mailto:ann@example.org");
    let key = key["key"].as_str().unwrap();
    let browser = subscribe(&server, &token, &service, "/push/1");
    let told = ring(&server, &token);
    assert_eq!((&told["outcome"], &told["status"]), (&json!("accepted"), &json!(201)));
    let push = service.wait("/push/1", 1).remove(0);
    assert_eq!(push.header("urgency"), Some("high"));
    assert_eq!(push.header("content-type"), Some("application/octet-stream"));
    let ttl: u64 = push.header("ttl").unwrap().parse().unwrap();
    assert!((25..=30).contains(&ttl), "{ttl}");
    let topic = push.header("topic").unwrap();
    assert!(topic.len() <= 32 && topic.len() % 4 != 1, "{topic}");
    let claims = claims(&push, key);
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!(service.origin), &json!("mailto:ann@example.org")));
    let said = browser.open(&push);
    assert_eq!((&said["kind"], &said["id"]), (&json!("test"), &told["id"]));
    assert_eq!((&said["sequence"], &said["last"]), (&json!(0), &json!(true)));
    let seconds = said["expires_at_ms"].as_i64().unwrap() / 1000 - claims["exp"].as_i64().unwrap();
    assert!(
        (-12 * 60 * 60..-12 * 60 * 60 + 60).contains(&seconds),
        "the signature holds for half a day: {claims}"
    );
    assert!(said["title"].as_str().is_some_and(|title| !title.is_empty()));

    // Another one uses the same connection and the same signature, and has keys of its own.
    ring(&server, &token);
    let pushes = service.wait("/push/1", 2);
    assert_eq!((pushes[0].connection, pushes[1].connection), (0, 0));
    assert_eq!(pushes[0].header("authorization"), pushes[1].header("authorization"));
    assert_ne!(pushes[0].body[..86], pushes[1].body[..86]);
    let of = subscriptions(&server, &token).remove(0);
    assert_eq!((&of["name"], &of["current"], &of["rings"]), (&json!("pixel"), &json!(true), &json!(true)));
    assert_eq!((&of["last_outcome"], &of["failures"]), (&json!("accepted"), &json!(0)));
    assert!(of["last_success_at_ms"].is_i64() && of["service"] == "127.0.0.1");
    assert!(!of.to_string().contains("/push/1"), "the address is a secret");
}

/// A ring speaks the language that the browser asks for.
#[test]
fn a_test_ring_speaks_the_browsers_language() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    let browser = subscribe(&server, &server.token, &service, "/zh");
    let headers = vec![("Accept-Language", "zh-CN,zh;q=0.9".to_owned())];
    let request = Request { headers, ..server.request("POST", "/api/push/test") };
    assert_eq!(request.send(&server.address).status, 200);
    let said = browser.open(&service.wait("/zh", 1)[0]);
    assert!(said["body"].as_str().unwrap().starts_with("这只是"), "{said}");
}

fn refusal(server: &Server, token: &str, subscription: &Value) -> (u16, String, String) {
    let response = put(server, token, subscription);
    let status = response.status;
    let told = response.json();
    let text = |key: &str| told["error"][key].as_str().unwrap_or_default().to_owned();
    (status, text("code"), text("message"))
}

#[test]
fn a_subscription_to_anywhere_else_is_refused() {
    let data = Folder::new();
    let server = Server::start(&data);
    let browser = Browser::new();
    for (endpoint, message) in [
        (
            "https://10.0.0.5/x.apple.com/",
            "The endpoint leads to the address 10.0.0.5, not to a push service.",
        ),
        ("https://192.168.1.7/push", "The endpoint leads to the address 192.168.1.7, not to a push service."),
        ("http://127.0.0.1:4711/push", "The endpoint must begin with https://."),
        ("https://evil.example/fcm.googleapis.com", "evil.example is no push service that is known here."),
        (
            "https://fcm.googleapis.com.evil.example/a",
            "fcm.googleapis.com.evil.example is no push service that is known here.",
        ),
        ("https://fcm.googleapis.com@evil.example/a", "The endpoint holds a name or a password."),
        (
            "https://fcm.googleapis.com:444/a",
            "The endpoint names port 444; push services are reached at 443.",
        ),
        ("https://fcm.googleapis.com./a", "The endpoint's host is not written as a browser writes it."),
        ("", "The endpoint is no address."),
    ] {
        let told = refusal(&server, &server.token, &browser.subscription(endpoint));
        assert_eq!(told, (422, "endpoint_refused".to_owned(), message.to_owned()), "{endpoint}");
    }
    assert!(subscriptions(&server, &server.token).is_empty());
    let right = browser.subscription("https://fcm.googleapis.com/fcm/send/abc");
    for (path, value, message) in [
        ("/keys/p256dh", json!("AAAA"), "keys.p256dh has 3 bytes; it must have 65."),
        ("/keys/auth", json!("AAAA"), "keys.auth has 3 bytes; it must have 16."),
        ("/keys/auth", json!("not base64"), "keys.auth is no base64url."),
        (
            "/keys/p256dh",
            json!(format!("BA{}", "A".repeat(85))),
            "keys.p256dh is no point of the curve P-256.",
        ),
    ] {
        let mut wrong = right.clone();
        *wrong.pointer_mut(path).unwrap() = value;
        let told = refusal(&server, &server.token, &wrong);
        assert_eq!(told, (422, "bad_keys".to_owned(), message.to_owned()), "{path}");
    }
    for (path, value) in [("/keys", json!({})), ("/endpoint", json!(7)), ("/keys/auth", json!(null))] {
        let mut wrong = right.clone();
        *wrong.pointer_mut(path).unwrap() = value;
        assert_eq!(refusal(&server, &server.token, &wrong).0, 422, "{path}");
    }
    assert_eq!(put(&server, &server.token, &right).status, 200);
}

/// P085: Apple answers 403 to who does not say how to be reached; the page's own address is enough, a nameless one is not.
#[test]
fn p085_who_cannot_be_reached_is_told_so_before_apple_does() {
    let data = Folder::new();
    let server = Server::start(&data);
    let subscription = Browser::new().subscription("https://web.push.apple.com/QGuQyavXutnMH").to_string();
    let from = |origin: &str| {
        let headers = vec![("Origin", origin.to_owned())];
        let request = Request {
            headers,
            body: Some(subscription.clone()),
            ..server.request("PUT", "/api/push/subscription")
        };
        request.send(&server.address)
    };
    for origin in ["http://localhost:8787", "https://localhost", "null", "https://192.168.1.7:8787"] {
        let response = from(origin);
        assert_eq!(response.status, 422, "{origin}");
        let told = response.json();
        assert_eq!(told["error"]["code"], "no_subject");
        assert!(told["error"]["hint"].as_str().unwrap().contains("push.subject"));
    }
    assert_eq!(from("https://companion.example.org").status, 200);
}

/// P087: a subscription for another key is not kept, and one that was kept before the key changed is shown as what it is
/// and not pushed to.
#[test]
fn p087_a_changed_server_key_is_seen() {
    let (data, service) = (Folder::new(), Service::start());
    let first = server(&data, &service);
    let token = device(&data, "pixel");
    let old = first.get("/api/push/key")["key"].as_str().unwrap().to_owned();
    let browser = subscribe(&first, &token, &service, "/push");
    assert!(first.stop().success());
    std::fs::remove_file(data.path().join("push-key.pem")).unwrap();
    let server = server(&data, &service);
    let new = server.get("/api/push/key")["key"].as_str().unwrap().to_owned();
    assert_ne!(old, new);
    let of = subscriptions(&server, &token).remove(0);
    assert_eq!(
        (&of["rings"], &of["why_not"], &of["server_key"]),
        (&json!(false), &json!("other_key"), &json!(old))
    );
    let told = ring(&server, &token);
    assert_eq!(told["outcome"], "other_key");
    assert!(told["hint"].as_str().unwrap().contains("subscribe anew"));
    let mut subscription = browser.subscription(&service.endpoint("/push/new"));
    subscription["server_key"] = json!(old);
    assert_eq!(refusal(&server, &token, &subscription).1, "other_key");
    subscription["server_key"] = json!(new);
    assert_eq!(put(&server, &token, &subscription).status, 200);
    assert_eq!(ring(&server, &token)["outcome"], "accepted");
    assert!(service.pushed("/push").is_empty());
    assert_eq!(subscriptions(&server, &token).len(), 1, "the new one took the old one's place");
}

/// A subscription ends with its device, by request, and by another person's sign-in in the same browser; at once.
#[test]
fn a_subscription_ends_with_its_device() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    let (phone, tablet) = (device(&data, "phone"), device(&data, "tablet"));
    let (_, bob) = newcomer(&data, &server, "Bob");
    subscribe(&server, &phone, &service, "/phone");
    let shared = subscribe(&server, &tablet, &service, "/tablet");
    assert_eq!(ring(&server, &phone)["outcome"], "accepted");
    assert_eq!(subscriptions(&server, &server.token).len(), 2);
    assert!(subscriptions(&server, &bob).is_empty());
    // The other device is reached by its id, and not by another person.
    let id = |name: &str| {
        let found = subscriptions(&server, &server.token);
        found.iter().find(|of| of["name"] == name).unwrap()["device"].as_str().unwrap().to_owned()
    };
    let path = format!("/api/push/subscription?device={}", id("phone"));
    assert_eq!(server.ask(Some(&bob), "DELETE", &path, None).status, 404);
    let test = json!({"device": id("phone")});
    assert_eq!(server.ask(Some(&bob), "POST", "/api/push/test", Some(&test)).status, 404);
    assert_eq!(
        server.ask(Some(&tablet), "POST", "/api/push/test", Some(&test)).json()["outcome"],
        "accepted"
    );
    assert_eq!(service.wait("/phone", 2).len(), 2);
    let revoke = format!("/api/devices/{}", id("phone"));
    assert_eq!(server.ask(Some(&server.token), "DELETE", &revoke, None).status, 204);
    let found = subscriptions(&server, &server.token);
    assert_eq!((found.len(), &found[0]["name"]), (1, &json!("tablet")));
    // Bob signs in in the tablet's browser; who merely knows the address does not get it.
    let endpoint = service.endpoint("/tablet");
    assert_eq!(refusal(&server, &bob, &Browser::new().subscription(&endpoint)).1, "subscription_taken");
    assert_eq!(put(&server, &bob, &shared.subscription(&endpoint)).status, 200);
    assert!(subscriptions(&server, &server.token).is_empty());
    assert_eq!(ring(&server, &bob)["outcome"], "accepted");
    let delete = "/api/push/subscription?client_id=once";
    for _ in 0..2 {
        assert_eq!(server.ask(Some(&bob), "DELETE", delete, None).status, 204, "repeated");
    }
    assert_eq!(server.ask(Some(&bob), "DELETE", "/api/push/subscription", None).status, 404);
    assert_eq!(server.ask(Some(&bob), "POST", "/api/push/test", None).status, 404);
    assert_eq!(service.pushed("/tablet").len(), 1);
}

/// A repeated test rings once; and nobody tests for ever.
#[test]
fn a_repeated_test_rings_once() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    subscribe(&server, &server.token, &service, "/push");
    let body = json!({"client_id": "once"});
    let test = || server.ask(Some(&server.token), "POST", "/api/push/test", Some(&body));
    let (first, second) = (test().json(), test().json());
    assert_eq!((&first["id"], &first["outcome"]), (&second["id"], &second["outcome"]));
    assert_eq!(service.pushed("/push").len(), 1);
    let mut statuses: Vec<u16> = (0..12).map(|_| server.post("/api/push/test", &json!({})).status).collect();
    assert_eq!(statuses.pop(), Some(429));
}

/// What the list does not hold any more is not pushed to, though it was kept.
#[test]
fn an_endpoint_is_checked_again_when_it_is_used() {
    let (data, service) = (Folder::new(), Service::start());
    let first = server(&data, &service);
    subscribe(&first, &first.token, &service, "/push");
    assert!(first.stop().success());
    let server = Server::start(&data);
    assert_eq!(ring(&server, &server.token)["outcome"], "not_allowed");
    let of = subscriptions(&server, &server.token).remove(0);
    assert_eq!((&of["rings"], &of["why_not"]), (&json!(false), &json!("not_allowed")));
    assert!(service.pushed("/push").is_empty());
}

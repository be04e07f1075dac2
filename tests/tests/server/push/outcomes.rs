//! What push services answer, each with its own outcome: what is told, what is kept, and what goes.

use std::net::TcpListener;
use std::process::Stdio;

use serde_json::{Value, json};

use super::browser::Browser;
use super::service::{Answer, Service, TAKEN};
use super::{command_for, device, put, ring, server, subscribe, subscriptions};
use crate::process::{Folder, Server, wait_for};

/// Rings a device whose service answers so: the outcome, and the subscription if it was kept.
fn answered(server: &Server, service: &Service, answer: Answer) -> (Value, Option<Value>) {
    let token = &server.token;
    service.answer("/push", answer);
    subscribe(server, token, service, "/push");
    let told = ring(server, token);
    (told, subscriptions(server, token).pop())
}

#[test]
fn what_is_gone_is_deleted_at_once() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    for status in [404, 410] {
        let (told, kept) = answered(&server, &service, Answer::Status(status, ""));
        assert_eq!((&told["outcome"], &told["status"]), (&json!("gone"), &json!(status)));
        assert!(told["hint"].as_str().unwrap().contains("subscribe anew"));
        assert_eq!(kept, None);
    }
}

#[test]
fn what_fails_for_now_is_kept() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    for (answer, outcome, status) in [
        (Answer::Status(500, ""), "service_failed", json!(500)),
        (Answer::Status(503, ""), "service_failed", json!(503)),
        (Answer::Status(413, ""), "too_large", json!(413)),
        (Answer::Status(400, ""), "refused", json!(400)),
        (Answer::Status(307, "Location: http://127.0.0.1:1/\r\n"), "refused", json!(307)),
        (Answer::Close, "closed", Value::Null),
        (Answer::Silence, "no_answer", Value::Null),
    ] {
        let (told, kept) = answered(&server, &service, answer.clone());
        assert_eq!((&told["outcome"], &told["status"]), (&json!(outcome), &status), "{answer:?}");
        let kept = kept.unwrap_or_else(|| panic!("{answer:?}: it was kept"));
        assert_eq!((&kept["last_outcome"], &kept["last_status"]), (&json!(outcome), &status));
        assert_eq!((&kept["failures"], &kept["rings"]), (&json!(1), &json!(true)), "{answer:?}");
    }
    // The next one goes out all the same, and a success makes everything well.
    service.answer("/push", TAKEN);
    assert_eq!(ring(&server, &server.token)["outcome"], "accepted");
    let kept = subscriptions(&server, &server.token).remove(0);
    assert_eq!((&kept["failures"], &kept["last_outcome"]), (&json!(0), &json!("accepted")));
}

#[test]
fn a_service_that_cannot_be_reached_costs_nothing() {
    let (data, service) = (Folder::new(), Service::start());
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let server = Server::start_as(command_for(&data, &format!("{},http://{nobody}", service.origin)));
    let endpoint = format!("http://{nobody}/push");
    assert_eq!(put(&server, &server.token, &Browser::new().subscription(&endpoint)).status, 200);
    assert_eq!(ring(&server, &server.token)["outcome"], "unreachable");
    assert_eq!(subscriptions(&server, &server.token).len(), 1);
}

/// 429 with `Retry-After`: kept, and left alone for that long and no longer, over a restart, too.
#[test]
fn a_service_that_wants_fewer_is_left_alone() {
    let (data, service) = (Folder::new(), Service::start());
    let first = server(&data, &service);
    let (told, kept) = answered(&first, &service, Answer::Status(429, "Retry-After: 3\r\n"));
    assert_eq!((&told["outcome"], &told["status"]), (&json!("limited"), &json!(429)));
    let kept = kept.unwrap();
    assert_eq!((&kept["why_not"], &kept["rings"]), (&json!("paused"), &json!(false)));
    let pause = kept["paused_until_ms"].as_i64().unwrap() - kept["last_at_ms"].as_i64().unwrap();
    assert!((2_000..=3_000).contains(&pause), "{pause}");
    service.answer("/push", TAKEN);
    assert_eq!(ring(&first, &first.token)["outcome"], "paused");
    assert!(first.stop().success());
    let server = server(&data, &service);
    assert_eq!(ring(&server, &server.token)["outcome"], "paused");
    assert_eq!(service.pushed("/push").len(), 1);
    // The clock is the machine's: the pause passes while this asks, which it may do ten times.
    wait_for(|| subscriptions(&server, &server.token).pop().filter(|of| of["rings"] == true));
    assert_eq!(ring(&server, &server.token)["outcome"], "accepted");
}

/// A service that refuses this server's key refuses it for all: nothing goes, and it is said aloud.
#[test]
fn our_own_key_refused_deletes_nobody() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    let tokens = [device(&data, "phone"), device(&data, "tablet")];
    for (number, token) in tokens.iter().enumerate() {
        let path = format!("/push/{number}");
        subscribe(&server, token, &service, &path);
        service.answer(&path, Answer::Status(if number == 0 { 401 } else { 403 }, ""));
    }
    for _ in 0..4 {
        for token in &tokens {
            let told = ring(&server, token);
            assert_eq!(told["outcome"], "unauthorized");
            assert!(told["hint"].as_str().unwrap().contains("push.subject"));
        }
    }
    assert_eq!(subscriptions(&server, &tokens[0]).len(), 2);
}

/// One that is refused again and again, with never a success, while others pass, is not the key's fault: it goes.
#[test]
fn one_device_refused_for_several_calls_goes() {
    let (data, service) = (Folder::new(), Service::start());
    let server = server(&data, &service);
    let (phone, tablet, old) = (device(&data, "phone"), device(&data, "tablet"), device(&data, "old"));
    for (token, path) in [(&phone, "/phone"), (&tablet, "/tablet"), (&old, "/old")] {
        subscribe(&server, token, &service, path);
    }
    assert_eq!(ring(&server, &phone)["outcome"], "accepted");
    assert_eq!(ring(&server, &old)["outcome"], "accepted");
    service.answer("/tablet", Answer::Status(403, ""));
    service.answer("/old", Answer::Status(403, ""));
    for left in [3, 3, 2, 2] {
        for token in [&tablet, &old] {
            server.ask(Some(token), "POST", "/api/push/test", None);
        }
        let names: Vec<Value> = subscriptions(&server, &phone).iter().map(|of| of["name"].clone()).collect();
        assert_eq!(names.len(), left, "{names:?}");
    }
    assert_eq!(server.ask(Some(&tablet), "POST", "/api/push/test", None).status, 404);
    assert_eq!(ring(&server, &old)["outcome"], "unauthorized", "it worked once, and stays");
}

/// An endpoint is a secret, and so are its keys and what a push says: whatever happens to it, no log holds them.
#[test]
fn no_log_holds_an_endpoint() {
    let (data, service, logs) = (Folder::new(), Service::start(), Folder::new());
    std::fs::create_dir_all(logs.path()).unwrap();
    let log = logs.path().join("log");
    let mut command = command_for(&data, &service.origin);
    command.args(["--log", "trace"]);
    let server = Server::start_by(command, Stdio::from(std::fs::File::create(&log).unwrap()));
    let mut secrets = vec!["marmalade".to_owned(), "vapid t=".to_owned(), "only a test".to_owned()];
    for answer in [TAKEN, Answer::Status(500, ""), Answer::Close, Answer::Status(410, "")] {
        service.answer("/marmalade", answer);
        let browser = subscribe(&server, &server.token, &service, "/marmalade");
        secrets.extend(<[String; 2]>::from(browser.keys()));
        ring(&server, &server.token);
    }
    let elsewhere = Browser::new().subscription("https://elsewhere.example/marmalade");
    assert_eq!(put(&server, &server.token, &elsewhere).status, 422);
    assert!(server.stop().success());
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("a push was not answered") && log.contains("gone"), "{log}");
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} stands in the log:\n{log}");
    }
}

//! The telephone from end to end: the companion is asked to call, phones ring by push, and what comes of it is said.

use std::process::Command;

use handset_spec::Language::En;
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::process::{Folder, Server, command, printed, wait_for};
use crate::push::service::Service;
use crate::push::third_party::ThirdParty;
use crate::push::{browser::Browser, subscribe};

const REASON: &str = "the soup is ready";

fn command_for(data: &Folder, origin: &str) -> Command {
    let mut command = command(data.path());
    command.env("HANDSET_PUSH_ORIGINS", origin);
    command
}

/// A server whose operator's calls expire soonest, and a phone of theirs.
fn house(data: &Folder, origin: &str) -> (Server, String) {
    let server = Server::start_as(command_for(data, origin));
    let change = json!({"settings": {"call": {"invite_expires": 15}}});
    assert_eq!(server.ask(Some(&server.token), "PATCH", "/api/settings", Some(&change)).status, 200);
    let phone = printed(data, &["token", "add", "phone"]);
    (server, phone)
}

/// Asks the companion to call, and gives the invite.
fn call_me(server: &Server, chat: &str) -> Value {
    let mut turn = server.send(chat, &json!({"text": format!("call me because {REASON}")}));
    let reply = turn.until("reply").data["message"]["text"].as_str().unwrap().to_owned();
    assert!(!reply.is_empty() && !reply.contains('⟪') && !reply.contains("dial"), "{reply}");
    wait_for(|| {
        let invite = server.get("/api/call/invite")["invite"].clone();
        (!invite.is_null()).then_some(invite)
    })
}

fn answer(server: &Server, invite: &Value, action: &str, note: Option<&str>) {
    let body = json!({"id": invite["id"], "action": action, "note": note});
    assert_eq!(server.post("/api/call/answer", &body).status, 200);
}

fn said(server: &Server, chat: &str, role: &str, text: &str) -> usize {
    server.said(chat).iter().filter(|(by, words)| by == role && words == text).count()
}

fn wait_long<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1500 {
        if let Some(found) = ask() {
            return found;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("it did not come")
}

/// A whole burst is opened by a push service that others wrote: a ring each two seconds until the call expires, the last
/// one said to be the last, and then one voicemail with the reason.
#[test]
fn a_call_that_nobody_answers() {
    let Some(service) = ThirdParty::start() else { return };
    let data = Folder::new();
    let (server, phone) = house(&data, &service.origin());
    let key = server.get("/api/push/key")["key"].as_str().unwrap().to_owned();
    let (subscription, name) = service.subscribe(&key);
    assert_eq!(server.ask(Some(&phone), "PUT", "/api/push/subscription", Some(&subscription)).status, 200);
    let chat = server.chat();
    let invite = call_me(&server, &chat);
    assert_eq!((&invite["reason"], &invite["by"]), (&json!(REASON), &json!("marker")));
    let voicemail = text!(call.missed in En, reason = REASON);
    wait_long(|| (said(&server, &chat, "companion", &voicemail) > 0).then_some(()));
    let rings = service.messages(&name);
    // Due at 0, 2, … 14 seconds: the one at 16 would come behind the end.
    let sequences: Vec<_> = rings.iter().map(|ring| ring["sequence"].as_i64().unwrap()).collect();
    assert_eq!(sequences, (0..8).collect::<Vec<_>>(), "{rings:?}");
    for ring in &rings {
        assert_eq!((&ring["kind"], &ring["id"]), (&json!("call"), &invite["id"]));
        assert_eq!(ring["expires_at"], invite["expires_at"]);
        assert_eq!(ring["last"] == true, ring["sequence"] == 7, "{ring}");
        assert_eq!(ring["body"].as_str().unwrap().contains("·last ring"), ring["last"] == true, "{ring}");
        assert!(ring.to_string().len() < 1000);
    }
    let id = invite["id"].as_str().unwrap();
    let told = server.get(&format!("/api/calls/{id}/rings"));
    let created = invite["created_at_ms"].as_i64().unwrap();
    let kept = told["devices"][0]["rings"].as_array().unwrap();
    let due: Vec<_> = kept.iter().map(|ring| ring["due_at_ms"].as_i64().unwrap() - created).collect();
    assert_eq!(due, (0..8).map(|k| k * 2000).collect::<Vec<_>>());
    assert!(kept.iter().all(|ring| ring["sent_at_ms"].as_i64() >= ring["due_at_ms"].as_i64()));
    assert_eq!(said(&server, &chat, "companion", &voicemail), 1);
}

/// Once the answer is committed nothing rings; the words of a decline are the person's; and do-not-disturb is asked for, and
/// heeded, in words.
#[test]
fn calls_that_are_answered_declined_or_not_wanted() {
    let (service, data) = (Service::start(), Folder::new());
    let (server, phone) = house(&data, &service.origin);
    let browser = subscribe(&server, &phone, &service, "/phone");
    let chat = server.chat();
    let invite = call_me(&server, &chat);
    service.wait("/phone", 2);
    answer(&server, &invite, "accept", None);
    let rung = service.pushed("/phone").len();
    let created = invite["created_at_ms"].as_i64().unwrap();
    let next = created + 2_000 * i64::try_from(rung).unwrap() + 700;
    wait_for(|| (server.get("/api/call/invite")["now_ms"].as_i64().unwrap() > next).then_some(()));
    assert_eq!(service.pushed("/phone").len(), rung, "it rings after the answer");
    assert!(opened(&browser, &service)[0]["body"].as_str().unwrap().contains(REASON));
    let end = json!({"id": invite["id"], "seconds": 4, "transcript": []});
    assert_eq!(server.post("/api/call/end", &end).status, 200);

    // A call ends the conversation: the companion may call again.
    let invite = call_me(&server, &chat);
    answer(&server, &invite, "decline", Some("  in the bath ⟪dial:x⟫ "));
    assert_eq!(said(&server, &chat, "person", "in the bath ⟪dial:x⟫"), 1);
    assert_eq!(server.get("/api/call/invite")["invite"], Value::Null, "what a person writes is no marker");

    let reply = server.send(&chat, &json!({"text": "turn on do not disturb"})).until("reply");
    assert!(!reply.data["message"]["text"].as_str().unwrap().contains("dnd"));
    wait_for(|| (server.get("/api/flags")["dnd"] == true).then_some(()));
    let refused = server.post("/api/call/invite", &json!({"reason": "x"}));
    assert_eq!(refused.status, 403);
    let told = refused.json();
    assert_eq!((&told["ok"], &told["dnd"]), (&json!(false), &json!(true)));
    let other = server.chat();
    server.send(&other, &json!({"text": "call me"})).until("reply");
    assert_eq!(server.get("/api/call/invite")["invite"], Value::Null);
    let blocked = text!(call.blocked in En);
    wait_for(|| (said(&server, &other, "companion", blocked) == 1).then_some(()));
}

fn opened(browser: &Browser, service: &Service) -> Vec<Value> {
    service.pushed("/phone").iter().map(|push| browser.open(push)).collect()
}

/// The plug is pulled in the midst of a burst: the rest of its rings come in their time, and there is one voicemail.
#[test]
fn killed_in_the_midst_of_a_burst() {
    let (service, data) = (Service::start(), Folder::new());
    let (server, phone) = house(&data, &service.origin);
    let browser = subscribe(&server, &phone, &service, "/phone");
    let chat = server.chat();
    let invite = call_me(&server, &chat);
    service.wait("/phone", 2);
    server.kill();
    let server = Server::start_as(command_for(&data, &service.origin));
    let voicemail = text!(call.missed in En, reason = REASON);
    wait_long(|| (said(&server, &chat, "companion", &voicemail) > 0).then_some(()));
    let sequences: Vec<_> =
        opened(&browser, &service).iter().map(|ring| ring["sequence"].as_i64().unwrap()).collect();
    assert!(sequences.is_sorted_by(|a, b| a < b), "none twice: {sequences:?}");
    assert!(sequences.len() >= 5 && sequences.last() == Some(&7), "{sequences:?}");
    let id = invite["id"].as_str().unwrap();
    let told = server.get(&format!("/api/calls/{id}/rings"));
    for ring in told["devices"][0]["rings"].as_array().unwrap() {
        let (due, sent) = (ring["due_at_ms"].as_i64(), ring["sent_at_ms"].as_i64());
        assert!(sent.zip(due).is_none_or(|(sent, due)| sent - due < 1_900), "in its time: {ring}");
    }
    assert_eq!(said(&server, &chat, "companion", &voicemail), 1);
}

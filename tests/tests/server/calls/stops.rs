//! Where a voicemail goes, and a server that stops while it rings.

use super::*;

/// The pin moves, and is told; what is said outside of any chat goes there, also when the chat goes away in the meantime.
#[test]
fn a_voicemail_finds_its_chat() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    caller.set(json!({"call": {"invite_expires": 15}}));
    let (old, new) = (server.chat(), server.chat());
    let pin = |chat: &str, body: Value| {
        server.ask(Some(&server.token), "PATCH", &format!("/api/chats/{chat}"), Some(&body))
    };
    for chat in [&new, &old] {
        let pinned = pin(chat, json!({"pinned": true}));
        assert_eq!((pinned.status, &pinned.json()["pinned"]), (200, &json!(true)));
    }
    let pinned = |caller: &Caller<'_>| -> Vec<Value> {
        caller.chats().iter().filter(|chat| chat["pinned"] == true).map(|chat| chat["id"].clone()).collect()
    };
    assert_eq!(pinned(&caller), [json!(old)]);
    assert_eq!(pin(&old, json!({"pinned": "yes"})).status, 422);
    assert_eq!(pin("none", json!({"pinned": true})).status, 404);
    let schedule =
        caller.post("/api/chats", &json!({"kind": "schedule"})).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(pin(&schedule, json!({"pinned": true})).status, 422);
    caller.ring("dinner");
    assert_eq!(server.ask(Some(&server.token), "DELETE", &format!("/api/chats/{old}"), None).status, 204);
    assert_eq!(caller.missed("dinner"), 1);
    assert_eq!(server.said(&new).len(), 1, "the newest that is for talking");
    // And where there is none at all, one is made.
    for chat in [&new, &schedule] {
        server.ask(Some(&server.token), "DELETE", &format!("/api/chats/{chat}"), None);
    }
    let invite = caller.ring("again");
    assert_eq!(caller.answer(json!({"id": id(&invite), "action": "decline", "note": "busy"})).0, 200);
    assert_eq!(caller.chats().len(), 1);
    assert_eq!(caller.said().len(), 2);
}

/// Killed while it rings: the invite keeps its end, and leaves one voicemail, also if it is killed once more then.
#[test]
fn killed_while_it_rings() {
    let data = Folder::new();
    let server = Server::start(&data);
    let ann = newcomer(&data, &server, "Ann").1;
    let bob = newcomer(&data, &server, "Bob").1;
    let mut invites = Vec::new();
    for token in [&ann, &bob] {
        let caller = Caller::new(&server, token.clone());
        caller.set(json!({"call": {"invite_expires": 15}}));
        invites.push(caller.ring("dinner"));
    }
    server.kill();
    let server = Server::start(&data);
    // Bob answers after the restart, Ann does not.
    let caller = Caller::new(&server, bob.clone());
    let ringing = caller.get("/api/call/invite")["invite"].clone();
    assert_eq!(ringing, invites[1], "with the same end");
    assert_eq!(caller.answer(json!({"id": id(&ringing), "action": "accept"})).0, 200);
    assert_eq!(Caller::new(&server, ann.clone()).missed("dinner"), 1);
    server.kill();
    let server = Server::start(&data);
    let (ann, bob) = (Caller::new(&server, ann), Caller::new(&server, bob));
    assert_eq!(ann.missed("dinner"), 1);
    // The call that was answered goes on.
    assert_eq!(bob.get("/api/call/invite")["call"]["id"], id(&invites[1]));
    bob.set(json!({"record": {"min_summary": 2}}));
    let transcript = json!([{"who": "person", "text": "soup"}]);
    // It went on for longer than the 15 seconds in which Ann missed hers.
    let end = json!({"id": id(&invites[1]), "seconds": 11, "transcript": transcript});
    assert_eq!(
        bob.post("/api/call/end", &end).json()["message"]["text"],
        json!("📞 Voice call · 0:11\nsoup")
    );
    assert_eq!(bob.said().len(), 1, "answered is not missed");
}

/// A stop keeps what is pending for the next start.
#[test]
fn stopped_while_it_rings() {
    let data = Folder::new();
    let server = Server::start(&data);
    let token = server.token.clone();
    let invite = Caller::operator(&server).ring("dinner");
    assert!(server.stop().success());
    let server = Server::start(&data);
    let caller = Caller::new(&server, token);
    assert_eq!(caller.get("/api/call/invite")["invite"], invite);
    let metrics = server.request("GET", "/metrics").send(&server.address).text();
    assert!(metrics.contains("handset_rings_total"), "{metrics}");
    // Somebody who is spoken to in the window holds the line: a message counts.
    assert_eq!(caller.answer(json!({"id": id(&invite), "action": "accept"})).0, 200);
    let seen = wait_for(|| {
        let call = caller.get("/api/call/invite")["call"].clone();
        (!call.is_null()).then_some(call)
    });
    assert_eq!(seen["state"], json!("accepted"));
}

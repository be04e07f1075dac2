//! How long a call was, what it leaves, and who may ask of it.

use super::*;

/// What is said counts once, and before what it is answered: neither its own reply's goodbye is cancelled by it, nor by its
/// repetition.
#[test]
fn a_message_that_is_repeated_cancels_no_goodbye() {
    let data = Folder::new();
    let server = Server::start(&data);
    let me = Caller::operator(&server);
    let chat = server.chat();
    for round in 0..5 {
        let call = me.call("To say good night.");
        let said = json!({"text": "goodbye, hang up", "client_id": format!("bye-{round}")});
        let path = format!("/api/chats/{chat}/messages");
        let message = me.post(&path, &said).json();
        let turn = message["turn"].clone();
        wait_long(|| {
            let messages = me.get(&path);
            let mut messages = messages["messages"].as_array().unwrap().iter();
            messages.any(|said| said["turn"] == turn && said["role"] == "companion").then_some(())
        });
        assert_eq!(me.post(&path, &said).json()["id"], message["id"], "a repetition");
        let played = me.post("/api/call/events", &json!({"id": call, "type": "played", "turn": turn})).json();
        assert!(played["call"]["lingers_until_ms"].is_i64(), "round {round}: {played}");
        assert_eq!(me.post("/api/call/end", &json!({"id": call, "seconds": 0})).status, 200);
    }
}

#[test]
fn a_record_says_how_long_and_what_about() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    let call = || caller.call("dinner");
    // A call is no longer than has passed, so these are short ones, with bounds to match.
    caller.set(json!({"record": {"min_call": 1, "min_summary": 1.5}}));
    let transcript = json!([
        {"who": "companion", "text": "Hello!"},
        {"who": "person", "text": "Shall we\u{7} have soup?"},
    ]);
    for (seconds, transcript, outcome, record) in [
        (json!(2), transcript.clone(), "recorded", Some("📞 Voice call · 0:02\nShall we have soup?")),
        (json!(1.9), json!(null), "recorded", Some("📞 Voice call · 0:01")),
        (json!(1.5), json!("Hello!\nHello you."), "recorded", Some("📞 Voice call · 0:01\nHello!")),
        (json!(1.4), transcript.clone(), "recorded", Some("📞 Voice call · 0:01")),
        (json!(1), json!([]), "recorded", Some("📞 Voice call · 0:01")),
        (json!(0.9), transcript.clone(), "too_short", None),
    ] {
        let id = call();
        let before = caller.said().len();
        let body = json!({"id": id, "seconds": seconds, "transcript": transcript});
        let told = caller.post("/api/call/end", &body);
        assert_eq!(told.status, 200);
        let told = told.json();
        assert_eq!((&told["outcome"], told["message"]["text"].as_str()), (&json!(outcome), record), "{body}");
        // Repeated by either side, it is the same end, and one record.
        let again = caller.post("/api/call/end", &json!({"id": id, "seconds": 600})).json();
        assert_eq!((&again["outcome"], &again["call"]), (&json!(outcome), &told["call"]));
        let said = caller.said().split_off(before);
        assert_eq!(
            said.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
            record.into_iter().collect::<Vec<_>>()
        );
    }
    // What cannot be meant is told so, and the call goes on.
    let id = call();
    for (seconds, transcript, code) in [
        (json!(-1), json!(null), "invalid"),
        (json!("137"), json!(null), "invalid"),
        (json!(null), json!(null), "invalid"),
        (json!(86_401), json!(null), "invalid"),
        (json!(9), json!(7), "bad_transcript"),
        (json!(9), json!([{"who": "cat", "text": "meow"}]), "bad_transcript"),
        (json!(9), json!([{"who": "person"}]), "bad_transcript"),
        (json!(9), json!(["hello"]), "bad_transcript"),
        (json!(9), json!("a".repeat(200_001)), "transcript_too_long"),
    ] {
        let body = json!({"id": id, "seconds": seconds, "transcript": transcript});
        assert_eq!(caller.refused("/api/call/end", body), (422, code.to_owned()), "{seconds} {code}");
    }
    assert_eq!(caller.get("/api/call/invite")["call"]["id"], id);
}

/// What a device says of a call's length is believed as far as the server's own clock bears it out.
#[test]
fn a_call_is_no_longer_than_has_passed() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    let id = caller.call("dinner");
    let asked = std::time::Instant::now();
    let told = caller.post("/api/call/end", &json!({"id": id, "seconds": 86_400})).json();
    let passed = asked.elapsed().as_secs();
    let seconds = told["call"]["seconds"].as_u64().unwrap();
    // Two seconds more than has passed since the answer, which was a moment before.
    assert!((2..=passed + 4).contains(&seconds), "{told}, within {passed} s");
}

/// 200,000 characters pass in any script, and as any client's JSON writes them.
#[test]
fn a_long_transcript_passes_in_any_script() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    for (one, written) in [("说", "说"), ("说", "\\u8bf4"), ("😀", "\\ud83d\\ude00")] {
        let id = caller.call("dinner");
        let end = |count: usize| {
            let text = written.repeat(count / 5_000);
            let line = format!(r#"{{"who": "companion", "text": "{text}"}}"#);
            let more = if count.is_multiple_of(5_000) { "" } else { written };
            let last = format!(r#"{{"who": "companion", "text": "{text}{more}"}}"#);
            let lines = [vec![line; 4_999].join(", "), last].join(", ");
            let body = format!(r#"{{"id": "{id}", "seconds": 1, "transcript": [{lines}]}}"#);
            Request { body: Some(body), ..caller.request("POST", "/api/call/end") }.send(&server.address)
        };
        let told = end(200_001);
        assert_eq!(
            (told.status, &told.json()["error"]["code"]),
            (422, &json!("transcript_too_long")),
            "{one}"
        );
        let told = end(200_000);
        assert_eq!((told.status, &told.json()["outcome"]), (200, &json!("too_short")), "{one}");
    }
    let body = Some(format!(r#"{{"id": "x", "seconds": 1, "transcript": "{}"}}"#, "说".repeat(1_200_000)));
    let told = Request { body, ..caller.request("POST", "/api/call/end") }.send(&server.address);
    assert_eq!((told.status, &told.json()["error"]["code"]), (413, &json!("too_large")));
}

#[test]
fn what_is_not_meant_is_told_so() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    let mut codes = BTreeSet::new();
    for (path, body, expected) in [
        ("invite", json!({"reason": 7}), (422, "invalid")),
        ("invite", json!({"reason": "a".repeat(201)}), (422, "reason_too_long")),
        ("invite", json!({"force": "yes"}), (422, "invalid")),
        ("invite", json!({"resaon": "a"}), (422, "invalid")),
        ("answer", json!({"action": "accept"}), (422, "invalid")),
        ("answer", json!({"id": 7, "action": "accept"}), (422, "invalid")),
        ("answer", json!({"id": "x", "action": "accept"}), (404, "not_found")),
        ("answer", json!({"id": "x", "action": "acept"}), (422, "unknown_action")),
        ("answer", json!({"id": "x", "action": null}), (422, "unknown_action")),
        ("cancel", json!({"id": "x"}), (404, "not_found")),
        ("events", json!({"id": "x", "type": "joined"}), (404, "not_found")),
        ("events", json!({"id": "x", "type": "sang"}), (422, "unknown_event")),
        ("events", json!({"id": "x", "type": "played"}), (422, "invalid")),
        ("events", json!({"id": "x", "type": "played", "turn": "t", "heard": -1}), (422, "invalid")),
        ("end", json!({"id": "x", "seconds": 9}), (404, "not_found")),
    ] {
        let told = caller.refused(&format!("/api/call/{path}"), body.clone());
        assert_eq!((told.0, told.1.as_str()), expected, "{path} {body}");
        codes.insert(told.1);
    }
    assert!(codes.len() >= 5);
    // An invite that was never answered is no call.
    let invite = caller.ring(&"日".repeat(200));
    for path in ["end", "events"] {
        let body = json!({"id": id(&invite), "seconds": 9, "type": "joined"});
        let body: Value = body
            .as_object()
            .unwrap()
            .iter()
            .filter(|(key, _)| match path {
                "end" => *key != "type",
                _ => *key != "seconds",
            })
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        assert_eq!(caller.refused(&format!("/api/call/{path}"), body), (404, "not_found".to_owned()));
    }
    // A reason is one line.
    caller.post("/api/call/cancel", &json!({"id": id(&invite)}));
    assert_eq!(caller.ring(" a\nb\u{7}c\t")["reason"], json!("a bc"));
}

#[test]
fn another_persons_calls_are_not_there() {
    let data = Folder::new();
    let server = Server::start(&data);
    let ann = Caller::new(&server, newcomer(&data, &server, "Ann").1);
    let bob = Caller::new(&server, newcomer(&data, &server, "Bob").1);
    let invite = ann.ring("a secret");
    let body = |more: Value| {
        let mut body = json!({"id": id(&invite)});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let requests = [
        ("answer", body(json!({"action": "accept"}))),
        ("cancel", body(json!({}))),
        ("events", body(json!({"type": "joined"}))),
        ("end", body(json!({"seconds": 9}))),
    ];
    for (path, body) in &requests {
        assert_eq!(
            bob.refused(&format!("/api/call/{path}"), body.clone()),
            (404, "not_found".to_owned()),
            "{path}"
        );
    }
    let told = bob.get("/api/call/invite");
    assert_eq!((&told["invite"], &told["last"], &told["call"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(ann.get("/api/call/invite")["invite"], invite, "nothing was changed");
    assert_eq!(ann.answer(body(json!({"action": "accept"}))).0, 200);
    for (path, body) in &requests {
        assert_eq!(
            bob.refused(&format!("/api/call/{path}"), body.clone()),
            (404, "not_found".to_owned()),
            "{path}"
        );
    }
    assert_eq!(bob.get("/api/call/invite")["call"], Value::Null);
    // Bob's phone is free all the while.
    bob.ring("hello");
}

#[test]
fn a_revoked_device_answers_nothing_and_the_others_do() {
    let data = Folder::new();
    let server = Server::start(&data);
    let lost = Caller::new(&server, printed(&data, &["token", "add", "lost"]));
    let kept = Caller::new(&server, printed(&data, &["token", "add", "kept"]));
    let invite = kept.ring("dinner");
    printed(&data, &["token", "revoke", "lost"]);
    let body = json!({"id": id(&invite), "action": "accept"});
    assert_eq!(lost.answer(body.clone()).0, 401);
    assert_eq!(server.ask(Some(&lost.token), "GET", "/api/call/invite", None).status, 401);
    let (status, told) = kept.answer(body);
    assert_eq!((status, &told["invite"]["answered_by"]), (200, &json!("kept")));
}

/// Repeated with its client id, a request is told what it was told, and does nothing more.
#[test]
fn calls_are_repeated_by_client_id() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    let new = json!({"reason": "dinner", "client_id": "c1"});
    let first = caller.post("/api/call/invite", &new).json();
    let again = caller.post("/api/call/invite", &new);
    assert_eq!((again.status, again.json()["invite"]["id"].clone()), (201, id(&first["invite"])));
    let answer =
        json!({"id": id(&first["invite"]), "action": "accept", "device": "phone", "client_id": "c2"});
    assert_eq!(caller.answer(answer.clone()).0, 200);
    assert_eq!(caller.answer(answer).1["outcome"], json!("accepted"));
    let other = json!({"id": id(&first["invite"]), "client_id": "c2"});
    assert_eq!(
        caller.refused("/api/call/end", {
            let mut body = other.clone();
            body["seconds"] = json!(9);
            body
        }),
        (422, "client_id_reused".to_owned())
    );
    caller.set(json!({"record": {"min_call": 1}}));
    let end = json!({"id": id(&first["invite"]), "seconds": 2, "client_id": "c3"});
    for _ in 0..2 {
        assert_eq!(caller.post("/api/call/end", &end).json()["outcome"], json!("recorded"));
    }
    assert_eq!(caller.said().len(), 1);
    // Answered and over, the first request still gives its invite, as it is now.
    let again = caller.post("/api/call/invite", &new).json();
    assert_eq!(again["invite"]["state"], json!("accepted"));
}

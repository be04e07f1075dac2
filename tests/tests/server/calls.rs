//! Calls over real sockets: rung, answered by one, declined with a word, missed once, ended with a record.

use std::collections::BTreeSet;

use handset_spec::Language::En;
use handset_spec::settings::call::NOTE_MAX_CHARS;
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::process::{Folder, Server, newcomer, printed, wait_for};

/// Somebody who asks, by their token.
struct Caller<'a> {
    server: &'a Server,
    token: String,
}

impl<'a> Caller<'a> {
    fn operator(server: &'a Server) -> Self {
        Self { server, token: server.token.clone() }
    }

    fn new(server: &'a Server, token: String) -> Self {
        Self { server, token }
    }

    fn post(&self, path: &str, body: &Value) -> Response {
        self.server.ask(Some(&self.token), "POST", path, Some(body))
    }

    fn get(&self, path: &str) -> Value {
        let response = self.server.ask(Some(&self.token), "GET", path, None);
        assert_eq!(response.status, 200, "{path}");
        response.json()
    }

    /// Rings, and gives the invite.
    fn ring(&self, reason: &str) -> Value {
        let response = self.post("/api/call/invite", &json!({ "reason": reason }));
        assert_eq!(response.status, 201);
        let told = response.json();
        assert_eq!(told["ok"], json!(true));
        told["invite"].clone()
    }

    /// Rings and accepts, and gives the call's id.
    fn call(&self, reason: &str) -> String {
        let invite = self.ring(reason);
        assert_eq!(self.answer(json!({"id": id(&invite), "action": "accept"})).0, 200);
        id(&invite).as_str().unwrap().to_owned()
    }

    fn request<'r>(&'r self, method: &'r str, path: &'r str) -> Request<'r> {
        Request { token: Some(&self.token), ..self.server.request(method, path) }
    }

    fn answer(&self, body: Value) -> (u16, Value) {
        let response = self.post("/api/call/answer", &body);
        (response.status, response.json())
    }

    /// The status and the error's code of a request that is refused.
    fn refused(&self, path: &str, body: Value) -> (u16, String) {
        let response = self.post(path, &body);
        let status = response.status;
        let told = response.json();
        let error = &told["error"];
        assert!(error["message"].as_str().is_some_and(|message| message.ends_with('.')), "{body}: {told}");
        (status, error["code"].as_str().unwrap().to_owned())
    }

    fn set(&self, settings: Value) {
        let change = json!({ "settings": settings });
        assert_eq!(self.server.ask(Some(&self.token), "PATCH", "/api/settings", Some(&change)).status, 200);
    }

    fn chats(&self) -> Vec<Value> {
        self.get("/api/chats")["chats"].as_array().unwrap().clone()
    }

    /// Everything that was said in all chats, as role and text.
    fn said(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut said = Vec::new();
        for chat in self.chats() {
            let messages = self.get(&format!("/api/chats/{}/messages", text(&chat["id"])));
            let messages = messages["messages"].as_array().unwrap();
            said.extend(messages.iter().map(|message| (text(&message["role"]), text(&message["text"]))));
        }
        said
    }

    /// Waits until no invite is pending any more, without asking about invites.
    fn missed(&self, reason: &str) -> usize {
        let voicemail = ("companion".to_owned(), text!(call.missed in En, reason = reason));
        wait_long(|| self.said().contains(&voicemail).then_some(()));
        self.said().iter().filter(|said| **said == voicemail).count()
    }
}

/// An invite waits for 15 seconds at least.
fn wait_long<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    for _ in 0..2000 {
        if let Some(found) = ask() {
            return found;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("it did not come")
}

fn id(invite: &Value) -> Value {
    invite["id"].clone()
}

/// Nobody asks, one asks, two ask at once: one voicemail each, and who finds the invite gone finds it.
#[test]
fn a_missed_call_is_one_voicemail_whoever_polls() {
    let data = Folder::new();
    let server = Server::start(&data);
    let nobody = Caller::new(&server, newcomer(&data, &server, "Ann").1);
    let pollers = Caller::operator(&server);
    for caller in [&nobody, &pollers] {
        caller.set(json!({"call": {"invite_expires": 15}}));
        let invite = caller.ring("The soup is ready.");
        let length = invite["expires_at_ms"].as_i64().unwrap() - invite["created_at_ms"].as_i64().unwrap();
        assert_eq!((length, &invite["state"]), (15_000, &json!("pending")));
    }
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let last = wait_long(|| {
                    let told = pollers.get("/api/call/invite");
                    told["invite"].is_null().then(|| told["last"].clone())
                });
                assert_eq!(last["state"], json!("expired"));
                assert_eq!(pollers.said().len(), 1, "who finds it gone finds its voicemail");
            });
        }
        scope.spawn(|| assert_eq!(nobody.missed("The soup is ready."), 1));
    });
    for caller in [&nobody, &pollers] {
        let expected = text!(call.missed in En, reason = "The soup is ready.");
        assert!(expected.starts_with("📞 Missed call\n"));
        assert_eq!(caller.said(), [("companion".to_owned(), expected)]);
    }
    // An answer after the expiry has its own outcome and changes nothing.
    let last = pollers.get("/api/call/invite")["last"].clone();
    let (status, late) = pollers.answer(json!({"id": last["id"], "action": "accept"}));
    assert_eq!((status, &late["ok"], &late["outcome"]), (409, &json!(false), &json!("too_late")));
    assert_eq!((pollers.said().len(), &late["error"]["code"]), (1, &json!("too_late")));
}

/// P161, P169, P173: two devices press at once. One has the call; the other hears so, in its answer and in its events.
#[test]
fn p173_two_devices_answer_and_one_wins() {
    let data = Folder::new();
    let server = Server::start(&data);
    let device = |name: &str| Caller::new(&server, printed(&data, &["token", "add", name]));
    let (phone, tablet) = (device("phone"), device("tablet"));
    for round in 0..10 {
        let mut stream = server.follow("tablet", None);
        let invite = phone.ring("");
        let body = |action: &str| json!({"id": id(&invite), "action": action});
        let (first, second) = std::thread::scope(|scope| {
            let first = scope.spawn(|| phone.answer(body("accept")));
            let second =
                scope.spawn(|| tablet.answer(body(if round % 2 == 0 { "accept" } else { "decline" })));
            (first.join().unwrap(), second.join().unwrap())
        });
        let mut statuses = [first.0, second.0];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{first:?} {second:?}");
        let (winner, loser, device) =
            if first.0 == 200 { (&first.1, &second.1, "phone") } else { (&second.1, &first.1, "tablet") };
        assert_eq!(loser["outcome"], json!("answered_elsewhere"));
        assert_eq!(loser["invite"], winner["invite"], "both see the same");
        assert_eq!(winner["invite"]["answered_by"], json!(device));
        // Told to every device.
        let told: Vec<Value> = stream.by_ref().take(2).map(|event| event.data["invite"].clone()).collect();
        assert_eq!((&told[0]["state"], &told[1]), (&json!("pending"), &winner["invite"]));
        // A repetition is told what the first was told.
        let again = if device == "phone" {
            phone.answer(body("accept"))
        } else {
            tablet.answer(body(if round % 2 == 0 { "accept" } else { "decline" }))
        };
        assert_eq!((again.0, &again.1["outcome"]), (200, &winner["outcome"]));
        if winner["outcome"] == json!("accepted") {
            assert_eq!(winner["call"]["state"], json!("accepted"));
            let end = phone.post("/api/call/end", &json!({"id": id(&invite), "seconds": 1}));
            assert_eq!((end.status, &end.json()["outcome"]), (200, &json!("too_short")));
        }
    }
    let said = phone.said();
    assert!(said.iter().all(|(_, text)| text == text!(call.declined_silent in En)), "{said:?}");
}

/// P161: an answer names its invite; one to a stale invite clears that one alone.
#[test]
fn p161_a_stale_answer_touches_nothing_else() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    let old = caller.ring("one");
    let taken = caller.post("/api/call/cancel", &json!({"id": id(&old)}));
    assert_eq!((taken.status, &taken.json()["outcome"]), (200, &json!("cancelled")));
    let again = caller.post("/api/call/cancel", &json!({"id": id(&old)}));
    assert_eq!(again.status, 200, "a repetition");
    let live = caller.ring("two");
    let (status, told) = caller.answer(json!({"id": id(&old), "action": "accept"}));
    assert_eq!((status, &told["outcome"]), (409, &json!("cancelled")));
    let ringing = caller.get("/api/call/invite");
    assert_eq!((&ringing["invite"], &ringing["call"]), (&live, &Value::Null));
    // A second invite, while one is pending.
    let second = caller.post("/api/call/invite", &json!({"reason": "three"}));
    assert_eq!(second.status, 409);
    let second = second.json();
    assert_eq!((&second["ok"], &second["error"]["code"]), (&json!(false), &json!("invite_pending")));
    assert_eq!(second["invite"], live);
    assert_eq!(caller.said(), [("companion".to_owned(), text!(call.cancelled in En).to_owned())]);
}

#[test]
fn a_decline_says_why_in_the_persons_words() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    let decline = |invite: &Value, note: Value| json!({"id": id(invite), "action": "decline", "note": note});
    let trace = || ("companion".to_owned(), text!(call.declined_silent in En).to_owned());
    let invite = caller.ring("dinner");
    // What cannot be taken changes nothing: it rings on.
    let long = "忙".repeat(NOTE_MAX_CHARS + 1);
    assert_eq!(
        caller.refused("/api/call/answer", decline(&invite, json!(long))),
        (422, "note_too_long".to_owned())
    );
    for note in [json!(7), json!(["busy"]), json!({"text": "busy"}), json!(true)] {
        assert_eq!(caller.refused("/api/call/answer", decline(&invite, note)), (422, "invalid".to_owned()));
    }
    assert_eq!(caller.get("/api/call/invite")["invite"]["state"], json!("pending"));
    // As long as it may be, round which blanks and in which control characters stand.
    let note = "忙".repeat(NOTE_MAX_CHARS);
    let (status, told) = caller.answer(decline(&invite, json!(format!(" \u{7}{note}\u{0}\n"))));
    assert_eq!((status, &told["outcome"], &told["invite"]["note"]), (200, &json!("declined"), &json!(note)));
    assert_eq!(caller.said(), [trace(), ("person".to_owned(), note.clone())]);
    // Blanks say nothing; a marker is text.
    for (given, expected) in [(" \t\n ", None), ("⟪dial:now⟫ [hangup]", Some("⟪dial:now⟫ [hangup]"))]
    {
        let before = caller.said().len();
        let invite = caller.ring("dinner");
        assert_eq!(caller.answer(decline(&invite, json!(given))).0, 200);
        let said = caller.said().split_off(before);
        let words = expected.map(|words| ("person".to_owned(), words.to_owned()));
        assert_eq!(said, [Some(trace()), words].into_iter().flatten().collect::<Vec<_>>());
    }
    assert_eq!(caller.get("/api/call/invite")["invite"], Value::Null, "no marker was performed");
    // The companion reads why: the next turn is not lost on it.
    let chat = caller.chats()[0]["id"].as_str().unwrap().to_owned();
    server.send(&chat, &json!({"text": "hello"})).until("reply");
}

#[test]
fn do_not_disturb_is_heeded_unless_forced() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    assert_eq!(caller.post("/api/flags", &json!({"dnd": true})).status, 200);
    let refused = caller.post("/api/call/invite", &json!({"reason": "dinner"}));
    assert_eq!(refused.status, 403);
    let refused = refused.json();
    assert_eq!((&refused["ok"], &refused["dnd"]), (&json!(false), &json!(true)));
    assert_eq!(refused["error"]["code"], json!("dnd"));
    assert_eq!(caller.get("/api/call/invite")["invite"], Value::Null);
    let forced = caller.post("/api/call/invite", &json!({"reason": "fire", "force": true}));
    assert_eq!(forced.status, 201);
    let forced = forced.json();
    assert_eq!(caller.post("/api/call/cancel", &json!({"id": id(&forced["invite"])})).status, 200);
    assert_eq!(caller.post("/api/flags", &json!({"dnd": false})).status, 200);
    caller.ring("dinner");
}

/// P139: on return to the front a page finds what rings, and the poll says all that the stream says.
#[test]
fn p139_a_poll_says_what_the_stream_says_of_calls() {
    let data = Folder::new();
    let server = Server::start(&data);
    let caller = Caller::operator(&server);
    caller.set(json!({"record": {"min_call": 1}}));
    let start = caller.get("/api/events/poll")["last_id"].as_str().unwrap().to_owned();
    let mut stream = server.follow("pixel", None);
    let invite = caller.ring("");
    assert_eq!(invite["reason"], json!(text!(call.fallback_reason in En)), "what the card shows");
    assert_eq!(caller.get("/api/call/invite")["invite"], invite);
    assert_eq!(caller.answer(json!({"id": id(&invite), "action": "accept"})).0, 200);
    let told = caller.get("/api/call/invite");
    assert_eq!((&told["invite"], &told["last"]["state"]), (&Value::Null, &json!("accepted")));
    assert_eq!(told["call"]["state"], json!("accepted"));
    assert_eq!((&told["poll_interval"], &told["note_max_chars"]), (&json!(8.0), &json!(60)));
    assert_eq!(told["chips"].as_array().unwrap().len(), 3);
    let joined = caller.post("/api/call/events", &json!({"id": id(&invite), "type": "joined"}));
    assert_eq!(joined.json()["call"]["state"], json!("going"));
    let end = caller.post("/api/call/end", &json!({"id": id(&invite), "seconds": 2}));
    let record = end.json()["message"].clone();
    assert_eq!(record["text"], json!("📞 Voice call · 0:02"));
    let streamed: Vec<_> = stream.by_ref().take(5).collect();
    let polled = caller.get(&format!("/api/events/poll?after={start}"));
    let polled = polled["events"].as_array().unwrap();
    assert_eq!(polled.len(), streamed.len());
    for (polled, streamed) in polled.iter().zip(&streamed) {
        assert_eq!((&polled["event"], &polled["data"]), (&json!(streamed.kind), &streamed.data));
    }
    assert_eq!(streamed[3].data["call"]["state"], json!("ended"));
    assert_eq!(streamed[4].data["message"], record);
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

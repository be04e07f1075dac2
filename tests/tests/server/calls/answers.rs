//! What a person answers, or does not.

use super::*;

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
            // Each is told where the call goes on, and whether that is here.
            let (on_it, other) = if device == "phone" { (&phone, &tablet) } else { (&tablet, &phone) };
            for (caller, here) in [(on_it, true), (other, false)] {
                let told = &caller.get("/api/call/invite")["call_device"];
                assert_eq!((&told["name"], &told["here"]), (&json!(device), &json!(here)));
                assert!(told["id"].is_string(), "{told}");
            }
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

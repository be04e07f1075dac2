//! Who speaks over the companion stops it, and what was not heard was not said.

use std::time::Instant;

use serde_json::{Value, json};

use super::client::{House, Line, call, deltas, text, whole};
use super::talk::messages;
use crate::models::endpoint::Answer;
use crate::process::wait_for;

const INTERRUPTED: &str = "interrupted";

/// P179: spoken over while the model still speaks. The stream is dropped, the reply is what was heard, the marker behind it is not
/// performed, the one before it is, and the model reads only what was heard.
#[test]
fn p179_interrupted_in_the_midst_of_the_model() {
    let house = House::new(false, |words, _| match words {
        "[voice call] Tell me." => Answer::holding(&deltas(&[
            "⟪dnd:on⟫Once upon a time. There was a king with three sons. ",
            "The first was proud.⟪dnd:off⟫ And so on. ",
        ])),
        _ => whole(&["Yes?"]),
    });
    let server = house.start();
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    house.ears.hears("Tell me.");
    line.utter("u1");
    let turn = text(&line.until("turn"), "turn");
    for expected in ["Once upon a time.", "There was a king with three sons.", "The first was proud."] {
        assert_eq!(line.until("piece")["spoken"], expected);
    }
    assert_eq!(server.get("/api/flags")["dnd"], false, "its place was not heard");
    line.played(&turn, 0);
    // Heard, it is performed, though the model still speaks.
    wait_for(|| (server.get("/api/flags")["dnd"] == true).then_some(()));
    let spoken = Instant::now();
    line.say(&json!({"type": "speaking", "turn": turn, "piece": 1, "share": 0.55}));
    house.model.ended();
    let stopped = line.until("stopped");
    println!("from the sign to the stored reply: {:?}", spoken.elapsed());
    let heard = "Once upon a time. There was a king";
    assert_eq!(
        (&stopped["message"]["text"], &stopped["message"]["mark"]),
        (&json!(heard), &json!(INTERRUPTED))
    );
    house.ears.hears("Wait.");
    line.utter("u2");
    assert_eq!(line.until("reply")["message"]["text"], "Yes?");
    assert_eq!(messages(&server, &chat)[1], ("companion".to_owned(), heard.to_owned(), json!(INTERRUPTED)));
    let asked = house.model.asked();
    let read: Value = serde_json::from_str(&asked.last().unwrap().body).unwrap();
    assert!(read.to_string().contains(heard) && !read.to_string().contains("three sons"), "{read}");
    assert_eq!(server.get("/api/flags")["dnd"], true, "what was not heard is not performed");
}

/// Spoken over when the reply was stored whole: it is cut, in its own place, and its goodbye ends nothing.
#[test]
fn interrupted_when_the_reply_was_stored_whole() {
    let house = House::new(false, |words, _| match words {
        "[voice call] Bye." => whole(&["Good night. Sleep well, my dear. ⟪dnd:on⟫Until tomorrow.⟪hangup⟫"]),
        _ => whole(&["I am here."]),
    });
    let server = house.start();
    let chat = server.chat();
    let mut events = server.follow("tablet", None);
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    house.ears.hears("Bye.");
    line.utter("u1");
    let reply = line.until("reply");
    let turn = text(&reply, "turn");
    assert_eq!(reply["message"]["text"], "Good night. Sleep well, my dear. Until tomorrow.");
    line.played(&turn, 0);
    line.say(&json!({"type": "speaking", "turn": turn, "piece": 1, "share": 0.6}));
    let stopped = line.until("stopped");
    let heard = "Good night. Sleep well,";
    assert_eq!(
        (&stopped["message"]["text"], &stopped["message"]["id"]),
        (&json!(heard), &reply["message"]["id"])
    );
    // Whoever shows the chat is told.
    loop {
        let event = events.until("message");
        if event.data["message"]["mark"] == INTERRUPTED {
            assert_eq!(event.data["message"]["text"], heard);
            break;
        }
    }
    house.ears.hears("Wait.");
    line.utter("u2");
    let reply = line.until("reply");
    line.played(&text(&reply, "turn"), 0);
    assert_eq!(server.get("/api/flags")["dnd"], false);
    assert_eq!(messages(&server, &chat)[1], ("companion".to_owned(), heard.to_owned(), json!(INTERRUPTED)));
    // The line did not linger, and it does not end.
    let shown = server.get("/api/call/invite");
    assert_eq!(
        (&shown["call"]["state"], &shown["call"]["lingers_until_ms"]),
        (&json!("going"), &Value::Null)
    );
    assert!(!line.told.iter().any(|news| news["type"] == "linger"));
}

/// Who is not ready to let go speaks, and the call goes on.
#[test]
fn speech_holds_a_line_that_lingers() {
    let house = House::new(false, |words, _| match words {
        "[voice call] Bye." => whole(&["Bye.⟪hangup⟫"]),
        _ => whole(&["Still here."]),
    });
    let server = house.start();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    house.ears.hears("Bye.");
    line.utter("u1");
    let turn = text(&line.until("reply"), "turn");
    assert!(!line.told.iter().any(|news| news["type"] == "linger"), "not before it was heard");
    line.played(&turn, 0);
    line.until("linger");
    line.say(&json!({"type": "speaking"}));
    line.until("goes_on");
    house.ears.hears("One more thing.");
    line.utter("u2");
    assert_eq!(line.until("reply")["message"]["text"], "Still here.");
    line.say(&json!({"type": "hangup"}));
    assert_eq!(line.until("ended")["by"], "person");
}

/// What is typed in the call's chat is answered aloud, and stops what was being said.
#[test]
fn what_is_typed_is_answered_aloud() {
    let house = House::new(false, |words, _| match words {
        "first" => whole(&["One. Two. Three."]),
        _ => whole(&["Typed."]),
    });
    let server = house.start();
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    server.send(&chat, &json!({"text": "first"})).until("reply");
    let turn = text(&line.until("reply"), "turn");
    line.played(&turn, 0);
    server.send(&chat, &json!({"text": "second"})).until("reply");
    let stopped = line.until("stopped");
    assert_eq!((&stopped["turn"], &stopped["message"]["text"]), (&json!(turn), &json!("One.")));
    if !line.told.iter().any(|news| news["type"] == "piece" && news["spoken"] == "Typed.") {
        assert_eq!(line.until("piece")["spoken"], "Typed.");
    }
    // In another chat nothing is said aloud.
    let other = server.chat();
    server.send(&other, &json!({"text": "elsewhere"})).until("reply");
    line.say(&json!({"type": "hangup"}));
    line.until("ended");
    let turns = line.told.iter().filter(|news| news["type"] == "turn").count();
    assert_eq!(turns, 2, "{:#?}", line.told);
}

/// Hung up in the midst of a sentence: what was heard stays, what was to come is not performed, one record is left.
#[test]
fn hung_up_in_the_midst_of_a_reply() {
    let house = House::new(false, |_, _| Answer::holding(&deltas(&["One. Two. ⟪dnd:on⟫ Three. "])));
    let server = house.start();
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.utter("u1");
    let turn = text(&line.until("turn"), "turn");
    line.until("piece");
    line.until("piece");
    line.played(&turn, 0);
    // Long enough to leave a record.
    let began = server.get("/api/call/invite")["call"]["began_at_ms"].as_i64().unwrap();
    wait_for(|| (server.get("/api/call/invite")["now_ms"].as_i64().unwrap() > began + 1_000).then_some(()));
    line.say(&json!({"type": "hangup"}));
    house.model.ended();
    let ended = line.until("ended");
    assert_eq!(ended["by"], "person");
    assert!(text(&ended["record"], "text").starts_with("📞 Voice call · 0:0"), "{ended}");
    assert_eq!(line.ended(), 1000);
    let said = messages(&server, &chat);
    assert_eq!(said[1], ("companion".to_owned(), "One.".to_owned(), json!(INTERRUPTED)));
    assert_eq!(said.iter().filter(|(_, words, _)| words.starts_with("📞")).count(), 1);
    assert_eq!(server.get("/api/flags")["dnd"], false);
    // The end is told by everybody's stream as well, and by who asks.
    assert_eq!(server.get("/api/call/invite")["call"], Value::Null);
}

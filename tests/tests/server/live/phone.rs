//! Who calls may ask for something to be done on their phone, as who writes may (document 1).

use handset_spec::phone::{Answer as Phone, CAPABILITY};
use handset_spec::tools::PHONE_ACTION;
use serde_json::{Value, json};

use super::client::{House, Line, call, deltas, text, whole};
use super::talk::messages;
use crate::models::endpoint::Answer;
use crate::process::{card_id, wait_for};

/// Words, and an alarm behind them.
fn alarm(words: &[&str]) -> Answer {
    let arguments =
        json!({"action": "alarm", "time": "07:30", "summary": "set an alarm for 7:30"}).to_string();
    let function = json!({"name": PHONE_ACTION.name, "arguments": arguments});
    let calls = json!([{"index": 0, "id": "c1", "type": "function", "function": function}]);
    let chunks = [
        json!({"choices": [{"delta": {"tool_calls": calls}}]}),
        json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    let rest: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    Answer::stream(&[deltas(words), rest.into_bytes(), b"data: [DONE]\n\n".to_vec()].concat())
}

/// Spoken, it becomes a card on the phone that was spoken into; behind the answer the companion goes on, aloud, in the same turn.
#[test]
fn what_is_asked_for_aloud_becomes_a_card_and_the_reply_goes_on_behind_it() {
    let done = Phone::read("done", Some("Alarm set for 07:30")).result();
    let house = House::new(false, |words, body| match words {
        "[voice call] Wake me at half past seven." => alarm(&["One moment. "]),
        _ if body.contains("Alarm set for 07:30") => whole(&["It is set. ", "Sleep well."]),
        words => panic!("the model read {words}"),
    });
    let server = house.start();
    let chat = server.chat();
    let mut phone = server.follow("pixel", None);
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    assert_eq!(line.until("ready")["chat"], json!(chat));
    line.say(&json!({"type": "device", "capabilities": [CAPABILITY], "device": "pixel"}));
    house.ears.hears("Wake me at half past seven.");
    line.utter("u1");
    let turn = text(&line.until("turn"), "turn");
    assert_eq!(line.until("piece")["spoken"], "One moment.");
    let card = phone.until("card").data;
    assert_eq!(
        (&card["card"]["call"]["action"], &card["card"]["device"]),
        (&json!("alarm"), &json!("pixel"))
    );
    let said = &server.get(&format!("/api/chats/{chat}/messages"))["messages"][0];
    assert_eq!((&said["capabilities"], &said["device"]), (&json!([CAPABILITY]), &json!("pixel")));
    line.played(&turn, 0);
    let answer = json!({"status": "done", "message": "Alarm set for 07:30", "device": "pixel"});
    assert_eq!(server.answer(&card_id(&card), &answer).0, 200);
    for (number, words) in [(1, "It is set."), (2, "Sleep well.")] {
        let piece = line.until("piece");
        assert_eq!((&piece["turn"], &piece["piece"]), (&json!(turn), &json!(number)));
        assert_eq!(piece["spoken"], words);
    }
    let reply = line.until("reply");
    assert_eq!((&reply["pieces"], &reply["message"]["text"]), (&json!(3), &json!("It is set. Sleep well.")));
    assert_eq!(server.results(&chat), [done]);
    line.played(&turn, 1);
    line.played(&turn, 2);
    line.say(&json!({"type": "hangup"}));
    line.until("ended");
    let said: Vec<_> = messages(&server, &chat).into_iter().map(|(role, ..)| role).collect();
    assert_eq!(&said[..5], ["person", "companion", "call", "result", "companion"]);
}

/// A device that declares nothing is no phone; what one declares is held to what a message that is written may declare.
#[test]
fn a_device_that_declares_nothing_is_no_phone() {
    let house = House::new(false, |words, body| {
        if body.contains(PHONE_ACTION.unavailable) { whole(&["Not from here."]) } else { asked(words) }
    });
    fn asked(words: &str) -> Answer {
        match words {
            "[voice call] Wake me." => alarm(&[]),
            _ => whole(&["Hello."]),
        }
    }
    let server = house.start();
    let chat = server.chat();
    // The chat has the tool from here on.
    server.say(&chat, "hello").until("reply");
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    let many = vec!["word"; 33];
    for (capabilities, device) in [
        (json!(many), Value::Null),
        (json!([" "]), Value::Null),
        (json!(["a".repeat(65)]), Value::Null),
        (json!([1]), Value::Null),
        (json!(CAPABILITY), Value::Null),
        (json!([CAPABILITY]), json!("a".repeat(129))),
    ] {
        line.say(&json!({"type": "device", "capabilities": capabilities, "device": device}));
        let bad = line.next();
        assert_eq!(
            (&bad["type"], &bad["error"]["code"]),
            (&json!("bad"), &json!("bad_frame")),
            "{capabilities}"
        );
    }
    house.ears.hears("Wake me.");
    line.utter("u1");
    assert_eq!(line.until("reply")["message"]["text"], "Not from here.");
    assert_eq!(server.results(&chat), [PHONE_ACTION.unavailable]);
}

/// Hung up while the card waits: it waits on, and what the companion says behind the answer stands in the chat, whole.
#[test]
fn a_card_outlives_its_call() {
    let house = House::new(false, |words, _| match words {
        "[voice call] Wake me." => alarm(&[]),
        _ => whole(&["It is set. Sleep well."]),
    });
    let server = house.start();
    let chat = server.chat();
    let mut phone = server.follow("pixel", None);
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.say(&json!({"type": "device", "capabilities": [CAPABILITY], "device": "pixel"}));
    house.ears.hears("Wake me.");
    line.utter("u1");
    let card = phone.until("card").data;
    line.say(&json!({"type": "hangup"}));
    line.until("ended");
    assert_eq!(server.answer(&card_id(&card), &json!({"status": "done"})).0, 200);
    let reply =
        wait_for(|| messages(&server, &chat).into_iter().find(|(_, words, _)| words.starts_with("It is")));
    assert_eq!(reply, ("companion".to_owned(), "It is set. Sleep well.".to_owned(), Value::Null));
}

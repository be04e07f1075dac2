//! The whole path: a sentence, a card on its device, the person's answer, a reply that says so.

use handset_spec::Language;
use handset_spec::phone::{Answer, WAIT_SECONDS};
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::process::{Folder, Server, card_id};

const SENTENCE: &str = "set an alarm for 7:30 on weekdays";

#[test]
fn from_a_sentence_to_a_reply() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut device = server.follow("pixel", None);
    let mut turn = server.say(&chat, SENTENCE);

    let shown = device.until("card");
    let card = &shown.data["card"];
    let expected = json!({
        "action": "alarm", "summary": SENTENCE, "time": "07:30", "days": ["mon", "tue", "wed", "thu", "fri"],
    });
    assert_eq!(card["call"], expected);
    assert_eq!(
        (&card["state"], &card["device"], &card["summary"]),
        (&json!("pending"), &json!("pixel"), &json!(SENTENCE))
    );
    let wait = card["deadline_ms"].as_i64().unwrap() - card["created_at_ms"].as_i64().unwrap();
    assert_eq!(wait, WAIT_SECONDS as i64 * 1000);
    assert_eq!(
        server.get("/api/cards?device=pixel")["cards"],
        json!([card]),
        "the poll says what the stream says"
    );
    assert_eq!(server.get("/api/cards?device=tablet")["cards"], json!([]));

    let id = card_id(&shown.data);
    let (status, answered) =
        server.answer(&id, &json!({"status": "done", "message": "Alarm set.", "device": "pixel"}));
    assert_eq!(
        (status, &answered["outcome"], &answered["card"]["state"]),
        (200, &json!("accepted"), &json!("done"))
    );

    let reply = turn.until("reply");
    let expected = text!(demo.done_says in Language::En, summary = SENTENCE, message = "Alarm set.");
    assert_eq!(reply.data["message"]["text"], json!(expected));
    assert!(turn.next().is_none(), "the turn's stream ends with it");
    assert_eq!(device.until("card_closed").data["card"]["state"], json!("done"));
    assert_eq!(server.results(&chat), [Answer::read("done", Some("Alarm set.")).result()]);
    let said = server.said(&chat);
    assert_eq!(said.last(), Some(&("companion".to_owned(), expected)));
    assert_eq!(server.get("/api/cards?device=pixel")["cards"], json!([]));
    assert_eq!(server.get(&format!("/api/cards/{id}"))["message"], json!("Alarm set."));
}

/// The words come in pieces, and the pieces are the message that is stored.
#[test]
fn deltas_are_the_stored_words() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut words = String::new();
    let mut pieces = 0;
    for event in server.say(&chat, "你好") {
        if event.kind == "delta" {
            words += event.data["text"].as_str().unwrap();
            pieces += 1;
        }
        if event.kind == "reply" {
            assert_eq!(event.data["message"]["text"], Value::from(words.as_str()));
        }
    }
    assert!(pieces > 1);
    assert_eq!(words, text!(demo.hello in Language::Zh));
}

/// Without a stream, the message is taken at once.
#[test]
fn a_message_without_a_stream_is_taken() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut device = server.follow("pixel", None);
    let taken = server.post(&format!("/api/chats/{chat}/messages"), &json!({"text": "hello"}));
    assert_eq!(taken.status, 202);
    let taken = taken.json();
    assert_eq!((&taken["role"], &taken["seq"]), (&json!("person"), &json!(1)));
    device.until("reply");
    assert_eq!(server.said(&chat).len(), 2);
}

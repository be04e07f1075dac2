//! The offer (document 1, section 1) as a table: what a chat is, its mode, whether the message being answered came with the
//! capability, and whether one before it did.

use std::collections::HashMap;

use handset_spec::phone::Answer as Given;
use handset_spec::tools::PHONE_ACTION;

use super::endpoint::{Answer, Endpoint};
use super::oddities::{ON, call, plain};
use super::*;
use crate::process::card_id;

#[test]
fn the_whole_table() {
    for format in ["openai", "anthropic"] {
        let endpoint = Endpoint::new(move |asked| match last(&asked.body) {
            (role, text) if role == "user" && text == "torch on" => {
                Answer::stream(&call(format, &format!("c{}", asked.number), ON))
            }
            _ => Answer::stream(&plain(format, "Well.")),
        });
        let data = Folder::new();
        let server = server(&data, format, &endpoint, "");
        // What stands before the conversation, by what it may depend on.
        let mut prefixes: HashMap<(&str, &str, bool), String> = HashMap::new();
        for kind in ["chat", "schedule", "subagent"] {
            for mode in ["act", "plan"] {
                for (before, now) in [(false, false), (false, true), (true, false), (true, true)] {
                    let case = format!("{format} {kind} {mode}: before {before}, now {now}");
                    let opened = server.post("/api/chats", &json!({"kind": kind, "mode": mode})).json();
                    let chat = opened["id"].as_str().unwrap();
                    let first = endpoint.asked().len();
                    say(&server, chat, "hello", before).last();
                    let called = endpoint.asked().len();
                    let asked_for = kind == "chat" && now;
                    // Twice: no answer is remembered.
                    for _ in 0..2 {
                        let result = torch(&server, chat, now, asked_for, &case);
                        let expected = if asked_for {
                            Given::read("done", None).result()
                        } else {
                            PHONE_ACTION.unavailable.to_owned()
                        };
                        assert_eq!(result, expected, "{case}");
                    }
                    let asked = endpoint.asked();
                    for (number, asked) in asked.iter().enumerate().skip(first) {
                        let offered = before || (now && number >= called);
                        let prefix = prefix(&asked.body);
                        assert_eq!(
                            prefix.contains(PHONE_ACTION.description.lines().next().unwrap()),
                            offered,
                            "{case}"
                        );
                        let known =
                            prefixes.entry((kind, mode, offered)).or_insert_with(|| prefix.to_owned());
                        assert_eq!(known, prefix, "{case}: the same bytes, request {number}");
                    }
                }
            }
        }
        assert_eq!(prefixes.len(), 12);
        assert_eq!(server.get("/api/cards")["cards"], json!([]));
    }
}

fn say(server: &Server, chat: &str, text: &str, capable: bool) -> crate::http::Events {
    if capable {
        server.say(chat, text)
    } else {
        server.send(chat, &json!({"text": text, "device": "pixel"}))
    }
}

/// Asks for the torch; gives the call's result. A card is the phone's own, and nobody else is asked.
fn torch(server: &Server, chat: &str, capable: bool, asked_for: bool, case: &str) -> String {
    let mut result = String::new();
    let mut cards = 0;
    for event in say(server, chat, "torch on", capable) {
        match event.kind.as_str() {
            "card" => {
                cards += 1;
                assert_eq!(event.data["card"]["device"], "pixel");
                assert_eq!(server.get("/api/cards?device=tablet")["cards"], json!([]));
                assert_eq!(server.answer(&card_id(&event.data), &json!({"status": "done"})).0, 200);
            }
            "result" => event.data["message"]["text"].as_str().unwrap_or_default().clone_into(&mut result),
            _ => {}
        }
    }
    assert_eq!(cards, usize::from(asked_for), "{case}");
    result
}

/// What stands before the person's first words.
fn prefix(body: &str) -> &str {
    &body[..body.find("\"role\":\"user\"").unwrap()]
}

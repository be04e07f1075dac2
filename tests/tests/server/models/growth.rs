//! What the endpoint is really sent: each request goes on where the one before ended, byte for byte, and what stands before
//! the conversation changes once, with the list of tools.

use super::endpoint::{Answer, Endpoint};
use super::oddities::{OFF, ON, call, plain};
use super::server as start;
use super::*;
use crate::process::card_id;

fn script(kind: &'static str) -> Endpoint {
    Endpoint::new(move |asked| {
        let (role, text) = last(&asked.body);
        let id = format!("c{}", asked.number);
        match (role.as_str(), text.as_str()) {
            ("user", "torch on") => Answer::stream(&call(kind, &id, ON)),
            ("user", "blink") => Answer::stream(&call(kind, &id, &format!("{ON}{OFF}"))),
            ("user", "cut") => Answer::stream(&call(kind, &id, &ON[..9])),
            ("user", "lost") => Answer::lost(&plain(kind, "I was")[..150]),
            _ => Answer::stream(&plain(kind, "好。")),
        }
    })
}

/// Says something and answers every card, to the turn's end.
fn say(server: &Server, chat: &str, text: &str, from_phone: bool) {
    let message = match from_phone {
        true => json!({"text": text, "capabilities": ["phone_actions"], "device": "pixel"}),
        false => json!({"text": text}),
    };
    for event in server.send(chat, &message) {
        if event.kind == "card" {
            server.answer(&card_id(&event.data), &json!({"status": "done"}));
        }
    }
}

/// Where the conversation begins in a body: what stands before it, and what it is.
fn split(kind: &str, body: &str) -> (String, String) {
    let start = match kind {
        // The system prompt is the first message.
        "openai" => body.find("\"messages\":[").map(|at| at + body[at..].find("},{").unwrap()),
        _ => body.find("\"messages\":["),
    };
    let (before, said) = body.split_at(start.unwrap());
    (before.to_owned(), said.strip_suffix("]}").unwrap().to_owned())
}

#[test]
fn requests_only_grow() {
    for kind in ["openai", "anthropic"] {
        let (data, endpoint) = (Folder::new(), script(kind));
        let mut server = start(&data, kind, &endpoint, "retries = 0");
        let chat = server.chat();
        say(&server, &chat, "hello", false);
        say(&server, &chat, "how are you?", false);
        let gained = endpoint.asked().len();
        say(&server, &chat, "torch on", true);
        say(&server, &chat, "lost", true);
        say(&server, &chat, "torch on", false);
        say(&server, &chat, "blink", true);
        // A restart changes nothing either.
        assert!(server.stop().success());
        server = start(&data, kind, &endpoint, "retries = 0");
        say(&server, &chat, "cut", true);
        say(&server, &chat, "bye", false);
        let asked: Vec<_> = endpoint.asked().into_iter().map(|asked| split(kind, &asked.body)).collect();
        assert!(asked.len() >= 12, "{}", asked.len());
        for (number, pair) in asked.windows(2).enumerate() {
            let [(before, said), (next_before, next_said)] = pair else { unreachable!() };
            assert_eq!(before == next_before, number + 1 != gained, "{kind}: before request {}", number + 1);
            assert!(next_said.starts_with(said.as_str()), "{kind}:\n{said}\n{next_said}");
        }
        assert!(!asked[0].0.contains("phone_action") && asked[gained].0.contains("phone_action"));
    }
}

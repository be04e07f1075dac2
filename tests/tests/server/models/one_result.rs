//! Each oddity through the whole server: exactly one result a call, one card an id, and the turn ends with its reply.

use std::collections::BTreeSet;

use super::endpoint::{Answer, Endpoint};
use super::oddities::{all, plain};
use super::*;
use crate::process::card_id;

#[test]
fn each_oddity_ends_in_one_result_a_call() {
    for kind in ["openai", "anthropic"] {
        let endpoint = Endpoint::new(move |asked| {
            let (role, text) = last(&asked.body);
            // The person's message names the oddity; what follows its results is the reply.
            match all()
                .into_iter()
                .find(|oddity| oddity.kind == kind && role == "user" && oddity.name == text)
            {
                Some(oddity) if oddity.whole => Answer::body("200 OK", "", &oddity.body),
                Some(oddity) => Answer::stream(&oddity.body),
                None => Answer::stream(&plain(kind, "There.")),
            }
        });
        let data = Folder::new();
        let server = server(&data, kind, &endpoint, "");
        for oddity in all().into_iter().filter(|oddity| oddity.kind == kind) {
            let chat = server.chat();
            let mut cards = BTreeSet::new();
            let mut results = 0;
            for event in server.say(&chat, oddity.name) {
                match event.kind.as_str() {
                    "card" => {
                        let id = card_id(&event.data);
                        assert_eq!(server.answer(&id, &json!({"status": "done"})).0, 200);
                        assert!(cards.insert(id), "{}: a card twice", oddity.name);
                    }
                    "result" => results += 1,
                    "reply" => assert_eq!(event.data["message"]["text"], "There.", "{}", oddity.name),
                    "failed" => panic!("{}: {}", oddity.name, event.data),
                    _ => {}
                }
            }
            assert_eq!(cards.len(), oddity.cards, "{}", oddity.name);
            assert_eq!(results, oddity.calls.len(), "{}", oddity.name);
            let messages = server.get(&format!("/api/chats/{chat}/messages"));
            let ids = |role: &str| -> Vec<String> {
                let messages = messages["messages"].as_array().unwrap().iter();
                messages
                    .filter(|m| m["role"] == role)
                    .map(|m| m["call_id"].as_str().unwrap().to_owned())
                    .collect()
            };
            let (calls, results) = (ids("call"), ids("result"));
            assert_eq!(calls, results, "{}: each call has its one result", oddity.name);
            assert_eq!(calls.iter().collect::<BTreeSet<_>>().len(), oddity.calls.len());
            let words = messages["messages"][1].clone();
            if !oddity.words.is_empty() {
                assert_eq!((&words["role"], &words["text"]), (&json!("companion"), &json!(oddity.words)));
            }
        }
        // Every request bore the key, and its history was one that a provider takes.
        for asked in endpoint.asked() {
            let (path, header, value) = match kind {
                "openai" => ("/v1/chat/completions", "authorization", format!("Bearer {KEY}")),
                _ => ("/v1/messages", "x-api-key", KEY.to_owned()),
            };
            assert_eq!((asked.path.as_str(), asked.header(header)), (path, Some(value.as_str())));
            let body: Value = serde_json::from_str(&asked.body).unwrap();
            for message in body["messages"].as_array().unwrap() {
                for call in message["tool_calls"].as_array().into_iter().flatten() {
                    let arguments = call["function"]["arguments"].as_str().unwrap();
                    assert!(serde_json::from_str::<Value>(arguments).unwrap().is_object(), "{arguments}");
                }
                for block in message["content"].as_array().into_iter().flatten() {
                    assert!(block["type"] != "tool_use" || block["input"].is_object(), "{block}");
                }
            }
        }
    }
}

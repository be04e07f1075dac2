//! What a restart leaves and what it does not.

use handset_spec::Language;
use handset_spec::phone::no_answer;
use handset_spec_macros::text;
use serde_json::json;

use crate::process::{Folder, Server, card_id, wait_for};

/// Killed while a card waits: the chat has its one result, no answer, and the turn closes with a reply.
#[test]
fn killed_while_a_card_waits() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let card = card_id(&server.say(&chat, "torch on").until("card").data);
    let token = server.token.clone();
    server.kill();
    for start in 0..2 {
        let server = Server::start(&data);
        assert_eq!(server.token, token, "the token survives");
        // The turn goes on by itself; it is over when the reply stands in the chat.
        let said = wait_for(|| {
            let said = server.said(&chat);
            let over = said.last().is_some_and(|(role, _)| role == "companion") && said.len() == 5;
            over.then_some(said)
        });
        assert_eq!(server.results(&chat), [no_answer()], "start {start}");
        assert_eq!(said[4].1, text!(demo.no_answer in Language::En, summary = "torch on"));
        assert_eq!(server.get("/api/cards")["cards"], json!([]));
        let (status, late) = server.answer(&card, &json!({"status": "done"}));
        assert_eq!((status, &late["outcome"]), (409, &json!("too_late")));
        assert_eq!(server.results(&chat), [no_answer()]);
        server.kill();
    }
}

/// P133: an event id of before the restart means nothing now.
#[test]
fn p133_a_stream_resumed_over_a_restart_is_told_to_read_anew() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let last = server.say(&chat, "hello").until("reply").id;
    assert!(server.stop().success(), "a stop is a clean end");
    let server = Server::start(&data);
    let mut stream = server.follow("pixel", Some(&last));
    assert_eq!(stream.next().map(|event| event.kind).as_deref(), Some("resync"));
    server.say(&chat, "hello").until("reply");
    assert_eq!(stream.next().map(|event| event.kind).as_deref(), Some("message"));
}

/// Killed behind each event of a turn in turn, the answer to its card among them: whatever the point, every call has one
/// result and every message one reply, and a further restart changes nothing.
#[test]
fn killed_behind_each_event() {
    let data = Folder::new();
    let mut chats = Vec::new();
    let mut cut_off = 0;
    for events in 0.. {
        let server = Server::start(&data);
        let chat = server.chat();
        let mut turn = server.say(&chat, "torch on");
        let mut over = false;
        for _ in 0..events {
            let Some(event) = turn.next() else { break };
            over = event.kind == "reply";
            if event.kind == "card" {
                let card = card_id(&event.data);
                assert_eq!(server.answer(&card, &json!({"status": "done"})).0, 200);
            }
        }
        server.kill();
        chats.push(chat);
        if over {
            break;
        }
        cut_off += 1;
    }
    assert!(cut_off > 8, "a turn has more events than {cut_off}");
    for _ in 0..2 {
        let server = Server::start(&data);
        for (events, chat) in chats.iter().enumerate() {
            let messages = wait_for(|| {
                let messages = server.get(&format!("/api/chats/{chat}/messages"))["messages"].clone();
                let messages = messages.as_array().unwrap().clone();
                let last = messages.last().unwrap();
                let replied = last["role"] == "companion" && messages.iter().any(|m| m["role"] == "result");
                replied.then_some(messages)
            });
            let of = |role: &str| messages.iter().filter(|m| m["role"] == role).collect::<Vec<_>>();
            let ids = |role: &str| of(role).iter().map(|m| m["call_id"].clone()).collect::<Vec<_>>();
            assert_eq!(ids("call"), ids("result"), "behind event {events}: one result a call");
            assert_eq!(of("person").len(), 1);
            let last_result = messages.iter().rposition(|m| m["role"] == "result").unwrap();
            assert_eq!(
                messages.len() - last_result,
                2,
                "behind event {events}: one reply, and it is the end"
            );
            let places: Vec<i64> = messages.iter().map(|m| m["seq"].as_i64().unwrap()).collect();
            assert_eq!(places, (1..=i64::try_from(places.len()).unwrap()).collect::<Vec<_>>());
        }
        // Where the person had pressed, that is what the chat knows.
        let done = handset_spec::phone::Answer::read("done", None).result();
        assert_eq!(server.results(chats.last().unwrap()), [done]);
        server.kill();
    }
}

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

/// A stop ends open streams and keeps the waiting turn for the next start.
#[test]
fn stopped_while_a_card_waits() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut turn = server.say(&chat, "torch on");
    turn.until("card");
    assert!(server.stop().success());
    assert_eq!(turn.last(), None, "the stream ends");
    let server = Server::start(&data);
    wait_for(|| (server.said(&chat).len() == 5).then_some(()));
    assert_eq!(server.results(&chat), [no_answer()]);
}

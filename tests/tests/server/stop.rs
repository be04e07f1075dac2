//! A stop in order: what flows ends, what waits is kept, every stream says that it ends, and all of it within seconds.

use std::io::Read as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use handset_spec::phone::no_answer;
use serde_json::json;

use crate::process::{Folder, Server, card_id, wait_for};

/// The promise of `docs/operating.md`.
const WITHIN: Duration = Duration::from_secs(10);

/// A card waits: its stream and the person's end with `stopping`, and the turn goes on at the next start.
#[test]
fn while_a_card_waits() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let person = server.follow("pixel", None);
    let mut turn = server.say(&chat, "torch on");
    let card = card_id(&turn.until("card").data);
    let begun = Instant::now();
    assert!(server.stop().success(), "a stop is a clean end");
    assert!(begun.elapsed() < WITHIN);
    for stream in [turn, person] {
        assert_eq!(stream.last().map(|event| event.kind).as_deref(), Some("stopping"));
    }
    let server = Server::start(&data);
    wait_for(|| (server.said(&chat).len() == 5).then_some(()));
    assert_eq!(server.results(&chat), [no_answer()]);
    assert_eq!(server.answer(&card, &json!({"status": "done"})).1["outcome"], json!("too_late"));
}

/// Replies flow: each stream ends with its reply or with `stopping`, and each message has one reply in the end.
#[test]
fn while_replies_flow() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chats: Vec<String> = (0..12).map(|_| server.chat()).collect();
    let streams: Vec<_> = chats.iter().map(|chat| server.send(chat, &json!({"text": "hello"}))).collect();
    let begun = Instant::now();
    server.terminate();
    for stream in streams {
        let last = stream.last().map(|event| event.kind);
        assert!(matches!(last.as_deref(), Some("reply" | "stopping")), "{last:?}");
    }
    assert!(server.stop().success());
    assert!(begun.elapsed() < WITHIN);
    let server = Server::start(&data);
    for chat in &chats {
        wait_for(|| server.said(chat).last().is_some_and(|(role, _)| role == "companion").then_some(()));
        assert_eq!(server.said(chat).len(), 2, "one reply");
    }
}

/// Connections on which nothing was asked yet do not hold up the stop.
#[test]
fn beside_silent_connections() {
    let data = Folder::new();
    let server = Server::start(&data);
    let silent: Vec<_> = (0..8).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    // They are accepted in order: this one's answer means that the others were.
    server.get("/api/chats");
    let begun = Instant::now();
    assert!(server.stop().success());
    assert!(begun.elapsed() < Duration::from_secs(3), "they were waited for: {:?}", begun.elapsed());
    for mut socket in silent {
        assert_eq!(socket.read(&mut [0; 8]).unwrap(), 0);
    }
}

//! The poll says everything that the stream says.

use serde_json::{Value, json};

use crate::http::Event;
use crate::process::{Folder, Server, card_id};

fn told(answer: &Value) -> Vec<Event> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let event = |event: &Value| Event {
        id: text(&event["id"]),
        kind: text(&event["event"]),
        data: event["data"].clone(),
    };
    answer["events"].as_array().unwrap().iter().map(event).collect()
}

/// P139: who was away asks from where they were, and has the card and the reply that they missed.
#[test]
fn p139_a_poll_says_what_the_stream_says() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    for device in ["pixel", "tablet"] {
        let start = server.get("/api/events/poll");
        assert_eq!((&start["events"], &start["resync"]), (&json!([]), &json!(false)));
        let mut stream = server.follow(device, None);
        let mut turn = server.say(&chat, "torch on");
        let card = card_id(&turn.until("card").data);
        let asked = |after: &Value, wait: u32| {
            let after = after.as_str().unwrap();
            server.get(&format!("/api/events/poll?device={device}&after={after}&wait={wait}"))
        };
        let mut polled = told(&asked(&start["last_id"], 0));
        let shown = polled.iter().any(|event| event.kind == "card" && card_id(&event.data) == card);
        assert_eq!(shown, device == "pixel", "a card is shown on its own device");
        server.answer(&card, &json!({"status": "done"}));
        // As the app does that comes back to the front: again and again from the last id, until the turn is over.
        let mut last = json!(polled.last().unwrap().id);
        while !polled.iter().any(|event| event.kind == "reply") {
            let answer = asked(&last, 30);
            polled.extend(told(&answer));
            last = answer["last_id"].clone();
        }
        let mut streamed: Vec<Event> = Vec::new();
        while streamed.last().is_none_or(|event| event.kind != "reply") {
            streamed.push(stream.next().unwrap());
        }
        assert_eq!(polled, streamed);
        assert_eq!(server.get("/api/cards")["cards"], json!([]));
    }
}

#[test]
fn a_poll_waits_for_what_happens() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let last = server.get("/api/events/poll")["last_id"].as_str().unwrap().to_owned();
    let path = format!("/api/events/poll?wait=50&after={last}");
    let answer = std::thread::scope(|scope| {
        let polling = scope.spawn(|| server.get(&path));
        server.send(&chat, &json!({"text": "hello"})).until("reply");
        polling.join().unwrap()
    });
    let first = &told(&answer)[0];
    assert_eq!((first.kind.as_str(), &first.data["message"]["text"]), ("message", &json!("hello")));
    // Nothing happens for a second: an empty answer, with the same place.
    let last = server.get("/api/events/poll")["last_id"].clone();
    let path = format!("/api/events/poll?wait=1&after={}", last.as_str().unwrap());
    let quiet = server.get(&path);
    assert_eq!(quiet, json!({"events": [], "last_id": last, "resync": false}));
}

/// P133: an id from before the restart, or that never was one, is told to read anew, and where to go on from.
#[test]
fn p133_a_poll_from_nowhere_is_told_to_read_anew() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let old = server.send(&chat, &json!({"text": "hello"})).until("reply").id;
    assert!(server.stop().success());
    let server = Server::start(&data);
    for after in [old.as_str(), "nonsense", "", "%ff"] {
        let answer = server.get(&format!("/api/events/poll?wait=50&after={after}"));
        assert_eq!((&answer["events"], &answer["resync"]), (&json!([]), &json!(true)), "{after}");
        assert_eq!(answer["fetch"][0], json!("/api/chats"));
        let last = answer["last_id"].as_str().unwrap();
        assert_eq!(server.get(&format!("/api/events/poll?after={last}"))["resync"], json!(false));
    }
}

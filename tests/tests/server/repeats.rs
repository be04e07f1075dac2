//! Every write may be repeated with its client id: the first result comes back, and nothing is done twice.

use serde_json::json;

use crate::process::{Folder, Server, card_id};

#[test]
fn a_repeated_chat_is_the_first_one() {
    let data = Folder::new();
    let server = Server::start(&data);
    let open = |title: &str, id: &str| {
        let response = server.post("/api/chats", &json!({"title": title, "client_id": id}));
        (response.status, response.json())
    };
    let first = open("one", "c1");
    assert_eq!(first.0, 201);
    assert_eq!(open("another", "c1"), first);
    assert_ne!(open("one", "c2").1["id"], first.1["id"]);
    let chat = first.1["id"].as_str().unwrap();
    let delete = |id: &str| {
        let path = format!("/api/chats/{chat}{id}");
        server.ask(Some(&server.token), "DELETE", &path, None)
    };
    assert_eq!(delete("?client_id=d1").status, 204);
    assert_eq!(delete("?client_id=d1").status, 204, "what is deleted stays deleted");
    assert_eq!(delete("?client_id=d2").status, 404);
    assert_eq!(delete("").status, 404);
    // A client id names one write: with another it is a mistake, and nothing is done.
    let other = open("two", "c3").1["id"].as_str().unwrap().to_owned();
    let path = format!("/api/chats/{other}?client_id=d1");
    let reused = server.ask(Some(&server.token), "DELETE", &path, None);
    assert_eq!((reused.status, reused.json()["error"]["code"].clone()), (422, json!("client_id_reused")));
    assert_eq!(server.get(&format!("/api/chats/{other}"))["title"], json!("two"));
    assert_eq!(open("again", "c1").0, 404, "the chat of the first is gone, and a repetition opens no other");
}

/// Also over a restart: the outcome stands in the database.
#[test]
fn a_repeated_answer_is_told_the_first_outcome() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut turn = server.say(&chat, "torch on");
    let card = card_id(&turn.until("card").data);
    let elsewhere = json!({"status": "done", "device": "tablet", "client_id": "a1"});
    assert_eq!(server.answer(&card, &elsewhere).1["outcome"], json!("other_device"));
    let answer = json!({"status": "done", "device": "pixel", "client_id": "a2"});
    let first = server.answer(&card, &answer);
    assert_eq!((first.0, &first.1["outcome"]), (200, &json!("accepted")));
    turn.until("reply");
    // Not what it says now counts but what it was told first.
    let changed = json!({"status": "declined", "device": "pixel", "client_id": "a2"});
    assert_eq!(server.answer(&card, &changed), first);
    let (status, told) = server.answer(&card, &elsewhere);
    assert_eq!(
        (status, &told["outcome"], &told["card"]["state"]),
        (409, &json!("other_device"), &json!("done"))
    );
    let events = server.get("/api/events/poll")["last_id"].clone();
    server.answer(&card, &answer);
    assert_eq!(server.get("/api/events/poll")["last_id"], events, "a repetition tells nobody anything");
    server.kill();
    let server = Server::start(&data);
    assert_eq!(server.answer(&card, &changed), first);
    assert_eq!(server.results(&chat).len(), 1);
}

/// Sent at once, many times, as an impatient outbox does: one of them counts.
#[test]
fn many_repetitions_at_once() {
    let data = Folder::new();
    let server = Server::start(&data);
    let ids: Vec<_> = std::thread::scope(|scope| {
        let sends: Vec<_> = (0..24)
            .map(|number| {
                let server = &server;
                scope.spawn(move || {
                    let body = json!({"client_id": format!("c{}", number % 3)});
                    server.post("/api/chats", &body).json()["id"].as_str().unwrap().to_owned()
                })
            })
            .collect();
        sends.into_iter().map(|send| send.join().unwrap()).collect()
    });
    let mut distinct = ids;
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 3);
    assert_eq!(server.get("/api/chats")["chats"].as_array().unwrap().len(), 3);
}

/// The same id in another chat is no repetition: the first message given for it would be the second one lost.
#[test]
fn a_client_id_of_another_chat_loses_no_message() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (first, second) = (server.chat(), server.chat());
    let say = |chat: &str, text: &str| {
        let body = json!({"text": text, "client_id": "1"});
        server.post(&format!("/api/chats/{chat}/messages"), &body)
    };
    assert_eq!(say(&first, "one").status, 202);
    let refused = say(&second, "two");
    assert_eq!((refused.status, refused.json()["error"]["code"].clone()), (422, json!("client_id_reused")));
    assert_eq!(server.said(&second), []);
    assert_eq!(say(&first, "one").status, 202);
}

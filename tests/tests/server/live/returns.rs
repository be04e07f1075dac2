//! A socket that drops ends no call; a server that stops loses none.

use serde_json::{Value, json};

use super::client::{House, Line, call, deltas, text, whole};
use super::talk::messages;
use crate::models::endpoint::Answer;
use crate::process::{Server, wait_for};

/// What was not played comes again, with its sound; a newer socket takes the older one's place.
#[test]
fn a_socket_that_comes_back_gets_what_was_not_played() {
    let house = House::new(true, |_, _| whole(&["One. Two. Three."]));
    let server = house.start();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.utter("u1");
    let turn = text(&line.until("reply"), "turn");
    line.played(&turn, 0);
    drop(line);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    assert_eq!(line.next()["turn"], json!(turn));
    let piece = line.until("piece");
    // The server may not have taken the sign that the first was played.
    let first = piece["piece"].as_u64().unwrap();
    assert!(first <= 1, "{piece}");
    assert_eq!(line.until("reply")["pieces"], 3);
    let mut newer = Line::open(&server, &id);
    newer.until("reply");
    assert_eq!(line.ended(), 4001);
    for piece in 0..3 {
        newer.played(&turn, piece);
    }
    newer.say(&json!({"type": "hangup"}));
    let ended = newer.until("ended");
    assert_eq!(ended["by"], "person");
}

/// Nobody comes back: the server ends the call, once, with a record that knows what was said.
#[test]
fn a_socket_that_does_not_come_back_has_left() {
    let house = House::new(false, |words, body| {
        if body.contains("Write one line") { whole(&["About ", "the soup."]) } else { reply(words) }
    });
    fn reply(_: &str) -> Answer {
        whole(&["The soup is hot. Very."])
    }
    let server = house.start();
    let change = json!({"settings": {"record": {"min_call": 1, "min_summary": 1}}});
    assert_eq!(server.ask(Some(&server.token), "PATCH", "/api/settings", Some(&change)).status, 200);
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.utter("u1");
    let turn = text(&line.until("reply"), "turn");
    line.played(&turn, 0);
    let began = server.get("/api/call/invite")["call"]["began_at_ms"].as_i64().unwrap();
    wait_for(|| (server.get("/api/call/invite")["now_ms"].as_i64().unwrap() > began + 1_200).then_some(()));
    drop(line);
    wait_for(|| messages(&server, &chat).iter().any(|(_, words, _)| words.starts_with("📞")).then_some(()));
    let said = messages(&server, &chat);
    assert_eq!(said[1].1, "The soup is hot.", "what was not heard is cut");
    let records: Vec<_> = said.iter().filter(|(_, words, _)| words.starts_with("📞")).collect();
    assert_eq!(records.len(), 1);
    assert!(records[0].1.ends_with("\nAbout the soup."), "{records:?}");
    let asked = house.model.asked();
    let summary = asked.iter().find(|asked| asked.body.contains("Write one line")).unwrap();
    assert!(summary.body.contains("person: hello") && summary.body.contains("companion: The soup is hot."));
    assert!(!summary.body.contains("Very."), "{}", summary.body);
}

/// A call without a socket is an older client's: nobody ends it.
#[test]
fn a_call_that_never_had_a_socket_is_not_ended() {
    let house = House::new(false, |_, _| whole(&["Hello."]));
    let server = house.start();
    let id = call(&server, &server.token);
    let began = server.get("/api/call/invite")["call"]["began_at_ms"].as_i64().unwrap();
    wait_for(|| (server.get("/api/call/invite")["now_ms"].as_i64().unwrap() > began + 3_500).then_some(()));
    assert_eq!(server.get("/api/call/invite")["call"]["id"], json!(id));
    let ended = server.post("/api/call/end", &json!({"id": id, "seconds": 2, "transcript": []})).json();
    assert_eq!(ended["outcome"], "recorded");
}

/// The plug is pulled while a stored reply is being spoken: the next start goes on with what was not heard, performs no marker that
/// nobody heard, and loses none that was heard.
#[test]
fn killed_in_the_midst_of_a_stored_reply() {
    let house = House::new(false, |_, _| whole(&["⟪dnd:on⟫One. Two. ", "Three.⟪hangup⟫"]));
    let server = house.start();
    // Time enough to start again.
    set_linger(&server, 20);
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.utter("u1");
    let turn = text(&line.until("reply"), "turn");
    line.played(&turn, 0);
    wait_for(|| (server.get("/api/flags")["dnd"] == true).then_some(()));
    server.kill();
    let server = Server::start_as(house.command());
    let shown = server.get("/api/call/invite");
    assert_eq!(shown["call"]["lingers_until_ms"], Value::Null, "the goodbye was not heard");
    set_linger(&server, 3);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    assert_eq!(line.until("turn")["turn"], json!(turn));
    let piece = line.until("piece");
    assert_eq!((&piece["piece"], &piece["spoken"]), (&json!(1), &json!("Two.")));
    line.until("reply");
    line.played(&turn, 1);
    line.played(&turn, 2);
    line.until("linger");
    let ended = line.until("ended");
    assert_eq!(ended["by"], "companion");
    let said = messages(&server, &chat);
    assert_eq!(said[1], ("companion".to_owned(), "One. Two. Three.".to_owned(), Value::Null));
    assert_eq!(said.iter().filter(|(_, words, _)| words.starts_with("📞")).count(), 1);
}

/// The plug is pulled while the model still speaks: what was heard is the reply, and its markers with it; nobody says it anew.
#[test]
fn killed_in_the_midst_of_the_model() {
    let house = House::new(false, |words, _| match words {
        "[voice call] Go on." => Answer::holding(&deltas(&["⟪dnd:on⟫One. Two. Three.⟪dial:x⟫ Four. "])),
        words => panic!("the model read {words}"),
    });
    let server = house.start();
    set_linger(&server, 20);
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    house.ears.hears("Go on.");
    line.utter("u1");
    let turn = text(&line.until("turn"), "turn");
    line.until("piece");
    line.played(&turn, 0);
    wait_for(|| (server.get("/api/flags")["dnd"] == true).then_some(()));
    server.kill();
    let server = Server::start_as(house.command());
    let said = messages(&server, &chat);
    assert_eq!(said[1], ("companion".to_owned(), "One.".to_owned(), json!("interrupted")));
    assert_eq!(said.len(), 2);
    assert_eq!(house.model.asked().len(), 1);
    set_linger(&server, 3);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    line.say(&json!({"type": "hangup"}));
    line.until("ended");
}

/// What was understood before the plug was pulled is known behind it: sent again, it is told again, and stops nothing of its own answer.
#[test]
fn an_utterance_sent_again_behind_a_restart_leaves_its_answer() {
    let house = House::new(false, |words, _| match words {
        "[voice call] What is it?" => whole(&["It is forty two."]),
        words => panic!("the model read {words}"),
    });
    let server = house.start();
    set_linger(&server, 20);
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    house.ears.hears("What is it?");
    line.utter("u1");
    let first = line.until("caption");
    line.until("reply");
    server.kill();
    let server = Server::start_as(house.command());
    let mut line = Line::open(&server, &id);
    line.until("ready");
    line.utter("u1");
    let again = line.until("caption");
    assert_eq!((&again["text"], &again["client_id"]), (&first["text"], &first["client_id"]));
    assert!(!line.told.iter().any(|news| news["type"] == "stopped"), "{:#?}", line.told);
    let said = messages(&server, &chat);
    assert_eq!(said[1], ("companion".to_owned(), "It is forty two.".to_owned(), Value::Null));
    assert_eq!(said.len(), 2);
    line.say(&json!({"type": "hangup"}));
    line.until("ended");
}

/// A server that is told to stop says so, and the next one ends the call where nobody comes back.
#[test]
fn stopped_the_line_is_told_and_the_next_start_ends_it() {
    let house = House::new(false, |_, _| whole(&["Hello."]));
    let server = house.start();
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    let began = server.get("/api/call/invite")["call"]["began_at_ms"].as_i64().unwrap();
    wait_for(|| (server.get("/api/call/invite")["now_ms"].as_i64().unwrap() > began + 1_100).then_some(()));
    server.terminate();
    assert_eq!(line.ended(), 1012);
    drop(server);
    let server = Server::start_as(house.command());
    wait_for(|| (server.get("/api/call/invite")["call"] == Value::Null).then_some(()));
    assert_eq!(messages(&server, &chat).iter().filter(|(_, words, _)| words.starts_with("📞")).count(), 1);
}

fn set_linger(server: &Server, seconds: u32) {
    let change = json!({"settings": {"voice": {"linger_min": 3, "linger_max": seconds}}});
    assert_eq!(server.ask(Some(&server.token), "PATCH", "/api/settings", Some(&change)).status, 200);
}

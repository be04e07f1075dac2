//! Nobody's words are lost: what was said into a call stands in its chat, however slowly it is understood and however the call ends.

use serde_json::{Value, json};

use super::client::{House, Line, call, path, text, whole};
use super::talk::messages;
use crate::process::{Server, wait_for};

/// Until the call is so many milliseconds old, by the server's clock.
fn lasts(server: &Server, ms: i64) {
    let began = server.get("/api/call/invite")["call"]["began_at_ms"].as_i64().unwrap();
    wait_for(|| (server.get("/api/call/invite")["now_ms"].as_i64().unwrap() > began + ms).then_some(()));
}

/// Where something of this stands among the messages, once it does.
fn place(server: &Server, chat: &str, begins: &str) -> usize {
    wait_for(|| messages(server, chat).iter().position(|(_, words, _)| words.starts_with(begins)))
}

fn house() -> House {
    House::new(false, |words, _| match words {
        "[voice call] Bye." => whole(&["Sleep well.⟪hangup⟫"]),
        "[voice call] Last words." => whole(&["I have read them. Truly."]),
        words => panic!("the model read {words}"),
    })
}

/// Understood soon, they stand before the record; they are answered in the chat, and not on a line that is over.
#[test]
fn hung_up_while_it_is_being_understood() {
    let house = house();
    let server = house.start();
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.until("ready");
    lasts(&server, 1_000);
    house.ears.slow(true);
    house.ears.hears("Last words.");
    line.utter("u1");
    line.until("understanding");
    line.say(&json!({"type": "hangup"}));
    // The frame is behind it on the same socket: by its fault the server has taken the sign.
    line.say(&json!({"type": "sing"}));
    line.until("bad");
    house.ears.slow(false);
    assert_eq!(line.until("caption")["text"], "Last words.");
    let ended = line.until("ended");
    assert!(text(&ended["record"], "text").starts_with("📞 Voice call · 0:0"), "{ended}");
    assert_eq!(line.ended(), 1000);
    assert!(place(&server, &chat, "Last words.") < place(&server, &chat, "📞"));
    let answer = place(&server, &chat, "I have read them.");
    let said = messages(&server, &chat);
    assert_eq!(said[answer], ("companion".to_owned(), "I have read them. Truly.".to_owned(), Value::Null));
    assert!(!line.told.iter().any(|news| news["type"] == "turn"), "nothing is said on it: {:#?}", line.told);
}

/// Slower than the record may wait, they stand behind it, and are answered all the same; also where another device ended the call.
#[test]
fn understood_when_the_call_is_over() {
    for elsewhere in [false, true] {
        let house = house();
        let server = house.start();
        let chat = server.chat();
        let id = call(&server, &server.token);
        let mut line = Line::open(&server, &id);
        line.until("ready");
        lasts(&server, 1_000);
        house.ears.slow(true);
        house.ears.hears("Last words.");
        line.utter("u1");
        line.until("understanding");
        if elsewhere {
            let body = json!({"id": id, "seconds": 2, "transcript": []});
            assert_eq!(server.post("/api/call/end", &body).status, 200);
        } else {
            line.say(&json!({"type": "hangup"}));
        }
        line.until("ended");
        assert_eq!(line.ended(), 1000);
        let record = place(&server, &chat, "📞");
        assert_eq!(messages(&server, &chat).len(), 1);
        house.ears.slow(false);
        assert!(place(&server, &chat, "Last words.") > record);
        let answer = place(&server, &chat, "I have read them.");
        assert_eq!(messages(&server, &chat)[answer].2, Value::Null);
    }
}

/// Who speaks is not hung up on, however long it takes to understand what they say.
#[test]
fn a_line_does_not_linger_while_it_is_being_understood() {
    let house = house();
    let server = house.start();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    house.ears.hears("Bye.");
    line.utter("u1");
    let turn = text(&line.until("reply"), "turn");
    line.played(&turn, 0);
    let until = line.until("linger")["until_ms"].as_i64().unwrap();
    house.ears.slow(true);
    house.ears.hears("Last words.");
    line.utter("u2");
    line.until("goes_on");
    // Longer than it would have lingered.
    wait_for(|| (server.get("/api/call/invite")["now_ms"].as_i64().unwrap() > until + 500).then_some(()));
    assert_eq!(server.get("/api/call/invite")["call"]["state"], "going");
    house.ears.slow(false);
    assert_eq!(line.until("reply")["message"]["text"], "I have read them. Truly.");
}

/// Sound that flows: what is being said when the person hangs up, or when the socket drops, was said.
#[test]
fn in_the_midst_of_an_utterance() {
    for hangs_up in [true, false] {
        let house = house();
        let server = house.start();
        let chat = server.chat();
        let id = call(&server, &server.token);
        let mut line = Line::open(&server, &id);
        line.until("ready");
        house.ears.hears("Last words.");
        line.say(&json!({"type": "frames", "rate": 16_000}));
        let voice = std::fs::read(path("speech.wav")).unwrap()[44..].to_vec();
        for bytes in voice.chunks(2_000) {
            line.send(bytes.to_vec());
        }
        if hangs_up {
            line.say(&json!({"type": "hangup"}));
            line.until("ended");
        }
        drop(line);
        place(&server, &chat, "Last words.");
        place(&server, &chat, "I have read them.");
    }
}

/// Hung up before the companion had found its first word: who asked is answered in the chat.
#[test]
fn hung_up_before_the_answer_began() {
    let (begins, began) = std::sync::mpsc::channel::<()>();
    let began = std::sync::Mutex::new(began);
    let house = House::new(false, move |_, _| {
        began.lock().unwrap().recv().unwrap();
        whole(&["It is ", "half past nine."])
    });
    let server = house.start();
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    line.utter("u1");
    line.until("turn");
    line.say(&json!({"type": "hangup"}));
    line.until("ended");
    begins.send(()).unwrap();
    place(&server, &chat, "It is half past nine.");
}

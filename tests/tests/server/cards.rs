//! Every way in which a card is answered.

use handset_spec::Language;
use handset_spec::phone::{Answer, MESSAGE_MAX_CHARS};
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::http::Events;
use crate::process::{Folder, Server, card_id};

struct Waiting {
    _data: Folder,
    server: Server,
    chat: String,
    turn: Events,
    card: String,
}

fn waiting() -> Waiting {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut turn = server.say(&chat, "torch on");
    let card = card_id(&turn.until("card").data);
    Waiting { _data: data, server, chat, turn, card }
}

/// What the reply says.
fn reply(turn: &mut Events) -> String {
    turn.until("reply").data["message"]["text"].as_str().unwrap().to_owned()
}

#[test]
fn declined() {
    let mut house = waiting();
    let (status, _) = house.server.answer(&house.card, &json!({"status": "declined"}));
    assert_eq!(status, 200);
    assert_eq!(reply(&mut house.turn), text!(demo.declined in Language::En, summary = "torch on"));
    assert_eq!(house.server.results(&house.chat), [Answer::read("declined", None).result()]);
}

#[test]
fn failed_with_what_the_phone_says() {
    let mut house = waiting();
    house.server.answer(&house.card, &json!({"status": "failed", "message": "  No torch here.  "}));
    let expected = text!(demo.failed in Language::En, summary = "torch on", reason = "No torch here.");
    assert_eq!(reply(&mut house.turn), expected);
    assert_eq!(house.server.results(&house.chat), [Answer::read("failed", Some("No torch here.")).result()]);
}

/// A status that is not known is failed; a message that is no string is none; a long one is cut.
#[test]
fn whatever_a_phone_sends() {
    for (answer, status, message) in [
        (json!({"status": "maybe"}), "failed", None),
        (json!({"status": 7, "message": 7}), "failed", None),
        (json!({"status": "done", "message": ["x"]}), "done", None),
        (
            json!({"status": "done", "message": "😀".repeat(2000)}),
            "done",
            Some("😀".repeat(MESSAGE_MAX_CHARS)),
        ),
    ] {
        let mut house = waiting();
        assert_eq!(house.server.answer(&house.card, &answer).0, 200);
        reply(&mut house.turn);
        assert_eq!(
            house.server.results(&house.chat),
            [Answer::read(status, message.as_deref()).result()],
            "{answer}"
        );
    }
}

/// P161: an answer names its card. A repetition is told what the first was told; another answer changes nothing.
#[test]
fn p161_answered_twice() {
    let mut house = waiting();
    let done = json!({"status": "done", "device": "pixel"});
    let first = house.server.answer(&house.card, &done);
    let again = house.server.answer(&house.card, &done);
    assert_eq!(first, again);
    let (status, other) = house.server.answer(&house.card, &json!({"status": "declined"}));
    assert_eq!((status, &other["outcome"]), (409, &json!("already_answered")));
    assert_eq!(
        (&other["card"]["state"], &other["error"]["code"]),
        (&json!("done"), &json!("already_answered"))
    );
    reply(&mut house.turn);
    assert_eq!(house.server.results(&house.chat).len(), 1);
}

/// P161: an old card, clicked while another waits, is told of itself; the other stays.
#[test]
fn p161_an_old_card_while_another_waits() {
    let mut house = waiting();
    house.server.answer(&house.card, &json!({"status": "declined"}));
    reply(&mut house.turn);
    let mut second = house.server.say(&house.chat, "torch off");
    let live = card_id(&second.until("card").data);
    let (status, told) = house.server.answer(&house.card, &json!({"status": "done"}));
    assert_eq!((status, &told["outcome"]), (409, &json!("already_answered")));
    assert_eq!(told["card"]["id"], json!(house.card));
    assert_eq!(house.server.get("/api/cards")["cards"][0]["id"], json!(live));
    assert_eq!(house.server.results(&house.chat).len(), 1);
    house.server.answer(&live, &json!({"status": "done"}));
    reply(&mut second);
}

/// P165: what the companion reads names who refused: the server, the person, the phone, or nobody.
#[test]
fn p165_each_refusal_names_its_gate() {
    let results = |say: &dyn Fn(&Server, &str)| {
        let data = Folder::new();
        let server = Server::start(&data);
        let chat = server.chat();
        say(&server, &chat);
        server.results(&chat).remove(0)
    };
    let answered = |answer: Value| {
        results(&|server: &Server, chat: &str| {
            let mut turn = server.say(chat, "torch on");
            server.answer(&card_id(&turn.until("card").data), &answer);
            turn.until("reply");
        })
    };
    let server = results(&|server: &Server, chat: &str| {
        server.send(chat, &json!({"text": "torch on"})).until("reply");
    });
    let refused = results(&|server: &Server, chat: &str| {
        server.say(chat, "timer seconds=0").until("reply");
    });
    let card = answered(json!({"status": "declined"}));
    let phone = answered(json!({"status": "failed", "message": "not permitted"}));
    assert_eq!(server, handset_spec::tools::PHONE_ACTION.unavailable);
    assert!(refused.contains("seconds") && refused.contains("Nothing was sent to the phone"), "{refused}");
    assert_eq!(card, Answer::read("declined", None).result());
    assert_eq!(phone, Answer::read("failed", Some("not permitted")).result());
}

#[test]
fn from_another_device() {
    let mut house = waiting();
    let (status, other) = house.server.answer(&house.card, &json!({"status": "done", "device": "tablet"}));
    assert_eq!(
        (status, &other["outcome"], &other["card"]["state"]),
        (409, &json!("other_device"), &json!("pending"))
    );
    assert!(house.server.results(&house.chat).is_empty());
    house.server.answer(&house.card, &json!({"status": "done", "device": "pixel"}));
    reply(&mut house.turn);
}

/// A phone whose clock is ahead is in time as long as its answer is. (P155, an answer that comes too late, needs a clock
/// that can be turned: the desk's own tests have one.)
#[test]
fn a_phones_clock_may_be_ahead() {
    let mut house = waiting();
    let answer = json!({"status": "done", "answered_at": "2099-01-01T00:00:00Z"});
    let (status, answer) = house.server.answer(&house.card, &answer);
    assert_eq!(
        (status, &answer["outcome"], &answer["card"]["state"]),
        (200, &json!("accepted"), &json!("done"))
    );
    reply(&mut house.turn);
}

#[test]
fn stamped_in_time() {
    let mut house = waiting();
    let card = house.server.get(&format!("/api/cards/{}", house.card));
    let answer = json!({"status": "done", "answered_at": card["deadline"]});
    assert_eq!(house.server.answer(&house.card, &answer).0, 200);
    reply(&mut house.turn);
}

/// Text that the person types while a card waits is taken, and the card stays.
#[test]
fn a_message_while_a_card_waits() {
    let mut house = waiting();
    let path = format!("/api/chats/{}/messages", house.chat);
    assert_eq!(house.server.post(&path, &json!({"text": "hello"})).status, 202);
    assert_eq!(house.server.get("/api/cards")["cards"][0]["id"], Value::from(house.card.as_str()));
    house.server.answer(&house.card, &json!({"status": "done"}));
    assert_eq!(reply(&mut house.turn), text!(demo.done in Language::En, summary = "torch on"));
}

#[test]
fn deleting_the_chat_takes_the_card_away() {
    let mut house = waiting();
    let path = format!("/api/chats/{}", house.chat);
    assert_eq!(house.server.request("DELETE", &path).send(&house.server.address).status, 204);
    assert_eq!(card_id(&house.turn.until("card_closed").data), house.card);
    assert_eq!(house.turn.until("failed").data["code"], json!("chat_deleted"));
    assert_eq!(house.server.answer(&house.card, &json!({"status": "done"})).0, 404);
    assert_eq!(house.server.request("GET", &path).send(&house.server.address).status, 404);
}

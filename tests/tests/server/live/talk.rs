//! What is said is understood and answered.

use std::fs;

use handset_spec::Language;
use handset_spec_macros::text as words;
use serde_json::{Value, json};

use super::client::{House, Line, call, path, text, whole};
use crate::process::wait_for;

/// The chat's messages, as role, text and mark.
pub(super) fn messages(server: &crate::process::Server, chat: &str) -> Vec<(String, String, Value)> {
    let told = server.get(&format!("/api/chats/{chat}/messages"));
    let messages = told["messages"].as_array().unwrap().iter();
    messages.map(|each| (text(each, "role"), text(each, "text"), each["mark"].clone())).collect()
}

/// The whole way: an utterance becomes a caption, a turn, pieces, a reply; what was played to its end lets a goodbye linger, and
/// then the call ends with its record.
#[test]
fn an_utterance_is_answered_and_the_goodbye_lingers() {
    let house = House::new(false, |words, _| match words {
        "[voice call] How are you?" => whole(&["Fine. ", "Just back from a walk. 😊"]),
        "[voice call] Good night." => whole(&["Good night. ", "Sleep well.⟪hang", "up⟫"]),
        words => panic!("the model read {words}"),
    });
    let server = house.start();
    let chat = server.chat();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    let ready = line.next();
    assert_eq!((&ready["type"], &ready["call"]["id"]), (&json!("ready"), &json!(id)));
    assert_eq!(ready["chat"], json!(chat));
    assert_eq!(
        (&ready["hears"], &ready["speech"]),
        (&json!(true), &json!({"by": "browser", "format": null}))
    );
    assert_eq!(ready["soft_gain"], json!(0.5));

    house.ears.hears("How are you?");
    line.utter("u1");
    assert_eq!(line.next(), json!({"type": "understanding", "client_id": "u1"}));
    let caption = line.next();
    assert_eq!((&caption["type"], &caption["text"]), (&json!("caption"), &json!("How are you?")));
    assert_eq!((&caption["emotion"], &caption["feeling"]), (&Value::Null, &Value::Null));
    let turn = text(&line.until("turn"), "turn");
    let first = line.next();
    assert_eq!((&first["spoken"], &first["piece"]), (&json!("Fine."), &json!(0)));
    let reply = line.until("reply");
    assert_eq!(
        (&reply["pieces"], &reply["message"]["text"]),
        (&json!(2), &json!("Fine. Just back from a walk. 😊"))
    );
    assert!(reply["times"]["first_piece_ms"].is_u64(), "{reply}");
    let shown: String =
        line.told.iter().filter(|news| news["type"] == "piece").map(|news| text(news, "shown")).collect();
    assert_eq!(shown.trim_end(), "Fine. Just back from a walk. 😊");
    line.played(&turn, 0);
    line.played(&turn, 1);

    // Repeated, it is the first outcome, and nobody says anything.
    line.utter("u1");
    assert_eq!(line.next()["text"], "How are you?");
    assert_eq!(house.ears.count(), 1);

    house.ears.hears("Good night.");
    line.utter("u2");
    let turn = text(&line.until("turn"), "turn");
    let reply = line.until("reply");
    assert_eq!((&reply["pieces"], &reply["message"]["text"]), (&json!(2), &json!("Good night. Sleep well.")));
    line.played(&turn, 0);
    line.played(&turn, 1);
    let linger = line.until("linger");
    assert!(linger["until_ms"].is_i64());
    let ended = line.until("ended");
    assert_eq!(ended["by"], "companion");
    let lingers = line.told.iter().filter(|news| news["type"] == "linger").count();
    assert_eq!(lingers, 1, "once a linger: {:#?}", line.told);
    assert!(text(&ended["record"], "text").starts_with("📞 Voice call · 0:0"), "{ended}");
    assert_eq!(line.ended(), 1000);
    let said = messages(&server, &chat);
    let expected = [
        ("person", "How are you?"),
        ("companion", "Fine. Just back from a walk. 😊"),
        ("person", "Good night."),
        ("companion", "Good night. Sleep well."),
    ];
    for ((role, words, mark), expected) in said.iter().zip(expected) {
        assert_eq!(((role.as_str(), words.as_str()), mark), (expected, &Value::Null));
    }
    assert_eq!(said.len(), 5, "one record: {said:?}");
    // Over is over.
    let headers = [("authorization", format!("Bearer {}", server.token))];
    assert_eq!(Line::with(&server, &id, &headers).err(), Some(409));
}

/// With a voice of the server's own each piece has its sound, in order; one that is not a voice is not answered.
#[test]
fn pieces_have_their_sound() {
    let house = House::new(true, |_, _| whole(&["One. Two. ", "Three."]));
    let server = house.start();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    assert_eq!(line.next()["speech"], json!({"by": "server", "format": "audio/wav"}));
    line.say(&json!({"type": "utterance", "client_id": "quiet"}));
    line.send(silence());
    assert_eq!(line.until("nothing_heard")["client_id"], "quiet");
    assert_eq!(house.ears.count(), 0);
    line.utter("u1");
    let turn = text(&line.until("turn"), "turn");
    let clip = fs::read(path("speech.wav")).unwrap();
    for piece in 0..3 {
        loop {
            let news = line.next();
            if news["type"] == "audio" {
                assert_eq!((&news["piece"], &news["format"]), (&json!(piece), &json!("audio/wav")), "{news}");
                assert_eq!(line.sound().len(), clip.len());
                break;
            }
        }
        line.played(&turn, piece);
    }
    let again = wait_for(|| Some(server.get("/api/call/invite")));
    assert_eq!(again["call"]["state"], "going");
    line.say(&json!({"type": "hangup"}));
    let ended = line.until("ended");
    assert_eq!(ended["by"], "person");
    assert_eq!(line.ended(), 1000);
}

/// A voice is asked for the language of what it says: that of its letters, else the one that was spoken. The device is told it too.
#[test]
fn a_piece_is_spoken_in_its_language() {
    let house = House::new(false, |words, _| match words {
        "[voice call] Wie geht es?" => whole(&["Gut. ", "晚安。"]),
        _ => whole(&["Sleep well."]),
    });
    let asked = house.data.path().join("languages");
    house.configure(&format!(
        "[speech]\nprovider = \"command\"\ncommand = [\"sh\", \"-c\", \"cat > /dev/null; echo $0 >> '{}'; cat '{}'\", \"{{language}}\"]\n",
        asked.display(),
        path("speech.wav").display()
    ));
    let server = house.start();
    let id = call(&server, &server.token);
    let mut line = Line::open(&server, &id);
    house.ears.hears("Wie geht es?");
    line.say(&json!({"type": "utterance", "client_id": "u1", "language": "de-AT"}));
    line.send(fs::read(path("speech.wav")).unwrap());
    let turn = text(&line.until("turn"), "turn");
    let from = line.told.len();
    for (piece, language) in [(0, "de"), (1, "zh")] {
        let its = line.reads(from, |news| news["type"] == "piece" && news["piece"] == piece);
        assert_eq!(its["language"], language);
        line.reads(from, |news| news["type"] == "audio" && news["piece"] == piece);
        line.played(&turn, piece);
    }
    let mut languages: Vec<_> = fs::read_to_string(&asked).unwrap().lines().map(str::to_owned).collect();
    languages.sort_unstable();
    assert_eq!(languages, ["de", "zh"]);
}

/// What a service may speak in a day is used up: the person is told in each call, once, and the device's own voice goes on.
#[test]
fn who_has_used_up_the_characters_of_the_day_is_told_once_a_call() {
    let house = House::new(true, |words, _| match words {
        "[voice call] Hello." => whole(&["Good day. ", "How do you do today? ", "Well."]),
        _ => whole(&["So am I."]),
    });
    house.configure("metered = true\n");
    let server = house.start();
    let change = json!({"settings": {"voice": {"speech_characters": 12}}});
    assert_eq!(server.ask(Some(&server.token), "PATCH", "/api/settings", Some(&change)).status, 200);
    let told = words!(voice.over_quota in Language::En, characters = 12);
    for [first, second] in [["u1", "u2"], ["u3", "u4"]] {
        let id = call(&server, &server.token);
        let mut line = Line::open(&server, &id);
        house.ears.hears("Hello.");
        for (client_id, pieces) in [(first, 3), (second, 1)] {
            line.utter(client_id);
            let (turn, from) = (text(&line.until("turn"), "turn"), line.told.len());
            for piece in 0..pieces {
                let audio = line.reads(from, |news| news["type"] == "audio" && news["piece"] == piece);
                assert_eq!(audio["turn"], turn);
                line.played(&turn, piece);
            }
            line.reads(from, |news| news["type"] == "reply");
        }
        line.say(&json!({"type": "hangup"}));
        line.until("ended");
        let of = |kind: &str| line.told.iter().filter(|news| news["type"] == kind).collect::<Vec<_>>();
        let faults = of("fault");
        assert_eq!(faults.len(), 1, "{:#?}", line.told);
        let fault = (&faults[0]["client_id"], &faults[0]["error"]["code"], &faults[0]["error"]["message"]);
        assert_eq!(fault, (&Value::Null, &json!("speech_over_quota"), &json!(told)));
        let audio = of("audio");
        assert!(audio[1..].iter().all(|news| news["error"]["code"] == "speech_over_quota"), "{audio:#?}");
        assert_eq!(of("piece").len(), 4, "what has no sound is said by the device");
    }
}

/// A second of nothing.
pub(super) fn silence() -> Vec<u8> {
    let clip = fs::read(path("speech.wav")).unwrap();
    let mut wav = clip[..44].to_vec();
    wav.resize(44 + 32_000, 0);
    wav[4..8].copy_from_slice(&32_036_u32.to_le_bytes());
    wav[40..44].copy_from_slice(&32_000_u32.to_le_bytes());
    wav
}

//! Markers in a real model's stream, cut everywhere: the person's stream never shows a piece of one.

use super::endpoint::{Answer, Endpoint};
use super::*;

/// What the model says, with what is left of it, and a word that stands in its markers alone.
const REPLIES: [(&str, &str, &str); 3] = [
    ("Rest well. ⟪dnd:on⟫ Good night.", "Rest well. Good night.", "dnd"),
    ("好，我记住了。【拨号：想听听你的声音】晚安。", "好，我记住了。晚安。", "声音"),
    ("Bye. [hangup]", "Bye.", "hangup"),
];

/// A stream of these words, one event each.
fn body<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<u8> {
    let delta = |text: &str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": text}}]}));
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let events: String = words.into_iter().map(delta).collect();
    format!("{events}data: {end}\n\ndata: [DONE]\n\n").into_bytes()
}

/// The reply is asked for as `NUMBER CUT`: cut in two at that character, or, without a cut, in single characters.
fn model() -> Endpoint {
    Endpoint::new(|asked| {
        let (_, text) = last(&asked.body);
        let mut asked = text.split(' ');
        let number: usize = asked.next().and_then(|number| number.parse().ok()).unwrap();
        let reply = REPLIES[number].0;
        let letters: Vec<&str> =
            reply.char_indices().map(|(at, letter)| &reply[at..at + letter.len_utf8()]).collect();
        match asked.next().map(|cut| cut.parse::<usize>().unwrap()) {
            None => Answer::stream(&body(letters)),
            Some(cut) => {
                let (before, behind) = letters.split_at(cut);
                Answer::stream(&body([before.concat().as_str(), behind.concat().as_str()]))
            }
        }
    })
}

#[test]
fn cut_at_every_character_and_never_shown() {
    let (data, endpoint) = (Folder::new(), model());
    let server = server(&data, "openai", &endpoint, "");
    for (number, (reply, left, secret)) in REPLIES.into_iter().enumerate() {
        let chat = server.chat();
        let cuts = (0..=reply.chars().count()).map(|cut| format!("{number} {cut}"));
        for asked in cuts.chain([number.to_string()]) {
            let mut shown = String::new();
            let mut stored = None;
            for event in server.send(&chat, &json!({ "text": asked })) {
                match event.kind.as_str() {
                    "delta" => shown += event.data["text"].as_str().unwrap(),
                    "reply" => stored = event.data["message"]["text"].as_str().map(str::to_owned),
                    _ => {}
                }
                assert!(!event.data.to_string().contains(secret), "{asked}: {}", event.data);
            }
            assert_eq!(shown.trim_end(), left, "{asked}");
            assert_eq!(stored.as_deref(), Some(left), "{asked}");
        }
    }
    assert_eq!(server.get("/api/flags")["dnd"], true, "it was performed");
}

//! Every action is reached by a plain sentence, through the whole server.

use handset_spec::phone::Action;
use serde_json::json;

use crate::process::{Folder, Server, card_id};

const SENTENCES: &[(&str, &str)] = &[
    ("alarm", "wake me at 6"),
    ("timer", "set a timer for 5 minutes"),
    ("calendar_event", "put dentist in my calendar on 2027-03-04 at 10:00"),
    ("sms_draft", "text Anna I'm late"),
    ("email_draft", "email bob@example.com about lunch"),
    ("dial", "打电话给 555 0100"),
    ("navigate", "take me to the station by bike via the bakery"),
    ("add_stop", "add a stop at the bakery on the way to work"),
    ("search_nearby", "find coffee near me"),
    ("stop_navigation", "stop navigation"),
    ("open_app", "open spotify"),
    ("open_url", "open https://example.com"),
    ("media", "pause the music"),
    ("torch", "打开手电筒"),
    ("settings_panel", "show wifi settings"),
    ("automation_intent", "run automation bedtime with volume=3"),
];

#[test]
fn every_action_is_reached() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    for (action, sentence) in SENTENCES {
        let mut turn = server.say(&chat, sentence);
        let card = turn.until("card");
        assert_eq!(card.data["card"]["call"]["action"], json!(action), "{sentence}");
        assert_eq!(server.answer(&card_id(&card.data), &json!({"status": "done"})).0, 200);
        turn.until("reply");
    }
    // An action that the spec gains later has no sentence here; the demo reaches it by its name.
    let known =
        Action::ALL.iter().filter(|action| SENTENCES.iter().any(|(name, _)| *name == action.name())).count();
    assert_eq!(known, SENTENCES.len());
}

/// A sentence that lacks something is refused in the spec's words, and the reply passes them on.
#[test]
fn a_refusal_is_passed_on() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut turn = server.say(&chat, "timer seconds=soon");
    turn.until("reply");
    let results = server.results(&chat);
    let mut refusal = String::new();
    handset_spec::phone::read(br#"{"action":"timer","seconds":"soon"}"#, |call| {
        refusal = call.err().map(|refusal| refusal.text().into_owned()).unwrap_or_default();
    });
    assert_eq!(results, [refusal]);
    assert!(server.said(&chat).last().unwrap().1.contains(&results[0]));
}

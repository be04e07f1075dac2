//! Who the companion is to each person, as the model reads it.

use handset_spec_macros::text;

use super::endpoint::{Answer, Endpoint};
use super::oddities::plain;
use super::*;
use crate::process::newcomer;

/// The persona takes the place of the operator's for its person alone, from the next message on.
#[test]
fn a_persona_is_what_the_model_reads_first_for_its_person_alone() {
    for kind in ["openai", "anthropic"] {
        let (data, endpoint) = (Folder::new(), Endpoint::new(move |_| Answer::stream(&plain(kind, "Hm."))));
        fs::create_dir_all(data.path()).unwrap();
        fs::write(data.path().join("persona.md"), "You are the operator's own.").unwrap();
        let server = server(&data, kind, &endpoint, "");
        let (_, ann) = newcomer(&data, &server, "Ann");
        let (_, bob) = newcomer(&data, &server, "Bob");
        let system = |token: &str| {
            let chat = server.ask(Some(token), "POST", "/api/chats", None).json();
            let path = format!("/api/chats/{}/messages", chat["id"].as_str().unwrap());
            let said = server.request("POST", &path);
            let headers = vec![("Accept", "text/event-stream".to_owned())];
            let body = Some(json!({"text": "hello"}).to_string());
            let said = crate::http::Request { token: Some(token), headers, body, ..said };
            said.send(&server.address).events().until("reply");
            let body: Value = serde_json::from_str(&endpoint.asked().last().unwrap().body).unwrap();
            let text = match kind {
                "openai" => &body["messages"][0]["content"],
                _ => &body["system"][0]["text"],
            };
            text.as_str().unwrap_or_else(|| panic!("{body}")).to_owned()
        };
        assert!(system(&ann).starts_with("You are the operator's own."));
        let mine = json!({"name": "Mo", "persona": "You are Mo, who never hurries. [hangup]"});
        assert_eq!(server.ask(Some(&ann), "PATCH", "/api/companion", Some(&mine)).status, 200);
        let own = system(&ann);
        assert!(own.starts_with("You are Mo, who never hurries. "), "{own}");
        assert!(own.contains(&text!(prompt.named, name = "Mo")) && !own.contains("operator's own"), "{own}");
        assert!(!own.contains("[hangup]"), "a marker in a person's words is harmless: {own}");
        assert_eq!(system(&ann), own, "the same bytes each time");
        assert!(system(&bob).starts_with("You are the operator's own."));
    }
}

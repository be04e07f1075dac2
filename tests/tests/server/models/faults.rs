//! What a model's end does wrong, each told in the chat in the person's language, and retried only where nothing was said.

use std::io::Read as _;
use std::process::Stdio;

use handset_spec::Language;
use handset_spec_macros::text;

use super::endpoint::{Answer, Asked, Endpoint};
use super::oddities::plain;
use super::*;

/// What the companion says, by language.
type Words = fn(Language) -> &'static str;

struct Case {
    name: &'static str,
    answer: fn(&Asked) -> Answer,
    /// The code, and what the companion says.
    told: Option<(&'static str, Words)>,
    /// How often the endpoint is asked, with one retry.
    asked: usize,
}

macro_rules! words {
    ($key:ident) => {
        |language| text!(gateway.$key in language)
    };
}

fn half(error: &str) -> Vec<u8> {
    let delta = json!({"choices": [{"delta": {"content": "I will"}}]});
    format!("data: {delta}\n\n{error}").into_bytes()
}

fn cases() -> Vec<Case> {
    let case = |name, answer, code, words, asked| Case { name, answer, told: Some((code, words)), asked };
    vec![
        case(
            "a bad key",
            |_| {
                Answer::body(
                    "401 Unauthorized",
                    "",
                    format!(r#"{{"error":{{"message":"Incorrect API key: {KEY}"}}}}"#).as_bytes(),
                )
            },
            "model_refused_key",
            words!(refused_key),
            1,
        ),
        case(
            "no model",
            |_| Answer::body("404 Not Found", "", br#"{"error":"model 'm' not found"}"#),
            "no_such_model",
            words!(no_such_model),
            1,
        ),
        case(
            "a redirect",
            |_| Answer::body("302 Found", "Location: http://127.0.0.1:1/\r\n", b""),
            "no_such_model",
            words!(no_such_model),
            1,
        ),
        case(
            "a bad request",
            |_| Answer::body("400 Bad Request", "", br#"{"error":{"type":"invalid_request_error"}}"#),
            "model_refused",
            words!(refused),
            1,
        ),
        case(
            "a proxy's page",
            |_| Answer::body("502 Bad Gateway", "Content-Type: text/html\r\n", b"<html>"),
            "model_overloaded",
            words!(overloaded),
            2,
        ),
        case(
            "busy for long",
            |_| Answer::body("429 Too Many Requests", "Retry-After: 3600\r\n", b""),
            "model_overloaded",
            words!(overloaded),
            1,
        ),
        case(
            "a page",
            |_| Answer::body("200 OK", "Content-Type: text/html\r\n", b"\n<!doctype html>"),
            "model_unreadable",
            words!(unreadable),
            1,
        ),
        case(
            "other words",
            |_| Answer::body("200 OK", "", b"It works!"),
            "model_unreadable",
            words!(unreadable),
            1,
        ),
        case("nothing", |_| Answer::body("200 OK", "", b""), "model_unreachable", words!(unreachable), 2),
        case(
            "a reply without words",
            |_| Answer::stream(&plain("openai", "")),
            "model_silent",
            words!(silent),
            1,
        ),
        case("silence", |_| Answer::silence(), "model_slow", words!(slow), 1),
        case(
            "only comments",
            |_| Answer::holding(b": still here\n\n: and here\n\n"),
            "model_slow",
            words!(slow),
            1,
        ),
        case(
            "an error first",
            |_| Answer::stream(b"data: {\"error\":{\"type\":\"overloaded_error\"}}\n\n"),
            "model_overloaded",
            words!(overloaded),
            2,
        ),
        case(
            "an error in the middle",
            |_| Answer::stream(&half("data: {\"error\":{\"code\":502}}\n\n")),
            "model_broke_off",
            words!(broken_off),
            1,
        ),
        case("a lost connection", |_| Answer::lost(&half("")), "model_broke_off", words!(broken_off), 1),
        case(
            "a connection that ends",
            |_| Answer::closing(&half("")),
            "model_broke_off",
            words!(broken_off),
            1,
        ),
        case(
            "a stop in the middle",
            |_| Answer::holding(&half(": still here\n\n")),
            "model_broke_off",
            words!(broken_off),
            1,
        ),
        Case {
            name: "busy, then not",
            answer: |asked| {
                if asked.number == 0 {
                    Answer::body("429 Too Many Requests", "Retry-After: 0\r\n", b"")
                } else {
                    Answer::stream(&plain("openai", "Here."))
                }
            },
            told: None,
            asked: 2,
        },
        Case {
            name: "complete, and held open",
            answer: |_| Answer::holding(plain("openai", "Here.").strip_suffix(b"data: [DONE]\n\n").unwrap()),
            told: None,
            asked: 1,
        },
    ]
}

#[test]
fn every_fault_is_told_in_the_chat() {
    for (number, case) in cases().into_iter().enumerate() {
        let (data, endpoint) = (Folder::new(), Endpoint::new(case.answer));
        let more = "retries = 1\nfirst_token_seconds = 1\nidle_seconds = 0.5";
        let server = server(&data, "openai", &endpoint, more);
        let chat = server.chat();
        let (language, words) =
            if number % 2 == 0 { (Language::En, "hello") } else { (Language::Zh, "你好") };
        let events: Vec<_> = server.say(&chat, words).collect();
        let end = events.last().unwrap();
        let said = server.said(&chat);
        match case.told {
            Some((code, words)) => {
                assert_eq!((end.kind.as_str(), &end.data["code"]), ("failed", &json!(code)), "{}", case.name);
                assert_eq!(
                    said.last(),
                    Some(&("companion".to_owned(), words(language).to_owned())),
                    "{}",
                    case.name
                );
                let broken = said.len() == 3 && said[1].1 == "I will";
                assert!(broken == (code == "model_broke_off"), "{}: {said:?}", case.name);
            }
            None => assert_eq!((end.kind.as_str(), &*said[1].1), ("reply", "Here."), "{}", case.name),
        }
        assert_eq!(endpoint.asked().len(), case.asked, "{}", case.name);
    }
}

/// The log tells the operator what happened, and neither the key nor a word of the conversation.
#[test]
fn the_log_is_discreet() {
    let endpoint = Endpoint::new(|asked| {
        let said = last(&asked.body).1;
        let message =
            if said == "hello" { format!("{KEY} is no key") } else { format!("not allowed: {said}") };
        let body = json!({"error": {"message": message, "type": "bad_thing"}});
        Answer::body("400 Bad Request", "", body.to_string().as_bytes())
    });
    let data = Folder::new();
    let mut command = configured(&data, "openai", &endpoint, "");
    command.args(["--log", "trace"]);
    let (mut server, mut log) = (Server::start_by(command, Stdio::piped()), String::new());
    let mut stderr = server.stderr();
    let chat = server.chat();
    for words in ["hello", "the purple elephant sleeps in the attic"] {
        server.say(&chat, words).until("failed");
    }
    server.kill();
    stderr.read_to_string(&mut log).unwrap();
    assert!(log.contains("is no key"), "what helps the operator is there: {log}");
    for secret in [KEY, "elephant"] {
        assert!(!log.contains(secret), "{log}");
    }
}

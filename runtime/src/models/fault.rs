//! What providers say went wrong, as codes and, for the operator's log, in a sentence.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::lenient::{text, word};
use crate::gateway::model::{Code, Fault};

/// How many characters of a provider's own sentence are kept.
const MAX_CHARS: usize = 300;
/// How many characters of the request in a row, found in a provider's sentence, make it a quotation.
const QUOTED: usize = 20;

#[derive(Deserialize)]
struct Error<'a> {
    #[serde(borrow, default)]
    r#type: Option<&'a RawValue>,
    #[serde(borrow, default)]
    code: Option<&'a RawValue>,
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    #[serde(borrow, default)]
    detail: Option<&'a RawValue>,
}

/// An error that stands where a reply was expected. Behind the first words it only says that there will be no more.
pub(super) fn told(raw: &RawValue, said: bool) -> Fault {
    let error: Option<Error<'_>> = serde_json::from_str(raw.get()).ok();
    let code = error.as_ref().map_or(Code::Overloaded, code);
    Fault::new(if said { Code::BrokenOff } else { code }, sentence(raw))
}

/// The code by what the error calls itself: a status, or a type.
fn code(error: &Error<'_>) -> Code {
    let code = word(error.code).unwrap_or_default();
    if let Some(code) = code.parse().ok().and_then(of_status) {
        return code;
    }
    let name = format!("{} {code}", text(error.r#type).unwrap_or_default());
    let has = |part: &str| name.contains(part);
    if has("auth") || has("permission") || has("api_key") || has("billing") {
        Code::RefusedKey
    } else if has("not_found") {
        Code::NoSuchModel
    } else if has("invalid_request") || has("context_length") || has("too_large") {
        Code::Refused
    } else {
        // Overloaded, rate-limited, timed out, or something within the server: all may pass.
        Code::Overloaded
    }
}

/// The code of a status that is no success; none where the number is no such status.
pub(super) fn of_status(status: u16) -> Option<Code> {
    Some(match status {
        // No redirect is followed: the key would go with it.
        300..=399 | 404 | 405 | 410 => Code::NoSuchModel,
        401..=403 => Code::RefusedKey,
        408 | 409 | 425 | 429 | 500..=599 => Code::Overloaded,
        400..=499 => Code::Refused,
        _ => return None,
    })
}

/// What a body that came with an error says of it, for the operator.
pub(super) fn of_body(body: &str) -> String {
    let body = body.trim();
    if body.is_empty() {
        return "it said nothing more".to_owned();
    }
    let told: Option<Body<'_>> = serde_json::from_str(body).ok();
    let told = told.and_then(|told| told.error.or(told.message).or(told.detail));
    match told {
        Some(raw) => sentence(raw),
        None if body.starts_with('<') => "it said so by a page, as a proxy or a website does".to_owned(),
        None => cut(body),
    }
}

fn sentence(raw: &RawValue) -> String {
    if let Some(said) = text(Some(raw)) {
        return cut(&said);
    }
    let Ok(error) = serde_json::from_str::<Error<'_>>(raw.get()) else {
        return "it did not say why".to_owned();
    };
    let name = [text(error.r#type), word(error.code)].into_iter().flatten().find(|name| !name.is_empty());
    match (name, text(error.message)) {
        (Some(name), Some(message)) => cut(&format!("{name}: {message}")),
        (Some(said), None) | (None, Some(said)) => cut(&said),
        (None, None) => "it did not say why".to_owned(),
    }
}

/// One line of bounded length.
fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Makes a provider's sentence fit for a log: without the key, and not at all where it quotes the conversation.
pub(super) fn discreet(mut fault: Fault, key: Option<&str>, request: &str) -> Fault {
    if let Some(key) = key.filter(|key| !key.is_empty()) {
        fault.detail = fault.detail.replace(key, "(the key)");
    }
    let said = request.split_once("\"messages\":").map_or(request, |(_, said)| said);
    if quotes(&fault.detail, said) {
        fault.detail = "what it said quotes the conversation, so it is not repeated here".to_owned();
    }
    fault
}

/// Whether a sentence repeats a part of what was said.
pub(super) fn quotes(sentence: &str, said: &str) -> bool {
    let places: Vec<usize> = sentence.char_indices().map(|(place, _)| place).collect();
    places
        .iter()
        .zip(places.iter().skip(QUOTED))
        .any(|(&from, &to)| sentence.get(from..to).is_some_and(|part| said.contains(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_in_their_forms() {
        for (body, expected) in [
            (
                r#"{"error":{"message":"no","type":"invalid_request_error","code":null}}"#,
                "invalid_request_error: no",
            ),
            (r#"{"error":"model 'x' not found"}"#, "model 'x' not found"),
            (r#"{"detail":"Not Found"}"#, "Not Found"),
            (r#"{"error":{}}"#, "it did not say why"),
            ("<html>", "it said so by a page, as a proxy or a website does"),
            ("upstream\nerror", "upstream error"),
            ("", "it said nothing more"),
        ] {
            assert_eq!(of_body(body), expected);
        }
    }

    #[test]
    fn codes_of_errors_in_a_stream() {
        for (json, expected) in [
            (r#"{"type":"overloaded_error","message":"Overloaded"}"#, Code::Overloaded),
            (r#"{"code":502,"message":"Provider error"}"#, Code::Overloaded),
            (r#"{"code":"401"}"#, Code::RefusedKey),
            (r#"{"type":"authentication_error"}"#, Code::RefusedKey),
            (r#"{"type":"not_found_error"}"#, Code::NoSuchModel),
            (r#"{"code":"context_length_exceeded"}"#, Code::Refused),
            (r#""gone""#, Code::Overloaded),
        ] {
            let raw = RawValue::from_string(json.to_owned()).unwrap();
            assert_eq!(told(&raw, false).code, expected, "{json}");
            assert_eq!(told(&raw, true).code, Code::BrokenOff);
        }
    }

    #[test]
    fn neither_key_nor_conversation_is_repeated() {
        let fault = |detail: &str| Fault::new(Code::Refused, detail);
        let request = r#"{"model":"m","messages":[{"content":"my secret is a purple elephant"}]}"#;
        assert_eq!(discreet(fault("bad key sk-1"), Some("sk-1"), request).detail, "bad key (the key)");
        let quoting = discreet(fault("rejected: 'my secret is a purple elephant'"), None, request);
        assert!(!quoting.detail.contains("elephant"), "{}", quoting.detail);
        assert_eq!(discreet(fault("model m not found"), None, request).detail, "model m not found");
    }
}

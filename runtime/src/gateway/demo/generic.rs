//! The form that reaches any action of the spec, known or added a minute ago: its name, then its fields.
//!
//! `flash times 3`, `flash times=3`, `flash {"times": 3}`; values are typed by the field's shape in the spec.

use handset_spec::phone::{Action, Field, Shape};
use serde_json::{Map, Value};

use super::parse;
use super::proposal::Proposal;

/// Reads a sentence that names an action and then only fields of it, or a JSON object.
pub(super) fn named(text: &str) -> Option<Proposal> {
    let (action, rest) = head(text)?;
    let mut proposal = Proposal::new(action.name());
    if rest.starts_with('{') {
        proposal.fields = serde_json::from_str(rest).ok()?;
        return Some(proposal);
    }
    let tokens = tokens(rest);
    let mut open: Option<(Field, Vec<&str>)> = None;
    let mut close = |open: Option<(Field, Vec<&str>)>| {
        if let Some((field, words)) = open {
            proposal.fields.insert(field.name().to_owned(), value(field.shape(), &words.join(" ")));
        }
    };
    let mut seen: Vec<Field> = Vec::new();
    for token in tokens {
        let (name, first) = match token.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (token, None),
        };
        let field =
            action.fields().iter().copied().find(|field| field.name() == name && !seen.contains(field));
        // A word that is a field's name begins it, unless the field before it still lacks its value.
        let begins = first.is_some() || open.as_ref().is_none_or(|(_, words)| !words.is_empty());
        match (field, &mut open) {
            (Some(field), _) if begins => {
                seen.push(field);
                let words = first.filter(|word| !word.is_empty()).into_iter().collect();
                close(open.replace((field, words)));
            }
            (_, Some((_, words))) => words.push(token),
            // The first word names no field: this is another kind of sentence.
            (_, None) => return None,
        }
    }
    close(open);
    // An action's bare name is this form only where no sentence begins with the same word.
    Some(proposal)
}

/// Reads a sentence that names an action and then its first field's value, without the field's name.
pub(super) fn positional(text: &str) -> Option<Proposal> {
    let (action, rest) = head(text)?;
    let field = action.fields().first()?;
    let counts = matches!(field.shape(), Shape::Integer | Shape::Number);
    // `flash 3 times`: of a count, the number is meant.
    let number =
        || rest.split_whitespace().find(|word| serde_json::from_str::<serde_json::Number>(word).is_ok());
    let written = if counts { number().unwrap_or(rest) } else { rest };
    Some(Proposal::new(action.name()).with(field.name(), value(field.shape(), written)))
}

/// The action that a sentence begins with, and the rest.
fn head(text: &str) -> Option<(Action, &str)> {
    let text = ["please ", "do ", "use ", "请"]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text)
        .trim();
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | '{')).unwrap_or(text.len());
    let action = Action::from_name(&text[..end].to_ascii_lowercase())?;
    let rest = text[end..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：'));
    Some((action, rest.trim_end()))
}

/// Words, separated by blanks; what stands in double quotes is one word with its blanks.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = None;
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        if c == '"' {
            quoted = !quoted;
        }
        if c.is_whitespace() && !quoted {
            tokens.extend(start.take().map(|start: usize| &text[start..at]));
        } else if start.is_none() {
            start = Some(at);
        }
    }
    tokens.extend(start.map(|start| &text[start..]));
    tokens
}

/// A field's value from what was written. What does not have the field's shape stays text, so that the refusal can say
/// what it should be.
fn value(shape: Shape, written: &str) -> Value {
    let written = written.trim().trim_matches('"').trim_end_matches(',');
    let text = || Value::from(written);
    let json = || serde_json::from_str::<Value>(written).ok();
    match shape {
        Shape::String => text(),
        Shape::Integer | Shape::Number => json().filter(Value::is_number).unwrap_or_else(text),
        Shape::Boolean => match written.to_lowercase().as_str() {
            // A field that is only named is switched on.
            "" | "true" | "yes" | "on" | "是" | "开" => true.into(),
            "false" | "no" | "off" | "否" | "关" => false.into(),
            _ => text(),
        },
        Shape::Array => json().filter(Value::is_array).unwrap_or_else(|| {
            let words = written.split([',', '，', '、']).map(str::trim).filter(|word| !word.is_empty());
            Value::Array(words.map(Value::from).collect())
        }),
        Shape::Object => json().filter(Value::is_object).unwrap_or_else(|| {
            let pairs = parse::pairs(&written.replace(':', "="));
            if pairs.is_empty() {
                Value::Object(Map::from_iter([("query".to_owned(), text())]))
            } else {
                pairs.into()
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Option<Value> {
        let proposal = named(text)?;
        serde_json::from_str(&proposal.arguments("s")).ok()
    }

    #[test]
    fn a_name_and_its_fields() {
        assert_eq!(
            read("alarm time 7:30 days mon,tue label=wake up"),
            Some(
                json!({"action": "alarm", "summary": "s", "time": "7:30", "days": ["mon", "tue"], "label": "wake up"})
            )
        );
        assert_eq!(read("timer seconds=90"), Some(json!({"action": "timer", "summary": "s", "seconds": 90})));
        assert_eq!(read("torch on"), Some(json!({"action": "torch", "summary": "s", "on": true})));
        assert_eq!(read("torch on=off"), Some(json!({"action": "torch", "summary": "s", "on": false})));
        assert_eq!(
            read("sms_draft to Anna body I want to go"),
            Some(json!({"action": "sms_draft", "summary": "s", "to": ["Anna"], "body": "I want to go"}))
        );
        assert_eq!(
            read(r#"dial {"number": "555"}"#),
            Some(json!({"action": "dial", "summary": "s", "number": "555"}))
        );
        assert_eq!(read("stop_navigation"), Some(json!({"action": "stop_navigation", "summary": "s"})));
        assert_eq!(
            read("navigate destination the old station mode walk"),
            Some(
                json!({"action": "navigate", "summary": "s", "destination": {"query": "the old station"}, "mode": "walk"})
            )
        );
    }

    #[test]
    fn other_sentences_are_left_to_others() {
        for text in ["timer 5 minutes", "navigate to the station", "torch off", "wake me", ""] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_field_needs_no_name() {
        let read = |text| positional(text).map(|proposal| Value::Object(proposal.fields));
        assert_eq!(read("dial 555 0100"), Some(json!({"number": "555 0100"})));
        assert_eq!(read("open_app: Clock"), Some(json!({"app": "Clock"})));
        assert_eq!(read("stop_navigation now"), None, "there is no field to take it");
        assert_eq!(read("sing a song"), None);
    }

    #[test]
    fn a_value_of_the_wrong_shape_stays_text() {
        assert_eq!(value(Shape::Integer, "three"), json!("three"));
        assert_eq!(value(Shape::Boolean, "maybe"), json!("maybe"));
    }
}

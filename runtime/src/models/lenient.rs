//! Fields of a provider's JSON whose type providers do not agree on.

use serde::Deserialize;
use serde_json::value::RawValue;

/// What stands there as this type, where it is one.
pub(super) fn read<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// Text: a string, or parts of which those with a text are joined (some reasoning models send these); else none.
pub(super) fn text(raw: Option<&RawValue>) -> Option<String> {
    let raw = raw?.get();
    match raw.as_bytes().first()? {
        b'"' => Some(string(raw)),
        b'[' => {
            #[derive(Deserialize)]
            struct Part<'a> {
                #[serde(borrow, default)]
                text: Option<&'a RawValue>,
            }
            let parts: Vec<Part<'_>> = serde_json::from_str(raw).ok()?;
            Some(parts.iter().filter_map(|part| text(part.text)).collect())
        }
        _ => None,
    }
}

/// A word, such as an id: a string, or a number as it is written.
pub(super) fn word(raw: Option<&RawValue>) -> Option<String> {
    let raw = raw?.get();
    match raw.as_bytes().first()? {
        b'"' => Some(string(raw)),
        b'0'..=b'9' | b'-' => Some(raw.to_owned()),
        _ => None,
    }
}

/// Arguments: the string's text, or an object (or anything else that is not null) as it is written.
pub(super) fn arguments(raw: Option<&RawValue>) -> Option<String> {
    let raw = raw?.get();
    match raw.as_bytes().first()? {
        b'"' => Some(string(raw)),
        b'n' => None,
        _ => Some(raw.to_owned()),
    }
}

/// A small number, also one that is written as text.
pub(super) fn index(raw: Option<&RawValue>) -> Option<u32> {
    word(raw)?.parse().ok()
}

/// A list, or one thing that should have been in one; null is none.
pub(super) fn list(raw: Option<&RawValue>) -> Vec<&RawValue> {
    let Some(raw) = raw else { return Vec::new() };
    match raw.get().as_bytes().first() {
        Some(b'[') => read(raw).unwrap_or_default(),
        Some(b'{') => vec![raw],
        _ => Vec::new(),
    }
}

/// A JSON string's text. Half of a surrogate pair (some servers cut a character in two) becomes U+FFFD.
fn string(raw: &str) -> String {
    if let Ok(text) = serde_json::from_str(raw) {
        return text;
    }
    // The text was read as JSON before, so that only the halves of pairs are at fault.
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        let escape = rest.get(at..at + 6).unwrap_or(&rest[at..]);
        let half = |text: &str| {
            text.strip_prefix("\\u")
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                .filter(|unit| (0xd800..0xe000).contains(unit))
        };
        out.push_str(&rest[..at]);
        let taken = match half(escape) {
            None => rest[at..].chars().take(2).map(char::len_utf8).sum(),
            Some(high) => {
                let low =
                    rest.get(at + 6..at + 12).and_then(half).filter(|low| high < 0xdc00 && *low >= 0xdc00);
                if low.is_some() { 12 } else { 0 }
            }
        };
        if taken == 0 {
            out.push('\u{fffd}');
            rest = &rest[at + 6..];
        } else {
            out.push_str(&rest[at..at + taken]);
            rest = &rest[at + taken..];
        }
    }
    out.push_str(rest);
    serde_json::from_str(&out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn text_in_its_forms() {
        for (given, expected) in [
            (r#""hi""#, Some("hi")),
            ("null", None),
            ("7", None),
            (r#"[{"type":"text","text":"a"},{"type":"thinking"},{"text":"b"}]"#, Some("ab")),
            (r#""\ud83d""#, Some("\u{fffd}")),
            (r#""a\\\ud83d\ude00\ude00é""#, Some("a\\😀\u{fffd}é")),
        ] {
            assert_eq!(text(Some(&raw(given))).as_deref(), expected, "{given}");
        }
    }

    #[test]
    fn arguments_in_their_forms() {
        for (given, expected) in [
            ("null", None),
            (r#""{}""#, Some("{}")),
            (r#"{"a": 1e999}"#, Some(r#"{"a": 1e999}"#)),
            (r#""""#, Some("")),
        ] {
            assert_eq!(arguments(Some(&raw(given))).as_deref(), expected, "{given}");
        }
        assert_eq!(arguments(None), None);
    }

    #[test]
    fn lists_and_numbers() {
        assert_eq!(list(Some(&raw("[{},{}]"))).len(), 2);
        assert_eq!(list(Some(&raw("{}"))).len(), 1);
        assert_eq!(list(Some(&raw("null"))).len(), 0);
        assert_eq!((index(Some(&raw("\"3\""))), index(Some(&raw("-1")))), (Some(3), None));
        assert_eq!(word(Some(&raw("17"))).as_deref(), Some("17"));
    }
}

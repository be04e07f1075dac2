//! The page's words in the files that are no script: where nothing runs yet, both languages stand side by side.

use handset_spec::Language;
use handset_spec::texts::page::table;
use serde_json::{Map, Value};

/// Fills a file's holes, `{{key}}`, each with the page's text in every language. What is no text stays as it is.
pub(super) fn fill(path: &str, bytes: &[u8]) -> Vec<u8> {
    let tables: Vec<Map<String, Value>> =
        Language::ALL.iter().filter_map(|language| serde_json::from_str(table(*language)).ok()).collect();
    let text = String::from_utf8_lossy(bytes);
    let mut filled = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, behind)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((key, after)) = behind.split_once("}}") else {
            filled.push_str("{{");
            rest = behind;
            continue;
        };
        let words: Vec<&str> =
            tables.iter().filter_map(|table| table.get(key).and_then(Value::as_str)).collect();
        if words.is_empty() {
            filled.push_str("{{");
            rest = behind;
            continue;
        }
        filled.push_str(&escaped(path, &words));
        rest = after;
    }
    filled.push_str(rest);
    filled.into_bytes()
}

/// The words as they stand in a file of this kind: sentences in HTML, each in its language, or one short name in JSON.
fn escaped(path: &str, words: &[&str]) -> String {
    if path.ends_with(".html") {
        let parts = words.iter().zip(Language::ALL).map(|(word, language)| {
            let word = word.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            format!("<p lang=\"{}\">{word}</p>", language.key())
        });
        return parts.collect();
    }
    let joined = Value::String(words.join(" · ")).to_string();
    // Within the quotes that stand in the file.
    joined.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_in_every_language() {
        let html =
            String::from_utf8(fill("x.html", b"<noscript>{{no_script}}</noscript>{{unknown}} {{")).unwrap();
        assert!(html.starts_with("<noscript><p lang=\"en\">Handset needs"), "{html}");
        assert!(html.contains("</p><p lang=\"zh\">"), "{html}");
        assert!(html.ends_with("</noscript>{{unknown}} {{"), "{html}");
        let json = String::from_utf8(fill("x.webmanifest", b"{\"name\": \"{{dnd}}\"}")).unwrap();
        let read: Value = serde_json::from_str(&json).unwrap();
        assert!(read["name"].as_str().unwrap().contains(" · "), "{json}");
    }
}

//! The JSON reader against another one.

use handset_codegen::read::{MAX_DEPTH, Node, Value, parse};
use proptest::prelude::*;

/// The value as serde_json has it, of repeated keys the last.
fn value(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(text) => serde_json::from_str(text).unwrap(),
        Value::String(text) => text.clone().into(),
        Value::Array(items) => items.iter().map(value).collect(),
        Value::Object(members) => serde_json::Value::Object(
            members.iter().map(|member| (member.key.clone(), value(&member.value))).collect(),
        ),
    }
}

/// Both read it alike, or neither reads it. A number beyond a 64-bit float is JSON all the same.
fn agree(text: &str) -> Result<(), TestCaseError> {
    match (parse(text), serde_json::from_str::<serde_json::Value>(text)) {
        (Ok(node), Ok(theirs)) => prop_assert_eq!(value(&node), theirs),
        (Err(_), Err(_)) => {}
        (Ok(_), Err(theirs)) => {
            prop_assert!(theirs.to_string().contains("out of range"), "we read {:?}: {}", text, theirs)
        }
        (Err(ours), Ok(_)) => prop_assert!(false, "we refuse {:?}: {:?}", text, ours),
    }
    Ok(())
}

/// Each value's place holds its own text, and its pointer leads to it.
fn places(root: &Node, node: &Node, text: &str, pointer: &str) {
    let own = &text[node.span.start..node.span.end];
    assert_eq!(parse(own).unwrap().compact(), node.compact());
    assert_eq!(root.pointer(node.head()), pointer);
    for (index, item) in node.as_array().unwrap_or_default().iter().enumerate() {
        places(root, item, text, &format!("{pointer}/{index}"));
    }
    for member in node.as_object().unwrap_or_default() {
        let key = member.key.replace('~', "~0").replace('/', "~1");
        places(root, &member.value, text, &format!("{pointer}/{key}"));
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Pieces that a fault or a rarity of JSON is made of.
const PIECES: [&str; 40] = [
    "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\\u00e9", "\\n", "\\x", "0",
    "00", "-", "-0", "1.5", ".", "1e5", "1E+5", "1e", "true", "null", "nul", "\"a\"", "\"\"", "//", "/*",
    "'", "\n", "\t", " ", "\u{0}", "\u{7f}", "é", "\u{feff}", "\u{2028}", "1e999",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn random_json_is_read_alike(value in json(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        agree(&text)?;
        let node = parse(&text).unwrap();
        places(&node, &node, &text, "");
        prop_assert_eq!(parse(&node.compact()).unwrap().compact(), node.compact());
    }

    #[test]
    fn mutated_json_is_judged_alike(
        value in json(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..4, 0..PIECES.len()), 1..5),
    ) {
        let mut text = serde_json::to_string(&value).unwrap();
        for (place, removed, piece) in edits {
            let start = text.floor_char_boundary(place.index(text.len() + 1));
            let end = text.ceil_char_boundary((start + removed).min(text.len()));
            text.replace_range(start..end, PIECES[piece]);
        }
        agree(&text)?;
    }

    #[test]
    fn pieces_are_judged_alike(pieces in prop::collection::vec(0..PIECES.len(), 0..12)) {
        agree(&pieces.into_iter().map(|piece| PIECES[piece]).collect::<String>())?;
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nested(MAX_DEPTH)).is_ok());
    assert!(parse(&nested(MAX_DEPTH + 1)).unwrap_err().message.contains("deep"));
    for open in ["[", "{\"a\":"] {
        assert!(parse(&open.repeat(200_000)).is_err());
    }
}

#[test]
fn repeated_keys_and_number_texts_are_kept() {
    let node = parse(r#"{"a": 1.0, "a": 10E-1}"#).unwrap();
    let members = node.as_object().unwrap();
    assert_eq!(members.len(), 2);
    assert_eq!(members[1].value.value, Value::Number("10E-1".to_owned()));
    assert_eq!((members[1].key_span.start, members[1].value.span.start), (11, 16));
}

//! Whatever the files hold: faults, never a panic, and never the compiler's own.

use handset_codegen::{Format, Specs, check};
use proptest::prelude::*;

use crate::support::base;

/// Judges the files and holds what every judgement must hold.
fn judge(specs: &Specs) -> Result<(), TestCaseError> {
    let Err(faults) = check(specs) else { return Ok(()) };
    prop_assert!(!faults.list.is_empty());
    for fault in &faults.list {
        prop_assert_ne!(fault.rule.id, "compiler-fault");
        let length = specs.files.get(&fault.file).map_or(0, String::len);
        prop_assert!(fault.span.start <= fault.span.end && fault.span.end <= length, "{:?}", fault);
    }
    for (format, _) in Format::ALL {
        prop_assert!(!faults.render(format, false).is_empty());
    }
    prop_assert_eq!(faults.render(Format::Json, false).lines().count(), faults.list.len());
    Ok(())
}

/// The places of all strings, numbers and words of a JSON text.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('"').map(|start| at + start) {
        let Some(end) = text[start + 1..].find('"').map(|end| start + end + 2) else { break };
        found.push((start, end));
        at = end;
    }
    found
}

const VALUES: [&str; 24] = [
    "null",
    "true",
    "0",
    "-1",
    "1.5",
    "1e400",
    "9223372036854775808",
    "\"\"",
    "\" \"",
    "\"self\"",
    "\"Self\"",
    "\"{{\"",
    "\"}}\"",
    "\"{{x}}\"",
    "\"\\ud83d\\ude00{{ a\"",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    "{\"a\": 1, \"a\": 2}",
    "\"alarm\"",
    "\"time\"",
    "\"action\"",
    "\"call\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn tokens_replaced(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..VALUES.len()), 1..4),
    ) {
        let mut specs = base();
        for (file, token, value) in edits {
            let file = specs.files.keys().nth(file.index(specs.files.len())).unwrap().clone();
            let text = specs.files.get_mut(&file).unwrap();
            let places = tokens(text);
            let (start, end) = places[token.index(places.len())];
            text.replace_range(start..end, VALUES[value]);
        }
        judge(&specs)?;
    }

    #[test]
    fn strings_swapped(
        swaps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let mut specs = base();
        for (file, from, to) in swaps {
            let file = specs.files.keys().nth(file.index(specs.files.len())).unwrap().clone();
            let text = specs.files.get_mut(&file).unwrap();
            let places = tokens(text);
            let (start, end) = places[from.index(places.len())];
            let (taken, until) = places[to.index(places.len())];
            let other = text[taken..until].to_owned();
            text.replace_range(start..end, &other);
        }
        judge(&specs)?;
    }

    #[test]
    fn bytes_mutated(
        file in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, prop::collection::vec(any::<u8>(), 0..6)), 1..6),
    ) {
        let mut specs = base();
        let file = specs.files.keys().nth(file.index(specs.files.len())).unwrap().clone();
        let mut bytes = specs.files[&file].clone().into_bytes();
        for (place, removed, inserted) in edits {
            let start = place.index(bytes.len() + 1);
            let end = (start + removed).min(bytes.len());
            bytes.splice(start..end, inserted);
        }
        specs.insert(&file, bytes);
        judge(&specs)?;
    }
}

#[test]
fn files_of_any_shape() {
    for text in [
        "",
        " ",
        "null",
        "[]",
        "{}",
        "\"\"",
        "{\"version\": \"3.6.0\"}",
        "{\"version\": \"3.6.0\", \"phone\": {}}",
    ] {
        for file in ["loop.json", "tools/phone_action.json", "conformance/phone.json"] {
            let mut specs = base();
            specs.insert(file, text.as_bytes().to_vec());
            assert!(check(&specs).is_err(), "{file}: {text}");
            judge(&specs).unwrap();
        }
    }
    judge(&Specs::default()).unwrap();
}

/// How many faults there are, and that every format tells them in the room that so many need.
fn told(specs: &Specs) -> (usize, String) {
    let faults = check(specs).unwrap_err();
    let count = faults.list.len();
    let human = faults.render(Format::Human, false);
    assert!(human.len() < 200_000, "{} bytes for {count} faults", human.len());
    for format in [Format::Json, Format::Github] {
        let text = faults.render(format, false);
        assert_eq!(text.lines().count(), count);
        assert!(text.len() < count * 1500, "{} bytes for {count} faults", text.len());
    }
    (count, human)
}

#[test]
fn twenty_thousand_faults_are_told_in_bounded_work() {
    const MANY: usize = 20_000;
    for separator in [",", ",\n"] {
        // Unknown actions, on one line and on one each.
        let entry = |number: usize| format!("\"alarm_{number}\": []{separator}");
        let entries: String = (0..MANY).map(entry).collect();
        let mut specs = base();
        let text = specs.files["loop.json"].replacen("\"fields\": {", &format!("\"fields\": {{{entries}"), 1);
        specs.insert("loop.json", text.into_bytes());
        let (count, human) = told(&specs);
        assert_eq!((count, human.matches("error[").count()), (MANY, 60));
        assert!(human.contains("\n… and 19940 more"), "{}", &human[human.len() - 200..]);
        assert!(human.ends_with("20000 faults in the spec; `cargo spec explain RULE` tells more\n"));
    }
}

#[test]
fn thousands_of_actions_and_of_slips_in_them_are_told_in_bounded_work() {
    const MANY: usize = 5_000;
    let list = |name: &str, end: &str| -> String {
        (0..MANY).map(|number| format!("\"{name}_{number}\"{end}")).collect()
    };
    let mut specs = base();
    let text = specs.files["loop.json"]
        .replacen("\"actions\": [", &format!("\"actions\": [{}", list("action", ",")), 1)
        .replacen("\"fields\": {", &format!("\"fields\": {{{}", list("actoin", ": [\"body\"],")), 1)
        .replacen("\"required\": {", &format!("\"required\": {{{}", list("acton", ": [\"bdy\"],")), 1)
        .replacen("\"what\": {", &format!("\"what\": {{{}", list("field", ": \"x\",")), 1);
    specs.insert("loop.json", text.into_bytes());
    let text = specs.files["tools/phone_action.json"]
        .replacen("\"enum\": [", &format!("\"enum\": [{}", list("acting", ",")), 1)
        .replacen(
            "\"time\": {",
            &format!("{} \"time\": {{", list("propety", ": {\"tpye\": \"string\"},")),
            1,
        );
    specs.insert("tools/phone_action.json", text.into_bytes());
    let (count, _) = told(&specs);
    assert!(count > 6 * MANY, "{count}");
}

#[test]
fn a_fault_far_into_a_line_has_its_column() {
    let mut specs = base();
    let text = specs.files["loop.json"].replace('\n', " ").replace("clock_time", "clok_time");
    let column = text.split("\"clok_time").next().unwrap().chars().count() + 1;
    specs.insert("loop.json", text.into_bytes());
    let human = check(&specs).unwrap_err().render(Format::Human, false);
    assert!(human.contains(&format!("--> specs/loop.json:1:{column}\n")), "{human}");
    let coloured = check(&specs).unwrap_err().render(Format::Human, true);
    assert!(coloured.contains(&format!("specs/loop.json:1:{column}")), "{coloured}");
    let lines: Vec<_> = human.lines().take(3).collect();
    assert!(lines[1].starts_with(" --> ") && lines[2].trim() == "|", "{human}");
    assert!(human.contains("^^^^^^^^^^^ unknown kind") && human.len() < 1000, "{human}");
}

#[test]
fn a_blank_file_is_pointed_at_where_it_ends() {
    for (text, place) in [("", "1:1"), ("  ", "1:3"), ("  \n\n", "3:1"), ("\n \n  ", "3:3")] {
        let mut specs = base();
        specs.insert("loop.json", text.as_bytes().to_vec());
        let faults = check(&specs).unwrap_err();
        let human = faults.render(Format::Human, false);
        assert!(human.contains(&format!("--> specs/loop.json:{place}\n")), "{text:?}: {human}");
        let (line, column) = place.split_once(':').unwrap();
        let json = faults.render(Format::Json, false);
        assert!(json.contains(&format!("\"line\":{line},\"column\":{column},")), "{text:?}: {json}");
    }
}

#[test]
fn thousands_of_holes_in_one_text_have_their_places() {
    let mut specs = base();
    let holes = "\\u00e9 {{x}} ".repeat(20_000);
    let text = specs.files["loop.json"].replacen("\"Done.\"", &format!("\"{holes}\""), 1);
    specs.insert("loop.json", text.clone().into_bytes());
    let faults = check(&specs).unwrap_err();
    assert_eq!(faults.list.len(), 20_000);
    assert!(faults.list.iter().all(|fault| &text[fault.span.start..fault.span.end] == "{{x}}"));
    assert!(faults.render(Format::Human, false).len() < 200_000);
}

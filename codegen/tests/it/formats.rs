//! The three formats of the same faults.

use handset_codegen::{Format, check};

use crate::support::{edited, expect, path};

#[test]
fn several_faults_in_every_format() {
    let edit = std::fs::read_to_string(path("rules/several.two-files/edit.txt")).unwrap();
    let faults = check(&edited(&edit)).unwrap_err();
    // A cause before what may follow from it.
    let order = ["loop.json", "tools/phone_action.json", "conformance/phone.json"];
    let place = |file: &str| order.iter().position(|each| *each == file);
    let places: Vec<_> = faults.list.iter().map(|fault| (place(&fault.file), fault.span.start)).collect();
    assert!(places.is_sorted() && places.len() == 4, "{places:?}");
    for (format, file) in
        [(Format::Json, "formats/several.jsonl"), (Format::Github, "formats/several.github.txt")]
    {
        expect(&path(file), &faults.render(format, false)).unwrap_or_else(|message| panic!("{message}"));
    }
    for line in faults.render(Format::Json, false).lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["severity"], "error");
    }
    assert!(faults.render(Format::Human, true).contains("\u{1b}["));
    assert!(!faults.render(Format::Human, false).contains('\u{1b}'));
}

#[test]
fn github_escapes_what_it_must() {
    let edit = "loop.json\n- \"wait_seconds\"\n+ \"100%,\\nwait:seconds\"\n";
    let faults = check(&edited(edit)).unwrap_err();
    let text = faults.render(Format::Github, false);
    assert!(text.contains("`100%25,%0Await:seconds`"), "{text}");
    assert_eq!(text.lines().count(), faults.list.len());
}

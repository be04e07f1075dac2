//! Every kind of change has an example: an edit of the base spec (`edit.txt`; where there is a `before.txt`, of the base
//! spec with that edit), with the expected output beside it.

use std::collections::BTreeSet;
use std::path::Path;

use handset_codegen::diff::{Bump, Class, Side, compare, rules};
use handset_codegen::{Format, Specs};

use crate::support::{base, edited, expect, path};

/// The two sides of a folder's example.
fn sides(folder: &Path) -> (Side, Side) {
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
    (side(edited(&read("before.txt")), "HEAD:specs"), side(edited(&read("edit.txt")), "specs"))
}

fn side(specs: Specs, shown: &str) -> Side {
    Side::new(specs, shown).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Compares the base spec with an edit of it: the ids of the changes, the version's aside.
fn changes(edit: &str) -> Vec<&'static str> {
    let (old, new) = (side(base(), "old"), side(edited(edit), "new"));
    let changes = compare(&old, &new);
    let ids = changes.list.iter().map(|change| change.rule.id);
    ids.filter(|id| !id.starts_with("version-")).collect()
}

#[test]
fn every_example_gives_its_output() {
    let mut wrong = Vec::new();
    let mut shown = BTreeSet::new();
    let mut folders: Vec<_> =
        std::fs::read_dir(path("diff")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let (old, new) = sides(&folder);
        let changes = compare(&old, &new);
        let rule = name.split('.').next().unwrap();
        if rule != "several" && !changes.list.iter().any(|change| change.rule.id == rule) {
            wrong.push(format!(
                "{name}: {:?}",
                changes.list.iter().map(|change| change.rule.id).collect::<Vec<_>>()
            ));
        }
        shown.insert(rule.to_owned());
        wrong.extend(expect(&folder.join("expected.txt"), &changes.render(Format::Human, false)).err());
    }
    let without: Vec<_> = rules::all().map(|rule| rule.id).filter(|rule| !shown.contains(*rule)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(without.is_empty(), "kinds of changes without an example: {without:?}");
}

#[test]
fn every_kind_explains_itself() {
    let mut ids: BTreeSet<&str> = handset_codegen::rules::all().map(|rule| rule.id).collect();
    for rule in rules::all() {
        assert!(ids.insert(rule.id), "{} stands twice, or is a fault's too", rule.id);
        for text in [rule.summary, rule.why, rule.todo, rule.before, rule.after] {
            assert!(!text.trim().is_empty(), "{}", rule.id);
        }
        if rule.id.starts_with("version-") {
            continue;
        }
        // Who breaks a client asks for MAJOR, and what is free for no more than PATCH.
        assert_eq!(
            rule.class == Class::Client,
            rule.class == Class::Client && rule.bump == Bump::Major,
            "{}",
            rule.id
        );
        assert!(rule.class != Class::Stored || rule.bump >= Bump::Patch, "{}", rule.id);
        assert!(!matches!(rule.class, Class::Free | Class::Reads) || rule.bump <= Bump::Patch, "{}", rule.id);
    }
    assert!(rules::all().count() >= 25);
}

#[test]
fn four_classes_in_every_format() {
    let (old, new) = sides(&path("diff/several.four-classes"));
    let changes = compare(&old, &new);
    let classes: BTreeSet<Class> = changes.list.iter().map(|change| change.class).collect();
    assert_eq!(classes.into_iter().collect::<Vec<_>>(), Class::ALL);
    for (format, file) in [(Format::Json, "formats/diff.jsonl"), (Format::Github, "formats/diff.github.txt")]
    {
        expect(&path(file), &changes.render(format, false)).unwrap_or_else(|message| panic!("{message}"));
    }
    for line in changes.render(Format::Json, false).lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    assert!(changes.render(Format::Human, true).contains("\u{1b}["));
}

#[test]
fn the_same_spec_has_no_change_however_it_is_written() {
    let mut other = base();
    for text in other.files.values_mut() {
        *text = text
            .replace("\": ", "\" :\t")
            .replace("Done.", "\\u0044one.")
            .replace("max\" :\t86400", "max\" :\t864e2");
    }
    let (old, new) = (side(base(), "old"), side(other, "new"));
    let changes = compare(&old, &new);
    assert!(changes.list.is_empty() && changes.verdict.passes(), "{}", changes.render(Format::Human, false));
}

#[test]
fn the_version_decides_what_passes() {
    let verdict = |edit: &str| {
        let (old, new) = (side(base(), "old"), side(edited(edit), "new"));
        let verdict = compare(&old, &new).verdict;
        (verdict.passes(), verdict.asked, verdict.wanted().to_string())
    };
    let field_gone = "loop.json\n- \"alarm\": [\"time\", \"label\"]\n+ \"alarm\": [\"time\"]\n";
    let version = |text: &str| format!("- \"version\": \"3.6.0\"\n+ \"version\": \"{text}\"\n");
    assert_eq!(verdict(field_gone), (false, Bump::Major, "4.0.0".to_owned()));
    assert!(!verdict(&format!("{field_gone}{}", version("3.6.1"))).0);
    assert!(!verdict(&format!("{field_gone}{}", version("3.7.0"))).0);
    assert!(verdict(&format!("{field_gone}{}", version("4.0.0"))).0, "across a MAJOR too");
    let reworded = "loop.json\n- \"Declined.\"\n+ \"It was declined.\"\n";
    assert_eq!(verdict(reworded), (true, Bump::Patch, "3.6.1".to_owned()), "nothing breaks");
    assert!(!verdict(&format!("loop.json\n{}", version("3.5.9"))).0, "less than before");
}

#[test]
fn one_edit_is_one_change() {
    for (edit, expected) in [
        ("loop.json\n- \"a phone number\"\n+ \"a number\"\n", &["phrase-changed"][..]),
        ("loop.json\n- \"The demo.\"\n+ \"A demo.\"\n", &["person-text-changed"]),
        ("tools/phone_action.json\n- \"What it is for.\"\n+ \"What for.\"\n", &["field-description-changed"]),
        ("loop.json\n- \"min_digits\": 3\n+ \"min_digits\": 5\n", &["check-narrowed"]),
        (
            "loop.json\n- \"min\": 1, \"max\": 86400\n+ \"min\": 0, \"max\": 3600\n",
            &["check-narrowed", "check-widened"],
        ),
    ] {
        assert_eq!(changes(edit), expected, "{edit}");
    }
}

#[test]
fn p113_a_narrowed_knob_is_told_before_it_clamps_anybody() {
    let edit = "loop.json\n- \"extra_rings\": {\"default\": 10, \"min\": 0, \"max\": 60\n+ \"extra_rings\": {\"default\": 10, \"min\": 0, \"max\": 20\n";
    let (old, new) = (side(base(), "old"), side(edited(edit), "new"));
    let changes = compare(&old, &new);
    let narrowed = changes.list.iter().find(|change| change.rule.id == "knob-bounds-narrowed").unwrap();
    assert_eq!((narrowed.was.as_deref(), narrowed.now.as_deref()), (Some("max 60"), Some("max 20")));
    assert!(!changes.verdict.passes(), "and it does not pass without a number");
}

#[test]
fn a_thousand_actions_are_compared_in_bounded_work() {
    const MANY: usize = 1000;
    let grown = |prefix: &str| {
        let name = |number: usize| format!("{prefix}_{number}");
        let list: String = (0..MANY).map(|number| format!("\"{}\",", name(number))).collect();
        let fields: String = (0..MANY).map(|number| format!("\"{}\": [\"body\"],", name(number))).collect();
        let mut specs = base();
        let text = specs.files["loop.json"]
            .replacen("\"actions\": [", &format!("\"actions\": [{list}"), 1)
            .replacen("\"fields\": {", &format!("\"fields\": {{{fields}"), 1);
        specs.insert("loop.json", text.into_bytes());
        let text =
            specs.files["tools/phone_action.json"].replacen("\"enum\": [", &format!("\"enum\": [{list}"), 1);
        specs.insert("tools/phone_action.json", text.into_bytes());
        specs
    };
    let (old, new) = (side(grown("old"), "old"), side(grown("new"), "new"));
    let changes = compare(&old, &new);
    let count = |id: &str| changes.list.iter().filter(|change| change.rule.id == id).count();
    assert_eq!((count("action-removed"), count("action-added")), (MANY, MANY));
}

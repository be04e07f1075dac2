//! Every rule has an example: an edit of the base spec, with the expected output beside it.

use std::collections::BTreeSet;

use handset_codegen::{Format, check, rules};

use crate::support::{edited, expect, path};

#[test]
fn every_example_gives_its_output() {
    let mut wrong = Vec::new();
    let mut shown = BTreeSet::new();
    let mut folders: Vec<_> =
        std::fs::read_dir(path("rules")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let edit = std::fs::read_to_string(folder.join("edit.txt")).unwrap();
        let Err(faults) = check(&edited(&edit)) else {
            wrong.push(format!("{name}: no fault"));
            continue;
        };
        let rule = name.split('.').next().unwrap();
        shown.insert(rule.to_owned());
        // One fault a folder, but for those that show how several stand together.
        if rule != "several" {
            let found: Vec<_> = faults.list.iter().map(|fault| fault.rule.id).collect();
            if found != [rule] {
                wrong.push(format!("{name}: {found:?}"));
            }
        }
        wrong.extend(expect(&folder.join("expected.txt"), &faults.render(Format::Human, false)).err());
    }
    let without: Vec<_> = rules::all().map(|rule| rule.id).filter(|rule| !shown.contains(*rule)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(without.is_empty(), "rules without an example: {without:?}");
}

#[test]
fn every_rule_explains_itself() {
    let mut ids = BTreeSet::new();
    for rule in rules::all() {
        assert!(ids.insert(rule.id), "{} stands twice", rule.id);
        assert!(rule.id.split('-').all(
            |word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        ));
        for text in [rule.summary, rule.why, rule.mend, rule.bad, rule.good] {
            assert!(!text.trim().is_empty(), "{}", rule.id);
        }
        assert_eq!(rules::find(rule.id), Some(rule));
    }
}

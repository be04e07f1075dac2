//! Names are API. What the spec's names become is held here to the letter: a generator elsewhere mended its naming once,
//! and touched 1,300 files of those who used it.

use std::collections::BTreeSet;
use std::fmt::Write;

use handset_codegen::diff::{Side, compare};
use handset_codegen::model::Name;
use handset_codegen::{check, compile};

use crate::support::{base, edited, expect, path};

#[test]
fn what_names_become_changes_for_nobody() {
    let spec = check(&base()).unwrap();
    let mut names: Vec<Name> = ["a1_b2", "add_2", "x_y_z", "http_url", "sms_draft2", "i18n", "a"]
        .into_iter()
        .map(|name| Name::new(name).unwrap())
        .collect();
    names.extend(spec.phone.actions.iter().map(|action| action.name.clone()));
    names.extend(spec.phone.fields.iter().map(|field| field.name.clone()));
    names.extend(spec.markers.kinds.iter().map(|kind| kind.name.clone()));
    for section in &spec.numbers {
        names.extend(section.knobs.iter().map(|knob| knob.key.clone()));
        names.extend(section.constants.iter().map(|constant| constant.key.clone()));
    }
    let mut table =
        String::from("snake                camel                Pascal               SCREAMING\n");
    for name in names {
        let forms = [name.as_str().to_owned(), name.camel(), name.pascal(), name.screaming()];
        let line = forms.map(|form| format!("{form:20}")).join(" ");
        writeln!(table, "{}", line.trim_end()).unwrap();
    }
    expect(&path("formats/names.txt"), &table).unwrap_or_else(|message| {
        panic!("names are API, and every client has these; to change what they become breaks all of them\n{message}")
    });
}

#[test]
fn a_changed_name_breaks() {
    for (edit, rule) in [
        (
            "loop.json\n- \"sms_draft\", \"dial\"\n+ \"sms_draft2\", \"dial\"\n- \"sms_draft\": [\"to\"\n+ \"sms_draft2\": [\"to\"\n- \"sms_draft\": [[\n+ \"sms_draft2\": [[\ntools/phone_action.json\n- \"sms_draft\"\n+ \"sms_draft2\"\n",
            "action-renamed",
        ),
        (
            "loop.json\n- \"dial\": [\"number\"],\n-       \"navigate\"\n+ \"dial\": [\"number_2\"],\n+       \"navigate\"\n- \"dial\": [\"number\"]\n-     },\n+ \"dial\": [\"number_2\"]\n+     },\n- \"field\": \"number\"\n+ \"field\": \"number_2\"\n- \"number\": \"a phone\n+ \"number_2\": \"a phone\ntools/phone_action.json\n- \"number\":\n+ \"number_2\":\n",
            "field-renamed",
        ),
        ("tools/phone_action.json\n- \"walk\"\n+ \"on_foot\"\n", "value-removed"),
        ("loop.json\n- \"own\": \"A text\n+ \"own_2\": \"A text\n", "text-renamed"),
        ("loop.json\n- \"phone_actions\"\n+ \"phone_action\"\n", "capability-renamed"),
    ] {
        let (old, new) = (Side::new(base(), "old").unwrap(), Side::new(edited(edit), "new").unwrap());
        let changes = compare(&old, &new);
        let change = changes.list.iter().find(|change| change.rule.id == rule);
        assert!(change.is_some_and(|change| change.class.breaks()), "{rule}: {:?}", changes.list);
        assert!(!changes.verdict.passes(), "{rule}");
    }
}

/// What stands at the left edge of a reader's file and gives a name to something, each time that it does.
fn declared(source: &str) -> Vec<&str> {
    let starts = ["export function ", "function ", "const ", "def ", "class ", "import ", "from "];
    let mut names = Vec::new();
    for line in source.lines() {
        let Some(rest) = starts.iter().find_map(|start| line.strip_prefix(start)) else { continue };
        let of_names = match (line.starts_with("from "), line.starts_with("import ")) {
            (true, _) => rest.split_once(" import ").map_or("", |(_, names)| names),
            (_, true) => rest.split_once(" from ").map_or("", |(names, _)| names),
            _ => rest.split(['(', ' ', ':']).next().unwrap_or(""),
        };
        for name in of_names.split(',') {
            let name = name.rsplit(" as ").next().unwrap_or(name);
            names.push(name.trim_matches(|character: char| " {}()".contains(character)));
        }
    }
    names
}

/// An action `refusal` once stood in place of the TypeScript reader's own `refusal`, and `missing` of Python's.
#[test]
fn no_name_of_the_spec_meets_one_of_the_readers() {
    let files = ["clients/typescript/src/reader.js", "clients/python/src/handset_client/reader.py"];
    let renamed = |to: &str| {
        let mut specs = base();
        for text in specs.files.values_mut() {
            *text = text.replace("\"sms_draft\"", &format!("\"{to}\""));
        }
        compile(&specs)
    };
    let plain = compile(&base()).unwrap();
    let mut own: BTreeSet<String> = BTreeSet::new();
    for file in files {
        own.extend(declared(&plain[file]).into_iter().map(|name| {
            let mut snake = String::new();
            for character in name.trim_start_matches(['_', '$']).chars() {
                if character.is_ascii_uppercase() && !snake.is_empty() && name.contains(char::is_lowercase) {
                    snake.push('_');
                }
                snake.push(character.to_ascii_lowercase());
            }
            snake
        }));
    }
    assert!(own.contains("refusal") && own.contains("missing") && own.contains("take_spoiled"), "{own:?}");
    let mut tried = 0;
    for name in &own {
        // One that is refused meets nothing.
        let Ok(files_of_it) = renamed(name) else { continue };
        tried += 1;
        for file in files {
            let names = declared(&files_of_it[file]);
            let distinct: BTreeSet<_> = names.iter().collect();
            assert_eq!(distinct.len(), names.len(), "an action `{name}` in {file}: {names:?}");
        }
    }
    assert!(tried > 10, "{tried} of {own:?}");
}

//! The model that comes of a spec without a fault.

use handset_codegen::model::{Audience, Kind, Part, Shape};
use handset_codegen::{Specs, check, compile};

use crate::support::{base, edited, path};

#[test]
fn the_base_spec_becomes_the_model() {
    let spec = check(&base()).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(spec.version.to_string(), "3.6.0");
    let phone = &spec.phone;
    let fields: Vec<_> = phone.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(
        fields,
        ["time", "label", "seconds", "to", "body", "number", "mode"],
        "in the order of the properties"
    );
    let sms = &phone.actions[2];
    assert_eq!(
        sms.required[0].0.iter().map(|&id| phone.field(id).name.as_str()).collect::<Vec<_>>(),
        ["to", "body"]
    );
    assert!(phone.actions[5].fields.is_empty() && phone.actions[5].required.is_empty());
    assert_eq!(phone.fields[2].check.as_ref().unwrap().kind, Kind::Integer { min: 1, max: 86400 });
    assert_eq!((phone.fields[3].shape, phone.fields[1].check.is_none()), (Shape::Array, true));
    assert_eq!(
        phone.checks.iter().map(|&id| phone.field(id).name.as_str()).collect::<Vec<_>>(),
        ["time", "seconds", "to", "number", "mode"]
    );
    assert!(
        spec.tools[0].parameters.starts_with(r#"{"type":"object","properties":{"action":{"type":"string""#)
    );
}

#[test]
fn texts_are_cut_at_their_holes() {
    let spec = check(&base()).unwrap();
    let sections: Vec<_> = spec.texts.iter().map(|section| section.section.as_str()).collect();
    assert_eq!(
        sections,
        [
            "phone",
            "tools",
            "demo",
            "prompt",
            "gateway",
            "call",
            "escalation",
            "voice",
            "tone",
            "record",
            "reading",
            "settings",
            "page"
        ]
    );
    let bad = &spec.texts[0].texts[2];
    assert_eq!(
        bad.holes.iter().map(|hole| hole.as_str()).collect::<Vec<_>>(),
        ["action", "field", "what"],
        "the unused too"
    );
    let Audience::Model(template) = &bad.audience else { panic!("a model reads it") };
    assert_eq!(template.parts.len(), 4);
    assert_eq!(template.parts[1], Part::Literal(" must be ".to_owned()));
    let own = spec.texts[1].texts.last().unwrap();
    assert_eq!(own.holes.iter().map(|hole| hole.as_str()).collect::<Vec<_>>(), ["first", "second"]);
    let Audience::Person(wordings) = &spec.texts[2].texts[0].audience else { panic!("a person reads it") };
    assert_eq!(wordings.len(), 2);
}

#[test]
fn single_braces_are_text() {
    let spec = check(&edited("loop.json\n- \"Declined.\"\n+ \"{x} { y }} \\u007b {\"\n"));
    let faults = spec.unwrap_err();
    assert_eq!(faults.list.len(), 1, "only the double one: {faults}");
    assert!(check(&edited("loop.json\n- \"Declined.\"\n+ \"{x} { y } \\u007b {\"\n")).is_ok());
}

#[test]
fn a_new_action_is_an_edit_of_the_spec_alone() {
    let edit = "loop.json
- \"navigate\", \"stop_navigation\"]
+ \"navigate\", \"stop_navigation\", \"flash\"]
- \"stop_navigation\": []
+ \"stop_navigation\": [], \"flash\": [\"times\"]
- \"alarm\": [\"time\"],
+ \"alarm\": [\"time\"], \"flash\": [\"times\"],
- {\"field\": \"time\", \"is\": \"clock_time\"},
+ {\"field\": \"times\", \"is\": \"integer\", \"min\": 1, \"max\": 10.0}, {\"field\": \"time\", \"is\": \"clock_time\"},
- \"time\": \"a time as HH:MM\",
+ \"times\": \"1 to 10\", \"time\": \"a time as HH:MM\",
tools/phone_action.json
- \"navigate\", \"stop_navigation\"]
+ \"navigate\", \"stop_navigation\", \"flash\"]
- \"mode\": {\"type\"
+ \"times\": {\"type\": \"integer\", \"description\": \"How often.\"}, \"mode\": {\"type\"
";
    let spec = check(&edited(edit)).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(spec.phone.actions[6].name.as_str(), "flash");
    assert_eq!(spec.phone.field(spec.phone.checks[0]).name.as_str(), "times");
}

#[test]
fn the_same_spec_gives_the_same_bytes() {
    assert_eq!(compile(&base()).unwrap(), compile(&base()).unwrap());
}

/// One misspelled kind of marker once gave 119 faults, and the 60 that were shown named no line of loop.json.
#[test]
fn a_cause_is_told_before_what_follows_from_it_or_instead_of_it() {
    let mut specs = Specs::load(&path("../../specs")).unwrap();
    let text = specs.files.get_mut("loop.json").unwrap();
    *text = text.replacen("\"hangup\": {", "\"hang_up\": {", 1);
    let faults = check(&specs).unwrap_err();
    assert_eq!(faults.list[0].file, "loop.json");
    assert!(faults.list.len() < 5, "{faults}");
    assert!(faults.to_string().contains("did you mean `hangup`?"), "{faults}");
    let mut specs = base();
    for text in specs.files.values_mut() {
        *text = text.replacen('{', "{\"unheard_of\": 1,", 1);
    }
    let files: Vec<_> = check(&specs).unwrap_err().list.into_iter().map(|fault| fault.file).collect();
    let last = files.iter().rposition(|file| file.starts_with("tools/"));
    let first = files.iter().position(|file| file.starts_with("conformance/"));
    assert_eq!(files[0], "loop.json");
    assert!(last.is_some() && last < first, "{files:?}");
}

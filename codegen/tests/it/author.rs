//! `cargo spec new`: what is added, what is left alone, what is refused.

use handset_codegen::author::{Added, Refused, add};
use handset_codegen::{Format, Specs, check};

use crate::support::base;

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

fn added(specs: &Specs, line: &str) -> Added {
    add(specs, &words(line)).unwrap_or_else(|refused| panic!("{line}: {refused:?}"))
}

/// The specs with what was added.
fn with(specs: &Specs, added: &Added) -> Specs {
    let mut specs = specs.clone();
    for (file, text) in &added.files {
        specs.insert(file, text.clone().into_bytes());
    }
    specs
}

/// Whether every character of the one stands in the other, in its order: nothing was taken out and nothing moved.
fn only_added(before: &str, behind: &str) -> bool {
    let mut rest = behind.chars();
    before.chars().all(|wanted| rest.any(|found| found == wanted))
}

const LINES: [&str; 14] = [
    "action flash",
    "action flash times:integer=1..10 label?",
    "action open_door door:schema_enum=front,back,cellar_door code?:phone_number=4",
    "action meet starts:clock_time with_whom:non_empty_strings at_place?:place by?:places page?:http_url really?:boolean extra?:string_map day?:date_or_datetime days_on?:weekdays note?:text",
    "action write to|body",
    "knob call.snooze",
    "knob call.snooze minutes 5 1..30",
    "knob record.depth count -3 -5..5",
    "knob prompt.patience factor 1.5 0.5..2",
    "knob escalation.pause_at clock 14:30 12:00..18:00",
    "text demo.goodbye Bye. 再见。",
    "text tools.own_too",
    "marker-name dial 呼叫",
    "tool desk_action",
];

#[test]
fn what_is_added_compiles_and_nothing_else_changes() {
    for line in LINES {
        let specs = base();
        let added = added(&specs, line);
        assert!(!added.files.is_empty(), "{line}");
        for (file, text) in &added.files {
            if let Some(before) = specs.files.get(file) {
                assert!(only_added(before, text) && before != text, "{line}: {file}");
            }
        }
        let specs = with(&specs, &added);
        check(&specs).unwrap_or_else(|faults| panic!("{line}: {faults}"));
        // Each place that is to be worded is one.
        for wording in &added.wordings {
            let line_of = specs.files[&wording.file].lines().nth(wording.position.line - 1).unwrap();
            assert!(line_of.chars().count() >= wording.position.column, "{line}: {wording:?}");
        }
        assert!(matches!(add(&specs, &words(line)), Err(Refused::Request(_))), "{line}: a second time");
    }
}

#[test]
fn they_stand_beside_each_other() {
    let mut specs = base();
    for line in [
        "action one",
        "action two times:integer=1..2",
        "action three times",
        "knob call.one",
        "knob call.two hours",
        "marker-name dial x",
        "marker-name dial y",
    ] {
        specs = with(&specs, &added(&specs, line));
    }
    let spec = check(&specs).unwrap();
    let names: Vec<_> = spec.phone.actions.iter().rev().take(3).map(|action| action.name.as_str()).collect();
    assert_eq!(names, ["three", "two", "one"]);
    assert_eq!(spec.markers.kinds[0].names, ["dial", "拨号", "x", "y"]);
}

#[test]
fn the_layout_of_the_file_is_kept() {
    // Tabs, Windows' line ends, an element a line.
    let mut specs = base();
    let text = specs.files["loop.json"]
        .replace("[\"alarm\", \"timer\", \"sms_draft\", \"dial\", \"navigate\", \"stop_navigation\"]",
            "[\n      \"alarm\",\n      \"timer\",\n      \"sms_draft\",\n      \"dial\",\n      \"navigate\",\n      \"stop_navigation\"\n    ]")
        .replace("  ", "\t")
        .replace('\n', "\r\n");
    specs.insert("loop.json", text.into_bytes());
    let added = added(&specs, "action flash times:integer=1..10");
    let text = &added.files["loop.json"];
    assert!(text.contains("\"stop_navigation\",\r\n\t\t\t\"flash\"\r\n\t\t]"), "{text}");
    assert!(
        text.contains(",\r\n\t\t\t{\"field\": \"times\", \"is\": \"integer\", \"min\": 1, \"max\": 10}\r\n"),
        "{text}"
    );
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    // On one line where the neighbours are.
    assert!(added.files["tools/phone_action.json"].contains("\"navigate\", \"stop_navigation\", \"flash\"]"));
    check(&with(&specs, &added)).unwrap();
}

#[test]
fn cases_are_added_for_what_is_new() {
    let added = added(&base(), "action flash times:integer=1..10 label?");
    let cases = &added.files["conformance/phone.json"];
    for name in [
        "flash-at-its-least",
        "flash-with-every-field",
        "flash-without-times",
        "flash-with-less-than-the-least-in-times",
        "flash-with-more-than-the-most-in-times",
    ] {
        assert!(cases.contains(&format!("\"{name}\"")), "{name}: {cases}");
    }
    assert!(
        cases.contains(r#"{"refused": {"text": "missing", "action": "flash", "fields": "times"}}"#),
        "{cases}"
    );
    let whys: Vec<_> = added.wordings.iter().map(|wording| (&*wording.file, &*wording.why)).collect();
    assert!(whys.contains(&("loop.json", "the phrase completes “times must be …”")), "{whys:?}");
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    for (line, answer) in [
        ("action Open-App", "write `open_app`"),
        ("action OpenApp", "write `open_app`"),
        ("action class", "such as `class_action`"),
        ("action alarm", "such as `alarm_action`"),
        ("action a__b", "write `a_b`"),
        ("action 呼叫", "such as `open_app`"),
        ("action x class", "such as `class_name`"),
        ("action x summary", "such as `summary_name`"),
        ("action x time:clock_time", "a field already"),
        ("action x when:clok_time", "did you mean `clock_time`?"),
        ("action x n:integer", "`n:integer=MIN..MAX`"),
        ("action x n:integer=1-2", "`n:integer=MIN..MAX`"),
        ("action x n:boolean=1", "takes no bounds"),
        ("action x m:schema_enum", "needs its values"),
        ("action x m:schema_enum=On", "`On` cannot name a value"),
        ("action x to|body?", "never optional"),
        ("action", "has a name"),
        ("actoin x", "did you mean `action`?"),
        ("knob snooze", "write `SECTION.snooze`"),
        ("knob cal.x", "did you mean `call`?"),
        ("knob call.texts", "which is no knob"),
        ("knob call.ring_interval", "such as `ring_interval_value`"),
        ("knob call.x minuts", "did you mean `minutes`?"),
        ("knob call.x seconds soon", "write a number"),
        ("knob call.x seconds 5 10", "MIN..MAX"),
        ("text phone.done", "stand in: tools, demo"),
        ("text dmo.x", "did you mean `demo`?"),
        ("text demo.hello", "such as `hello_text`"),
        ("text demo.x a b c", "2 wordings"),
        ("marker-name dail x", "did you mean `dial`?"),
        ("marker-name dial DIAL", "known as `dial` already"),
        ("marker-name dial", "say the name"),
        ("tool phone_action", "such as `phone_action_action`"),
    ] {
        match add(&base(), &words(line)) {
            Err(Refused::Request(message)) => assert!(message.contains(answer), "{line}: {message}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn what_the_check_refuses_is_shown_as_it_would_be() {
    for (line, rule) in [
        ("action add2 x", None),
        ("action sms_draft2", None),
        ("action dial_1 x:integer=5..1", Some("reversed-bounds")),
        ("knob call.x seconds 5 10..20", Some("default-out-of-bounds")),
        ("marker-name dial [x]", Some("not-a-marker-name")),
        ("marker-name dial dnd:on:x", Some("colliding-marker-names")),
    ] {
        match (add(&base(), &words(line)), rule) {
            (Ok(_), None) => {}
            (Err(Refused::Behind(faults)), Some(rule)) => {
                assert!(faults.list.iter().any(|fault| fault.rule.id == rule), "{line}: {faults}");
                assert!(!faults.render(Format::Human, false).is_empty());
            }
            (other, _) => panic!("{line}: {other:?}"),
        }
    }
    let mut specs = base();
    specs.insert("loop.json", b"{".to_vec());
    assert!(matches!(add(&specs, &words("action x")), Err(Refused::Before(_))));
}

//! Faults that such systems showed in the field, as far as a call's reader meets them. Each is named by its number.

use handset_tests::second::{Json, Verdict};

use crate::compiled::read;

fn ok(json: &str) -> Vec<Verdict> {
    vec![Verdict::Ok(Json::parse(json).unwrap())]
}

/// The one refusal's sentence.
fn refused(arguments: &str) -> String {
    match read(arguments).as_slice() {
        [Verdict::Refused(sentence)] => sentence.clone(),
        other => panic!("{arguments} gives {other:?}"),
    }
}

#[test]
fn p001_empty_arguments_are_no_action_and_no_crash() {
    assert!(refused("").contains("alarm, timer"));
    assert_eq!(refused(""), refused("{}"));
    assert_eq!(refused("\"\""), refused("{}"), "the empty string, as JSON writes it");
}

#[test]
fn p003_null_arguments_are_empty_ones() {
    assert_eq!(refused("null"), refused("{}"));
}

#[test]
fn p007_a_number_as_text_is_refused_by_name() {
    let sentence = refused(r#"{"action":"timer","seconds":"300"}"#);
    assert!(sentence.contains("seconds") && sentence.contains("86400"), "{sentence}");
}

#[test]
fn p009_unused_fields_sent_as_null_are_absent() {
    let call = r#"{"action":"torch","summary":"On","time":null,"days":null,"on":true,"url":null}"#;
    assert_eq!(read(call), ok(r#"{"action":"torch","summary":"On","on":true}"#));
}

#[test]
fn p011_the_text_null_is_a_value() {
    assert!(refused(r#"{"action":"alarm","time":"null"}"#).contains("time"));
    assert!(refused(r#"{"action":"open_url","url":"null"}"#).contains("url"));
    assert!(refused(r#"{"action":"alarm","time":"07:30","days":["null"]}"#).contains("days"));
    let label = r#"{"action":"alarm","summary":"alarm","time":"07:30","label":"null"}"#;
    assert_eq!(read(label), ok(label), "free text is for the person to judge");
}

#[test]
fn p013_an_object_where_text_belongs_travels_as_given() {
    let call = r#"{"action":"sms_draft","summary":"Hi","body":{"text":"hi"}}"#;
    assert_eq!(read(call), ok(call));
}

#[test]
fn p023_a_call_cut_off_is_refused_whatever_was_said_of_it() {
    let call = r#"{"action":"alarm","time":"07:30"}"#;
    for (cut, _) in call.char_indices().skip(1) {
        assert_eq!(refused(&call[..cut]), "not_json", "{}", &call[..cut]);
    }
}

#[test]
fn p025_escapes_and_literal_text_are_equal() {
    let escaped = r#"{"action":"open_app","app":"\uc54c\ub78c \u95f9\u949f \ud83d\ude00"}"#;
    assert_eq!(read(escaped), read(r#"{"action":"open_app","app":"알람 闹钟 😀"}"#));
    assert_eq!(refused(r#"{"action":"open_app","app":"\ud83d"}"#), "lone_surrogate");
    assert_eq!(refused(r#"{"action":"open_app","app":"\ud83"}"#), "not_json");
}

#[test]
fn p031_a_zone_offset_is_refused_naming_the_field() {
    let call = r#"{"action":"calendar_event","title":"Dentist","start":"2027-01-15T09:00:00-05:00"}"#;
    assert!(refused(call).contains("start"));
}

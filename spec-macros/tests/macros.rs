//! What the macros make, and what they say of what they cannot make.

use handset_spec::Language;
use handset_spec_macros::text;

#[test]
fn a_text_is_the_specs() {
    let field = String::from("time");
    assert_eq!(
        text!(phone.bad, what = "a time", action = "alarm", field = &field),
        handset_spec::texts::phone::bad("alarm", "time", "a time")
    );
    assert_eq!(text!(phone.done), handset_spec::texts::phone::done());
    assert_ne!(text!(demo.hello in Language::En), text!(demo.hello in Language::Zh));
    assert!(text!(tools.not_json, at = 41).contains("41"));
}

#[test]
fn mistakes_are_errors_at_their_place() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

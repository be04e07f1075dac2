//! specs/conformance/phone.json, a test a case. A text is expected by its key and holes; its sentence is rendered from
//! loop.json here, by the second reading.

use std::io::Write;
use std::sync::LazyLock;

use handset_spec::phone::{self, Answer};
use handset_spec_macros::conformance;
use handset_tests::second::{Json, Spec, Verdict};

use crate::compiled;

static SPEC: LazyLock<Spec> = LazyLock::new(|| Spec::own().unwrap());

conformance!("phone", run);

/// The runner of the tests says only how many tests there were.
#[test]
fn the_number_of_cases_is_told() {
    // Past the capture that hides what a passing test prints.
    writeln!(std::io::stderr(), "conformance: {CASES} phone cases, each a test of its own").unwrap();
}

fn run(case: &str) {
    let case = Json::parse(case).unwrap();
    let expect = case.get("expect").unwrap();
    if let Some(call) = case.get("call") {
        let mut arguments = String::new();
        call.write(&mut arguments);
        read(&arguments, expect);
    } else if let Some(arguments) = case.get("arguments") {
        read(&arguments.as_text().unwrap(), expect);
    } else if let Some(answer) = case.get("answer") {
        assert_eq!(result(answer), expected_result(expect.get("result").unwrap()));
    } else {
        let holds = |key: &str| case.get(key) == Some(&Json::Bool(true));
        let unavailable =
            !handset::gateway::turn::available(holds("offered"), holds("capability"), holds("attended"));
        assert_eq!(expect.get("unavailable"), Some(&Json::Bool(unavailable)));
    }
}

fn read(arguments: &str, expect: &Json) {
    let verdicts = compiled::read(arguments);
    let expected = match expect.get("calls") {
        Some(Json::List(calls)) => calls.iter().map(expected_verdict).collect(),
        _ => vec![expected_verdict(expect)],
    };
    assert_eq!(verdicts, expected);
    for (verdict, expected) in verdicts.iter().zip(&expected) {
        if let (Verdict::Ok(call), Verdict::Ok(expected)) = (verdict, expected) {
            assert!(call.is_written_as(expected), "{call:?} is not written as {expected:?}");
        }
    }
    // The second reading has to agree, or it is no measure for the random calls.
    assert_eq!(SPEC.read(arguments), expected);
}

fn expected_verdict(expect: &Json) -> Verdict {
    if let Some(call) = expect.get("ok") {
        return Verdict::Ok(call.clone());
    }
    let refused = expect.get("refused").unwrap();
    let key = refused.get("text").and_then(Json::as_text).unwrap();
    if refused.get("section").is_some() {
        return Verdict::Refused(key);
    }
    let hole = |name: &str| refused.get(name).and_then(Json::as_text);
    let field = hole("field").unwrap_or_default();
    // What a case leaves out is what loop.json says anyway.
    let what = hole("what")
        .unwrap_or_else(|| SPEC.root["phone"]["what"][&field].as_str().unwrap_or_default().to_owned());
    let actions = hole("actions").unwrap_or_else(|| SPEC.actions().join(", "));
    let (action, fields) = (hole("action").unwrap_or_default(), hole("fields").unwrap_or_default());
    let holes = [
        ("actions", &*actions),
        ("action", &action),
        ("fields", &fields),
        ("field", &field),
        ("what", &what),
    ];
    Verdict::Refused(SPEC.text("phone", &key, &holes))
}

/// The result of an answer, as the compiled spec gives it.
fn result(answer: &Json) -> String {
    if matches!(answer, Json::Null) {
        return phone::no_answer().to_owned();
    }
    let text = |key: &str| answer.get(key).and_then(Json::as_text);
    Answer::read(&text("status").unwrap_or_default(), text("message").as_deref()).result()
}

fn expected_result(result: &Json) -> String {
    let status = SPEC.text("phone", &result.get("text").and_then(Json::as_text).unwrap(), &[]);
    match result.get("message").and_then(Json::as_text) {
        Some(message) => format!("{status}\n\n{}", SPEC.text("phone", "says", &[("message", &message)])),
        None => status,
    }
}

//! `handset try markers` on the conformance cases, against the second reading, and cut everywhere.

use std::process::Command;

use handset_tests::second::{Json, Spec};

use crate::binary;
use crate::process::run;

#[test]
fn the_conformance_cases_and_every_end_of_them() {
    let spec = Spec::own().unwrap();
    let cases =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/conformance/markers.json"));
    let Some(Json::List(cases)) = Json::parse(&cases.unwrap()).and_then(|suite| suite.get("cases").cloned())
    else {
        panic!("a suite holds cases");
    };
    let replies: Vec<String> =
        cases.iter().filter_map(|case| case.get("reply").and_then(Json::as_text)).collect();
    assert!(replies.len() > 300, "{} cases", replies.len());
    // A reply that was cut off is a reply too.
    let cut = replies.iter().filter(|reply| reply.len() < 300);
    let cut = cut.flat_map(|reply| reply.char_indices().map(|(at, _)| reply[..at].to_owned()));
    let replies: Vec<String> = replies.iter().cloned().chain(cut).collect();
    let input: String =
        replies.iter().map(|reply| serde_json::Value::from(reply.as_str()).to_string() + "\n").collect();
    let mut command = Command::new(binary::path());
    command.args(["try", "markers"]);
    let (status, output, errors) = run(command, Some(input.into_bytes()));
    assert!(status.success());
    assert_eq!(errors, "");
    assert_eq!(output.lines().count(), replies.len(), "a line for every reply and nothing else");
    for (reply, line) in replies.iter().zip(output.lines()) {
        let expected = spec.marked(reply);
        let markers: Vec<_> = expected
            .markers
            .iter()
            .map(|(kind, argument)| match argument {
                Some(argument) => serde_json::json!({"kind": kind, "argument": argument}),
                None => serde_json::json!({"kind": kind}),
            })
            .collect();
        let expected = serde_json::json!({"text": expected.text, "markers": markers});
        assert_eq!(serde_json::from_str::<serde_json::Value>(line).unwrap(), expected, "{reply:?}");
    }
}

//! `handset try phone` against the second reading of loop.json.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use handset_tests::second::{Json, Spec, Verdict, Writer};

use crate::binary;
use crate::process::run;

const CALLS: usize = 100_000;

#[test]
fn the_conformance_cases() {
    let spec = Spec::own().unwrap();
    let cases =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/conformance/phone.json"));
    let Some(Json::List(cases)) = Json::parse(&cases.unwrap()).and_then(|suite| suite.get("cases").cloned())
    else {
        panic!("a suite holds cases");
    };
    let arguments = cases.iter().filter_map(|case| match (case.get("call"), case.get("arguments")) {
        (Some(call), _) => {
            let mut text = String::new();
            call.write(&mut text);
            Some(text)
        }
        // A line break ends a line; such a case is run by the tests that need no lines.
        (None, Some(arguments)) => arguments.as_text().filter(|text| !text.contains('\n')),
        _ => None,
    });
    let arguments: Vec<String> = arguments.collect();
    assert!(arguments.len() > 200, "{} cases", arguments.len());
    compare(&spec, &arguments);
}

#[test]
fn a_hundred_thousand_random_calls() {
    let spec = Spec::own().unwrap();
    let mut writer = Writer::new(&spec, 3);
    let arguments: Vec<String> = std::iter::repeat_with(|| writer.arguments()).take(CALLS).collect();
    let a_second = compare(&spec, &arguments);
    // Past the capture that hides what a passing test prints.
    writeln!(std::io::stderr(), "try phone: {CALLS} random calls, {a_second:.0} a second in this build")
        .unwrap();
}

/// Gives the arguments to the process and compares what it writes, line by line; returns the calls a second.
fn compare(spec: &Spec, arguments: &[String]) -> f64 {
    let mut command = Command::new(binary::path());
    command.args(["try", "phone"]);
    let start = Instant::now();
    let (status, output, errors) = run(command, Some((arguments.join("\n") + "\n").into_bytes()));
    let elapsed = start.elapsed();
    assert!(status.success());
    assert_eq!(errors, "");
    let mut lines = output.lines();
    for text in arguments {
        for verdict in spec.read(text) {
            let line = lines.next().unwrap_or_else(|| panic!("no line for {text}"));
            assert!(says(spec, line, &verdict), "{text}\n{line}\ninstead of {verdict:?}");
        }
    }
    assert_eq!(lines.next(), None, "a line for every call and nothing else");
    arguments.len() as f64 / elapsed.as_secs_f64()
}

/// Whether a line says what the second reading says.
fn says(spec: &Spec, line: &str, verdict: &Verdict) -> bool {
    let line = Json::parse(line).unwrap();
    match verdict {
        Verdict::Ok(call) => line.get("ok") == Some(call),
        Verdict::Refused(text) => {
            let told = line.get("refused").and_then(Json::as_text).unwrap_or_default();
            told == *text || text.split(" or ").any(|key| spec.could_be("tools", key, &told))
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut command = Command::new(binary::path());
    let mut child = command
        .args(["try", "phone"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..100_000 {
        if stdin.write_all(b"{\"action\":\"torch\",\"on\":true}\n").is_err() {
            break;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(output.stderr, b"");
}

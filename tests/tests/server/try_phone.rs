//! `handset try phone` over the spec's conformance cases.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::binary;
use crate::process::run;

fn read(path: &str) -> Value {
    let path = format!("{}/../specs/{path}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The line that a verdict is written as; a refusal's sentence is the spec's text with its holes filled.
fn line(spec: &Value, verdict: &Value) -> Value {
    if let Some(call) = verdict.get("ok") {
        return json!({"ok": call});
    }
    let refused = &verdict["refused"];
    let section = refused["section"].as_str().unwrap_or("phone");
    let mut text = spec[section]["texts"][refused["text"].as_str().unwrap()].as_str().unwrap().to_owned();
    let actions: Vec<&str> =
        spec["phone"]["actions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let what = refused["field"].as_str().map(|field| spec["phone"]["what"][field].clone());
    let mut fill = |hole: &str, default: Option<String>| {
        let value = refused[hole].as_str().map(str::to_owned).or(default);
        text = text.replace(&format!("{{{{{hole}}}}}"), &value.unwrap_or_default());
    };
    fill("actions", Some(actions.join(", ")));
    fill("what", what.and_then(|what| what.as_str().map(str::to_owned)));
    for hole in ["action", "fields", "field"] {
        fill(hole, None);
    }
    json!({"refused": text})
}

fn phone() -> Command {
    let mut command = Command::new(binary::path());
    command.args(["try", "phone"]);
    command
}

#[test]
fn the_conformance_cases() {
    let (spec, cases) = (read("loop.json"), read("conformance/phone.json"));
    let (mut input, mut expected, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases["cases"].as_array().unwrap() {
        let arguments = match (case.get("call"), case["arguments"].as_str()) {
            (Some(call), _) => call.to_string(),
            // A line break ends a line; such a case is run by the tests that need no lines.
            (None, Some(arguments)) if !arguments.contains('\n') => arguments.to_owned(),
            _ => continue,
        };
        input.extend_from_slice(arguments.as_bytes());
        input.push(b'\n');
        let calls =
            case["expect"]["calls"].as_array().cloned().unwrap_or_else(|| vec![case["expect"].clone()]);
        for verdict in calls {
            expected.push(line(&spec, &verdict));
            names.push(case["name"].as_str().unwrap());
        }
    }
    let (status, output, errors) = run(phone(), Some(input));
    assert!(status.success());
    assert_eq!(errors, "");
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), expected.len());
    for ((line, expected), name) in lines.iter().zip(&expected).zip(names) {
        let line: Value = serde_json::from_str(line).unwrap();
        // `not_json` tells where reading stopped, which the cases leave open.
        let told = |value: &Value| {
            value["refused"].as_str().is_some_and(|text| {
                expected["refused"].as_str().is_some_and(|open| {
                    open.split_once("{{at}}")
                        .is_some_and(|(before, after)| text.starts_with(before) && text.ends_with(after))
                })
            })
        };
        assert!(line == *expected || told(&line), "{name}: {line} instead of {expected}");
    }
    assert!(lines.len() > 200, "{} cases", lines.len());
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child =
        phone().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
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

//! The reader beside its rivals, over one mixed set of passing and failing calls: `cargo bench -p handset-tests`.
//!
//! Every figure is the median over rounds in which the candidates take turns, so that a drift of the machine's speed
//! meets all of them; what counts is the ratio.

#![allow(clippy::expect_used, reason = "a benchmark without its rivals is none")]

mod equivalent;
mod rounds;

use std::hint::black_box;

use handset_spec::phone;
use handset_tests::second::{Spec, Writer};
use rounds::{Candidate, report};
use serde_json::Value;

const CALLS: usize = 2_000;

fn main() {
    let spec = Spec::own().expect("the specs of this repository are there");
    let mut writer = Writer::new(&spec, 7);
    let one = vec![
        r#"{"action":"alarm","summary":"Wake up","time":"07:30","days":["mon","tue","wed"],"label":"Work"}"#
            .to_owned(),
    ];
    let mixed: Vec<String> = std::iter::repeat_with(|| writer.call())
        // The rivals need text that serde_json reads.
        .filter(|call| serde_json::from_str::<Value>(call).is_ok())
        .take(CALLS)
        .collect();
    println!(
        "rivals: serde_json {}, jsonschema {} (no default features)\n",
        version("serde_json"),
        version("jsonschema")
    );
    for (name, calls) in [("one alarm", one), ("mixed calls", mixed)] {
        bench(&spec, name, &calls);
    }
}

fn bench(spec: &Spec, name: &str, calls: &[String]) {
    let values: Vec<Value> = calls.iter().filter_map(|call| serde_json::from_str(call).ok()).collect();
    let schema = jsonschema::validator_for(&equivalent::schema(spec)).expect("the equivalent schema is one");
    let (mut passed, mut alike) = (0, 0);
    for value in &values {
        phone::read_value(value, |call| {
            passed += usize::from(call.is_ok());
            alike += usize::from(call.is_ok() == schema.is_valid(value));
        });
    }
    let bytes: usize = calls.iter().map(String::len).sum();
    println!(
        "{name}: {} calls, {} bytes each, {passed} pass; the schema agrees on {alike}",
        calls.len(),
        bytes / calls.len()
    );
    report(
        "from bytes",
        calls.len(),
        vec![
            Candidate::new("reader: bytes to call or refusal, with its text", || {
                for call in calls {
                    phone::read(black_box(call.as_bytes()), |call| judge(&call));
                }
            }),
            Candidate::new("serde_json: bytes to Value", || {
                for call in calls {
                    drop(black_box(serde_json::from_slice::<Value>(black_box(call.as_bytes()))));
                }
            }),
            Candidate::new("serde_json to Value, then the reader", || {
                for call in calls {
                    if let Ok(value) = serde_json::from_slice::<Value>(black_box(call.as_bytes())) {
                        phone::read_value(&value, |call| judge(&call));
                    }
                }
            }),
        ],
    );
    report(
        "on a parsed value",
        calls.len(),
        vec![
            Candidate::new("reader: Value to call or refusal, with its text", || {
                for value in &values {
                    phone::read_value(black_box(value), |call| judge(&call));
                }
            }),
            Candidate::new("jsonschema is_valid", || {
                for value in &values {
                    black_box(schema.is_valid(black_box(value)));
                }
            }),
            Candidate::new("jsonschema iter_errors", || {
                for value in &values {
                    black_box(
                        schema
                            .iter_errors(black_box(value))
                            .map(|error| error.to_string().len())
                            .sum::<usize>(),
                    );
                }
            }),
        ],
    );
}

/// Uses a verdict as the server does: a refusal is only worth its sentence.
fn judge(call: &Result<phone::Call<'_>, phone::Refusal>) {
    match call {
        Ok(call) => drop(black_box(call)),
        Err(refusal) => drop(black_box(refusal.text())),
    }
}

/// The version of a package, as the lock file has it.
fn version(package: &str) -> String {
    let lock = include_str!("../../Cargo.lock");
    let entry = lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{package}\"\n")));
    let line = entry.and_then(|entry| entry.lines().find_map(|line| line.strip_prefix("version = ")));
    line.unwrap_or("?").trim_matches('"').to_owned()
}

//! The whole compile, from files to files, and how it grows with the spec: `cargo bench -p handset-codegen`.
//!
//! The spec of the repository first, files to files: read, compiled, and compared with what is generated, as `cargo spec
//! build` does. Then specs with more actions, in memory: the time an action should stay what it is. Every figure is the
//! median of rounds.

#![allow(clippy::expect_used, reason = "a benchmark without its specs is none")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use handset_codegen::sync::{Mode, sync};
use handset_codegen::value::Model;
use handset_codegen::{Specs, check, compile, emit};
use serde_json::{Map, Value, json};

const SIZES: [usize; 4] = [16, 250, 500, 1000];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate stands in the workspace");
    let specs = Specs::load(&root.join("specs")).expect("the specs of this repository are there");
    let whole = median(31, || {
        let specs = Specs::load(&root.join("specs")).expect("they are still there");
        let files = compile(&specs).expect("they are without a fault");
        black_box(sync(&root.join("generated"), &files, Mode::DryRun).expect("what is generated is there"));
    });
    let files = compile(&specs).expect("the specs are without a fault").len();
    println!("files to files, {files} files: {whole:.1} ms\n");

    println!("actions    check    model     emit    whole   an action   with a fault in each");
    for size in SIZES {
        let faulty = grown(&specs, size, "integr");
        let specs = grown(&specs, size, "integer");
        let rounds = if size > 100 { 5 } else { 21 };
        let spec = check(&specs).unwrap_or_else(|faults| unreachable!("{faults}"));
        let checked = median(rounds, || drop(black_box(check(&specs))));
        let model = median(rounds, || drop(black_box(Model::new(&spec).to_json())));
        let emitted = median(rounds, || drop(black_box(emit::emit(&spec))));
        let whole = median(rounds, || drop(black_box(compile(&specs))));
        let told = median(rounds, || {
            let faults = check(&faulty).expect_err("there are faults");
            black_box(faults.to_string());
        });
        let one = whole / size as f64;
        println!(
            "{size:7} {checked:6.1} ms {model:5.1} ms {emitted:5.1} ms {whole:5.1} ms {one:8.3} ms {told:12.1} ms"
        );
    }
}

/// The spec with so many actions: each of the new ones has a field of its own, which must be a number, and two that others
/// have.
fn grown(specs: &Specs, size: usize, kind: &str) -> Specs {
    let mut specs = specs.clone();
    let mut text = |file: &str, edit: &dyn Fn(&mut Value)| {
        let text = specs.files.get_mut(file).expect("the file is there");
        let mut value: Value = serde_json::from_str(text).expect("it is JSON");
        edit(&mut value);
        *text = serde_json::to_string_pretty(&value).expect("a value is JSON");
    };
    let names = |value: &Value| -> Vec<String> {
        let there = value.as_array().expect("a list").len();
        (there..size).map(|number| format!("act_{number}")).collect()
    };
    text("loop.json", &|value| {
        let phone = &mut value["phone"];
        for name in names(&phone["actions"]) {
            let own = format!("own_{name}");
            push(&mut phone["actions"], json!(name));
            object(&mut phone["fields"]).insert(name.clone(), json!([own, "label", "notes"]));
            object(&mut phone["required"]).insert(name, json!([own]));
            push(&mut phone["check"], json!({"field": own, "is": kind, "min": 1, "max": 100}));
            object(&mut phone["what"]).insert(own, json!("a whole number from 1 to 100"));
        }
    });
    text("tools/phone_action.json", &|value| {
        let properties = &mut value["parameters"]["properties"];
        for name in names(&properties["action"]["enum"]) {
            push(&mut properties["action"]["enum"], json!(name));
            let description = format!("For {name}: how much of it there is to be, a whole number.");
            object(properties)
                .insert(format!("own_{name}"), json!({"type": "integer", "description": description}));
        }
    });
    specs
}

fn push(list: &mut Value, entry: Value) {
    list.as_array_mut().expect("a list").push(entry);
}

fn object(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("an object")
}

/// Milliseconds.
fn median(rounds: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

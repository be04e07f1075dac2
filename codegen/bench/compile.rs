//! The whole compile, from files to files, and how it grows with the spec: `cargo bench -p handset-codegen`.
//!
//! The spec of the repository first, files to files: read, compiled, and compared with what is generated, as `cargo spec
//! build` does. Then specs with more actions, in memory: the time an action should stay what it is. Every figure is the
//! of many rounds.

#![allow(clippy::expect_used, reason = "a benchmark without its specs is none")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use handset_codegen::sync::{Mode, sync};
use handset_codegen::value::Model;
use handset_codegen::{Specs, check, compile, emit};
use serde_json::{Map, Value, json};

const SIZES: [usize; 4] = [16, 250, 500, 1000];

/// The command's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate stands in the workspace");
    let specs = Specs::load(&root.join("specs")).expect("the specs of this repository are there");
    let whole = measure(41, || {
        let specs = Specs::load(&root.join("specs")).expect("they are still there");
        let files = compile(&specs).expect("they are without a fault");
        black_box(sync(&root.join("generated"), &files, Mode::DryRun).expect("what is generated is there"));
    });
    let files = compile(&specs).expect("the specs are without a fault").len();
    println!(
        "files to files, {files} files: {:.1} ms, {:.1} ms of processors\n",
        whole.wall, whole.processor
    );

    println!("milliseconds of processors:");
    println!("actions    check    model     emit    whole   an action   a fault in each new action");
    for size in SIZES {
        let faulty = grown(&specs, size, "integr");
        let specs = grown(&specs, size, "integer");
        let rounds = if size > 100 { 7 } else { 41 };
        let spec = check(&specs).unwrap_or_else(|faults| unreachable!("{faults}"));
        let checked = measure(rounds, || drop(black_box(check(&specs)))).processor;
        let model = measure(rounds, || drop(black_box(Model::new(&spec).to_json()))).processor;
        let emitted = measure(rounds, || drop(black_box(emit::emit(&spec)))).processor;
        let whole = measure(rounds, || drop(black_box(compile(&specs)))).processor;
        let told = measure(rounds, || {
            black_box(check(&faulty).err().map(|faults| faults.to_string()));
        });
        let one = whole / size as f64;
        let told = told.processor;
        println!("{size:7} {checked:8.1} {model:8.1} {emitted:8.1} {whole:8.1} {one:11.3} {told:14.1}");
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

/// Milliseconds of one round.
struct Time {
    /// The median by the clock.
    wall: f64,
    /// The mean of what the processors did for it, all threads together, whatever else the machine does.
    processor: f64,
}

fn measure(rounds: usize, mut work: impl FnMut()) -> Time {
    work();
    let before = ticks();
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let wall = times[rounds / 2];
    let processor = before.zip(ticks()).map(|(before, after)| (after - before) * 10.0 / rounds as f64);
    Time { wall, processor: processor.unwrap_or(wall) }
}

/// Hundredths of a second that this process has run, where Linux says so.
fn ticks() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let rest = stat.rsplit_once(')')?.1;
    let numbers: Vec<f64> =
        rest.split_whitespace().skip(11).take(2).filter_map(|text| text.parse().ok()).collect();
    Some(numbers.iter().sum())
}

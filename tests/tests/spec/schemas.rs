//! The schemas under specs/schema say of the specs what an editor would say.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn specs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs")
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Every spec file with the schema that it names.
fn files() -> Vec<(PathBuf, Value, jsonschema::Validator)> {
    let mut paths = vec![specs().join("loop.json")];
    for folder in ["tools", "conformance"] {
        paths.extend(fs::read_dir(specs().join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    let with_schema = |path: PathBuf| {
        let value = json(&path);
        let schema = path.parent().unwrap().join(value["$schema"].as_str().unwrap());
        let schema = jsonschema::validator_for(&json(&schema)).unwrap();
        (path, value, schema)
    };
    paths.into_iter().map(with_schema).collect()
}

#[test]
fn every_spec_is_what_its_schema_says() {
    for (path, value, schema) in files() {
        let faults: Vec<_> =
            schema.iter_errors(&value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert!(faults.is_empty(), "{}: {}", path.display(), faults.join("\n"));
    }
}

#[test]
fn a_misspelt_key_is_marked_wherever_it_stands() {
    for (path, value, schema) in files() {
        for pointer in closed_objects(&path) {
            let mut broken = value.clone();
            let object = broken.pointer_mut(pointer).and_then(Value::as_object_mut);
            object
                .unwrap_or_else(|| panic!("{} has {pointer}", path.display()))
                .insert("misspelt".to_owned(), "1".into());
            assert!(!schema.is_valid(&broken), "{}: {pointer}", path.display());
        }
    }
}

fn closed_objects(path: &Path) -> &'static [&'static str] {
    match path.file_name().and_then(|name| name.to_str()) {
        Some("loop.json") => &[
            "",
            "/phone",
            "/phone/check/0",
            "/phone/check/2",
            "/phone/texts",
            "/markers",
            "/markers/kinds",
            "/markers/kinds/dial",
            "/tools",
            "/prompt",
            "/gateway",
            "/demo",
            "/call",
            "/escalation/texts",
            "/voice/soft_volume",
            "/record",
            "/settings",
        ],
        Some("phone_action.json") => &["", "/parameters", "/parameters/properties/time"],
        Some("markers.json") => &["", "/cases/0", "/cases/0/expect", "/cases/4/expect/markers/0"],
        _ => &["", "/cases/0", "/cases/0/expect"],
    }
}

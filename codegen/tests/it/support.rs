//! The base spec, edits of it, and expected outputs beside them.

use std::path::{Path, PathBuf};

use handset_codegen::Specs;

/// A path below `codegen/tests`.
pub(crate) fn path(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(below)
}

/// The small spec without a fault that every example edits.
pub(crate) fn base() -> Specs {
    Specs::load(&path("base/specs")).unwrap()
}

/// The base spec with the edits of a text:
///
/// ```text
/// loop.json
/// - what stands there, exactly once
/// + what stands there instead
/// tools/phone_action.json: removed
/// tools/desk_action.json: added
/// + its text
/// ```
///
/// Several `-` or `+` lines in a row are one text of several lines; `\xE9` is that byte.
pub(crate) fn edited(edits: &str) -> Specs {
    let mut specs = base();
    let mut file = String::new();
    let mut lines = edits.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(removed) = line.strip_suffix(": removed") {
            assert!(specs.files.remove(removed).is_some(), "there is no {removed}");
            continue;
        }
        if let Some(added) = line.strip_suffix(": added") {
            let mut text = String::new();
            while let Some(line) = lines.next_if(|line| line.starts_with("+ ")) {
                text.push_str(&line[2..]);
                text.push('\n');
            }
            specs.insert(added, text.into_bytes());
            continue;
        }
        let Some(first) = line.strip_prefix("- ") else {
            file = line.to_owned();
            continue;
        };
        let (mut before, mut after) = (vec![first], Vec::new());
        while let Some(line) = lines.next_if(|line| line.starts_with("- ")) {
            before.push(&line[2..]);
        }
        while let Some(line) = lines.next_if(|line| line.starts_with("+ ")) {
            after.push(&line[2..]);
        }
        let (before, after) = (before.join("\n"), after.join("\n"));
        let text = &specs.files[&file];
        assert_eq!(text.matches(&before).count(), 1, "{before:?} must stand once in {file}");
        let bytes = bytes(&text.replace(&before, &after));
        specs.insert(&file, bytes);
    }
    specs
}

fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut parts = text.split("\\x");
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(part[2..].bytes());
    }
    bytes
}

/// Compares with an expected output; `UPDATE_EXPECT=1` writes it instead.
pub(crate) fn expect(file: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, actual).unwrap();
        return Ok(());
    }
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    Err(format!(
        "{}\n--- expected\n{expected}\n--- actual\n{actual}\n(UPDATE_EXPECT=1 rewrites it)",
        file.display()
    ))
}

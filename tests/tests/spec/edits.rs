//! The compiler after edits nobody thought of: a copy of it compiles a randomly edited spec, and what it makes reads
//! random calls as the second reading of the same edited spec does.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use handset_tests::second::{Json, Random, Spec, Verdict, Writer};

use crate::differential::agree;

const EDITS: u64 = 3;
const CALLS: usize = 20_000;

#[test]
fn after_random_edits_of_the_spec_the_two_readings_agree() {
    let copy = copy_workspace();
    for seed in 1..=EDITS {
        let mut spec = Spec::own().unwrap();
        spec.edit(&mut Random::new(seed));
        write(&copy.join("specs/loop.json"), format!("{:#}", spec.root));
        write(&copy.join("specs/tools/phone_action.json"), format!("{:#}", spec.tool));
        let mut writer = Writer::new(&spec, seed);
        let calls: Vec<String> = std::iter::repeat_with(|| writer.arguments()).take(CALLS).collect();
        let verdicts = compile_and_read(&copy, &calls);
        for (call, first) in calls.iter().zip(verdicts) {
            let second = spec.read(call);
            assert!(agree(&first, &second), "edit {seed}: {call}\ncompiled: {first:?}\nsecond:   {second:?}");
        }
    }
    a_stale_file_fails_the_build_in_ci(&copy);
    bounds_and_a_sentence_follow_the_spec(&copy);
}

/// Document 2's table is what one couple chose. Whoever chooses otherwise edits JSON: bounds, a default, a sentence, a knob that
/// was not there. The typed settings, their form and the text follow.
fn bounds_and_a_sentence_follow_the_spec(copy: &Path) {
    let own = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/loop.json")).unwrap();
    let mut spec: serde_json::Value = serde_json::from_str(&own).unwrap();
    let interval = &mut spec["call"]["ring_interval"];
    (interval["default"], interval["min"], interval["max"]) = (6.into(), 5.into(), 90.into());
    spec["call"]["texts"]["missed"]["en"] = "📞 Missed call\nA voice from home: {{reason}}".into();
    spec["voice"]["echo_limit"] = 3.into();
    spec["voice"]["echo"] = serde_json::json!({"default": 1, "min": 0, "max": 4, "unit": "count",
        "label": {"en": "Echo", "zh": "回声"}, "help": {"en": "How often.", "zh": "几次。"}});
    write(&copy.join("specs/loop.json"), format!("{spec:#}"));
    write(&copy.join("specs/tools/phone_action.json"), {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/tools/phone_action.json")).unwrap()
    });
    write(&copy.join("reader/src/main.rs"), SETTINGS);
    let output = cargo(copy, "run").env("HANDSET_GENERATED", "write").output().unwrap();
    write(&copy.join("reader/src/main.rs"), READER);
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        told.lines().collect::<Vec<_>>(),
        [
            "6s 1 3",
            "90s 4",
            r#"[{"path":"call.ring_interval","given":100,"used":90,"min":5,"max":90},{"path":"voice.echo","given":9,"used":4,"min":0,"max":4}]"#,
            r#"{"call":{"ring_interval":90},"voice":{"echo":4}}"#,
            "true",
            "📞 Missed call",
            "A voice from home: the moon is out",
        ],
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Uses the settings as the runtime does.
const SETTINGS: &str = r#"
use handset_spec::settings::{Settings, voice};

fn main() {
    let settings = Settings::default();
    println!("{:?} {} {}", settings.call.ring_interval, settings.voice.echo, voice::ECHO_LIMIT);
    let change = serde_json::json!({"call": {"ring_interval": 100}, "voice": {"echo": 9}});
    let patched = settings.patched(&change).unwrap();
    println!("{:?} {}", patched.settings.call.ring_interval, patched.settings.voice.echo);
    println!("{}", serde_json::to_string(&patched.clamped).unwrap());
    println!("{}", patched.settings.to_stored());
    println!("{}", Settings::form().to_string().contains("回声"));
    println!("{}", handset_spec::texts::call::missed(handset_spec::Language::En, "the moon is out"));
}
"#;

/// In the same copy, since only one build at a time can have it.
fn a_stale_file_fails_the_build_in_ci(copy: &Path) {
    let stale = copy.join("generated/src/phone/limits.rs");
    write(&stale, fs::read_to_string(&stale).unwrap().replace("500", "501"));
    let output = cargo(copy, "run").env("CI", "true").env_remove("HANDSET_GENERATED").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    for told in ["generated/src/phone/limits.rs", "cargo spec build"] {
        assert!(errors.contains(told), "{errors}");
    }
}

/// The compiler, its crate and the specs in a workspace of their own, with a program that reads calls.
fn copy_workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spec-edits");
    for folder in ["codegen", "generated", "specs"] {
        // Only what a build reads, so that unchanged files keep their times and the next run is a short one.
        copy_tree(&root.join(folder), &copy.join(folder));
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let lines = manifest.lines().map(|line| match line.split(' ').next() {
        Some("members") => "members = [\"codegen\", \"generated\", \"reader\"]",
        Some("default-members") => "",
        _ => line,
    });
    write(&copy.join("Cargo.toml"), lines.collect::<Vec<_>>().join("\n"));
    // Cargo drops from its copy what this workspace does not need: an own one would be written at every start.
    if !copy.join("Cargo.lock").exists() {
        write(&copy.join("Cargo.lock"), fs::read(root.join("Cargo.lock")).unwrap());
    }
    write(
        &copy.join("reader/Cargo.toml"),
        "[package]\nname = \"reader\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nhandset-spec.workspace = true\nserde_json.workspace = true\n",
    );
    write(&copy.join("reader/src/main.rs"), READER);
    copy
}

/// Answers a line with as many lines as it has calls, and an empty one.
const READER: &str = r#"
use std::io::{BufRead, Write, stdin, stdout};

fn main() {
    let mut out = std::io::BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        handset_spec::phone::read(line.unwrap().as_bytes(), |call| {
            match call {
                Ok(call) => writeln!(out, "ok {}", call.to_json()),
                Err(refusal) => writeln!(out, "no {} {}", refusal.key(), serde_json::to_string(&refusal.text()).unwrap()),
            }
            .unwrap();
        });
        writeln!(out).unwrap();
    }
}
"#;

fn compile_and_read(copy: &Path, calls: &[String]) -> Vec<Vec<Verdict>> {
    let mut child = cargo(copy, "run")
        // The copy's generated files are there to be rewritten, in CI too.
        .env("HANDSET_GENERATED", "write")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = calls.join("\n") + "\n";
    let feed = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the edited spec does not compile: see above");
    feed.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut verdicts = vec![Vec::new()];
    for line in text.lines() {
        match line.split_once(' ') {
            None => verdicts.push(Vec::new()),
            Some((kind, rest)) => verdicts.last_mut().unwrap().push(verdict(kind, rest)),
        }
    }
    verdicts
}

fn cargo(copy: &Path, what: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args([what, "--quiet", "--offline", "--package", "reader"]);
    command.current_dir(copy).env("CARGO_TARGET_DIR", copy.join("target"));
    command
}

fn verdict(kind: &str, rest: &str) -> Verdict {
    if kind == "ok" {
        return Verdict::Ok(Json::parse(rest).unwrap());
    }
    let (key, sentence) = rest.split_once(' ').unwrap();
    let of_the_phone = ["unknown_action", "missing", "bad"].contains(&key);
    Verdict::Refused(if of_the_phone { serde_json::from_str(sentence).unwrap() } else { key.to_owned() })
}

fn copy_tree(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            write(&target, fs::read(entry.path()).unwrap());
        }
    }
}

/// Writes what differs.
fn write(path: &Path, content: impl AsRef<[u8]>) {
    if fs::read(path).is_ok_and(|there| there == content.as_ref()) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

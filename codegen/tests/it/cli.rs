//! The command line, through its writers.

use std::path::Path;

use handset_codegen::cli::{Surroundings, run};
use handset_codegen::diff;

use crate::support::path;

/// Exit code, standard output, standard error.
fn spec(directory: &Path, arguments: &[&str]) -> (u8, String, String) {
    let arguments: Vec<_> = arguments.iter().map(|&text| text.to_owned()).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut around =
        Surroundings { directory: directory.to_owned(), out: &mut out, err: &mut err, colour: false };
    let code = run(&arguments, &mut around).unwrap();
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// A workspace with the base spec.
fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["loop.json", "tools/phone_action.json", "conformance/phone.json"] {
        let to = folder.path().join("specs").join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(path("base/specs").join(file), to).unwrap();
    }
    folder
}

fn edit(root: &Path, before: &str, after: &str) {
    let file = root.join("specs/loop.json");
    let text = std::fs::read_to_string(&file).unwrap().replace(before, after);
    std::fs::write(file, text).unwrap();
}

#[cfg(unix)]
#[test]
fn a_pipe_among_the_specs_is_told_of_and_not_waited_for() {
    let folder = workspace();
    let pipe = folder.path().join("specs/tools/pipe.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (code, _, err) = spec(folder.path(), &["check"]);
    assert_eq!(code, 2);
    assert!(err.contains("pipe.json: this is no regular file"), "{err}");
}

#[test]
fn builds_checks_and_says_so() {
    let folder = workspace();
    let deep = folder.path().join("specs/tools");
    let (code, out, err) = spec(&deep, &["check"]);
    assert_eq!((code, &*err), (0, ""));
    assert!(out.starts_with("3 spec files without a fault ("), "{out}");

    let (code, out, _) = spec(folder.path(), &["build", "--dry-run"]);
    assert_eq!(code, 0);
    assert!(!folder.path().join("generated").exists(), "{out}");
    let (code, out, _) = spec(folder.path(), &["build"]);
    assert_eq!(code, 0);
    assert!(
        out.lines().all(|line| line.starts_with("wrote generated/") || line.contains("files unchanged (")),
        "{out}"
    );
    let (code, out, _) = spec(folder.path(), &["build", "--check"]);
    assert!(code == 0 && out.contains("unchanged ("), "{out}");

    edit(folder.path(), "Declined.", "It was declined.");
    let (code, _, err) = spec(folder.path(), &["build", "--check"]);
    assert_eq!(code, 1);
    assert!(err.contains("stale: generated/") && err.contains("`cargo spec build`"), "{err}");
    let (code, out, _) = spec(folder.path(), &["build"]);
    assert!(code == 0 && out.contains("wrote generated/"), "{out}");
    assert_eq!(spec(folder.path(), &["build", "--check"]).0, 0);
}

#[test]
fn faults_go_to_the_writer_of_their_format() {
    let folder = workspace();
    edit(folder.path(), "clock_time", "clok_time");
    let (code, out, err) = spec(folder.path(), &["build"]);
    assert_eq!((code, &*out), (1, ""));
    assert!(
        err.contains("error[unknown-kind]")
            && err.contains("specs/loop.json:24:31")
            && err.contains("`clock_time`"),
        "{err}"
    );
    assert!(!folder.path().join("generated").exists());
    let (code, out, err) = spec(folder.path(), &["check", "--format=json"]);
    assert_eq!((code, &*err), (1, ""));
    assert!(out.starts_with("{\"rule\":\"unknown-kind\""), "{out}");
    let (_, out, _) = spec(folder.path(), &["check", "--format", "github"]);
    assert!(out.starts_with("::error file=specs/loop.json,line=24,col=31,endColumn="), "{out}");
}

#[test]
fn explains_rules() {
    let nowhere = tempfile::tempdir().unwrap();
    let (code, all, _) = spec(nowhere.path(), &["explain"]);
    assert!(
        code == 0
            && all.lines().count() == handset_codegen::rules::all().count() + diff::rules::all().count()
    );
    let (code, text, _) = spec(nowhere.path(), &["explain", "unknown-kind"]);
    assert!(code == 0 && text.contains("Why:") && text.contains("How to mend it:"), "{text}");
    let (code, _, err) = spec(nowhere.path(), &["explain", "unknwon-kind"]);
    assert!(code == 2 && err.contains("did you mean `unknown-kind`?"), "{err}");
}

#[test]
fn a_slip_on_the_command_line_is_answered_with_the_nearest() {
    let nowhere = tempfile::tempdir().unwrap();
    for (arguments, answer) in [
        (&["chekc"][..], "did you mean `check`?"),
        (&["check", "--fromat", "json"], "did you mean `--format`?"),
        (&["check", "--format", "jsn"], "did you mean `json`?"),
        (&["check", "--format"], "needs a value"),
        (&["check", "--dry-run"], "belongs to `build` and `emit`"),
        (&["build", "--check", "--dry-run"], "exclude each other"),
        (&["emit", "--out", "x"], "needs `--templates DIR`"),
        (&["build", "--out", "x"], "`--out` belongs to `emit`"),
        (&["build", "now"], "one word too many"),
        (&[], "say what to do"),
        (&["check"], "no specs/loop.json"),
    ] {
        let (code, out, err) = spec(nowhere.path(), arguments);
        assert_eq!((code, &*out), (2, ""), "{arguments:?}");
        assert!(err.contains(answer), "{arguments:?}: {err}");
    }
    assert!(spec(nowhere.path(), &["--help"]).1.contains("exit codes"));
    assert!(spec(nowhere.path(), &["-V"]).1.starts_with("cargo-spec "));
}

#[test]
fn files_are_shown_below_the_folder_that_was_given() {
    let folder = workspace();
    edit(folder.path(), "clock_time", "clok_time");
    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::rename(folder.path().join("specs"), folder.path().join("other/mine")).unwrap();
    let whole = folder.path().join("other/mine");
    for (directory, given, shown) in [
        ("", "other/mine", "other/mine/loop.json:24"),
        ("", "./other/mine/", "other/mine/loop.json:24"),
        ("", whole.to_str().unwrap(), "other/mine/loop.json:24"),
        ("other/mine", ".", "loop.json:24"),
        ("other/mine/tools", "..", "../loop.json:24"),
    ] {
        let directory = folder.path().join(directory);
        let (code, _, err) = spec(&directory, &["check", "--specs", given]);
        assert_eq!(code, 1);
        assert!(err.contains(&format!("--> {shown}")), "{given}: {err}");
    }
    let (_, out, _) = spec(folder.path(), &["check", "--specs=other/mine", "--format=github"]);
    assert!(out.starts_with("::error file=other/mine/loop.json,"), "{out}");
    let (_, out, _) = spec(folder.path(), &["check", "--specs=other/mine", "--format=json"]);
    assert!(out.contains("\"file\":\"other/mine/loop.json\""), "{out}");
}

#[test]
fn what_is_generated_is_shown_beside_the_folder_that_was_given() {
    let folder = workspace();
    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::rename(folder.path().join("specs"), folder.path().join("other/mine")).unwrap();
    let (code, out, err) = spec(folder.path(), &["build", "--specs", "other/mine"]);
    assert!(code == 0 && out.starts_with("wrote other/generated/"), "{out}{err}");
    assert!(folder.path().join("other/generated").is_dir());
}

#[test]
fn a_folder_that_cannot_be_the_specs_is_named() {
    let folder = workspace();
    let root = folder.path();
    let (code, _, err) = spec(root, &["check", "--specs", "nowhere"]);
    assert!(code == 2 && err.contains("nowhere: there is no such folder"), "{err}");
    let (code, _, err) = spec(root, &["check", "--specs", "specs/loop.json"]);
    assert!(code == 2 && err.contains("specs/loop.json: this is no folder"), "{err}");
    std::fs::remove_file(root.join("specs/loop.json")).unwrap();
    std::fs::create_dir(root.join("specs/loop.json")).unwrap();
    for arguments in [&["check"][..], &["check", "--specs", "specs"]] {
        let (code, _, err) = spec(root, arguments);
        assert!(code == 2 && err.contains("specs/loop.json: this is a folder, and must be a file"), "{err}");
    }
}

#[test]
fn what_is_new_is_written_and_told() {
    let folder = workspace();
    let (code, out, err) = spec(folder.path(), &["new", "action", "flash", "times:integer=1..10"]);
    assert_eq!((code, &*err), (0, ""));
    for line in [
        "added the action `flash`",
        "wrote specs/conformance/phone.json",
        "wrote specs/loop.json",
        "wrote specs/tools/phone_action.json",
        "  specs/loop.json:39:7: the phrase completes “times must be …”",
    ] {
        assert!(out.lines().any(|found| found == line), "{line}: {out}");
    }
    assert_eq!(spec(folder.path(), &["check"]).0, 0);
    let before = std::fs::read_to_string(folder.path().join("specs/loop.json")).unwrap();
    let (code, out, err) = spec(folder.path(), &["new", "knob", "call.x", "seconds", "5", "-5..20"]);
    assert_eq!((code, &*out), (2, ""));
    assert!(err.contains("no-length-of-time") && err.contains("nothing was changed"), "{err}");
    assert_eq!(std::fs::read_to_string(folder.path().join("specs/loop.json")).unwrap(), before);
}

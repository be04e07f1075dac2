//! `cargo spec diff` as a process, over real folders and a real git.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::path;

/// A folder with the base spec under `specs/`.
fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&path("base/specs"), &folder.path().join("specs"));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn edit(root: &Path, before: &str, after: &str) {
    let file = root.join("specs/loop.json");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(before), "{before}");
    std::fs::write(file, text.replace(before, after)).unwrap();
}

fn git(root: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"])
        .arg("-C")
        .arg(root)
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("this test needs git (Debian: apt-get install git)");
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A repository whose first commit, tagged `first`, has the base spec.
fn repository() -> tempfile::TempDir {
    let folder = workspace();
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "The base spec"]);
    git(folder.path(), &["tag", "first"]);
    folder
}

fn spec(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    told(command(directory, arguments).output().unwrap())
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-spec"));
    command.args(arguments).current_dir(directory).env("NO_COLOR", "1");
    command
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

const REMOVED: (&str, &str) = ("\"timer\": [\"seconds\", \"label\"]", "\"timer\": [\"seconds\"]");

#[test]
fn head_is_what_the_spec_is_compared_with() {
    let folder = repository();
    let root = folder.path();
    let (code, out, err) = spec(root, &["diff"]);
    assert_eq!((code, &*err), (0, ""), "{out}");
    assert!(out.starts_with("no change\n"), "{out}");

    edit(root, REMOVED.0, REMOVED.1);
    let (code, out, err) = spec(&root.join("specs/tools"), &["diff"]);
    assert_eq!((code, &*err), (1, ""), "{out}");
    assert!(out.contains("--> HEAD:specs/loop.json:11:28 at /phone/fields/timer/1, as it was"), "{out}");
    // The version says so: it passes.
    edit(root, "\"3.6.0\"", "\"4.0.0\"");
    let (code, _, err) = spec(root, &["diff"]);
    assert!(code == 0 && err.contains("the old spec is version 3.6.0 and this is 4.0.0"), "{err}");
    edit(root, "\"4.0.0\"", "\"3.6.0\"");
    git(root, &["commit", "-q", "-a", "-m", "A field less"]);
    assert_eq!(spec(root, &["diff"]).0, 0);
    for old in ["first", "HEAD~1", "HEAD^"] {
        let (code, out, _) = spec(root, &["diff", "--against", old, "--format=json"]);
        assert!(code == 1 && out.contains(&format!("\"file\":\"{old}:specs/loop.json\"")), "{out}");
    }
}

/// A compiler that asks for one text more must be able to compare with the spec before.
#[test]
fn an_old_spec_may_lack_what_only_this_compiler_asks_for() {
    let folder = repository();
    let root = folder.path();
    let test_ring = "      \"test_ring\": {\"en\": \"Test_ring.\", \"zh\": \"好。\"},\n";
    edit(root, test_ring, "");
    git(root, &["commit", "-q", "-a", "-m", "As it was"]);
    edit(root, "      \"last_ring\"", &format!("{test_ring}      \"last_ring\""));
    let (code, out, err) = spec(root, &["diff"]);
    assert_eq!((code, &*err), (0, ""), "{out}");
    assert!(out.contains("text-added: there is a new text: `call.test_ring`"), "{out}");
    // The spec as it is has to have it.
    edit(root, test_ring, "");
    let (code, _, err) = spec(root, &["diff"]);
    assert!(code == 1 && err.contains("error[missing-text]"), "{err}");
}

#[test]
fn a_folder_is_what_the_spec_is_compared_with() {
    let (old, new) = (workspace(), workspace());
    edit(new.path(), REMOVED.0, REMOVED.1);
    for given in [old.path().to_owned(), old.path().join("specs")] {
        let (code, out, err) = spec(new.path(), &["diff", "--against", given.to_str().unwrap()]);
        assert!(code == 1 && out.contains("field-removed"), "{out}{err}");
        assert!(out.contains(&format!("{}/specs/loop.json:11:28", old.path().display())), "{out}");
    }
    std::fs::rename(old.path().join("specs"), new.path().join("before")).unwrap();
    let (_, out, _) = spec(new.path(), &["diff", "--against", "before", "--format", "github"]);
    assert!(out.starts_with("::error file=specs/loop.json,line=11,col=7"), "{out}");
}

#[test]
fn what_cannot_be_compared_with_is_told() {
    let folder = repository();
    let root = folder.path();
    let fails = |arguments: &[&str], answers: &[&str]| {
        let (code, out, err) = spec(root, arguments);
        assert_eq!((code, &*out), (2, ""), "{arguments:?}: {err}");
        for answer in answers {
            assert!(err.contains(answer), "{arguments:?}: {err}");
        }
    };
    fails(&["diff", "--against", "frist"], &["`frist` is no revision of git", "did you mean `first`?"]);
    fails(&["diff", "--against", "--output=x"], &["`--output=x` is no revision of git"]);
    fails(&["diff", "--against"], &["needs a value"]);
    fails(&["check", "--against", "first"], &["belongs to `diff`"]);
    std::fs::create_dir(root.join("empty")).unwrap();
    fails(&["diff", "--against", "empty"], &["no loop.json in this folder"]);

    // The old spec has a fault: it is shown as the old one's.
    edit(root, "clock_time", "clok_time");
    git(root, &["commit", "-q", "-a", "-m", "A slip"]);
    edit(root, "clok_time", "clock_time");
    let (code, out, err) = spec(root, &["diff"]);
    assert_eq!((code, &*out), (2, ""));
    assert!(
        err.contains("the old spec (HEAD) cannot be compared with")
            && err.contains("--> HEAD:specs/loop.json:24:31"),
        "{err}"
    );
    // The new one has: that is the author's to mend first.
    edit(root, "clock_time", "clok_time");
    let (code, _, err) = spec(root, &["diff", "--against", "first"]);
    assert!(
        code == 1 && err.contains("--> specs/loop.json:24:31") && err.contains("once they are mended"),
        "{err}"
    );
    edit(root, "clok_time", "clock_time");

    // An old spec of another form.
    edit(root, "\"3.6.0\"", "\"2.9.0\"");
    edit(root, "\"what\":", "\"phrases\":");
    git(root, &["commit", "-q", "-a", "-m", "Long ago"]);
    edit(root, "\"2.9.0\"", "\"3.6.0\"");
    edit(root, "\"phrases\":", "\"what\":");
    let (code, _, err) = spec(root, &["diff"]);
    assert!(
        code == 2 && err.contains("version 2.9.0") && err.contains("this compiler knows 3.6 alone"),
        "{err}"
    );
}

#[test]
fn without_git_or_a_repository_a_folder_is_asked_for() {
    let folder = workspace();
    let (code, _, err) = told(
        command(folder.path(), &["diff"]).env("GIT_CEILING_DIRECTORIES", folder.path()).output().unwrap(),
    );
    assert!(code == 2 && err.contains("is in no git repository") && err.contains("--against DIR"), "{err}");
    let (code, _, err) = told(command(folder.path(), &["diff"]).env("PATH", "").output().unwrap());
    assert!(code == 2 && err.contains("git is not installed") && err.contains("--against DIR"), "{err}");
    git(folder.path(), &["init", "-q"]);
    let (code, _, err) = spec(folder.path(), &["diff"]);
    assert!(code == 2 && err.contains("no commit yet"), "{err}");
    std::fs::write(folder.path().join("README"), "x").unwrap();
    git(folder.path(), &["add", "README"]);
    git(folder.path(), &["commit", "-q", "-m", "No specs"]);
    let (code, _, err) = spec(folder.path(), &["diff"]);
    assert!(code == 2 && err.contains("`HEAD` has no specs in this place"), "{err}");
}

#[test]
fn a_change_explains_itself() {
    let nowhere = tempfile::tempdir().unwrap();
    let (code, out, _) = spec(nowhere.path(), &["explain", "knob-bounds-narrowed"]);
    assert!(
        code == 0 && out.contains("It breaks stored data: asks for PATCH.") && out.contains("What to do:"),
        "{out}"
    );
    let (code, _, err) = spec(nowhere.path(), &["explain", "knob-bound-narrowed"]);
    assert!(code == 2 && err.contains("did you mean `knob-bounds-narrowed`?"), "{err}");
}

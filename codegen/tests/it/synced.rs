//! The writer, over real folders.

use std::path::Path;
use std::time::{Duration, SystemTime};

use handset_codegen::Files;
use handset_codegen::sync::{HEADER, Mode, sync};

fn files(entries: &[(&str, &str)]) -> Files {
    entries.iter().map(|(path, text)| ((*path).to_owned(), format!("// {HEADER}\n{text}\n"))).collect()
}

fn read(root: &Path, file: &str) -> String {
    std::fs::read_to_string(root.join(file)).unwrap()
}

#[test]
fn writes_what_differs_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let first = files(&[("src/a.rs", "a"), ("docs/deep/b.md", "b")]);
    let report = sync(root, &first, Mode::Write).unwrap();
    assert_eq!(report.written, ["docs/deep/b.md", "src/a.rs"]);
    assert_eq!(read(root, "src/a.rs"), first["src/a.rs"]);

    let long_ago = SystemTime::now() - Duration::from_secs(1000);
    std::fs::File::open(root.join("src/a.rs")).unwrap().set_modified(long_ago).unwrap();
    let again = sync(root, &first, Mode::Write).unwrap();
    assert!(again.is_fresh() && again.unchanged == 2);
    assert_eq!(
        std::fs::metadata(root.join("src/a.rs")).unwrap().modified().unwrap(),
        long_ago,
        "not touched"
    );

    let report =
        sync(root, &files(&[("src/a.rs", "changed"), ("docs/deep/b.md", "b")]), Mode::Write).unwrap();
    assert_eq!((report.written, report.unchanged), (vec!["src/a.rs".to_owned()], 1));
    let left: Vec<_> = std::fs::read_dir(root.join("src")).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left: {left:?}");
}

#[test]
fn check_and_dry_run_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    sync(root, &files(&[("a.rs", "a"), ("old.rs", "old"), ("c.rs", "c")]), Mode::Write).unwrap();
    std::fs::remove_file(root.join("c.rs")).unwrap();
    let next = files(&[("a.rs", "changed"), ("c.rs", "c")]);
    for mode in [Mode::Check, Mode::DryRun] {
        let report = sync(root, &next, mode).unwrap();
        assert_eq!(report.written, ["a.rs", "c.rs"], "stale and missing");
        assert_eq!(report.removed, ["old.rs"], "orphan");
        assert!(
            read(root, "a.rs").ends_with("\na\n")
                && root.join("old.rs").exists()
                && !root.join("c.rs").exists()
        );
    }
    let missing = root.join("nowhere");
    assert_eq!(sync(&missing, &next, Mode::Check).unwrap().written.len(), 2);
    assert!(!missing.exists());
}

#[test]
fn orphans_go_and_what_is_a_persons_stays() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    sync(root, &files(&[("src/old/x.rs", "x"), ("src/new.rs", "n")]), Mode::Write).unwrap();
    std::fs::write(root.join("src/lib.rs"), "// by hand\n").unwrap();
    let late = format!("{}// {HEADER}\n", " ".repeat(400));
    std::fs::write(root.join("src/late.rs"), &late).unwrap();
    let speaks = format!("//! Files that bear the header `{HEADER}` are not this one.\n");
    std::fs::write(root.join("src/mod.rs"), &speaks).unwrap();
    let report = sync(root, &files(&[("src/new.rs", "n")]), Mode::Write).unwrap();
    assert_eq!(report.removed, ["src/old/x.rs"]);
    assert!(root.join("src/mod.rs").exists(), "speaking of the header is not bearing it");
    assert!(!root.join("src/old").exists(), "its folder is empty and goes too");
    assert!(root.join("src/lib.rs").exists() && root.join("src/late.rs").exists());
}

#[test]
fn the_header_is_known_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let heads = [
        format!("// {HEADER} from loop.json"),
        format!("# {HEADER}"),
        format!("<!-- {HEADER} -->"),
        format!("#!/usr/bin/env python3\n\"\"\"{HEADER}\"\"\""),
        format!("{{\"$comment\":\"{HEADER}\"}}"),
        format!("{{\n  \"$schema\": \"x\",\n  \"$comment\": \"{HEADER} from x\"\n}}"),
    ];
    for (index, head) in heads.iter().enumerate() {
        std::fs::write(root.join(index.to_string()), head).unwrap();
    }
    assert_eq!(sync(root, &Files::new(), Mode::DryRun).unwrap().removed.len(), heads.len());
}

#[test]
fn a_file_without_the_header_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::create_dir(root.join("src")).unwrap();
    std::fs::write(root.join("src/b.rs"), "// by hand\n").unwrap();
    for mode in [Mode::Write, Mode::Check, Mode::DryRun] {
        let error = sync(root, &files(&[("src/a.rs", "a"), ("src/b.rs", "b")]), mode).unwrap_err();
        assert!(error.to_string().contains("b.rs"), "{error}");
    }
    assert_eq!(read(root, "src/b.rs"), "// by hand\n");
    assert!(!root.join("src/a.rs").exists(), "refused before anything is written");
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::write(outside.path().join("x.rs"), format!("// {HEADER}\n")).unwrap();
    std::os::unix::fs::symlink(outside.path(), root.join("linked")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("x.rs"), root.join("x.rs")).unwrap();
    assert!(sync(root, &Files::new(), Mode::Write).unwrap().removed.is_empty());
    assert!(outside.path().join("x.rs").exists());
    assert!(sync(root, &files(&[("x.rs", "x")]), Mode::Write).is_err(), "nor is one written through");
}

#[test]
fn what_tools_of_other_languages_leave_is_passed_by() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for tool in ["node_modules/x", "clients/a/build", "clients/a/target", "src/p.egg-info", "src/__pycache__"]
    {
        std::fs::create_dir_all(root.join(tool)).unwrap();
        std::fs::write(root.join(tool).join("copy.rs"), format!("// {HEADER}\n")).unwrap();
    }
    assert!(sync(root, &Files::new(), Mode::Write).unwrap().is_fresh());
}

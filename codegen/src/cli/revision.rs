//! The specs of a git revision, by running git.

use std::path::Path;
use std::process::{Command, Output};

use crate::nearest::proposal;
use crate::specs::{Specs, is_read};

/// How many names are looked at for a proposal.
const MOST_NAMES: usize = 2000;

/// Whether a name is a revision of the repository that the folder is in.
pub(super) fn is_one(folder: &Path, name: &str) -> bool {
    resolved(folder, name).is_ok_and(|commit| commit.is_some())
}

/// The specs of the folder as a revision had them.
///
/// # Errors
/// A sentence, where git is not there, the folder is in no repository, or the revision does not exist or has no specs.
pub(super) fn specs(folder: &Path, name: &str) -> Result<Specs, String> {
    let Some(commit) = resolved(folder, name)? else { return Err(unknown(folder, name)) };
    let listed = git(folder, &["ls-tree", "-r", "-z", &commit, "--", "."])?;
    if !listed.status.success() {
        return Err(said("git cannot list the files of the specs", &listed));
    }
    let mut specs = Specs::default();
    // Each entry: mode, kind, hash, tab, path from the folder that git runs in.
    for entry in listed.stdout.split(|byte| *byte == 0) {
        let entry = String::from_utf8_lossy(entry);
        let Some((head, path)) = entry.split_once('\t') else { continue };
        let (mut words, is_file) = (head.split(' '), head.starts_with("100"));
        let (Some(hash), true, true) = (words.nth(2), is_file, is_read(path)) else { continue };
        let shown = git(folder, &["cat-file", "blob", hash])?;
        if !shown.status.success() {
            return Err(said(&format!("git cannot show {name}:{path}"), &shown));
        }
        specs.insert(path, shown.stdout);
    }
    if specs.files.is_empty() {
        return Err(format!(
            "`{name}` has no specs in this place; give the folder where they were with --against DIR"
        ));
    }
    Ok(specs)
}

/// The commit that a name means; none where it means nothing.
fn resolved(folder: &Path, name: &str) -> Result<Option<String>, String> {
    let inside = git(folder, &["rev-parse", "--is-inside-work-tree"])?;
    if !inside.status.success() {
        return Err(said(
            &format!(
                "{} is in no git repository that can be read; give a folder with the old specs: --against DIR",
                folder.display()
            ),
            &inside,
        ));
    }
    let commit = format!("{name}^{{commit}}");
    let found = git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
    let text = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    Ok(found.status.success().then_some(text).filter(|text| !text.is_empty()))
}

fn unknown(folder: &Path, name: &str) -> String {
    if name == "HEAD" {
        return "there is no commit yet to compare with; give a folder with the old specs: --against DIR"
            .to_owned();
    }
    let names = git(folder, &["for-each-ref", "--format=%(refname:short)"]);
    let names = names.map(|found| String::from_utf8_lossy(&found.stdout).into_owned()).unwrap_or_default();
    let names: Vec<&str> = names.lines().take(MOST_NAMES).chain(["HEAD"]).collect();
    let shallow = git(folder, &["rev-parse", "--is-shallow-repository"])
        .is_ok_and(|found| found.stdout.starts_with(b"true"));
    let more = if shallow {
        "; this clone is shallow, and `git fetch --unshallow` (in GitHub Actions `fetch-depth: 0`) brings what lacks"
    } else {
        ""
    };
    format!("`{name}` is no revision of git and no folder with specs; {}{more}", proposal(name, &names))
}

/// Runs git in the folder, in its own words and without anybody to ask.
fn git(folder: &Path, arguments: &[&str]) -> Result<Output, String> {
    let git = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .output();
    git.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            "git is not installed, or not in PATH; install it, or give a folder with the old specs: --against DIR"
                .to_owned()
        }
        _ => format!("cannot run git: {error}"),
    })
}

/// A sentence with what git said.
fn said(message: &str, output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    match text.trim() {
        "" => message.to_owned(),
        text => format!("{message}\n{text}"),
    }
}

//! The data folder, its rights, its room, its disk, and the token's file.

use std::fs::OpenOptions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::{Finding, Scene};
use crate::serve::data::{DATABASE, TOKEN};
use crate::serve::mounts::network_mount;

/// Below this the disk is as good as full: a log and a backup need room, too.
const LITTLE_MB: u64 = 100;

pub(super) fn folder(scene: &Scene) -> Vec<Finding> {
    const CHECK: &str = "folder";
    let folder = &scene.options.data;
    let shown = folder.display();
    let Ok(found) = std::fs::metadata(folder) else {
        let todo = format!("handset --data {shown}    (the first start makes it)");
        return vec![Finding::note(CHECK, format!("{shown} does not exist")).todo(todo)];
    };
    if !found.is_dir() {
        return vec![Finding::problem(
            CHECK,
            format!("{shown} is no folder"),
            "choose another one with --data",
        )];
    }
    let mode = found.permissions().mode() & 0o777;
    let mut findings = Vec::new();
    if mode & 0o077 == 0 {
        findings.push(Finding::ok(CHECK, format!("{shown}, mode {mode:o}")));
    } else {
        let text = format!("{shown} is open to others (mode {mode:o}): it holds what people said");
        findings.push(Finding::problem(CHECK, text, format!("chmod 700 {shown}")));
    }
    if mode & 0o300 != 0o300 {
        let text = format!("{shown} takes no new file (mode {mode:o}): the server starts degraded");
        findings.push(Finding::problem(CHECK, text, format!("chmod 700 {shown}")));
    }
    // Opened as the server would, changed in nothing.
    let database = folder.join(DATABASE);
    if database.exists()
        && let Err(error) = OpenOptions::new().read(true).write(true).open(&database)
    {
        let text = format!("{} cannot be written: {error}", database.display());
        findings.push(Finding::problem(
            CHECK,
            text,
            format!("chown -R \"$(id -un)\" {shown} && chmod -R u+rwX {shown}"),
        ));
    }
    findings
}

pub(super) fn token(scene: &Scene) -> Vec<Finding> {
    const CHECK: &str = "token";
    let path = scene.options.data.join(TOKEN);
    let shown = path.display();
    let Ok(found) = std::fs::metadata(&path) else {
        return vec![Finding::note(CHECK, format!("{shown} does not exist; the next start makes it"))];
    };
    let Some(token) = &scene.token else {
        let todo = format!("chown \"$(id -un)\" {shown}");
        return vec![Finding::problem(CHECK, format!("{shown} cannot be read"), todo)];
    };
    if token.len() != 64 || !token.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let text = format!("{shown} does not hold a token (64 hexadecimal digits)");
        return vec![Finding::problem(
            CHECK,
            text,
            format!("rm {shown}    (the next start makes a new one)"),
        )];
    }
    let mode = found.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let text = format!("{shown} is open to others (mode {mode:o})");
        return vec![Finding::problem(CHECK, text, format!("chmod 600 {shown}"))];
    }
    match &scene.database {
        Some(Ok(state)) if !state.token_known => {
            vec![Finding::note(
                CHECK,
                format!("{shown} is not known to the database; the next start makes it known"),
            )]
        }
        _ => vec![Finding::ok(CHECK, format!("{shown}, mode {mode:o}"))],
    }
}

pub(super) fn space(scene: &Scene) -> Vec<Finding> {
    const CHECK: &str = "disk";
    let Some(free) = free_mb(nearest(&scene.options.data)) else {
        return vec![Finding::note(CHECK, "how much room is left could not be asked (df is missing)")];
    };
    if free < LITTLE_MB {
        let todo = format!("make room, or move {} to another disk", scene.options.data.display());
        return vec![Finding::problem(CHECK, format!("{free} MB left"), todo)];
    }
    vec![Finding::ok(CHECK, format!("{free} MB left"))]
}

/// The folder, or what of its path there is.
fn nearest(folder: &Path) -> &Path {
    folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."))
}

/// Asks `df`, which POSIX fixes; the standard library has no such question.
fn free_mb(path: &Path) -> Option<u64> {
    let out = Command::new("df").arg("-Pk").arg(path).output().ok().filter(|out| out.status.success())?;
    let text = String::from_utf8(out.stdout).ok()?;
    let blocks: u64 = text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
    Some(blocks / 1024)
}

pub(super) fn mount(scene: &Scene) -> Vec<Finding> {
    let Some(mount) = network_mount(nearest(&scene.options.data)) else { return Vec::new() };
    let text = format!(
        "{} is on a network mount ({} at {}), where SQLite's locks do not hold",
        scene.options.data.display(),
        mount.kind,
        mount.at.display()
    );
    vec![Finding::problem("mount", text, "choose a folder on a local disk with --data")]
}

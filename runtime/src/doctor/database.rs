//! The database: its schema and its health.

use super::{Finding, Scene};
use crate::serve::data::DATABASE;
use crate::serve::emptied;

pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    const CHECK: &str = "database";
    let path = scene.options.data.join(DATABASE);
    let shown = path.display();
    let restore = format!(
        "stop the server, mv {shown} {shown}.damaged, and put a backup in its place (docs/operating.md)"
    );
    if let Some(reason) = emptied(&path) {
        return vec![Finding::problem(CHECK, reason, restore)];
    }
    let state = match &scene.database {
        None => {
            return vec![Finding::note(CHECK, format!("{shown} does not exist; the next start makes it"))];
        }
        Some(Err(error)) => {
            return vec![Finding::problem(CHECK, format!("{shown} cannot be read: {error}"), restore)];
        }
        Some(Ok(state)) => state,
    };
    let mut findings = Vec::new();
    match (&state.damage, state.version, state.known) {
        (Some(damage), ..) => {
            findings.push(Finding::problem(CHECK, format!("{shown}: {damage}"), restore));
        }
        (None, found, known) if found > known => {
            let text = format!("{shown} has schema version {found}; this program knows {known}");
            findings.push(Finding::problem(CHECK, text, "start the newer program that wrote it"));
        }
        (None, found, known) if found < known => {
            let text = format!("{shown} has schema version {found}; the next start brings it to {known}");
            findings.push(Finding::note(CHECK, text).todo("make a backup before (docs/operating.md)"));
        }
        (None, found, _) => {
            findings.push(Finding::ok(CHECK, format!("{shown}, schema version {found}, no damage")));
        }
    }
    findings
}

//! Whether phones can be rung: the key, who answers for pushes, where they may go, and what came of the last ones.

use std::os::unix::fs::PermissionsExt as _;

use super::{Finding, Scene};
use crate::config;
use crate::ringer::push::{KNOWN, ServerKey};
use crate::serve::data::PUSH_KEY;
use crate::store::RingOutcome;

const KEY: &str = "push key";
const PUSH: &str = "push";

pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    let (mut findings, key) = key(scene);
    // What is wrong with the configuration is told where the model is.
    if let Ok(config) = config::load(scene.options.config.as_deref(), &scene.options.data) {
        findings.extend(configured(&config.push));
    }
    findings.extend(subscriptions(scene, key.as_ref()));
    findings
}

fn key(scene: &Scene) -> (Vec<Finding>, Option<ServerKey>) {
    let path = scene.options.data.join(PUSH_KEY);
    let shown = path.display();
    let Ok(found) = std::fs::metadata(&path) else {
        return (vec![Finding::note(KEY, format!("{shown} does not exist; the next start makes it"))], None);
    };
    let restore = format!(
        "put {shown} back from a backup; without one, move it away: a new one is made, and every device subscribes anew"
    );
    let pem = match std::fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            let todo = format!("chown \"$(id -un)\" {shown} && chmod 600 {shown}");
            return (vec![Finding::problem(KEY, format!("{shown} cannot be read: {error}"), todo)], None);
        }
    };
    match ServerKey::read(&pem) {
        Err(error) => (vec![Finding::problem(KEY, format!("{shown}: {error}"), restore)], None),
        Ok(key) => {
            let mode = found.permissions().mode() & 0o777;
            let finding = if mode & 0o077 == 0 {
                Finding::ok(KEY, format!("{shown}, mode {mode:o}"))
            } else {
                let text =
                    format!("{shown} is open to others (mode {mode:o}): who has it can ring your phones");
                Finding::problem(KEY, text, format!("chmod 600 {shown}"))
            };
            (vec![finding], Some(key))
        }
    }
}

fn configured(push: &config::Push) -> Vec<Finding> {
    let mut findings = vec![match &push.subject {
        Some(subject) => Finding::ok(PUSH, format!("push services reach you by {subject}")),
        None => Finding::note(
            PUSH,
            "no push.subject: services are told the https page that a device subscribed from; Apple and Mozilla take \
             none from elsewhere",
        )
        .todo("set push.subject in handset.toml to mailto: and your address"),
    }];
    let more: Vec<&str> = push.guard.hosts().iter().chain(push.guard.origins()).map(String::as_str).collect();
    findings.push(if more.is_empty() {
        Finding::ok(PUSH, format!("pushes go to {}", KNOWN.join(", ")))
    } else {
        Finding::note(PUSH, format!("pushes go to the known services, and to {}", more.join(", ")))
    });
    findings
}

fn subscriptions(scene: &Scene, key: Option<&ServerKey>) -> Option<Finding> {
    let Some(Ok(state)) = &scene.database else { return None };
    let count = |of: &dyn Fn(&str, Option<RingOutcome>) -> bool| -> i64 {
        let fits = state.subscriptions.iter().filter(|(key, outcome, _)| of(key, *outcome));
        fits.map(|(_, _, count)| count).sum()
    };
    let all = count(&|_, _| true);
    if all == 0 {
        return Some(Finding::note(PUSH, "no device has subscribed to be rung"));
    }
    let devices = if all == 1 { "1 device".to_owned() } else { format!("{all} devices") };
    let other = count(&|of, _| key.is_some_and(|key| key.public() != of));
    if other > 0 {
        let text = format!(
            "{devices} subscribed, {other} of them for another key than this server's: they are not rung"
        );
        return Some(Finding::problem(
            PUSH,
            text,
            "open the page on them, which subscribes anew; or put the push key back from a backup",
        ));
    }
    let refused = count(&|_, outcome| outcome == Some(RingOutcome::Unauthorized));
    let tried = count(&|_, outcome| outcome.is_some());
    if refused > 0 && refused == tried {
        let text = format!(
            "{devices} subscribed, and their services refuse every push as coming from nobody they trust"
        );
        let todo =
            "set push.subject to an address that you can be reached by, and see that the clock is right";
        return Some(Finding::problem(PUSH, text, todo));
    }
    let works = count(&|_, outcome| outcome == Some(RingOutcome::Accepted));
    Some(Finding::ok(PUSH, format!("{devices} subscribed, {tried} tried, the last push accepted by {works}")))
}

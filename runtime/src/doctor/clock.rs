//! The machine's clock: deadlines are moments, and a clock that is wrong ends cards at the wrong one.

use super::{Finding, Scene};
use crate::clock::rfc3339;

/// 2026-01-01: no program of this version ran before.
const BEFORE_ANY: i64 = 1_767_225_600_000;
/// 2100-01-01.
const LONG_AFTER: i64 = 4_102_444_800_000;
/// How far what is stored may be ahead, in milliseconds.
const SLACK: i64 = 60_000;

pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    const CHECK: &str = "clock";
    const MEND: &str = "timedatectl set-ntp true    (or set the clock by hand)";
    let now = scene.now_ms;
    let shown = rfc3339(now);
    if !(BEFORE_ANY..LONG_AFTER).contains(&now) {
        return vec![Finding::problem(CHECK, format!("it shows {shown}, which cannot be"), MEND)];
    }
    if let Some(Ok(state)) = &scene.database
        && let Some(newest) = state.newest_ms.filter(|newest| *newest > now + SLACK)
    {
        let text =
            format!("it shows {shown}, and the newest message is of {}: it was set back", rfc3339(newest));
        return vec![Finding::problem(CHECK, text, MEND)];
    }
    vec![Finding::ok(CHECK, format!("it shows {shown}"))]
}

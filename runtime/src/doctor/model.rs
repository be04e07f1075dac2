//! Who speaks.

use super::{Finding, Scene};

pub(super) fn check(_: &Scene) -> Vec<Finding> {
    vec![Finding::note(
        "model",
        "none is configured: the demo companion speaks, which understands plain sentences only",
    )]
}

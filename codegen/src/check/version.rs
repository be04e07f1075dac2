//! The spec's version, which is looked at before everything else.

use super::page::Page;
use crate::model::Version;
use crate::read::{Node, Span};
use crate::rules;

/// The one MAJOR.MINOR that this compiler reads.
const KNOWN: (u32, u32) = (3, 6);

/// Which versions are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Versions {
    /// Any PATCH of the one MAJOR.MINOR that the compiler knows.
    Known,
    /// All, as if they were that one.
    Any,
    /// The same, of a spec that an older compiler has checked: what only this one asks for may lack.
    Older,
}

/// The version, if it is one that is read.
pub(super) fn version(page: &Page<'_>, root: &Node, versions: Versions) -> Option<Version> {
    let Some(node) = root.get("version") else {
        page.fault(
            &rules::MISSING_KEY,
            root.head(),
            "loop.json lacks the key `version`, without which nothing else of it can be read",
        )
        .label("`version` is missing in here")
        .help(format!("add \"version\": \"{}.{}.0\"", KNOWN.0, KNOWN.1))
        .report();
        return None;
    };
    let word = page.string(node, "`version`")?;
    let Some(version) = parse(word.text) else {
        page.fault(
            &rules::MALFORMED_VERSION,
            word.span,
            format!("the version is MAJOR.MINOR.PATCH, and this is `{}`", word.text),
        )
        .label("not three whole numbers")
        .help(format!("write \"{}.{}.0\"", KNOWN.0, KNOWN.1))
        .report();
        return None;
    };
    if versions != Versions::Known || (version.major, version.minor) == KNOWN {
        return Some(version);
    }
    unknown(page, word.span, version);
    None
}

fn unknown(page: &Page<'_>, span: Span, version: Version) {
    let known = format!("{}.{}", KNOWN.0, KNOWN.1);
    let older = (version.major, version.minor) < KNOWN;
    let help = if older {
        format!(
            "{known} reads phone actions from `phone` (`check`, `what`, `texts`) and texts for a person by language; \
             follow the upgrade steps of CHANGELOG.md, then set the version to {known}.0"
        )
    } else {
        format!(
            "a newer spec may have keys that this compiler does not know: use the compiler that came with it, or set the version to {known}.0 if only that number is wrong"
        )
    };
    page.fault(
        &rules::UNKNOWN_VERSION,
        span,
        format!("this is version {version}, and this compiler knows {known} alone (any PATCH)"),
    )
    .label(if older { "older" } else { "newer" })
    .help(help)
    .report();
}

fn parse(text: &str) -> Option<Version> {
    let number = |part: &str| {
        let plain = part.bytes().all(|byte| byte.is_ascii_digit()) && (part == "0" || !part.starts_with('0'));
        plain.then(|| part.parse::<u32>().ok()).flatten()
    };
    let mut parts = text.split('.');
    let version = Version {
        major: number(parts.next()?)?,
        minor: number(parts.next()?)?,
        patch: number(parts.next()?)?,
    };
    parts.next().is_none().then_some(version)
}

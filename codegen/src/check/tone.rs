//! `tone.cues` of loop.json (spec-format, "tone"): a feature, its percentile tiers, and the phrase of each.

use super::page::Page;
use super::texts;
use crate::model::{Name, Tier, ToneFeature};
use crate::read::{Node, Value};
use crate::rules;

/// What the runtime measures. A further one would need code there.
pub(super) const FEATURES: [&str; 7] = ["dur", "pitch", "pitch_var", "energy", "pause", "rate", "tail"];

/// The key that is read here; the section's other keys are numbers and texts.
pub(super) const KEYS: &[&str] = &["cues", "texts"];

/// A side of what is usual: its key, and the percentiles that lie on it.
#[derive(Clone, Copy)]
struct Side {
    key: &'static str,
    least: f64,
    most: f64,
    /// How its percentiles are told.
    told: &'static str,
}

const BELOW: Side = Side { key: "below", least: 0.0, most: 50.0, told: "above 0 and below 50" };
const ABOVE: Side = Side { key: "above", least: 50.0, most: 100.0, told: "above 50 and below 100" };

/// Reads the features in the order in which they stand.
pub(super) fn read(page: &Page<'_>, node: &Node) -> Option<Vec<ToneFeature>> {
    page.object(node, "`tone.cues`", &[], &FEATURES)?;
    let members = node.as_object().unwrap_or_default();
    let known = members.iter().enumerate().filter(|(at, member)| {
        FEATURES.contains(&&*member.key) && !members[..*at].iter().any(|before| before.key == member.key)
    });
    let features: Vec<_> = known.map(|(_, member)| feature(page, &member.key, &member.value)).collect();
    features.into_iter().collect()
}

fn feature(page: &Page<'_>, key: &str, node: &Node) -> Option<ToneFeature> {
    let what = format!("`tone.cues.{key}`");
    let object = page.object(node, &what, &[], &[BELOW.key, ABOVE.key])?;
    if node.as_object().is_some_and(<[_]>::is_empty) {
        page.fault(&rules::EMPTY_LIST, node.span, format!("{what} must not be empty"))
            .label("says nothing of it")
            .help("give `below`, `above` or both, or leave the feature out")
            .report();
        return None;
    }
    let side =
        |side: Side| object.get(side.key).map_or(Some(Vec::new()), |node| tiers(page, node, &what, side));
    let (below, above) = (side(BELOW), side(ABOVE));
    Some(ToneFeature { feature: Name::new(key)?, below: below?, above: above? })
}

/// The tiers of a side, the strongest first, in whatever order they stand.
fn tiers(page: &Page<'_>, node: &Node, what: &str, side: Side) -> Option<Vec<Tier>> {
    let what = format!("`{}` of {what}", side.key);
    let nodes = page.list(node, &what)?;
    page.not_empty(node, &what);
    let mut read: Vec<(Tier, &Node)> = Vec::new();
    let mut whole = !nodes.is_empty();
    for node in nodes {
        let Some((tier, place)) = tier(page, node, &what, side) else {
            whole = false;
            continue;
        };
        if let Some((_, first)) = read.iter().find(|(other, _)| other.percentile == tier.percentile) {
            page.fault(
                &rules::REPEATED_ENTRY,
                place.span,
                format!("two tiers of {what} begin at the percentile {}", tier.percentile),
            )
            .label("the second")
            .also(first.span, "the first")
            .help("remove one of the two")
            .report();
            whole = false;
        }
        read.push((tier, place));
    }
    read.sort_by(|(one, _), (other, _)| one.percentile.total_cmp(&other.percentile));
    if side.key == ABOVE.key {
        read.reverse();
    }
    whole.then(|| read.into_iter().map(|(tier, _)| tier).collect())
}

fn tier<'a>(page: &Page<'a>, node: &'a Node, what: &str, side: Side) -> Option<(Tier, &'a Node)> {
    let object = page.object(node, &format!("a tier of {what}"), &["percentile", "phrase"], &["soft"])?;
    let phrase =
        object.get("phrase").and_then(|node| texts::plain(page, node, &format!("a phrase of {what}")));
    let soft = match object.get("soft").map(|node| (&node.value, node)) {
        None => Some(false),
        Some((Value::Bool(soft), _)) => Some(*soft),
        Some((_, node)) => {
            page.wrong_type(node, "`soft`", "true or false");
            None
        }
    };
    let place = object.get("percentile")?;
    let Value::Number(text) = &place.value else {
        page.wrong_type(place, "`percentile`", "a number");
        return None;
    };
    let percentile = text.parse::<f64>().ok().filter(|value| *value > side.least && *value < side.most);
    let Some(percentile) = percentile else {
        page.fault(
            &rules::TIER_OUT_OF_SIDE,
            place.span,
            format!("a tier of {what} lies at a percentile {}, and this is {text}", side.told),
        )
        .label("on the other side, or nowhere")
        .help("`below` is for what is lower than usual, `above` for what is higher; the middle says nothing")
        .report();
        return None;
    };
    Some((Tier { percentile, phrase: phrase?, soft: soft? }, place))
}

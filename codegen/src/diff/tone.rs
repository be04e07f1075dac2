//! Changes of `tone.cues`.

use super::excerpt::excerpts;
use super::{Change, Found, LOOP, rules};
use crate::model::{Language, Tier, Wordings};

/// Compares what is said of each feature.
pub(super) fn compare(found: &mut Found<'_>) {
    let (old, new) = (&found.old.spec.tone, &found.new.spec.tone);
    for now in new {
        let was = old.iter().find(|was| was.feature == now.feature);
        let (below, above) = was.map_or((&[][..], &[][..]), |was| (&was.below, &was.above));
        let feature = now.feature.as_str();
        tiers(found, [feature, "below"], below, &now.below);
        tiers(found, [feature, "above"], above, &now.above);
    }
    for was in old.iter().filter(|was| !new.iter().any(|now| now.feature == was.feature)) {
        let feature = was.feature.as_str();
        let place = found.there(LOOP, &["tone", "cues", feature]);
        let message = format!("nothing is said of `{feature}` any more");
        let beside = found.here(LOOP, &["tone", "cues"]);
        found.push(Change::new(&rules::TONE_TIERS_CHANGED, place, message).beside(beside));
    }
}

fn tiers(found: &mut Found<'_>, [feature, side]: [&str; 2], old: &[Tier], new: &[Tier]) {
    let steps = ["tone", "cues", feature, side];
    let percentiles = |tiers: &[Tier]| {
        let tiers: Vec<_> = tiers.iter().map(|tier| tier.percentile.to_string()).collect();
        if tiers.is_empty() { "none".to_owned() } else { tiers.join(", ") }
    };
    let (was, now) = (percentiles(old), percentiles(new));
    if was != now {
        let place = if new.is_empty() { found.there(LOOP, &steps) } else { found.here(LOOP, &steps) };
        let message = format!("other values of `{feature}` are spoken of, {side} what is usual");
        found.push(Change::new(&rules::TONE_TIERS_CHANGED, place, message).between(was, now));
    }
    for tier in new {
        let Some(was) = old.iter().find(|was| was.percentile == tier.percentile) else { continue };
        let place = found.here(LOOP, &steps);
        let at = tier.percentile;
        if was.soft != tier.soft {
            let message = format!("whether `{feature}` {side} {at} calls for a soft voice changes");
            let change = Change::new(&rules::TONE_TIERS_CHANGED, place.clone(), message);
            found.push(change.between(was.soft.to_string(), tier.soft.to_string()));
        }
        for language in Language::ALL {
            let (before, behind) = (wording(&was.phrase, language), wording(&tier.phrase, language));
            if before != behind {
                let (before, behind) = excerpts(before, behind);
                let key = language.key();
                let message = format!("the phrase for `{feature}` {side} {at} is worded anew ({key})");
                let change = Change::new(&rules::TONE_PHRASE_CHANGED, place.clone(), message);
                found.push(change.between(before, behind));
            }
        }
    }
}

fn wording(wordings: &Wordings, language: Language) -> &str {
    wordings.iter().find(|(of, _)| *of == language).map_or("", |(_, text)| text)
}

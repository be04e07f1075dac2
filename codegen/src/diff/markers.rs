//! Changes of `markers`.

use super::excerpt::excerpts;
use super::pairs::pair;
use super::{Change, Found, LOOP, rules};
use crate::model::MarkerKind;

/// Compares the sections. The kinds are the compiler's, so both have the same.
pub(super) fn compare(found: &mut Found<'_>) {
    let (old, new) = (&found.old.spec.markers, &found.new.spec.markers);
    let shown = |(open, close): &(char, char)| format!("{open}{close}");
    let (before, behind): (Vec<String>, Vec<String>) =
        (old.delimiters.iter().map(shown).collect(), new.delimiters.iter().map(shown).collect());
    let pairs = pair(before.iter().map(String::as_str), behind.iter().map(String::as_str), |_, _| false);
    for &index in &pairs.removed {
        let place = found.there(LOOP, &["markers", "delimiters", &index.to_string()]);
        let message = format!("markers no longer stand between {}", before[index]);
        let beside = found.here(LOOP, &["markers", "delimiters"]);
        found.push(Change::new(&rules::DELIMITERS_REMOVED, place, message).beside(beside));
    }
    for &index in &pairs.added {
        let place = found.here(LOOP, &["markers", "delimiters", &index.to_string()]);
        let message = format!("markers stand between {} as well", behind[index]);
        found.push(Change::new(&rules::DELIMITERS_ADDED, place, message));
    }
    if old.max_chars != new.max_chars {
        let place = found.here(LOOP, &["markers", "max_chars"]);
        let (rule, message) = if new.max_chars < old.max_chars {
            (&rules::MARKER_MAX_CHARS_LOWERED, "a marker may have fewer characters")
        } else {
            (&rules::MARKER_MAX_CHARS_RAISED, "a marker may have more characters")
        };
        let change = Change::new(rule, place, message);
        found.push(change.between(old.max_chars.to_string(), new.max_chars.to_string()));
    }
    for now in &new.kinds {
        if let Some(was) = old.kinds.iter().find(|was| was.name == now.name) {
            kind(found, was, now);
        }
    }
}

fn kind(found: &mut Found<'_>, was: &MarkerKind, now: &MarkerKind) {
    let kind = now.name.as_str();
    let steps = ["markers", "kinds", kind, "names"];
    let names =
        pair(was.names.iter().map(String::as_str), now.names.iter().map(String::as_str), |_, _| false);
    for &index in &names.removed {
        let place = found.there(LOOP, &[&steps[..], &[&index.to_string()]].concat());
        let message = format!("the marker `{kind}` is no longer known as `{}`", was.names[index]);
        let beside = found.here(LOOP, &steps);
        found.push(Change::new(&rules::MARKER_NAME_REMOVED, place, message).beside(beside));
    }
    for &index in &names.added {
        let place = found.here(LOOP, &[&steps[..], &[&index.to_string()]].concat());
        let message = format!("the marker `{kind}` is known as `{}` as well", now.names[index]);
        found.push(Change::new(&rules::MARKER_NAME_ADDED, place, message));
    }
    if was.argument != now.argument {
        let shown = |argument: &Option<crate::model::Name>| match argument {
            Some(name) => name.to_string(),
            None => "none".to_owned(),
        };
        let place = found.here(LOOP, &["markers", "kinds", kind, "argument"]);
        let message = format!("the marker `{kind}` takes another argument");
        let change = Change::new(&rules::MARKER_ARGUMENT_CHANGED, place, message);
        found.push(change.between(shown(&was.argument), shown(&now.argument)));
    }
    if was.per_conversation != now.per_conversation {
        let shown =
            |times: Option<u64>| times.map_or("as often as it comes".to_owned(), |times| times.to_string());
        let place = found.here(LOOP, &["markers", "kinds", kind, "per_conversation"]);
        let message = format!("how often the marker `{kind}` is performed in a conversation changes");
        let change = Change::new(&rules::MARKER_BUDGET_CHANGED, place, message);
        found.push(change.between(shown(was.per_conversation), shown(now.per_conversation)));
    }
    if was.rule != now.rule {
        let place = found.here(LOOP, &["markers", "kinds", kind, "rule"]);
        let (before, behind) = excerpts(&was.rule, &now.rule);
        let message = format!("the sentence that teaches the marker `{kind}` is worded anew");
        found.push(Change::new(&rules::MARKER_RULE_CHANGED, place, message).between(before, behind));
    }
}

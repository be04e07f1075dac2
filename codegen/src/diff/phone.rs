//! Changes of `phone`: the actions, and the section's own numbers.

use super::pairs::{Pairs, pair};
use super::{Change, Found, LOOP, checks, fields, rules};
use crate::model::{Action, Entry, Phone};

/// Compares the sections.
pub(super) fn compare(found: &mut Found<'_>) {
    let (old, new) = (&found.old.spec.phone, &found.new.spec.phone);
    if old.capability != new.capability {
        let place = found.here(LOOP, &["phone", "capability"]);
        let message = format!("the capability `{}` has another name", old.capability);
        let change = Change::new(&rules::CAPABILITY_RENAMED, place, message);
        found.push(change.between(&*old.capability, &*new.capability));
    }
    for (key, was, now) in [
        ("wait_seconds", old.wait_seconds, new.wait_seconds),
        ("answer_grace_seconds", old.answer_grace_seconds, new.answer_grace_seconds),
        ("message_max_chars", old.message_max_chars, new.message_max_chars),
    ] {
        if was != now {
            let place = found.here(LOOP, &["phone", key]);
            let change =
                Change::new(&rules::PHONE_LIMIT_CHANGED, place, format!("`{key}` is another number"));
            found.push(change.between(was.to_string(), now.to_string()));
        }
    }
    let names = fields::renamed(old, new);
    let alike = |was: usize, now: usize| same(old, new, &old.actions[was], &new.actions[now], &names);
    let actions = pair(
        old.actions.iter().map(|action| action.name.as_str()),
        new.actions.iter().map(|action| action.name.as_str()),
        alike,
    );
    listed(found, &actions);
    fields::compare(found, &actions, &names);
    checks::compare(found, &names);
}

/// Whether two actions of different names read and need the same, and more than nothing.
fn same(old: &Phone, new: &Phone, was: &Action, now: &Action, names: &fields::Names<'_>) -> bool {
    let read = |phone: &Phone, action: &Action, of_old: bool| -> Vec<String> {
        let name = |id: &_| {
            let name = phone.field(*id).name.as_str();
            if of_old { names.now(name) } else { name }.to_owned()
        };
        let entries = |entry: &Entry| entry.0.iter().map(name).collect::<Vec<_>>().join(" or ");
        let required = action.required.iter().map(entries);
        action.fields.iter().map(name).chain(["/".to_owned()]).chain(required).collect()
    };
    !was.fields.is_empty() && read(old, was, true) == read(new, now, false)
}

/// Actions that came, went, or have another name or place.
fn listed(found: &mut Found<'_>, actions: &Pairs) {
    let (old, new) = (&found.old.spec.phone, &found.new.spec.phone);
    for &(was, now) in &actions.renamed {
        let (was, now) = (&old.actions[was].name, (now, &new.actions[now].name));
        let place = found.here(LOOP, &["phone", "actions", &now.0.to_string()]);
        let message = format!(
            "the action `{was}` has another name: `{}` in every client becomes `{}`",
            was.pascal(),
            now.1.pascal()
        );
        let change = Change::new(&rules::ACTION_RENAMED, place, message);
        found.push(change.between(was.as_str(), now.1.as_str()));
    }
    for &was in &actions.removed {
        let name = &old.actions[was].name;
        let place = found.there(LOOP, &["phone", "actions", &was.to_string()]);
        let change = Change::new(&rules::ACTION_REMOVED, place, format!("the action `{name}` is gone"));
        found.push(change.beside(found.here(LOOP, &["phone", "actions"])));
    }
    for &now in &actions.added {
        let name = &new.actions[now].name;
        let place = found.here(LOOP, &["phone", "actions", &now.to_string()]);
        found.push(Change::new(&rules::ACTION_ADDED, place, format!("there is a new action: `{name}`")));
    }
    if actions.reordered {
        let first = actions.both.windows(2).find(|two| two[0].0 > two[1].0).map(|two| two[0].1);
        let place = found.here(LOOP, &["phone", "actions", &first.unwrap_or(0).to_string()]);
        found.push(Change::new(
            &rules::ACTIONS_REORDERED,
            place,
            "the actions are listed to models in another order",
        ));
    }
}

//! Changes of what each action reads and needs.

use std::collections::{BTreeMap, BTreeSet};

use super::pairs::{Pairs, pair};
use super::{Change, Found, LOOP, rules};
use crate::model::{Action, Field, FieldId, Phone};

/// Fields that have another name in the new spec.
#[derive(Debug, Default)]
pub(super) struct Names<'s>(BTreeMap<&'s str, &'s str>);

impl<'s> Names<'s> {
    /// What a field of the old spec is called now.
    pub(super) fn now<'n>(&self, name: &'n str) -> &'n str
    where
        's: 'n,
    {
        self.0.get(name).copied().unwrap_or(name)
    }
}

/// Finds the fields that are the same but for their names: of one type, one check, described alike.
pub(super) fn renamed<'s>(old: &'s Phone, new: &'s Phone) -> Names<'s> {
    let same = |was: usize, now: usize| {
        let (was, now): (&Field, &Field) = (&old.fields[was], &new.fields[now]);
        let kind = |field: &Field| field.check.as_ref().map(|check| check.kind.clone());
        was.shape == now.shape && kind(was) == kind(now) && was.description == now.description
    };
    let name = |field: &'s Field| field.name.as_str();
    let pairs = pair(old.fields.iter().map(name), new.fields.iter().map(name), same);
    let names = pairs.renamed.iter().map(|&(was, now)| (name(&old.fields[was]), name(&new.fields[now])));
    Names(names.collect())
}

/// Compares what each action reads and needs.
pub(super) fn compare(found: &mut Found<'_>, actions: &Pairs, names: &Names<'_>) {
    let (old, new) = (&found.old.spec.phone, &found.new.spec.phone);
    for (was, now) in &names.0 {
        let id = new.fields.iter().position(|field| field.name.as_str() == *now);
        let reader = new
            .actions
            .iter()
            .find_map(|action| Some((action, action.fields.iter().position(|field| Some(field.0) == id)?)));
        let Some((action, index)) = reader else { continue };
        let place = found.here(LOOP, &["phone", "fields", action.name.as_str(), &index.to_string()]);
        let change = Change::new(
            &rules::FIELD_RENAMED,
            place,
            format!("the field `{was}` has another name, in every card and every client"),
        );
        found.push(change.between(*was, *now));
    }
    for &(was, now) in actions.both.iter().chain(&actions.renamed) {
        read(found, &old.actions[was], &new.actions[now], names);
        required(found, &old.actions[was], &new.actions[now], names);
    }
}

/// The names of an action's fields.
fn named<'p>(phone: &'p Phone, fields: &[FieldId]) -> Vec<&'p str> {
    fields.iter().map(|&id| phone.field(id).name.as_str()).collect()
}

fn read(found: &mut Found<'_>, was: &Action, now: &Action, names: &Names<'_>) {
    let (old, new) = (&found.old.spec.phone, &found.new.spec.phone);
    let before: Vec<&str> = named(old, &was.fields).into_iter().map(|name| names.now(name)).collect();
    let fields = pair(before.iter().copied(), named(new, &now.fields), |_, _| false);
    let action = now.name.as_str();
    for &index in &fields.removed {
        let place = found.there(LOOP, &["phone", "fields", was.name.as_str(), &index.to_string()]);
        let name = &old.field(was.fields[index]).name;
        let change =
            Change::new(&rules::FIELD_REMOVED, place, format!("`{action}` no longer reads `{name}`"));
        found.push(change.beside(found.here(LOOP, &["phone", "fields", action])));
    }
    for &index in &fields.added {
        let place = found.here(LOOP, &["phone", "fields", action, &index.to_string()]);
        let name = &new.field(now.fields[index]).name;
        found.push(Change::new(
            &rules::FIELD_ADDED,
            place,
            format!("`{action}` reads a new field: `{name}`"),
        ));
    }
    if fields.reordered {
        let place = found.here(LOOP, &["phone", "fields", action]);
        let message = format!("the fields of `{action}` stand in another order");
        let change = Change::new(&rules::FIELDS_REORDERED, place, message);
        found.push(change.between(named(old, &was.fields).join(", "), named(new, &now.fields).join(", ")));
    }
}

/// What an action needs: its entries by name, in order, of those that are one field and of groups.
struct Needs<'p> {
    alone: Vec<(usize, &'p str)>,
    groups: Vec<(usize, BTreeSet<&'p str>)>,
    in_order: Vec<Vec<&'p str>>,
}

impl<'p> Needs<'p> {
    fn new(phone: &'p Phone, action: &Action, now: impl Fn(&'p str) -> &'p str) -> Self {
        let name = |id: &FieldId| now(phone.field(*id).name.as_str());
        let in_order: Vec<Vec<&str>> =
            action.required.iter().map(|entry| entry.0.iter().map(name).collect()).collect();
        let (mut alone, mut groups) = (Vec::new(), Vec::new());
        for (index, entry) in in_order.iter().enumerate() {
            match **entry {
                [field] => alone.push((index, field)),
                _ => groups.push((index, entry.iter().copied().collect())),
            }
        }
        Self { alone, groups, in_order }
    }

    fn needs(&self, field: &str) -> bool {
        self.alone.iter().any(|(_, other)| *other == field)
    }

    fn shown_groups(&self) -> String {
        let shown = |(index, _): &(usize, BTreeSet<&str>)| self.in_order[*index].join(" or ");
        let groups: Vec<String> = self.groups.iter().map(shown).collect();
        if groups.is_empty() { "no such group".to_owned() } else { groups.join(", and ") }
    }

    fn shown(&self) -> String {
        self.in_order.iter().map(|entry| entry.join(" or ")).collect::<Vec<_>>().join(" and ")
    }
}

fn required(found: &mut Found<'_>, was: &Action, now: &Action, names: &Names<'_>) {
    let (old, new) = (&found.old.spec.phone, &found.new.spec.phone);
    let before = Needs::new(old, was, |name| names.now(name));
    let behind = Needs::new(new, now, |name| name);
    let action = now.name.as_str();
    let listed = found.list.len();
    for &(index, field) in &behind.alone {
        if !before.needs(field) {
            let place = found.here(LOOP, &["phone", "required", action, &index.to_string()]);
            found.push(Change::new(
                &rules::FIELD_NEWLY_REQUIRED,
                place,
                format!("`{action}` requires `{field}`, which it did not"),
            ));
        }
    }
    let reads = named(new, &now.fields);
    for &(index, field) in &before.alone {
        // A field that is gone from the action is told as that.
        if !behind.needs(field) && reads.contains(&field) {
            let place = found.there(LOOP, &["phone", "required", was.name.as_str(), &index.to_string()]);
            let change = Change::new(
                &rules::FIELD_NO_LONGER_REQUIRED,
                place,
                format!("`{action}` no longer requires `{field}`"),
            );
            found.push(change.beside(found.here(LOOP, &["phone", "required", action])));
        }
    }
    let groups = |needs: &Needs<'_>| -> BTreeSet<Vec<String>> {
        let owned =
            |(_, group): &(usize, BTreeSet<&str>)| group.iter().map(|&name| name.to_owned()).collect();
        needs.groups.iter().map(owned).collect()
    };
    if groups(&before) != groups(&behind) {
        let changed =
            behind.groups.iter().find(|(_, group)| !before.groups.iter().any(|(_, other)| other == group));
        let place = match changed {
            Some((index, _)) => found.here(LOOP, &["phone", "required", action, &index.to_string()]),
            None => found.here(LOOP, &["phone", "required", action]),
        };
        let message = format!("`{action}` needs one of other fields than before");
        let change = Change::new(&rules::REQUIREMENT_GROUP_CHANGED, place, message);
        found.push(change.between(before.shown_groups(), behind.shown_groups()));
    }
    if found.list.len() == listed
        && before.in_order != behind.in_order
        && before.in_order.len() == behind.in_order.len()
    {
        let place = found.here(LOOP, &["phone", "required", action]);
        let message = format!("what `{action}` requires is listed in another order");
        let change = Change::new(&rules::REQUIREMENTS_REORDERED, place, message);
        found.push(change.between(before.shown(), behind.shown()));
    }
}

//! `phone` and the tool's schema together: every field's property, every check's type, the two lists of actions.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::shape_of;
use super::{CheckDraft, Draft, KindDraft};
use crate::check::known::{Known, fits};
use crate::check::page::{Page, Word, quoted};
use crate::check::tool::{Property, ToolDraft};
use crate::check::{names, reserved::Use};
use crate::model::{Action, Check, Entry, Field, FieldId, Kind, Name, Phone, Shape};
use crate::nearest::nearest;
use crate::read::Node;
use crate::rules;

/// The properties of the tool's schema that are the call's own.
const OWN: [&str; 2] = ["action", "summary"];

/// Tells what does not fit together and gives the section, if it is whole.
pub(in crate::check) fn resolve(page: &Page<'_>, draft: &Draft<'_>, tool: &ToolDraft<'_>) -> Option<Phone> {
    let properties = tool.properties.as_deref()?;
    if let Some(actions) = &draft.actions {
        same_actions(page, actions, tool, properties);
    }
    let read = draft.read_fields();
    if draft.fields.is_some() {
        fields_are_properties(page, &read, tool, properties);
    }
    let mut by_name = BTreeMap::new();
    for property in properties {
        by_name.entry(property.name.text).or_insert(property);
    }
    let mut kinds = BTreeMap::new();
    for check in draft.checks.iter().flatten() {
        let property = by_name.get(check.field.text);
        if let Some(kind) = property.and_then(|property| {
            fit(page, check, property, tool, draft.actions.as_deref().unwrap_or_default())
        }) {
            kinds.insert(check.field.text, kind);
        }
    }
    build(draft, &read, properties, &kinds)
}

fn same_actions(page: &Page<'_>, actions: &[Word<'_>], tool: &ToolDraft<'_>, properties: &[Property<'_>]) {
    let Some(property) = properties.iter().find(|property| property.name.text == "action") else {
        tool.page
            .fault(
                &rules::MISSING_KEY,
                tool.properties_head,
                "the tool's `properties` lack the key `action`, by which a call says what it wants",
            )
            .label("`action` is missing in here")
            .report();
        return;
    };
    let Some(values) = &property.values else {
        if property.node.get("enum").is_none() {
            tool.page
                .fault(
                    &rules::MISSING_KEY,
                    property.node.head(),
                    "the property `action` lacks the key `enum`, the list of `phone.actions`",
                )
                .label("`enum` is missing in here")
                .report();
        }
        return;
    };
    let ours: Vec<&str> = actions.iter().map(|action| action.text).collect();
    let theirs: Vec<&str> = values.iter().map(|value| value.text).collect();
    if ours == theirs {
        return;
    }
    let offered: BTreeSet<&str> = theirs.iter().copied().collect();
    // What is told as no name is told as that alone, and counts here by its right form.
    let right = super::right_names(actions);
    let listed: BTreeSet<&str> = ours.iter().copied().chain(right.iter().map(Name::as_str)).collect();
    let missing: Vec<&Word<'_>> = actions
        .iter()
        .filter(|action| !offered.contains(action.text) && fits(action.text, Use::Type))
        .collect();
    let slips = Known::new(missing.iter().map(|action| action.text), |name| fits(name, Use::Type));
    let mut meant = BTreeSet::new();
    for value in values.iter().filter(|value| !listed.contains(value.text)) {
        let slip = slips.nearest(value.text, |_| true);
        meant.extend(slip);
        tool.page
            .fault(
                &rules::ACTIONS_DIFFER,
                value.span,
                format!(
                    "the tool's schema offers the action `{}`, which `phone.actions` does not list",
                    value.text
                ),
            )
            .label("always refused")
            .help(slip.map_or_else(
                || "add it to `phone.actions`, or remove it here".to_owned(),
                |slip| format!("did you mean `{slip}`?"),
            ))
            .report();
    }
    let head = property.node.get("enum").map_or(property.name.span, |node| node.head());
    for action in missing.iter().filter(|action| !meant.contains(action.text)) {
        tool.page
            .fault(
                &rules::ACTIONS_DIFFER,
                head,
                format!(
                    "the tool's schema does not offer the action `{}`, which `phone.actions` lists",
                    action.text
                ),
            )
            .label(format!("`{}` is missing in here", action.text))
            .also_in(page.file, action.span, "listed here")
            .help(format!("add \"{}\" at the same place as in `phone.actions`", action.text))
            .report();
    }
    let same = missing.is_empty() && right.is_empty() && ours.len() == theirs.len();
    if let Some((action, value)) =
        actions.iter().zip(values).find(|(action, value)| action.text != value.text).filter(|_| same)
    {
        tool.page
            .fault(
                &rules::ACTIONS_DIFFER,
                value.span,
                format!("the tool's schema lists the actions in another order: here `{}`, where `phone.actions` has `{}`", value.text, action.text),
            )
            .label("the first that differs")
            .also_in(page.file, action.span, "in `phone.actions`")
            .help("list them in the order of `phone.actions`")
            .report();
    }
}

fn fields_are_properties(
    page: &Page<'_>,
    read: &[Word<'_>],
    tool: &ToolDraft<'_>,
    properties: &[Property<'_>],
) {
    let names: Vec<&str> =
        properties.iter().map(|property| property.name.text).filter(|name| !OWN.contains(name)).collect();
    let known: BTreeSet<&str> = names.iter().copied().collect();
    let fields: BTreeSet<&str> = read.iter().map(|field| field.text).collect();
    let fit = |name: &str| fits(name, Use::Field);
    let all = Known::new(names.iter().copied(), fit);
    let unread = Known::new(names.iter().copied().filter(|name| !fields.contains(name)), fit);
    // Fields that no property has: one of them may be meant by a property that no action reads.
    let lost = Known::new(fields.iter().copied().filter(|name| !known.contains(name)), fit);
    let mut meant = BTreeSet::new();
    // The call's own keys are told as reserved, where the names are checked.
    for field in read.iter().filter(|field| !known.contains(field.text) && !OWN.contains(&field.text)) {
        let slip = unread.nearest(field.text, |_| true);
        meant.extend(slip);
        let help = match slip.or_else(|| all.nearest(field.text, |_| true)) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("add the property `{}` to `parameters.properties`", field.text),
        };
        page.fault(
            &rules::FIELD_WITHOUT_PROPERTY,
            field.span,
            format!("the tool's schema has no property `{}`, so no call can bring it", field.text),
        )
        .label("no such property")
        .also_in(tool.page.file, tool.properties_head, "the properties")
        .help(help)
        .report();
    }
    for property in properties {
        let name = property.name.text;
        if unread.holds(name) && !meant.contains(name) {
            let slip = lost.nearest(name, |_| true);
            let help = slip.map_or_else(
                || "add it to an action in `phone.fields`, or remove it".to_owned(),
                |slip| format!("did you mean `{slip}`?"),
            );
            tool.page
                .fault(
                    &rules::UNREAD_PROPERTY,
                    property.name.span,
                    format!("no action reads the property `{name}`"),
                )
                .label("always dropped")
                .help(help)
                .report();
        }
    }
}

/// The check's kind, if it fits the property.
fn fit(
    page: &Page<'_>,
    check: &CheckDraft<'_>,
    property: &Property<'_>,
    tool: &ToolDraft<'_>,
    actions: &[Word<'_>],
) -> Option<Kind> {
    let (is, kind) = check.kind.as_ref()?;
    let (shape, wanted) = (property.shape?, shape_of(is.text)?);
    if shape != wanted {
        let place = property.node.get("type").map_or(property.name.span, |node| node.span);
        page.fault(
            &rules::UNFIT_CHECK,
            is.span,
            format!(
                "`{}` passes {}, and the tool's schema says that `{}` is {}",
                is.text,
                said(wanted),
                check.field.text,
                said(shape)
            ),
        )
        .label(format!("wants {}", said(wanted)))
        .also_in(tool.page.file, place, "the property's type")
        .help(format!("correct the type to \"{}\", or write another kind", key(wanted)))
        .report();
        return None;
    }
    match kind {
        KindDraft::Ready(Kind::Weekdays) => weekdays(page, *is, check.field.text, property, tool),
        KindDraft::Ready(kind) => Some(kind.clone()),
        KindDraft::SchemaEnum => schema_enum(page, check, property, tool, actions),
    }
}

/// The days that a list of weekdays holds (document 1 §2).
const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// What the schema offers for each day is what the check passes.
fn weekdays(
    page: &Page<'_>,
    is: Word<'_>,
    field: &str,
    property: &Property<'_>,
    tool: &ToolDraft<'_>,
) -> Option<Kind> {
    let values = property.node.get("items").and_then(|items| items.get("enum"));
    let Some((list, values)) = values.and_then(|list| Some((list, list.as_array()?))) else {
        return Some(Kind::Weekdays);
    };
    let days = quoted(&WEEKDAYS);
    let other = values.iter().find(|value| value.as_str().is_none_or(|day| !WEEKDAYS.contains(&day)));
    let missing = WEEKDAYS.iter().find(|day| !values.iter().any(|value| value.as_str() == Some(**day)));
    let (place, message, label) = match (other, missing) {
        (None, None) => return Some(Kind::Weekdays),
        (Some(value), _) => {
            let shown = value.compact();
            (
                value.span,
                format!("`weekdays` passes {days}, and the tool's schema offers {shown} for `{field}`"),
                "always refused",
            )
        }
        (None, Some(day)) => (
            list.head(),
            format!("`weekdays` passes {days}, and the tool's schema does not offer \"{day}\" for `{field}`"),
            "what the schema offers",
        ),
    };
    let slip = other.and_then(Node::as_str).and_then(|day| {
        let folded = day.to_ascii_lowercase();
        WEEKDAYS.into_iter().find(|short| folded.starts_with(short)).or_else(|| nearest(&folded, WEEKDAYS))
    });
    page.fault(&rules::UNFIT_CHECK, is.span, message)
        .label("passes these seven words alone")
        .also_in(tool.page.file, place, label)
        .help(
            slip.map_or_else(
                || "list the seven days in the schema".to_owned(),
                |day| format!("write \"{day}\""),
            ),
        )
        .report();
    None
}

fn schema_enum(
    page: &Page<'_>,
    check: &CheckDraft<'_>,
    property: &Property<'_>,
    tool: &ToolDraft<'_>,
    actions: &[Word<'_>],
) -> Option<Kind> {
    if property.node.get("enum").is_none() {
        page.fault(
            &rules::SCHEMA_ENUM_WITHOUT_ENUM,
            check.kind.as_ref()?.0.span,
            format!(
                "`{}` is checked by the values of its schema, and its property has no `enum`",
                check.field.text
            ),
        )
        .label("no values to compare with")
        .also_in(tool.page.file, property.node.head(), "`enum` is missing in here")
        .help("add `enum` to the property, or write another kind of check")
        .report();
        return None;
    }
    let words = property.values.as_deref()?;
    // Its values become a type of its name.
    names::type_of_values(page, check.field, actions);
    let others: BTreeSet<&str> = words.iter().map(|word| word.text).collect();
    // All of them are told before the first that is wrong ends it.
    let values: Vec<Option<Name>> =
        words.iter().map(|&word| names::among(&tool.page, word, "a value", Use::Case, &others)).collect();
    names::distinct(&tool.page, words, "value", Use::Case);
    Some(Kind::SchemaEnum { values: values.into_iter().collect::<Option<_>>()? })
}

fn key(shape: Shape) -> &'static str {
    match shape {
        Shape::String => "string",
        Shape::Integer => "integer",
        Shape::Number => "number",
        Shape::Boolean => "boolean",
        Shape::Array => "array",
        Shape::Object => "object",
    }
}

fn said(shape: Shape) -> &'static str {
    match shape {
        Shape::String => "a string",
        Shape::Integer => "an integer",
        Shape::Number => "a number",
        Shape::Boolean => "a boolean",
        Shape::Array => "an array",
        Shape::Object => "an object",
    }
}

/// The section as the model has it; none where something of it was told.
fn build(
    draft: &Draft<'_>,
    read: &[Word<'_>],
    properties: &[Property<'_>],
    kinds: &BTreeMap<&str, Kind>,
) -> Option<Phone> {
    let what = draft.what.as_ref()?;
    let names: BTreeSet<&str> = read.iter().map(|field| field.text).collect();
    let mut ids = BTreeMap::new();
    let mut fields = Vec::new();
    for property in properties.iter().filter(|property| names.contains(property.name.text)) {
        ids.insert(property.name.text, FieldId(fields.len()));
        let check = match kinds.get(property.name.text) {
            Some(kind) => {
                Some(Check { kind: kind.clone(), what: (*what.get(property.name.text)?).to_owned() })
            }
            None => None,
        };
        fields.push(Field {
            name: Name::new(property.name.text)?,
            description: property.description?.to_owned(),
            shape: property.shape?,
            check,
        });
    }
    let id = |word: &Word<'_>| ids.get(word.text).copied();
    let mut actions = Vec::new();
    for action in draft.actions.as_ref()? {
        let entries = draft.required.as_ref()?.get(action.text).map(Vec::as_slice).unwrap_or_default();
        let entry = |group: &Vec<Word<'_>>| group.iter().map(id).collect::<Option<Vec<_>>>().map(Entry);
        actions.push(Action {
            name: Name::new(action.text)?,
            fields: draft.fields.as_ref()?.get(action.text)?.iter().map(id).collect::<Option<_>>()?,
            required: entries.iter().map(entry).collect::<Option<_>>()?,
        });
    }
    Some(Phone {
        capability: draft.capability?.to_owned(),
        wait_seconds: draft.wait_seconds?,
        answer_grace_seconds: draft.answer_grace_seconds?,
        message_max_chars: draft.message_max_chars?,
        actions,
        fields,
        checks: draft.checks.as_ref()?.iter().map(|check| id(&check.field)).collect::<Option<_>>()?,
    })
}

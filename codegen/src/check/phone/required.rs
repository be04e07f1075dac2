//! `phone.required`: what must be present.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::unknown;
use super::{Draft, ReadFields};
use crate::check::known::Known;
use crate::check::page::{Page, Word};
use crate::check::tool::Property;
use crate::read::{Node, Value};
use crate::rules;

/// The generated reader keeps one bit for each entry.
const MOST_ENTRIES: usize = 64;

type Required<'a> = BTreeMap<&'a str, Vec<Vec<Word<'a>>>>;

/// Action → entries. An action that requires nothing may be left out.
pub(super) fn required<'a>(
    page: &Page<'a>,
    node: &'a Node,
    draft: &Draft<'a>,
    actions: Option<&Known<'_>>,
    properties: Option<&[Property<'a>]>,
) -> Option<Required<'a>> {
    let members = page.map(node, "`phone.required`")?;
    let keys: BTreeSet<&str> = members.iter().map(|member| member.key.as_str()).collect();
    let mut required = Required::new();
    for member in members {
        if let Some(actions) = actions {
            unknown(page, member, actions, "`phone.required`", &keys);
        }
        let read = draft.fields.as_ref().and_then(|fields| fields.get(member.key.as_str()));
        let read = read.map(|read| ReadFields::new(read.iter().map(|field| field.text), properties));
        if let Some(entries) = entries(page, &member.key, &member.value, read.as_ref()) {
            required.entry(member.key.as_str()).or_insert(entries);
        }
    }
    Some(required)
}

fn entries<'a>(
    page: &Page<'a>,
    action: &str,
    node: &'a Node,
    read: Option<&ReadFields<'_>>,
) -> Option<Vec<Vec<Word<'a>>>> {
    let what = format!("what `{action}` requires");
    let items = page.list(node, &what)?;
    let mut entries = Vec::new();
    for item in items {
        let group = match &item.value {
            Value::Array(_) => {
                page.not_empty(item, &format!("a group of {what}"));
                page.words(item, &format!("a group of {what}"))
            }
            Value::String(text) => Some(vec![Word { text, span: item.span }]),
            _ => {
                page.fault(
                    &rules::WRONG_TYPE,
                    item.head(),
                    format!(
                        "an entry of {what} must be a field or a list of fields, and this is {}",
                        item.kind()
                    ),
                )
                .label("expected a string or a list")
                .report();
                None
            }
        };
        entries.extend(group);
    }
    let alone: Vec<Word<'_>> =
        items.iter().filter_map(|item| item.as_str().map(|text| Word { text, span: item.span })).collect();
    page.repeated(&alone, &what);
    repeated_groups(page, items, &what);
    needless_groups(page, items, &alone, &what);
    if items.len() > MOST_ENTRIES {
        page.fault(
            &rules::TOO_MANY_REQUIRED,
            node.head(),
            format!("`{action}` has {} required entries, and {MOST_ENTRIES} are the most", items.len()),
        )
        .label("too many in here")
        .help("put fields of which one is enough into one group, or split the action")
        .report();
    }
    for word in entries.iter().flatten() {
        if let Some(read) = read.filter(|read| !read.holds(word.text)) {
            page.fault(
                &rules::UNREAD_FIELD,
                word.span,
                format!("`{action}` requires `{}`, which it does not read", word.text),
            )
            .label("could never be present")
            .help(read.help(word.text, &format!("`{action}`")))
            .report();
        }
    }
    Some(entries)
}

/// Tells a group that holds the same fields as one before it.
fn repeated_groups(page: &Page<'_>, items: &[Node], what: &str) {
    let mut first = BTreeMap::new();
    for item in items {
        let Some(group) = item.as_array() else { continue };
        let mut fields: Vec<&str> = group.iter().filter_map(Node::as_str).collect();
        fields.sort_unstable();
        if fields.is_empty() {
            continue;
        }
        match first.get(&fields) {
            None => drop(first.insert(fields, item.span)),
            Some(&span) => page
                .fault(&rules::REPEATED_ENTRY, item.span, format!("the same group stands twice in {what}"))
                .label("the second")
                .also(span, "the first")
                .help("remove one of the two")
                .report(),
        }
    }
}

/// Tells a group of one field, and one with a field that is required in any case.
fn needless_groups(page: &Page<'_>, items: &[Node], alone: &[Word<'_>], what: &str) {
    let alone: BTreeMap<&str, Word<'_>> = alone.iter().rev().map(|word| (word.text, *word)).collect();
    for item in items {
        let Some(group) = item.as_array() else { continue };
        if let [field] = group {
            if let Some(field) = field.as_str() {
                page.fault(
                    &rules::NEEDLESS_GROUP,
                    item.span,
                    format!("a group of {what} holds `{field}` alone, and a group is of fields of which one is enough"),
                )
                .label("a group of one")
                .help(format!("write \"{field}\" without the brackets, or add the other fields"))
                .report();
            }
            continue;
        }
        if let Some(word) = group.iter().filter_map(Node::as_str).find_map(|field| alone.get(field)) {
            page.fault(
                &rules::NEEDLESS_GROUP,
                item.span,
                format!("`{}` is required in any case, so this group of {what} says nothing", word.text),
            )
            .label("always fulfilled")
            .also(word.span, "required here")
            .help("remove the group, or the field where it stands alone")
            .report();
        }
    }
}

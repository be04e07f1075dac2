//! `phone.required`: what must be present.

use std::collections::BTreeMap;

use super::Draft;
use super::actions::unknown;
use crate::check::page::{Page, Word};
use crate::nearest::proposal;
use crate::read::{Node, Value};
use crate::rules;

/// The generated reader keeps one bit for each entry.
const MOST_ENTRIES: usize = 64;

type Required<'a> = BTreeMap<&'a str, Vec<Vec<Word<'a>>>>;

/// Action → entries. An action that requires nothing may be left out.
pub(super) fn required<'a>(page: &Page<'a>, node: &'a Node, draft: &Draft<'a>) -> Option<Required<'a>> {
    let mut required = Required::new();
    for member in page.map(node, "`phone.required`")? {
        if let Some(actions) = &draft.actions {
            unknown(page, member, actions, "`phone.required`", |action| node.get(action).is_none());
        }
        let read = draft.fields.as_ref().and_then(|fields| fields.get(member.key.as_str()));
        if let Some(entries) = entries(page, &member.key, &member.value, read.map(Vec::as_slice)) {
            required.entry(member.key.as_str()).or_insert(entries);
        }
    }
    Some(required)
}

fn entries<'a>(
    page: &Page<'a>,
    action: &str,
    node: &'a Node,
    read: Option<&[Word<'_>]>,
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
    let alone: Vec<Word<'_>> = items
        .iter()
        .zip(&entries)
        .filter_map(|(item, group)| item.as_str().and(group.first().copied()))
        .collect();
    page.repeated(&alone, &what);
    repeated_groups(page, items, &what);
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
        if let Some(read) = read.filter(|read| !read.iter().any(|field| field.text == word.text)) {
            let names: Vec<&str> = read.iter().map(|field| field.text).collect();
            page.fault(
                &rules::UNREAD_FIELD,
                word.span,
                format!("`{action}` requires `{}`, which it does not read", word.text),
            )
            .label("could never be present")
            .help(proposal(word.text, &names))
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

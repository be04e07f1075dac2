//! `phone.actions` and `phone.fields`: which actions there are and what each reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::names;
use crate::check::page::{Page, Word};
use crate::check::reserved::Use;
use crate::nearest::{nearest, proposal};
use crate::read::{Member, Node};
use crate::rules;

/// The list of actions.
pub(super) fn actions<'a>(page: &Page<'a>, node: &'a Node) -> Option<Vec<Word<'a>>> {
    page.not_empty(node, "`phone.actions`");
    let words = page.words(node, "`phone.actions`")?;
    for &word in &words {
        names::name(page, word, "an action", Use::Type);
    }
    names::distinct(page, &words, "action");
    Some(words)
}

/// Action → fields. Each action must be there, be its list empty or not.
pub(super) fn fields<'a>(
    page: &Page<'a>,
    node: &'a Node,
    actions: Option<&[Word<'_>]>,
) -> Option<BTreeMap<&'a str, Vec<Word<'a>>>> {
    let members = page.map(node, "`phone.fields`")?;
    let mut meant = BTreeSet::new();
    let mut fields = BTreeMap::new();
    for member in members {
        if let Some(actions) = actions {
            meant.extend(unknown(page, member, actions, "`phone.fields`", |action| {
                node.get(action).is_none()
            }));
        }
        if let Some(words) = page.words(&member.value, &format!("the fields of `{}`", member.key)) {
            fields.entry(member.key.as_str()).or_insert(words);
        }
    }
    for action in actions.unwrap_or_default() {
        if node.get(action.text).is_none() && !meant.contains(action.text) {
            page.fault(
                &rules::ACTION_WITHOUT_FIELDS,
                action.span,
                format!("the action `{}` has no list in `phone.fields`", action.text),
            )
            .label("reads nobody knows what")
            .also(node.head(), format!("`{}` is missing in here", action.text))
            .help(format!("add \"{}\": [] if it reads nothing", action.text))
            .report();
        }
    }
    let mut seen = BTreeSet::new();
    let distinct: Vec<Word<'a>> = members
        .iter()
        .filter_map(|member| member.value.as_array())
        .flatten()
        .filter_map(word)
        .filter(|word| seen.insert(word.text))
        .collect();
    for &field in &distinct {
        names::name(page, field, "a field", Use::Field);
    }
    names::distinct(page, &distinct, "field");
    Some(fields)
}

fn word(node: &Node) -> Option<Word<'_>> {
    node.as_str().map(|text| Word { text, span: node.span })
}

/// Tells a key that is no action; gives the action it most likely means, first of those that `lacks` says are not
/// there.
pub(super) fn unknown<'k>(
    page: &Page<'_>,
    member: &Member,
    actions: &'k [Word<'_>],
    what: &str,
    lacks: impl Fn(&str) -> bool,
) -> Option<&'k str> {
    if actions.iter().any(|action| action.text == member.key) {
        return None;
    }
    let all: Vec<&str> = actions.iter().map(|action| action.text).collect();
    let meant = nearest(&member.key, all.iter().copied().filter(|action| lacks(action)));
    let help = match meant {
        Some(action) => format!("did you mean `{action}`?"),
        None => proposal(&member.key, &all),
    };
    page.fault(
        &rules::UNKNOWN_ACTION,
        member.key_span,
        format!("{what} speaks of `{}`, which `phone.actions` does not list", member.key),
    )
    .label("no such action")
    .help(help)
    .report();
    meant
}

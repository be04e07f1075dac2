//! `phone.actions` and `phone.fields`: which actions there are and what each reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::known::{Known, fits};
use crate::check::names;
use crate::check::page::{Page, Word};
use crate::check::reserved::Use;
use crate::read::{Member, Node};
use crate::rules;

/// The list of actions.
pub(super) fn actions<'a>(page: &Page<'a>, node: &'a Node) -> Option<Vec<Word<'a>>> {
    page.not_empty(node, "`phone.actions`");
    let words = page.words(node, "`phone.actions`")?;
    named(page, &words, "an action", Use::Type);
    names::distinct(page, &words, "action", Use::Type);
    Some(words)
}

fn named(page: &Page<'_>, words: &[Word<'_>], what: &str, used: Use) {
    let others: BTreeSet<&str> = words.iter().map(|word| word.text).collect();
    for &word in words {
        names::among(page, word, what, used, &others);
    }
}

/// Action → fields. Each action must be there, be its list empty or not.
pub(super) fn fields<'a>(
    page: &Page<'a>,
    node: &'a Node,
    actions: Option<&[Word<'_>]>,
    known: Option<&Known<'_>>,
) -> Option<BTreeMap<&'a str, Vec<Word<'a>>>> {
    let members = page.map(node, "`phone.fields`")?;
    let keys: BTreeSet<&str> = members.iter().map(|member| member.key.as_str()).collect();
    let mut meant = BTreeSet::new();
    let mut fields = BTreeMap::new();
    for member in members {
        if let Some(known) = known {
            meant.extend(unknown(page, member, known, "`phone.fields`", &keys));
        }
        if let Some(words) = page.words(&member.value, &format!("the fields of `{}`", member.key)) {
            fields.entry(member.key.as_str()).or_insert(words);
        }
    }
    for action in actions.unwrap_or_default() {
        // What is told as no name is told as that alone.
        let named = fits(action.text, Use::Type);
        if named && !keys.contains(action.text) && !meant.contains(action.text) {
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
    named(page, &distinct, "a field", Use::Field);
    names::distinct(page, &distinct, "field", Use::Field);
    Some(fields)
}

fn word(node: &Node) -> Option<Word<'_>> {
    node.as_str().map(|text| Word { text, span: node.span })
}

/// Tells a key that is no action; gives the action it most likely means, of those that are none of the `keys`.
pub(super) fn unknown<'k>(
    page: &Page<'_>,
    member: &Member,
    actions: &Known<'k>,
    what: &str,
    keys: &BTreeSet<&str>,
) -> Option<&'k str> {
    if actions.holds(&member.key) {
        return None;
    }
    let meant = actions.nearest(&member.key, |action| !keys.contains(action));
    let help = match (meant, actions.nearest(&member.key, |_| true)) {
        (Some(action), _) => format!("did you mean `{action}`?"),
        (None, Some(action)) => {
            format!("`{action}` is there already: remove this, or add it to `phone.actions`")
        }
        (None, None) => actions.list(),
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

//! Names on their way to becoming identifiers: their shape, what is reserved, what collides.

use std::collections::{BTreeMap, BTreeSet};

use super::page::{Page, Word};
use super::reserved::{self, Use};
use crate::model::Name;
use crate::rules;

/// The shape of a name, as a label says it.
const SHAPE: &str = "lower-case words joined by underscores, beginning with a letter";

/// The name, if it has the shape of one and no language keeps it for itself; `what` says what is named: "an action".
pub(super) fn name(page: &Page<'_>, word: Word<'_>, what: &str, used: Use) -> Option<Name> {
    among(page, word, what, used, &BTreeSet::new())
}

/// The same for a name beside others, none of which is proposed in its place.
pub(super) fn among(
    page: &Page<'_>,
    word: Word<'_>,
    what: &str,
    used: Use,
    others: &BTreeSet<&str>,
) -> Option<Name> {
    let free = |name: &Name| reserved::by(name, used).is_none() && !others.contains(name.as_str());
    let Some(name) = Name::new(word.text) else {
        let other = tidied(word.text).map(|tidy| match free(&tidy) {
            true => tidy.to_string(),
            false => reserved::other(&tidy, used, others),
        });
        page.fault(&rules::NOT_A_NAME, word.span, format!("`{}` cannot name {what}", word.text))
            .label(SHAPE)
            .help(other.map_or_else(|| "such as `open_app`".to_owned(), |other| format!("write `{other}`")))
            .report();
        return None;
    };
    if let Some(taken) = reserved::by(&name, used) {
        page.fault(&rules::RESERVED_NAME, word.span, format!("`{name}` cannot name {what}: {taken}"))
            .label("reserved")
            .help(format!("write another name, such as `{}`", reserved::other(&name, used, others)))
            .report();
        return None;
    }
    Some(name)
}

/// Tells a text that has not the shape of a name, for one that becomes no identifier.
pub(super) fn shape<'a>(page: &Page<'a>, word: Word<'a>, what: &str) -> Option<Word<'a>> {
    if Name::new(word.text).is_some() {
        return Some(word);
    }
    let help = tidied(word.text)
        .map_or_else(|| "such as `phone_actions`".to_owned(), |tidy| format!("write `{tidy}`"));
    page.fault(&rules::NOT_A_NAME, word.span, format!("`{}` cannot name {what}", word.text))
        .label(SHAPE)
        .help(help)
        .report();
    None
}

/// Tells a field whose values become a type that a language or a client has already, or that is an action's. Its name as a
/// member is told elsewhere.
pub(super) fn type_of_values(page: &Page<'_>, field: Word<'_>, actions: &[Word<'_>]) {
    let Some(name) = Name::new(field.text).filter(|name| reserved::by(name, Use::Field).is_none()) else {
        return;
    };
    let other = || reserved::other(&name, Use::Field, &BTreeSet::new());
    if let Some(taken) = reserved::by_type_of_values(&name) {
        page.fault(
            &rules::RESERVED_NAME,
            field.span,
            format!("`{name}` cannot name a field with a list of values: {taken}"),
        )
        .label("reserved")
        .help(format!("write another name, such as `{}`", other()))
        .report();
        return;
    }
    let pascal = name.pascal();
    let same = |action: &&Word<'_>| {
        Name::new(action.text)
            .is_some_and(|name| name.pascal() == pascal || name.pascal() + reserved::CALL == pascal)
    };
    if let Some(action) = actions.iter().find(same) {
        page.fault(
            &rules::COLLIDING_NAMES,
            field.span,
            format!(
                "the values of `{name}` and the action `{}` are both the type `{pascal}` in clients",
                action.text
            ),
        )
        .label("its values become a type")
        .also(action.span, "so does the action")
        .help(format!("rename the field, such as `{}`", other()))
        .report();
    }
}

/// Tells every name that is the same identifier as another before it. Two that are the same text are told elsewhere.
pub(super) fn distinct(page: &Page<'_>, words: &[Word<'_>], what: &str, used: Use) {
    let mut seen: BTreeMap<String, Word<'_>> = BTreeMap::new();
    for &word in words {
        let Some(name) = Name::new(word.text) else { continue };
        // Names that differ in their underscores alone differ, as identifiers, in the case of letters at most; and some
        // compilers write a file a type, on disks that do not tell cases apart.
        let plain = word.text.replace('_', "");
        match seen.get(&plain) {
            Some(first) if first.text != word.text => {
                let pascal = name.pascal();
                let same = Name::new(first.text).is_some_and(|first| first.pascal() == pascal);
                let are = if same {
                    format!("are both `{pascal}` once they are identifiers")
                } else {
                    "differ in the case of letters alone once they are identifiers".to_owned()
                };
                page.fault(
                    &rules::COLLIDING_NAMES,
                    word.span,
                    format!("`{}` and `{}` {are}", first.text, word.text),
                )
                .label(format!("the second {what}"))
                .also(first.span, format!("the first {what}"))
                .help(format!("rename one of the two, such as the second to `{}`", apart(&name, used, words)))
                .report();
            }
            Some(_) => {}
            None => drop(seen.insert(plain, word)),
        }
    }
}

/// A name like it that is free, and no other's identifier.
fn apart(name: &Name, used: Use, words: &[Word<'_>]) -> String {
    let others: BTreeSet<&str> = words.iter().map(|word| word.text).collect();
    reserved::other(name, used, &others)
}

/// The name that a text which is none most likely wants to be.
pub(super) fn meant(text: &str) -> Option<Name> {
    tidied(text).filter(|name| name.as_str() != text)
}

/// The name that a text most likely wants to be: `OpenApp`, `open-app` and `open app` are `open_app`.
fn tidied(text: &str) -> Option<Name> {
    let mut tidy = String::new();
    let mut lower = false;
    for character in text.chars().take(64) {
        if character.is_ascii_uppercase() && lower {
            tidy.push('_');
        }
        lower = character.is_ascii_lowercase() || character.is_ascii_digit();
        tidy.push(if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '_' });
    }
    let words: Vec<&str> = tidy.split('_').filter(|word| !word.is_empty()).collect();
    let tidy = words.join("_");
    Name::new(&tidy).filter(|_| text.is_ascii() && text.len() <= 64)
}

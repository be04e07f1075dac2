//! Constants and knobs, which may stand in any section beside what else it holds: a plain number is a constant, an object
//! is a knob.

mod knob;
mod pairs;
mod setting;

use std::collections::BTreeSet;

use super::known_numbers::{KnownNumber, Sort};
use super::names;
use super::page::{Page, Word, quoted};
use super::reserved::Use;
use super::texts;
use crate::model::{Constant, Fixed, Name, NumberSection};
use crate::nearest::nearest;
use crate::read::{Integral, Member, Node, Value, integral};
use crate::rules;

/// What a section holds besides its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own<'k> {
    /// Keys that must be there, which are read elsewhere.
    pub(super) needed: &'k [&'k str],
    /// Whether those that lack are told elsewhere, and any other key too that cannot be a number.
    pub(super) told_elsewhere: bool,
}

/// The keys of a knob, by which an object is known for one.
const KNOB: [&str; 6] = ["default", "min", "max", "unit", "label", "help"];

/// The key of a section's title on a settings page.
pub(super) const LABEL: &str = "label";

/// Reads the numbers of a section, and tells every other key that is not one of its own.
pub(super) fn section(
    page: &Page<'_>,
    section: &str,
    node: &Node,
    own: Own<'_>,
    known: &'static [KnownNumber],
) -> Option<NumberSection> {
    let what = format!("`{section}`");
    let members = if own.told_elsewhere { node.as_object()? } else { page.map(node, &what)? };
    let keys: BTreeSet<&str> = members.iter().map(|member| member.key.as_str()).collect();
    let mut missing: Vec<&str> = if own.told_elsewhere { Vec::new() } else { own.needed.to_vec() };
    missing.extend(known.iter().map(|number| number.key));
    missing.retain(|key| !keys.contains(key));
    let mut read = NumberSection {
        section: Name::new(section)?,
        label: Vec::new(),
        knobs: Vec::new(),
        pairs: Vec::new(),
        constants: Vec::new(),
    };
    let mut whole = true;
    let mut places = Vec::new();
    for member in members.iter().filter(|member| !own.needed.contains(&&*member.key)) {
        if member.key == LABEL {
            let label = texts::plain(page, &member.value, &format!("the label of {what}"));
            whole &= label.is_some();
            read.label = label.unwrap_or_default();
            continue;
        }
        let sort = known.iter().find(|number| number.key == member.key).map(|number| number.sort);
        if sort.is_none() && !fits(page, section, member, own, known, &mut missing) {
            whole = false;
            continue;
        }
        let name = names::among(page, Word::from(member), "a number", Use::Number, &keys);
        let what = format!("`{section}.{}`", member.key);
        match (is_constant(page, member, sort, &what), name) {
            (Some(true), Some(key)) => match constant(page, &member.value, sort, &what) {
                Some(value) => read.constants.push(Constant { key, value }),
                None => whole = false,
            },
            (Some(false), Some(key)) => match knob::read(page, &member.value, key, sort, &what) {
                Some(knob) => {
                    read.knobs.push(knob);
                    places.push(&member.value);
                }
                None => whole = false,
            },
            _ => whole = false,
        }
    }
    for key in missing {
        lacks(page, node, section, key, known);
    }
    names::distinct(page, &members.iter().map(Word::from).collect::<Vec<_>>(), "number", Use::Number);
    if !read.knobs.is_empty() && !keys.contains(LABEL) {
        page.fault(
            &rules::MISSING_KEY,
            node.head(),
            format!("{what} has knobs and lacks the key `{LABEL}`, its title on a settings page"),
        )
        .label(format!("`{LABEL}` is missing in here"))
        .report();
    }
    read.pairs = pairs::find(&read.knobs);
    whole &= pairs::check(page, section, &read, &places);
    whole.then_some(read)
}

/// The keys of knobs in a section whose other keys are read elsewhere.
pub(super) fn knobs_among(node: &Node) -> Vec<&str> {
    let members = node.as_object().unwrap_or_default();
    let knobs = members.iter().filter(|member| is_knob(member) || member.key == LABEL);
    knobs.map(|member| member.key.as_str()).collect()
}

/// Whether a member is a knob, one with a misspelled key among them: what it lacks is told of the knob.
fn is_knob(member: &Member) -> bool {
    let of_knob = KNOB.iter().filter(|key| member.value.get(key).is_some());
    member.value.get("default").is_some() || of_knob.count() * 2 >= KNOB.len()
}

/// Whether a key that nobody knows may be a number of the spec's own; else it is told.
fn fits(
    page: &Page<'_>,
    section: &str,
    member: &Member,
    own: Own<'_>,
    known: &[KnownNumber],
    missing: &mut Vec<&str>,
) -> bool {
    let meant = nearest(&member.key, missing.iter().copied());
    let number = match &member.value.value {
        Value::Number(_) => true,
        Value::Object(inner) => inner.iter().any(|inner| KNOB.contains(&&*inner.key)),
        _ => false,
    };
    if own.told_elsewhere {
        return is_knob(member);
    }
    if meant.is_none() && number {
        return true;
    }
    missing.retain(|key| Some(*key) != meant);
    let all = || own.needed.iter().copied().chain(known.iter().map(|number| number.key));
    let help = match (meant, nearest(&member.key, all())) {
        (Some(key), _) => format!("did you mean `{key}`?"),
        (None, Some(key)) => format!("`{key}` is there already: remove this one"),
        (None, None) => {
            let keys: Vec<&str> = all().collect();
            format!("its keys are {}, and any constant (a number) or knob (an object)", quoted(&keys))
        }
    };
    page.fault(&rules::UNKNOWN_KEY, member.key_span, format!("`{section}` has no key `{}`", member.key))
        .label("unknown key")
        .help(help)
        .report();
    false
}

/// Whether a member is a constant, or else a knob; nothing where it is neither, or not what it has to be.
fn is_constant(page: &Page<'_>, member: &Member, sort: Option<Sort>, what: &str) -> Option<bool> {
    let node = &member.value;
    let is = match node.value {
        Value::Number(_) => Some(true),
        Value::Object(_) => Some(false),
        _ => None,
    };
    match (sort, is) {
        (None, Some(is)) => return Some(is),
        (Some(Sort::Limit), Some(true)) => return Some(true),
        (Some(Sort::Limit), Some(false)) => page
            .fault(
                &rules::CONSTANT_EXPECTED,
                node.head(),
                format!("{what} is the same for everybody, and this is a knob"),
            )
            .label("an object")
            .help("write the number alone")
            .report(),
        (Some(_), Some(false)) => return Some(false),
        (Some(_), Some(true)) => page
            .fault(
                &rules::KNOB_EXPECTED,
                node.span,
                format!("{what} is each person's own to set, and this is a number for everybody"),
            )
            .label("a plain number")
            .help("write an object with `default`, `min`, `max`, `unit`, `label` and `help`")
            .report(),
        (Some(Sort::Limit), None) => page.wrong_type(node, what, "a whole number"),
        (Some(_), None) => page.wrong_type(node, what, "a knob, which is an object"),
        (None, None) => page.wrong_type(node, what, "a number or a knob"),
    }
    None
}

fn constant(page: &Page<'_>, node: &Node, sort: Option<Sort>, what: &str) -> Option<Fixed> {
    /// The most that a limit may be.
    const MOST: u64 = 1_000_000;
    if sort.is_some() {
        let limit = page.positive(node, what, MOST)?;
        return i64::try_from(limit).ok().map(Fixed::Whole);
    }
    let Value::Number(text) = &node.value else { return None };
    match integral(text) {
        Integral::No => setting::finite(page, node, what).map(Fixed::Fraction),
        Integral::Is(_) | Integral::TooLarge => page.integer(node, what).map(Fixed::Whole),
    }
}

/// Tells a number, or another key, that is not there.
fn lacks(page: &Page<'_>, node: &Node, section: &str, key: &str, known: &[KnownNumber]) {
    let Some(number) = known.iter().find(|number| number.key == key) else {
        page.fault(&rules::MISSING_KEY, node.head(), format!("`{section}` lacks the key `{key}`"))
            .label(format!("`{key}` is missing in here"))
            .report();
        return;
    };
    let kind = if number.sort == Sort::Limit { "constant" } else { "knob" };
    page.fault(&rules::MISSING_NUMBER, node.head(), format!("`{section}` lacks the {kind} `{key}`"))
        .label(format!("`{key}` is missing in here"))
        .report();
}

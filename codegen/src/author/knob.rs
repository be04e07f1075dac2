//! A new knob: `cargo spec new knob SECTION.NAME [UNIT [DEFAULT [MIN..MAX]]]`.

use super::edit::Edit;
use super::json::{boolean, number, object, text};
use super::{begun, fresh, knobs_of, lacks, sectioned};
use crate::check::{SECTIONS, Use};
use crate::model::{Language, Spec, Unit};
use crate::nearest::proposal;
use crate::read::{Node, Value, parse};

const LOOP: &str = "loop.json";

pub(super) fn add(edit: &mut Edit<'_>, spec: &Spec, name: &str, words: &[&str]) -> Result<String, String> {
    let (section, key) = sectioned(name, "knob", &SECTIONS)?;
    let keys: Vec<String> = edit
        .node(LOOP, &[section])
        .and_then(Node::as_object)
        .map(|members| members.iter().map(|member| member.key.clone()).collect())
        .unwrap_or_default();
    if keys.iter().any(|other| other == key) && !knobs_of(spec, section).contains(&key) {
        return Err(format!("`{section}` has a key `{key}` already, which is no knob"));
    }
    fresh(key, "a knob", Use::Number, keys.iter().map(String::as_str))?;
    let names: Vec<&str> = Unit::ALL.iter().map(|unit| unit.key()).collect();
    let [unit, default, bounds] = match *words {
        [] => [None, None, None],
        [unit] => [Some(unit), None, None],
        [unit, default] => [Some(unit), Some(default), None],
        [unit, default, bounds] => [Some(unit), Some(default), Some(bounds)],
        [_, _, _, extra, ..] => return Err(format!("`{extra}` is one word too many")),
    };
    let unit = match unit {
        None => Unit::Boolean,
        Some(given) => Unit::ALL
            .into_iter()
            .find(|unit| unit.key() == given)
            .ok_or_else(|| format!("`{given}` is no unit of a knob; {}", proposal(given, &names)))?,
    };
    let (guessed, low, high) = guess(unit);
    let default = default.map_or(Ok(guessed), |given| value(given, unit, "default"))?;
    let ends = match bounds {
        None => low.zip(high),
        Some(given) => {
            let (low, high) = given
                .split_once("..")
                .ok_or_else(|| format!("`{given}` are no bounds; write them as MIN..MAX, such as 1..60"))?;
            Some((value(low, unit, "min")?, value(high, unit, "max")?))
        }
    };
    let words = |words: String| object(Language::ALL.map(|language| (language.key(), text(&*words))));
    let bounds = ends.into_iter().flat_map(|(low, high)| [("min", low), ("max", high)]);
    let said = begun(key);
    let knob = object([("default", default)].into_iter().chain(bounds).chain([
        ("unit", text(unit.key())),
        ("label", words(said.clone())),
        ("help", words(format!("{said}."))),
    ]));
    let numbers = knobs_of(spec, section);
    let after = keys.iter().rev().find(|key| numbers.contains(&key.as_str()) || *key == "label");
    if !keys.iter().any(|key| key == "label") {
        let label = words(begun(section));
        let made = edit
            .member(LOOP, &[section], after.map(String::as_str), ("label", &label))
            .ok_or_else(|| lacks("the section"))?;
        edit.word(Some(made), "\"label\": ", "the section's title on a settings page, in both languages");
    }
    let made = edit
        .member(LOOP, &[section], after.map(String::as_str), (key, &knob))
        .ok_or_else(|| lacks("the section"))?;
    edit.word(Some(made), "\"label\": ", "what a settings page calls it, in both languages");
    edit.word(Some(made), "\"help\": ", "why it is what it is, and what bounds it, in both languages");
    Ok(format!("the knob `{section}.{key}`"))
}

/// A default and bounds that are a beginning.
fn guess(unit: Unit) -> (Node, Option<Node>, Option<Node>) {
    let numbers =
        |default: u32, low: u32, high: u32| (number(default), Some(number(low)), Some(number(high)));
    match unit {
        Unit::Boolean => (boolean(false), None, None),
        Unit::Clock => (text("12:00"), None, None),
        Unit::Seconds | Unit::Minutes => numbers(10, 1, 60),
        Unit::Hours => numbers(1, 1, 24),
        Unit::Count => numbers(3, 0, 10),
        Unit::Factor => numbers(1, 0, 2),
    }
}

/// A value as the command line gives it.
fn value(given: &str, unit: Unit, what: &str) -> Result<Node, String> {
    let expected = match unit {
        Unit::Boolean => "true or false",
        Unit::Clock => "a time of day as HH:MM",
        _ => "a number",
    };
    let node = match unit {
        Unit::Clock => Some(text(given)),
        _ => parse(given).ok().filter(|node| match unit {
            Unit::Boolean => matches!(node.value, Value::Bool(_)),
            _ => matches!(node.value, Value::Number(_)),
        }),
    };
    node.ok_or_else(|| {
        format!("`{given}` cannot be the {what} of a knob in {}: write {expected}", unit.key())
    })
}

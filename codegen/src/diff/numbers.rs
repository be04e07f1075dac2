//! Changes of knobs and constants.

use super::pairs::pair;
use super::{Change, Found, LOOP, rules};
use crate::model::{Constant, Fixed, Knob, NumberSection, Setting, Unit, Wordings};

/// Compares the numbers of every section.
pub(super) fn compare<'s>(found: &mut Found<'s>) {
    let (old, new) = (&found.old.spec.numbers, &found.new.spec.numbers);
    let mut sections: Vec<&str> = new.iter().map(|section| section.section.as_str()).collect();
    let gone = |section: &&NumberSection| !new.iter().any(|now| now.section == section.section);
    sections.extend(old.iter().filter(gone).map(|section| section.section.as_str()));
    for name in sections {
        let is = |section: &&NumberSection| section.section.as_str() == name;
        let (was, now) = (old.iter().find(is), new.iter().find(is));
        if let (Some(was), Some(now)) = (was, now) {
            words(found, &[name, "label"], (&was.label, &now.label), &format!("the title of `{name}`"), true);
        }
        let knobs_of = |section: Option<&'s NumberSection>| section.map_or(&[][..], |section| &section.knobs);
        knobs(found, name, knobs_of(was), knobs_of(now));
        let constants_of =
            |section: Option<&'s NumberSection>| section.map_or(&[][..], |section| &section.constants);
        constants(found, name, constants_of(was), constants_of(now));
    }
}

fn knobs(found: &mut Found<'_>, section: &str, old: &[Knob], new: &[Knob]) {
    let same = |was: usize, now: usize| {
        let (was, now) = (&old[was], &new[now]);
        let words = was.label == now.label || was.help == now.help;
        was.unit == now.unit && was.default == now.default && was.bounds == now.bounds && words
    };
    let knobs =
        pair(old.iter().map(|knob| knob.key.as_str()), new.iter().map(|knob| knob.key.as_str()), same);
    for &(was, now) in &knobs.renamed {
        let (was, now) = (&old[was].key, &new[now].key);
        let place = found.here(LOOP, &[section, now.as_str()]);
        let message = format!("the knob `{section}.{was}` has another name");
        found.push(Change::new(&rules::KNOB_RENAMED, place, message).between(was.as_str(), now.as_str()));
    }
    for &index in &knobs.removed {
        let key = old[index].key.as_str();
        let place = found.there(LOOP, &[section, key]);
        let change = Change::new(&rules::KNOB_REMOVED, place, format!("the knob `{section}.{key}` is gone"));
        found.push(change.beside(found.here(LOOP, &[section])));
    }
    for &index in &knobs.added {
        let key = new[index].key.as_str();
        let place = found.here(LOOP, &[section, key]);
        found.push(Change::new(&rules::KNOB_ADDED, place, format!("there is a new knob: `{section}.{key}`")));
    }
    for &(was, now) in knobs.both.iter().chain(&knobs.renamed) {
        knob(found, section, &old[was], &new[now]);
    }
}

fn knob(found: &mut Found<'_>, section: &str, was: &Knob, now: &Knob) {
    let key = now.key.as_str();
    let what = format!("`{section}.{key}`");
    words(found, &[section, key, "label"], (&was.label, &now.label), &format!("the label of {what}"), false);
    words(found, &[section, key, "help"], (&was.help, &now.help), &format!("the help of {what}"), false);
    let time = |unit: Unit| unit.milliseconds().is_some();
    if was.unit != now.unit {
        let place = found.here(LOOP, &[section, key, "unit"]);
        let (rule, message) = if time(was.unit) && time(now.unit) {
            (&rules::KNOB_UNIT_CHANGED, format!("{what} is measured in another unit"))
        } else {
            (&rules::KNOB_TYPE_CHANGED, format!("{what} holds another kind of value"))
        };
        found.push(Change::new(rule, place, message).between(was.unit.key(), now.unit.key()));
        if !(time(was.unit) && time(now.unit)) {
            return;
        }
    }
    if was.default != now.default {
        let place = found.here(LOOP, &[section, key, "default"]);
        let message = format!("the default of {what} is another one");
        let change = Change::new(&rules::KNOB_DEFAULT_CHANGED, place, message);
        found.push(change.between(shown(was.default, now.unit), shown(now.default, now.unit)));
    }
    let (Some((low, high)), Some((least, most))) = (was.bounds, now.bounds) else { return };
    for (end, before, behind, narrower) in
        [("min", low, least, least > low), ("max", high, most, most < high)]
    {
        if before == behind {
            continue;
        }
        let (rule, message) = if narrower {
            (&rules::KNOB_BOUNDS_NARROWED, format!("{what} may be set to less than before"))
        } else {
            (&rules::KNOB_BOUNDS_WIDENED, format!("{what} may be set to more than before"))
        };
        let place = found.here(LOOP, &[section, key, end]);
        let bound = |value| format!("{end} {}", shown(value, now.unit));
        found.push(Change::new(rule, place, message).between(bound(before), bound(behind)));
    }
}

fn constants(found: &mut Found<'_>, section: &str, old: &[Constant], new: &[Constant]) {
    let same = |was: usize, now: usize| old[was].value == new[now].value;
    let constants = pair(
        old.iter().map(|constant| constant.key.as_str()),
        new.iter().map(|constant| constant.key.as_str()),
        same,
    );
    for &(was, now) in &constants.renamed {
        let (was, now) = (&old[was].key, &new[now].key);
        let place = found.here(LOOP, &[section, now.as_str()]);
        let message = format!("the constant `{section}.{was}` has another name");
        let change = Change::new(&rules::CONSTANT_RENAMED, place, message);
        found.push(change.between(was.as_str(), now.as_str()));
    }
    for &index in &constants.removed {
        let key = old[index].key.as_str();
        let place = found.there(LOOP, &[section, key]);
        let message = format!("the constant `{section}.{key}` is gone");
        let beside = found.here(LOOP, &[section]);
        found.push(Change::new(&rules::CONSTANT_REMOVED, place, message).beside(beside));
    }
    for &index in &constants.added {
        let key = new[index].key.as_str();
        let place = found.here(LOOP, &[section, key]);
        let message = format!("there is a new constant: `{section}.{key}`");
        found.push(Change::new(&rules::CONSTANT_ADDED, place, message));
    }
    for &(was, now) in &constants.both {
        let (was, now) = (&old[was], &new[now]);
        if was.value == now.value {
            continue;
        }
        let key = now.key.as_str();
        let place = found.here(LOOP, &[section, key]);
        let whole = |value: Fixed| matches!(value, Fixed::Whole(_));
        let (rule, message) = if whole(was.value) == whole(now.value) {
            (&rules::CONSTANT_CHANGED, format!("the constant `{section}.{key}` is another number"))
        } else {
            (&rules::CONSTANT_TYPE_CHANGED, format!("the constant `{section}.{key}` has another type"))
        };
        let number = |value: Fixed| match value {
            Fixed::Whole(number) => number.to_string(),
            Fixed::Fraction(number) => number.to_string(),
        };
        found.push(Change::new(rule, place, message).between(number(was.value), number(now.value)));
    }
}

/// Words that a settings page shows.
fn words(
    found: &mut Found<'_>,
    steps: &[&str],
    (was, now): (&Wordings, &Wordings),
    what: &str,
    of_section: bool,
) {
    // A section without knobs need have no title.
    if was == now || was.is_empty() || now.is_empty() {
        return;
    }
    let changed = |(old, new): &(&(_, String), &(_, String))| old.1 != new.1;
    let languages: Vec<String> = was
        .iter()
        .zip(now)
        .filter(changed)
        .map(|(_, (language, _)): (_, &(crate::model::Language, String))| format!("`{}`", language.key()))
        .collect();
    let rule = if of_section { &rules::SECTION_LABEL_CHANGED } else { &rules::KNOB_WORDS_CHANGED };
    let place = found.here(LOOP, steps);
    found.push(Change::new(rule, place, format!("{what} is worded anew in {}", languages.join(" and "))));
}

/// A value as the spec writes it, with its unit.
fn shown(value: Setting, unit: Unit) -> String {
    match value {
        Setting::Boolean(on) => on.to_string(),
        Setting::Length(milliseconds) => {
            let each = unit.milliseconds().unwrap_or(1);
            let (whole, rest) = (milliseconds / each, milliseconds % each);
            let number = if rest == 0 {
                whole.to_string()
            } else {
                #[expect(clippy::cast_precision_loss, reason = "a year has few milliseconds")]
                let number = milliseconds as f64 / each as f64;
                number.to_string()
            };
            format!("{number} {}", unit.key())
        }
        Setting::Clock(hour, minute) => format!("{hour:02}:{minute:02}"),
        Setting::Count(number) => number.to_string(),
        Setting::Factor(number) => number.to_string(),
    }
}

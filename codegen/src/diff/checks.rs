//! Changes of the fields themselves: their types, descriptions, checks and values.

use super::excerpt::excerpts;
use super::fields::Names;
use super::pairs::pair;
use super::{Change, Found, LOOP, rules};
use crate::model::{Check, Field, Kind, Name, Phone, Shape};

/// The tool whose schema describes the fields.
const TOOL: &str = "tools/phone_action.json";

/// Compares the fields that both specs have.
pub(super) fn compare(found: &mut Found<'_>, names: &Names<'_>) {
    let (old, new) = (&found.old.spec.phone, &found.new.spec.phone);
    let before = old.fields.iter().map(|field| names.now(field.name.as_str()));
    let fields = pair(before, new.fields.iter().map(|field| field.name.as_str()), |_, _| false);
    for &(was, now) in &fields.both {
        field(found, &old.fields[was], &new.fields[now]);
    }
    let checks = pair(order(old).into_iter().map(|name| names.now(name)), order(new), |_, _| false);
    if checks.reordered {
        let first = checks.both.windows(2).find(|two| two[0].0 > two[1].0).map(|two| two[0].1);
        let place = found.here(LOOP, &["phone", "check", &first.unwrap_or(0).to_string()]);
        let message = "of several wrong values another one is refused first";
        let change = Change::new(&rules::REFUSALS_REORDERED, place, message);
        found.push(change.between(order(old).join(", "), order(new).join(", ")));
    }
}

/// The checked fields in the order of refusals.
fn order(phone: &Phone) -> Vec<&str> {
    phone.checks.iter().map(|&id| phone.field(id).name.as_str()).collect()
}

/// The steps to the check of a field.
fn index(phone: &Phone, name: &Name) -> String {
    phone.checks.iter().position(|&id| phone.field(id).name == *name).unwrap_or(0).to_string()
}

fn field(found: &mut Found<'_>, was: &Field, now: &Field) {
    let name = now.name.as_str();
    let property = ["parameters", "properties", name];
    if was.description != now.description {
        let [a, b, c] = property;
        let place = found.here(TOOL, &[a, b, c, "description"]);
        let (before, behind) = excerpts(&was.description, &now.description);
        let message = format!("the description of `{name}` is worded anew");
        found.push(Change::new(&rules::FIELD_DESCRIPTION_CHANGED, place, message).between(before, behind));
    }
    let listed = found.list.len();
    match (&was.check, &now.check) {
        (None, None) => {}
        (Some(before), Some(behind)) => check(found, was, now, before, behind),
        (None, Some(behind)) => {
            let place = found.here(LOOP, &["phone", "check", &index(&found.new.spec.phone, &now.name)]);
            let message = format!("`{name}` is checked, and travelled as it came");
            let change = Change::new(&rules::CHECK_ADDED, place, message);
            found.push(change.between("unchecked", shown(&behind.kind)));
        }
        (Some(before), None) => {
            let place = found.there(LOOP, &["phone", "check", &index(&found.old.spec.phone, &was.name)]);
            let message = format!("`{name}` is no longer checked, and travels as it comes");
            let change = Change::new(&rules::CHECK_REMOVED, place, message);
            let beside = found.here(LOOP, &["phone", "check"]);
            found.push(change.between(shown(&before.kind), "unchecked").beside(beside));
        }
    }
    // A check of another kind says it already.
    if was.shape != now.shape && !found.list[listed..].iter().any(|change| change.class.breaks()) {
        let [a, b, c] = property;
        let place = found.here(TOOL, &[a, b, c, "type"]);
        let message = format!("`{name}` has another type");
        found.push(
            Change::new(&rules::FIELD_TYPE_CHANGED, place, message)
                .between(shape(was.shape), shape(now.shape)),
        );
    }
}

fn check(found: &mut Found<'_>, was: &Field, now: &Field, before: &Check, behind: &Check) {
    let name = now.name.as_str();
    let at = index(&found.new.spec.phone, &now.name);
    if before.what != behind.what {
        let (was, now) = excerpts(&before.what, &behind.what);
        let place = found.here(LOOP, &["phone", "what", name]);
        let message = format!("the phrase of `{name}` is worded anew");
        found.push(Change::new(&rules::PHRASE_CHANGED, place, message).between(was, now));
    }
    match (&before.kind, &behind.kind) {
        (Kind::Integer { min: low, max: high }, Kind::Integer { min, max }) => {
            let ends = [("min", *low, *min, *min > *low), ("max", *high, *max, *max < *high)];
            for (key, was, now, narrower) in ends {
                bound(found, name, (&at, key), (i128::from(was), i128::from(now)), narrower);
            }
        }
        (Kind::PhoneNumber { min_digits: was }, Kind::PhoneNumber { min_digits: now }) => {
            bound(found, name, (&at, "min_digits"), (i128::from(*was), i128::from(*now)), now > was);
        }
        (Kind::SchemaEnum { values: was }, Kind::SchemaEnum { values: now }) => {
            values(found, name, was, now);
        }
        (one, other) if std::mem::discriminant(one) == std::mem::discriminant(other) => {}
        (one, other) => {
            let place = found.here(LOOP, &["phone", "check", &at, "is"]);
            let message = format!("`{}` is checked by another kind", was.name);
            let change = Change::new(&rules::CHECK_KIND_CHANGED, place, message);
            found.push(change.between(shown(one), shown(other)));
        }
    }
}

fn bound(
    found: &mut Found<'_>,
    field: &str,
    (index, key): (&str, &str),
    (was, now): (i128, i128),
    narrower: bool,
) {
    if was == now {
        return;
    }
    let place = found.here(LOOP, &["phone", "check", index, key]);
    let (rule, passes) = if narrower {
        (&rules::CHECK_NARROWED, "passes less than before")
    } else {
        (&rules::CHECK_WIDENED, "passes more than before")
    };
    let change = Change::new(rule, place, format!("the check of `{field}` {passes}"));
    found.push(change.between(format!("{key} {was}"), format!("{key} {now}")));
}

fn values(found: &mut Found<'_>, field: &str, was: &[Name], now: &[Name]) {
    let pairs = pair(was.iter().map(Name::as_str), now.iter().map(Name::as_str), |_, _| false);
    let steps = ["parameters", "properties", field, "enum"];
    for &index in &pairs.removed {
        let place = found.there(TOOL, &[&steps[..], &[&index.to_string()]].concat());
        let message = format!("`{field}` no longer takes `{}`", was[index]);
        let beside = found.here(TOOL, &steps);
        found.push(Change::new(&rules::VALUE_REMOVED, place, message).beside(beside));
    }
    for &index in &pairs.added {
        let place = found.here(TOOL, &[&steps[..], &[&index.to_string()]].concat());
        let message = format!("`{field}` takes a new value: `{}`", now[index]);
        found.push(Change::new(&rules::VALUE_ADDED, place, message));
    }
}

/// A kind as the spec writes it.
fn shown(kind: &Kind) -> String {
    match kind {
        Kind::ClockTime => "clock_time".to_owned(),
        Kind::Weekdays => "weekdays".to_owned(),
        Kind::Integer { min, max } => format!("integer, {min} to {max}"),
        Kind::DateOrDatetime => "date_or_datetime".to_owned(),
        Kind::NonEmptyStrings => "non_empty_strings".to_owned(),
        Kind::PhoneNumber { min_digits } => format!("phone_number, {min_digits} digits at least"),
        Kind::Place => "place".to_owned(),
        Kind::Places => "places".to_owned(),
        Kind::SchemaEnum { values } => {
            let values: Vec<&str> = values.iter().map(Name::as_str).collect();
            format!("schema_enum: {}", values.join(", "))
        }
        Kind::HttpUrl => "http_url".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::StringMap => "string_map".to_owned(),
    }
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::String => "string",
        Shape::Integer => "integer",
        Shape::Number => "number",
        Shape::Boolean => "boolean",
        Shape::Array => "array",
        Shape::Object => "object",
    }
}

//! `phone.check` and `phone.what`: what a field must be, and the phrase that says so.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::holes;
use crate::check::page::{Object, Page, Word, quoted};
use crate::model::{Kind, Shape};
use crate::nearest::proposal;
use crate::read::Node;
use crate::rules;

use super::ReadFields;

/// The most digits that `min_digits` may ask for.
const MOST_DIGITS: u64 = 1000;

/// An entry of `phone.check`.
#[derive(Debug)]
pub(in crate::check) struct CheckDraft<'a> {
    pub(in crate::check) field: Word<'a>,
    /// Where the kind stands, and which it is; none where it was told.
    pub(in crate::check) kind: Option<(Word<'a>, KindDraft)>,
}

/// A kind before the tool's schema is known.
#[derive(Clone, Debug)]
pub(in crate::check) enum KindDraft {
    /// Complete.
    Ready(Kind),
    /// Its values are the schema's.
    SchemaEnum,
}

/// A kind's name, the keys that belong to it, and the type of value that it can pass.
struct KnownKind {
    name: &'static str,
    keys: &'static [&'static str],
    shape: Shape,
}

const fn kind(name: &'static str, keys: &'static [&'static str], shape: Shape) -> KnownKind {
    KnownKind { name, keys, shape }
}

const KINDS: [KnownKind; 12] = [
    kind("clock_time", &[], Shape::String),
    kind("weekdays", &[], Shape::Array),
    kind("integer", &["min", "max"], Shape::Integer),
    kind("date_or_datetime", &[], Shape::String),
    kind("non_empty_strings", &[], Shape::Array),
    kind("phone_number", &["min_digits"], Shape::String),
    kind("place", &[], Shape::Object),
    kind("places", &[], Shape::Array),
    kind("schema_enum", &[], Shape::String),
    kind("http_url", &[], Shape::String),
    kind("boolean", &[], Shape::Boolean),
    kind("string_map", &[], Shape::Object),
];

/// The type that a field's property must have for the check of this name.
pub(super) fn shape_of(name: &str) -> Option<Shape> {
    KINDS.iter().find(|kind| kind.name == name).map(|kind| kind.shape)
}

/// The list of checks. `read` are the fields that some action reads.
pub(super) fn checks<'a>(
    page: &Page<'a>,
    node: &'a Node,
    read: Option<&ReadFields<'_>>,
    meant: &mut BTreeSet<String>,
) -> Option<Vec<CheckDraft<'a>>> {
    let mut checks: Vec<CheckDraft<'a>> = Vec::new();
    for item in page.list(node, "`phone.check`")? {
        let Some(check) = check(page, item) else { continue };
        if let Some(read) = read {
            meant.extend(unread(page, check.field, read, "is checked"));
        }
        checks.push(check);
    }
    page.repeated(&checks.iter().map(|check| check.field).collect::<Vec<_>>(), "`phone.check`");
    Some(checks)
}

fn check<'a>(page: &Page<'a>, item: &'a Node) -> Option<CheckDraft<'a>> {
    const WHAT: &str = "a check";
    let is = item.get("is").and_then(Node::as_str);
    let known = is.and_then(|is| KINDS.iter().find(|kind| kind.name == is));
    let keys: Vec<&str> =
        ["field", "is"].into_iter().chain(known.iter().flat_map(|kind| kind.keys).copied()).collect();
    // Keys of other kinds are told as such, below; of an unknown kind nobody knows which keys it has.
    let others: Vec<&str> =
        KINDS.iter().flat_map(|kind| kind.keys).copied().filter(|key| !keys.contains(key)).collect();
    let object = page.object(item, WHAT, &keys, &others)?;
    if let Some(known) = known {
        for key in others {
            if let Some(member) = object.member(key) {
                let owner = KINDS
                    .iter()
                    .find(|kind| kind.keys.contains(&key))
                    .map_or("another kind", |kind| kind.name);
                let help = match known.keys {
                    [] => format!("remove it; `{owner}` takes it"),
                    keys => format!("`{owner}` takes it; `{}` takes {}", known.name, quoted(keys)),
                };
                page.fault(
                    &rules::UNFIT_KEY,
                    member.key_span,
                    format!("a check of the kind `{}` takes no `{key}`", known.name),
                )
                .label("never read")
                .help(help)
                .report();
            }
        }
    }
    let kind = object.get("is").and_then(|node| page.string(node, "`is`")).and_then(|is| match known {
        Some(known) => values(page, &object, known).map(|kind| (is, kind)),
        None => {
            let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
            page.fault(&rules::UNKNOWN_KIND, is.span, format!("`{}` is no kind of check", is.text))
                .label("unknown kind")
                .help(proposal(is.text, &names))
                .report();
            None
        }
    });
    let field = page.string(object.get("field")?, "`field`")?;
    Some(CheckDraft { field, kind })
}

/// The kind with its bounds.
fn values(page: &Page<'_>, object: &Object<'_>, known: &KnownKind) -> Option<KindDraft> {
    let kind = match known.name {
        "clock_time" => Kind::ClockTime,
        "weekdays" => Kind::Weekdays,
        "integer" => return integer(page, object),
        "date_or_datetime" => Kind::DateOrDatetime,
        "non_empty_strings" => Kind::NonEmptyStrings,
        "phone_number" => Kind::PhoneNumber {
            min_digits: page.positive(object.get("min_digits")?, "`min_digits`", MOST_DIGITS)?,
        },
        "place" => Kind::Place,
        "places" => Kind::Places,
        "schema_enum" => return Some(KindDraft::SchemaEnum),
        "http_url" => Kind::HttpUrl,
        "boolean" => Kind::Boolean,
        _ => Kind::StringMap,
    };
    Some(KindDraft::Ready(kind))
}

fn integer(page: &Page<'_>, object: &Object<'_>) -> Option<KindDraft> {
    let (low, high) = (object.get("min"), object.get("max"));
    let min = low.and_then(|node| page.integer(node, "`min`"));
    let max = high.and_then(|node| page.integer(node, "`max`"));
    let (min, max) = (min?, max?);
    if min > max {
        page.fault(
            &rules::REVERSED_BOUNDS,
            high?.span,
            format!("`max` is {max} and `min` is {min}: no number lies between"),
        )
        .label("less than `min`")
        .also(low?.span, "`min`")
        .help("swap the two, or correct one")
        .report();
    }
    Some(KindDraft::Ready(Kind::Integer { min, max }))
}

/// Field → phrase. The checks come with whether all of them could be read.
pub(super) fn what<'a>(
    page: &Page<'a>,
    node: &'a Node,
    read: Option<&ReadFields<'_>>,
    (checks, whole): (Option<&[CheckDraft<'_>]>, bool),
    meant: &mut BTreeSet<String>,
) -> Option<BTreeMap<&'a str, &'a str>> {
    let mut phrases = BTreeMap::new();
    let checked: Option<BTreeSet<&str>> =
        checks.map(|checks| checks.iter().map(|check| check.field.text).collect());
    let members = page.map(node, "`phone.what`")?;
    let keys: BTreeSet<&str> = members.iter().map(|member| member.key.as_str()).collect();
    for member in members {
        if let Some(phrase) = page.text(&member.value, &format!("the phrase of `{}`", member.key)) {
            holes::none(page, phrase, "a phrase that fills a hole and has none itself");
            phrases.entry(member.key.as_str()).or_insert(phrase.text);
        }
        let field = Word::from(member);
        let known = !whole
            || checked.as_ref().is_none_or(|checked| checked.contains(field.text))
            || meant.contains(field.text);
        if let Some(read) = read.filter(|read| !read.holds(field.text)) {
            // A name misspelt alike in `check` and `what` is told at both places.
            meant.extend(unread(page, field, read, "has a phrase"));
        } else if !known {
            page.fault(
                &rules::WHAT_WITHOUT_CHECK,
                field.span,
                format!("`{}` has a phrase in `phone.what`, and no check in `phone.check`", field.text),
            )
            .label("never said")
            .help("add a check for it, or remove the phrase")
            .report();
        }
    }
    for check in checks.unwrap_or_default() {
        let field = check.field;
        let reads = read.is_none_or(|read| read.holds(field.text));
        if reads && !keys.contains(field.text) && !meant.contains(field.text) {
            page.fault(
                &rules::CHECK_WITHOUT_WHAT,
                field.span,
                format!("`{}` is checked, and `phone.what` has no phrase for it", field.text),
            )
            .label("refused without a reason")
            .also(node.head(), format!("`{}` is missing in here", field.text))
            .help(format!("add \"{}\" with a phrase that goes on from “must be”", field.text))
            .report();
        }
    }
    Some(phrases)
}

/// Tells a field that no action reads; gives the one it most likely means.
fn unread(page: &Page<'_>, field: Word<'_>, read: &ReadFields<'_>, does: &str) -> Option<String> {
    if read.holds(field.text) {
        return None;
    }
    page.fault(&rules::UNREAD_FIELD, field.span, format!("`{}` {does}, and no action reads it", field.text))
        .label("read by no action")
        .help(read.help(field.text, "an action"))
        .report();
    read.meant(field.text).map(str::to_owned)
}

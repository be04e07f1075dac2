//! `phone` of loop.json (document 1 §2): what can be said of it alone. What needs the tool's schema as well is in
//! `resolve`.

mod actions;
mod checks;
mod required;
mod resolve;

use std::collections::{BTreeMap, BTreeSet};

use super::known::{Known, fits};
use super::page::{Page, Word};
use super::reserved::Use;
use super::tool::Property;
use super::{names, numbers};
use crate::model::Name;
use crate::read::Node;

pub(super) use checks::{CheckDraft, KindDraft};
pub(super) use resolve::resolve;

/// Its keys; it may have knobs besides.
pub(super) const KEYS: &[&str] = &[
    "capability",
    "wait_seconds",
    "answer_grace_seconds",
    "message_max_chars",
    "actions",
    "fields",
    "required",
    "check",
    "what",
    "texts",
];

/// `phone` as far as it could be read. What is `None` was told.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub(super) capability: Option<&'a str>,
    pub(super) wait_seconds: Option<u64>,
    pub(super) answer_grace_seconds: Option<u64>,
    pub(super) message_max_chars: Option<u64>,
    pub(super) actions: Option<Vec<Word<'a>>>,
    /// Action → the fields it reads.
    pub(super) fields: Option<BTreeMap<&'a str, Vec<Word<'a>>>>,
    /// Action → entries, each a list of fields of which one is enough.
    pub(super) required: Option<BTreeMap<&'a str, Vec<Vec<Word<'a>>>>>,
    pub(super) checks: Option<Vec<CheckDraft<'a>>>,
    /// Field → phrase.
    pub(super) what: Option<BTreeMap<&'a str, &'a str>>,
    /// Where the texts stand.
    pub(super) texts: Option<&'a Node>,
}

impl<'a> Draft<'a> {
    /// Every field that some action reads, each once, where it is read first.
    pub(super) fn read_fields(&self) -> Vec<Word<'a>> {
        let lists = self.fields.iter().flat_map(BTreeMap::values);
        let mut fields: Vec<Word<'a>> = lists.flatten().copied().collect();
        fields.sort_by_key(|field| field.span);
        let mut seen = BTreeSet::new();
        fields.retain(|field| seen.insert(field.text));
        fields
    }
}

/// The most seconds that a limit may have: a year.
const MOST_SECONDS: u64 = 31_536_000;
/// The most characters that a limit may have.
const MOST_CHARACTERS: u64 = 1_000_000;

/// The fields that some action reads, for those that speak of them.
pub(super) struct ReadFields<'k> {
    known: Known<'k>,
    properties: Option<BTreeSet<&'k str>>,
}

impl<'k> ReadFields<'k> {
    fn new(fields: impl IntoIterator<Item = &'k str>, properties: Option<&[Property<'k>]>) -> Self {
        let properties: Option<BTreeSet<&str>> =
            properties.map(|all| all.iter().map(|property| property.name.text).collect());
        // A field that no property has is most likely a slip itself.
        let fit =
            |name: &str| fits(name, Use::Field) && properties.as_ref().is_none_or(|all| all.contains(name));
        Self { known: Known::new(fields, fit), properties }
    }

    fn holds(&self, field: &str) -> bool {
        self.known.holds(field)
    }

    /// The field that a name which is none of these most likely means.
    fn meant(&self, field: &str) -> Option<&'k str> {
        if self.is_property(field) { None } else { self.known.nearest(field, |_| true) }
    }

    /// What to do about a name that is none of these; `reader` is who should read it.
    fn help(&self, field: &str, reader: &str) -> String {
        if self.is_property(field) {
            return format!(
                "add it to {reader} in `phone.fields`, or correct the name there that was meant for it"
            );
        }
        self.known.proposal(field)
    }

    fn is_property(&self, field: &str) -> bool {
        self.properties.as_ref().is_some_and(|all| all.contains(field))
    }
}

/// The names that malformed ones most likely want to be.
fn right_names(words: &[Word<'_>]) -> Vec<Name> {
    words.iter().filter_map(|word| names::meant(word.text)).collect()
}

/// Reads the section. `properties` are those of the tool's schema, where it could be read.
pub(super) fn read<'a>(page: &Page<'a>, node: &'a Node, properties: Option<&[Property<'a>]>) -> Draft<'a> {
    let Some(phone) = page.object(node, "`phone`", KEYS, &numbers::knobs_among(node)) else {
        return Draft::default();
    };
    let limit = |key: &str, most| page.positive(phone.get(key)?, &format!("`{key}`"), most);
    let mut draft = Draft {
        capability: phone
            .get("capability")
            .and_then(|node| page.text(node, "`capability`"))
            .and_then(|word| names::shape(page, word, "a capability"))
            .map(|word| word.text),
        wait_seconds: limit("wait_seconds", MOST_SECONDS),
        answer_grace_seconds: limit("answer_grace_seconds", MOST_SECONDS),
        message_max_chars: limit("message_max_chars", MOST_CHARACTERS),
        texts: phone.get("texts"),
        ..Draft::default()
    };
    draft.actions = phone.get("actions").and_then(|node| actions::actions(page, node));
    // A name that is told as malformed is known by its right form as well.
    let right = draft.actions.as_deref().map(right_names);
    let known = draft.actions.as_ref().zip(right.as_ref()).map(|(actions, right)| {
        let names = actions.iter().map(|action| action.text).chain(right.iter().map(Name::as_str));
        Known::new(names, |name| fits(name, Use::Type))
    });
    let known = known.as_ref();
    draft.fields =
        phone.get("fields").and_then(|node| actions::fields(page, node, draft.actions.as_deref(), known));
    draft.required =
        phone.get("required").and_then(|node| required::required(page, node, &draft, known, properties));
    let read = draft.read_fields();
    let read =
        draft.fields.as_ref().map(|_| ReadFields::new(read.into_iter().map(|field| field.text), properties));
    // Fields that a misspelt name of `check` or `what` means: they are not told a second time as missing there.
    let mut meant = BTreeSet::new();
    draft.checks = phone.get("check").and_then(|node| checks::checks(page, node, read.as_ref(), &mut meant));
    let checks = draft.checks.as_deref();
    // Of a check whose field could not be read nobody knows which phrase belongs to it.
    let whole = checks.map(<[_]>::len) == phone.get("check").and_then(Node::as_array).map(<[_]>::len);
    draft.what = phone
        .get("what")
        .and_then(|node| checks::what(page, node, read.as_ref(), (checks, whole), &mut meant));
    draft
}

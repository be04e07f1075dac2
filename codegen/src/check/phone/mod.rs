//! `phone` of loop.json (document 1 §2): what can be said of it alone. What needs the tool's schema as well is in
//! `resolve`.

mod actions;
mod checks;
mod required;
mod resolve;

use std::collections::{BTreeMap, BTreeSet};

use super::page::{Page, Word};
use crate::read::Node;

pub(super) use checks::{CheckDraft, KindDraft};
pub(super) use resolve::resolve;

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

/// Reads the section.
pub(super) fn read<'a>(page: &Page<'a>, node: &'a Node) -> Draft<'a> {
    const KEYS: &[&str] = &[
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
    let Some(phone) = page.object(node, "`phone`", KEYS, &[]) else { return Draft::default() };
    let limit = |key: &str| page.positive(phone.get(key)?, &format!("`{key}`"));
    let mut draft = Draft {
        capability: phone
            .get("capability")
            .and_then(|node| page.text(node, "`capability`"))
            .map(|word| word.text),
        wait_seconds: limit("wait_seconds"),
        answer_grace_seconds: limit("answer_grace_seconds"),
        message_max_chars: limit("message_max_chars"),
        texts: phone.get("texts"),
        ..Draft::default()
    };
    draft.actions = phone.get("actions").and_then(|node| actions::actions(page, node));
    draft.fields = phone.get("fields").and_then(|node| actions::fields(page, node, draft.actions.as_deref()));
    draft.required = phone.get("required").and_then(|node| required::required(page, node, &draft));
    let read = draft.fields.as_ref().map(|_| draft.read_fields());
    // Fields that a misspelt name of `check` or `what` means: they are not told a second time as missing there.
    let mut meant = BTreeSet::new();
    draft.checks =
        phone.get("check").and_then(|node| checks::checks(page, node, read.as_deref(), &mut meant));
    let checks = draft.checks.as_deref();
    draft.what =
        phone.get("what").and_then(|node| checks::what(page, node, read.as_deref(), checks, &mut meant));
    draft
}

//! One file under check, the faults found so far, and the readers that every part of the check shares.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Secondary};
use crate::nearest::nearest;
use crate::read::{Integral, Member, Node, Span, Value, integral, span_within};
use crate::rules::{self, Rule};

/// Beyond this not every language holds a whole number exactly.
const MOST: i64 = (1 << 53) - 1;

/// The faults of all files.
#[derive(Debug, Default)]
pub(super) struct Faults(RefCell<Vec<Diagnostic>>);

impl Faults {
    pub(super) fn push(&self, fault: Diagnostic) {
        self.0.borrow_mut().push(fault);
    }

    pub(super) fn take(&self) -> Vec<Diagnostic> {
        self.0.take()
    }
}

/// A file under check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'a> {
    /// Its path below `specs/`.
    pub(super) file: &'a str,
    /// Its text.
    pub(super) text: &'a str,
    faults: &'a Faults,
}

/// A string of a file and where it stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// A fault that is being described.
#[must_use = "a fault counts once it is reported"]
pub(super) struct Fault<'a> {
    faults: &'a Faults,
    diagnostic: Diagnostic,
}

impl Fault<'_> {
    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.diagnostic.label = label.into();
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// Points to another place of the same file.
    pub(super) fn also(self, span: Span, label: impl Into<String>) -> Self {
        let file = self.diagnostic.file.clone();
        self.also_in(&file, span, label)
    }

    /// Points to a place of any file.
    pub(super) fn also_in(mut self, file: &str, span: Span, label: impl Into<String>) -> Self {
        self.diagnostic.also.push(Secondary { file: file.to_owned(), span, label: label.into() });
        self
    }

    pub(super) fn report(self) {
        self.faults.push(self.diagnostic);
    }
}

impl<'a> Page<'a> {
    pub(super) fn new(file: &'a str, text: &'a str, faults: &'a Faults) -> Self {
        Self { file, text, faults }
    }

    /// Begins the description of a fault.
    pub(super) fn fault(&self, rule: &'static Rule, span: Span, message: impl Into<String>) -> Fault<'a> {
        let diagnostic = Diagnostic {
            rule,
            file: self.file.to_owned(),
            span,
            pointer: String::new(),
            message: message.into(),
            label: String::new(),
            also: Vec::new(),
            help: None,
        };
        Fault { faults: self.faults, diagnostic }
    }

    pub(super) fn wrong_type(&self, node: &Node, what: &str, expected: &str) {
        self.fault(
            &rules::WRONG_TYPE,
            node.head(),
            format!("{what} must be {expected}, and this is {}", node.kind()),
        )
        .label(format!("expected {expected}"))
        .report();
    }

    /// The members of an object, whatever their keys.
    pub(super) fn map(&self, node: &'a Node, what: &str) -> Option<&'a [Member]> {
        if node.as_object().is_none() {
            self.wrong_type(node, what, "an object");
        }
        node.as_object()
    }

    /// The elements of a list.
    pub(super) fn list(&self, node: &'a Node, what: &str) -> Option<&'a [Node]> {
        if node.as_array().is_none() {
            self.wrong_type(node, what, "a list");
        }
        node.as_array()
    }

    /// A string, whatever it says.
    pub(super) fn string(&self, node: &'a Node, what: &str) -> Option<Word<'a>> {
        if node.as_str().is_none() {
            self.wrong_type(node, what, "a string");
        }
        node.as_str().map(|text| Word { text, span: node.span })
    }

    /// A string with something in it.
    pub(super) fn text(&self, node: &'a Node, what: &str) -> Option<Word<'a>> {
        let word = self.string(node, what)?;
        if word.text.trim().is_empty() {
            self.fault(&rules::BLANK_TEXT, node.span, format!("{what} is blank"))
                .label("nothing to read")
                .report();
            return None;
        }
        if let Some(at) = word.text.find('\0') {
            self.fault(
                &rules::NULL_CHARACTER,
                span_within(self.text, node.span, Span::new(at, at + 1)),
                format!("{what} holds the character U+0000"),
            )
            .label("no character of a text")
            .help("remove it")
            .report();
            return None;
        }
        Some(word)
    }

    /// A whole number that every language holds exactly.
    pub(super) fn integer(&self, node: &'a Node, what: &str) -> Option<i64> {
        self.whole(node, what, MOST)
    }

    /// A whole number that is at most `most` either side of 0.
    fn whole(&self, node: &'a Node, what: &str, most: i64) -> Option<i64> {
        let Value::Number(text) = &node.value else {
            self.wrong_type(node, what, "a whole number");
            return None;
        };
        let value = match integral(text) {
            Integral::Is(value) => i64::try_from(value).ok().filter(|value| (-most..=most).contains(value)),
            Integral::TooLarge => None,
            Integral::No => {
                self.fault(
                    &rules::WRONG_TYPE,
                    node.span,
                    format!("{what} must be a whole number, and this is a fraction"),
                )
                .label("expected a whole number")
                .report();
                return None;
            }
        };
        if value.is_none() {
            self.fault(&rules::NUMBER_TOO_LARGE, node.span, format!("{what} is not exact in every language"))
                .label("too large")
                .help(format!("write a number from -{MOST} to {MOST}"))
                .report();
        }
        value
    }

    /// A whole number from 1 to `most`.
    pub(super) fn positive(&self, node: &'a Node, what: &str, most: u64) -> Option<u64> {
        let value = self.whole(node, what, i64::MAX)?;
        let Some(positive) = u64::try_from(value).ok().filter(|&value| value > 0) else {
            self.fault(
                &rules::NOT_POSITIVE,
                node.span,
                format!("{what} is a limit and must be greater than 0, and this is {value}"),
            )
            .label("not greater than 0")
            .help("write a number from 1 on")
            .report();
            return None;
        };
        if positive > most {
            self.fault(
                &rules::LIMIT_TOO_LARGE,
                node.span,
                format!("{what} may be {most} at most, and this is {value}"),
            )
            .label("too large")
            .help(format!("write a number from 1 to {most}"))
            .report();
            return None;
        }
        Some(positive)
    }

    /// A list of strings, none of them twice; what is no string is told and left out.
    pub(super) fn words(&self, node: &'a Node, what: &str) -> Option<Vec<Word<'a>>> {
        let items = self.list(node, what)?;
        let entry = format!("an entry of {what}");
        let words: Vec<_> = items.iter().filter_map(|item| self.string(item, &entry)).collect();
        self.repeated(&words, what);
        Some(words)
    }

    /// Tells every word that stands in the list before.
    pub(super) fn repeated(&self, words: &[Word<'_>], what: &str) {
        let mut first = BTreeMap::new();
        for word in words {
            match first.get(word.text) {
                None => drop(first.insert(word.text, word.span)),
                Some(&span) => self
                    .fault(
                        &rules::REPEATED_ENTRY,
                        word.span,
                        format!("`{}` stands twice in {what}", word.text),
                    )
                    .label("the second")
                    .also(span, "the first")
                    .help("remove one of the two")
                    .report(),
            }
        }
    }

    /// A list that may not be empty.
    pub(super) fn not_empty(&self, node: &Node, what: &str) {
        if node.as_array().is_some_and(<[Node]>::is_empty) {
            self.fault(&rules::EMPTY_LIST, node.span, format!("{what} must not be empty"))
                .label("nothing in it")
                .report();
        }
    }

    /// An object with keys of a fixed set: tells every unknown key, with the nearest, and every needed one that lacks.
    pub(super) fn object(
        &self,
        node: &'a Node,
        what: &str,
        needed: &[&str],
        optional: &[&str],
    ) -> Option<Object<'a>> {
        let members = self.map(node, what)?;
        let object = Object { members };
        let lacks = |key: &&str| object.get(key).is_none();
        let mut missing: Vec<&str> = needed.iter().copied().filter(lacks).collect();
        let absent: Vec<&str> = optional.iter().copied().filter(lacks).collect();
        for member in members
            .iter()
            .filter(|member| !needed.contains(&&*member.key) && !optional.contains(&&*member.key))
        {
            let meant = nearest(&member.key, missing.iter().chain(&absent).copied());
            missing.retain(|key| Some(*key) != meant);
            let there = || nearest(&member.key, needed.iter().chain(optional).copied());
            let help = match meant {
                Some(key) => format!("did you mean `{key}`?"),
                None => match there() {
                    Some(key) => format!("`{key}` is there already: remove this one"),
                    None => format!("its keys are {}", quoted(needed.iter().chain(optional))),
                },
            };
            self.fault(&rules::UNKNOWN_KEY, member.key_span, format!("{what} has no key `{}`", member.key))
                .label("unknown key")
                .help(help)
                .report();
        }
        for key in missing {
            self.fault(&rules::MISSING_KEY, node.head(), format!("{what} lacks the key `{key}`"))
                .label(format!("`{key}` is missing in here"))
                .report();
        }
        Some(object)
    }
}

/// An object whose keys were checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'a> {
    members: &'a [Member],
}

impl<'a> Object<'a> {
    /// The first member with this key.
    pub(super) fn member(&self, key: &str) -> Option<&'a Member> {
        self.members.iter().find(|member| member.key == key)
    }

    /// Its value.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.member(key).map(|member| &member.value)
    }
}

impl<'a> From<&'a Member> for Word<'a> {
    fn from(member: &'a Member) -> Self {
        Self { text: &member.key, span: member.key_span }
    }
}

/// Names as a sentence lists them: `` `a`, `b` ``.
pub(super) fn quoted<'k>(names: impl IntoIterator<Item = &'k &'k str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

//! `markers.delimiters`: the pairs of characters that a marker stands between.

use std::collections::BTreeMap;

use crate::check::page::Page;
use crate::read::{Node, Span};
use crate::rules;

/// What the text around a marker, or the marker itself, keeps for itself.
const KEPT: &[(char, &str)] = &[
    (':', "parts name and argument"),
    ('：', "parts name and argument"),
    ('`', "quotes"),
    ('~', "opens fenced code"),
    ('(', "is what makes other people's markers harmless"),
    (')', "is what makes other people's markers harmless"),
];

/// The pairs, as far as they could be read; each character is there once.
pub(super) struct Pairs(Vec<(char, char)>);

impl Pairs {
    pub(super) fn list(&self) -> Vec<(char, char)> {
        self.0.clone()
    }

    pub(super) fn holds(&self, character: char) -> bool {
        self.0.iter().any(|(open, close)| *open == character || *close == character)
    }
}

/// Reads the list; nothing where a delimiter is none.
pub(super) fn read(page: &Page<'_>, node: &Node) -> Option<Pairs> {
    page.not_empty(node, "`delimiters`");
    let mut seen = BTreeMap::new();
    let mut pairs = Vec::new();
    for item in page.list(node, "`delimiters`")? {
        pairs.push(pair(page, item, &mut seen));
    }
    pairs.into_iter().collect::<Option<_>>().map(Pairs)
}

fn pair(page: &Page<'_>, node: &Node, seen: &mut BTreeMap<char, Span>) -> Option<(char, char)> {
    let [open, close] = page.list(node, "an entry of `delimiters`")? else {
        page.fault(
            &rules::NOT_A_DELIMITER,
            node.head(),
            "an entry of `delimiters` is an opener and its closer",
        )
        .label(format!("{} in here", node.as_array().map_or(0, <[_]>::len)))
        .help("write two characters, such as [\"⟪\", \"⟫\"]")
        .report();
        return None;
    };
    // Both are read before the first fault ends it.
    let (open, close) = (delimiter(page, open, seen), delimiter(page, close, seen));
    open.zip(close)
}

fn delimiter(page: &Page<'_>, node: &Node, seen: &mut BTreeMap<char, Span>) -> Option<char> {
    let word = page.string(node, "a delimiter")?;
    let mut characters = word.text.chars();
    let character = match (characters.next(), characters.next()) {
        (Some(character), None) => character,
        (first, _) => {
            let count = if first.is_none() { "none" } else { "several" };
            page.fault(
                &rules::NOT_A_DELIMITER,
                word.span,
                format!("a delimiter is one character, and this is {count}"),
            )
            .label("not one character")
            .help("such as \"⟪\"")
            .report();
            return None;
        }
    };
    let kept =
        KEPT.iter().find(|(kept, _)| *kept == character).map(|(_, does)| format!("`{character}` {does}"));
    let taken = kept.or_else(|| {
        let plain = character.is_alphanumeric() || character.is_whitespace() || character.is_control();
        plain.then(|| "letters, digits and blanks are what stands between".to_owned())
    });
    if let Some(taken) = taken {
        page.fault(
            &rules::NOT_A_DELIMITER,
            word.span,
            format!("{} cannot be a delimiter: {taken}", shown(character)),
        )
        .label("in use otherwise")
        .help("write a bracket that people and models hardly use otherwise")
        .report();
        return None;
    }
    if let Some(first) = seen.insert(character, word.span) {
        page.fault(&rules::COLLIDING_DELIMITERS, word.span, format!("`{character}` is a delimiter already"))
            .label("the second")
            .also(first, "the first")
            .help("a character opens or closes one pair; write another one")
            .report();
        return None;
    }
    Some(character)
}

fn shown(character: char) -> String {
    if character.is_control() || character.is_whitespace() {
        format!("U+{:04X}", u32::from(character))
    } else {
        format!("`{character}`")
    }
}

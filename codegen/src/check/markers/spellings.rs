//! The names of a kind of marker: what a companion writes.

use std::collections::BTreeMap;

use super::delimiters::Pairs;
use crate::check::page::{Page, Word};
use crate::model::folded;
use crate::read::{Node, Span};
use crate::rules;

/// A name that could be read.
pub(super) struct Spelling<'a> {
    pub(super) word: Word<'a>,
    /// Where the list stands that it is of.
    list: Span,
    /// As names are compared.
    folded: String,
    /// The fewest characters of a marker that bears it, both delimiters too.
    pub(super) least: u64,
}

/// Reads `names` of a kind; nothing where one of them is none.
pub(super) fn read<'a>(
    page: &Page<'a>,
    node: &'a Node,
    what: &str,
    pairs: Option<&Pairs>,
    argument: bool,
) -> Option<Vec<Spelling<'a>>> {
    page.not_empty(node, &format!("`names` of {what}"));
    let words = page.words(node, &format!("`names` of {what}"))?;
    let spellings: Vec<_> =
        words.into_iter().filter_map(|word| spelling(page, word, node.span, pairs, argument)).collect();
    let whole = node.as_array().is_some_and(|items| items.len() == spellings.len() && !items.is_empty());
    whole.then_some(spellings)
}

fn spelling<'a>(
    page: &Page<'a>,
    word: Word<'a>,
    list: Span,
    pairs: Option<&Pairs>,
    argument: bool,
) -> Option<Spelling<'a>> {
    let fold: String = word.text.chars().map(folded).collect();
    let colon = |text: &str| text.starts_with(':') || text.ends_with(':') || text.contains("::");
    let beside = fold.contains(" :") || fold.contains(": ");
    let delimiter = |c: char| pairs.is_some_and(|pairs| pairs.holds(c));
    let fault = if fold.is_empty() {
        Some(("it is empty", "write what the companion shall write"))
    } else if fold != fold.trim() || fold.contains("  ") || beside {
        Some((
            "blanks may stand round a name and its colon in any case",
            "write it without them; one space may stand between two words",
        ))
    } else if fold.chars().any(|c| c != ' ' && (c.is_whitespace() || c.is_control())) {
        Some((
            "a marker stands on one line, and a name has no blank but a space",
            "write it with spaces, or without",
        ))
    } else if colon(&fold) {
        Some((
            "a colon stands between two parts of a name; at the end it begins the argument",
            "write a word on either side of the colon, or none",
        ))
    } else if fold.contains('`') {
        Some(("a backtick quotes", "write it without"))
    } else if fold.chars().any(delimiter) {
        Some(("a delimiter ends the marker, or begins another", "write it without"))
    } else {
        None
    };
    if let Some((why, help)) = fault {
        page.fault(
            &rules::NOT_A_MARKER_NAME,
            word.span,
            format!("{:?} cannot name a marker: {why}", word.text),
        )
        .label("never found")
        .help(help)
        .report();
        return None;
    }
    // Two delimiters; an argument has a colon and at least one character.
    let least = fold.chars().count() + if argument { 4 } else { 2 };
    Some(Spelling { word, list, folded: fold, least: u64::try_from(least).unwrap_or(u64::MAX) })
}

/// Tells every name that is read as another one, be it with an argument.
pub(super) fn distinct(page: &Page<'_>, spellings: &[Spelling<'_>]) {
    let mut first: BTreeMap<&str, &Spelling<'_>> = BTreeMap::new();
    for spelling in spellings {
        match first.get(spelling.folded.as_str()) {
            // The same text twice in one list is told there.
            Some(before) if before.word.text == spelling.word.text && before.list == spelling.list => {}
            Some(before) => page
                .fault(
                    &rules::COLLIDING_MARKER_NAMES,
                    spelling.word.span,
                    format!("`{}` and `{}` are one name: case does not count, and neither does the width of a colon", before.word.text, spelling.word.text),
                )
                .label("the second")
                .also(before.word.span, "the first")
                .help("remove one of the two")
                .report(),
            None => drop(first.insert(&spelling.folded, spelling)),
        }
    }
    for spelling in spellings {
        for (at, _) in spelling.folded.match_indices(':') {
            if let Some(shorter) = first.get(&spelling.folded[..at]) {
                page.fault(
                    &rules::COLLIDING_MARKER_NAMES,
                    spelling.word.span,
                    format!("`{}` is also `{}` with an argument", spelling.word.text, shorter.word.text),
                )
                .label("read in two ways")
                .also(shorter.word.span, "the shorter one")
                .help("rename one of the two")
                .report();
            }
        }
    }
}

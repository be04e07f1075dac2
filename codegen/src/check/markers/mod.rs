//! `markers` of loop.json (document 2; spec-format, "markers").

mod delimiters;
mod spellings;

use super::holes;
use super::names;
use super::numbers;
use super::page::{Object, Page, Word};
use super::reserved::Use;
use crate::model::{MarkerKind, Markers};
use crate::read::Node;
use crate::rules;
use delimiters::Pairs;
use spellings::Spelling;

/// The kinds that the runtime performs. A further one would need code there, as a kind of check needs it here.
pub(super) const KINDS: [&str; 5] = ["dial", "hangup", "dnd_on", "dnd_off", "read_aloud"];

/// The keys that are read here; further ones are numbers.
pub(super) const KEYS: &[&str] = &["delimiters", "max_chars", "kinds"];

/// The most characters that a marker may be allowed.
const MOST_CHARACTERS: u64 = 10_000;
/// The most times that a conversation may be allowed a marker.
const MOST_TIMES: u64 = 1_000;

/// Reads the section.
pub(super) fn read(page: &Page<'_>, node: &Node) -> Option<Markers> {
    let section = page.object(node, "`markers`", KEYS, &numbers::knobs_among(node))?;
    let pairs = section.get("delimiters").and_then(|node| delimiters::read(page, node));
    let max_node = section.get("max_chars");
    let max_chars = max_node.and_then(|node| page.positive(node, "`max_chars`", MOST_CHARACTERS));
    let kinds = page.object(section.get("kinds")?, "`markers.kinds`", &KINDS, &[])?;
    let mut spellings = Vec::new();
    let mut read = Vec::new();
    // In the order in which they stand, so that a fault that takes two is told at the second.
    for member in section.get("kinds").and_then(Node::as_object).unwrap_or_default() {
        let known = KINDS.contains(&&*member.key)
            && kinds.get(&member.key).is_some_and(|first| std::ptr::eq(first, &member.value));
        if known {
            read.push(kind(page, Word::from(member), &member.value, pairs.as_ref(), &mut spellings));
        }
    }
    spellings::distinct(page, &spellings);
    if let (Some(max_chars), Some(max_node)) = (max_chars, max_node) {
        too_long(page, max_node, max_chars, &spellings);
    }
    let kinds = read.into_iter().collect::<Option<Vec<_>>>()?;
    Some(Markers { delimiters: pairs?.list(), max_chars: max_chars?, kinds })
}

fn kind<'a>(
    page: &Page<'a>,
    key: Word<'a>,
    node: &'a Node,
    pairs: Option<&Pairs>,
    spellings: &mut Vec<Spelling<'a>>,
) -> Option<MarkerKind> {
    let what = format!("the marker `{}`", key.text);
    let object = page.object(node, &what, &["names", "rule"], &["argument", "per_conversation"])?;
    let name = names::name(page, key, "a kind of marker", Use::Type);
    let argument = object.get("argument").map(|node| {
        page.text(node, &format!("`argument` of {what}"))
            .and_then(|word| names::name(page, word, "an argument", Use::Member))
    });
    let own =
        object.get("names").and_then(|node| spellings::read(page, node, &what, pairs, argument.is_some()));
    let per_conversation = object
        .get("per_conversation")
        .map(|node| page.positive(node, &format!("`per_conversation` of {what}"), MOST_TIMES));
    let rule = rule(page, &object, &what, own.as_deref(), pairs);
    let own = own?;
    let written = own.iter().map(|spelling| spelling.word.text.to_owned()).collect();
    spellings.extend(own);
    Some(MarkerKind {
        name: name?,
        names: written,
        // What is there and could not be read was told.
        argument: argument.map_or(Some(None), |argument| argument.map(Some))?,
        per_conversation: per_conversation.map_or(Some(None), |times| times.map(Some))?,
        rule: rule?,
    })
}

/// The sentence that teaches the marker: it has no holes, and shows how the marker is written.
fn rule(
    page: &Page<'_>,
    object: &Object<'_>,
    what: &str,
    spellings: Option<&[Spelling<'_>]>,
    pairs: Option<&Pairs>,
) -> Option<String> {
    let rule = page.text(object.get("rule")?, &format!("`rule` of {what}"))?;
    holes::none(page, rule, "a sentence that the prompt takes as it is");
    let (spellings, pairs) = (spellings?, pairs?);
    let shows = |spelling: &Spelling<'_>| {
        pairs.list().iter().any(|(open, close)| {
            let begin = format!("{open}{}", spelling.word.text);
            rule.text
                .match_indices(&begin)
                .any(|(at, _)| rule.text[at + begin.len()..].starts_with([':', '：', *close]))
        })
    };
    if let (Some(first), Some((open, close))) = (spellings.first(), pairs.list().first())
        && !spellings.iter().any(shows)
    {
        page.fault(
            &rules::RULE_WITHOUT_MARKER,
            rule.span,
            format!("the rule of {what} does not show how it is written"),
        )
        .label("teaches a power and not how to use it")
        .help(format!("write `{open}{}{close}` where the sentence names it", first.word.text))
        .report();
        return None;
    }
    Some(rule.text.to_owned())
}

/// Tells a name that no marker of `max_chars` characters has room for.
fn too_long(page: &Page<'_>, node: &Node, max_chars: u64, spellings: &[Spelling<'_>]) {
    let longest = spellings.iter().max_by_key(|spelling| spelling.least);
    if let Some(longest) = longest.filter(|longest| longest.least > max_chars) {
        page.fault(
            &rules::MARKER_TOO_LONG,
            node.span,
            format!("`max_chars` is {max_chars}, and a marker with the name `{}` has {} at least", longest.word.text, longest.least),
        )
        .label("too few")
        .also(longest.word.span, "needs more")
        .help(format!("write a number from {} on: it counts both delimiters, and the colon and one character of an argument", longest.least))
        .report();
    }
}

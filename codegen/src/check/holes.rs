//! A text cut at its holes.

use super::page::{Page, Word};
use crate::model::{Name, Part, Template};
use crate::nearest::nearest;
use crate::read::{Span, Walk, span_within};
use crate::rules;

/// A hole as it stands in a text.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    pub(super) name: Name,
    pub(super) span: Span,
}

/// Cuts a text at its holes and tells every malformed one. `known` are the holes that may be meant.
pub(super) fn cut(page: &Page<'_>, word: Word<'_>, known: &[&str]) -> Option<(Template, Vec<Hole>)> {
    let text = word.text;
    let (mut parts, mut holes) = (Vec::new(), Vec::new());
    let mut whole = true;
    let mut literal = String::new();
    let mut at = 0;
    let mut walk = Walk::new(page.text, word.span);
    while let Some(found) = text[at..].find("{{").into_iter().chain(text[at..].find("}}")).min() {
        let start = at + found;
        literal.push_str(&text[at..start]);
        let close = text[start + 2..].find("}}").map(|length| start + 2 + length);
        let (end, name) = match close {
            Some(close) if text[start..].starts_with("{{") => (close + 2, Name::new(&text[start + 2..close])),
            _ => (start + 2, None),
        };
        let span = walk.span(Span::new(start, end));
        at = end;
        match name {
            Some(name) => {
                if !literal.is_empty() {
                    parts.push(Part::Literal(std::mem::take(&mut literal)));
                }
                parts.push(Part::Hole(name.clone()));
                holes.push(Hole { name, span });
            }
            None => {
                whole = false;
                malformed(page, span, &text[start..end], known);
            }
        }
    }
    literal.push_str(&text[at..]);
    if !literal.is_empty() {
        parts.push(Part::Literal(literal));
    }
    whole.then_some((Template { parts }, holes))
}

fn malformed(page: &Page<'_>, span: Span, shown: &str, known: &[&str]) {
    let (message, label) = match shown {
        "{{" => ("`{{` opens a hole that no `}}` closes".to_owned(), "not closed"),
        "}}" => ("`}}` closes a hole that no `{{` opens".to_owned(), "not opened"),
        _ => {
            (format!("`{shown}` is no hole: between the braces stands a name and nothing else"), "not a name")
        }
    };
    let inner = shown.trim_start_matches('{').trim_end_matches('}').trim().to_lowercase();
    let help = match nearest(&inner, known.iter().copied()) {
        Some(name) => format!("write `{{{{{name}}}}}`"),
        None if Name::new(&inner).is_some() => {
            format!("write `{{{{{inner}}}}}`, or single braces for plain text")
        }
        None => "write a hole as `{{name}}`; single braces are plain text".to_owned(),
    };
    page.fault(&rules::MALFORMED_HOLE, span, message).label(label).help(help).report();
}

/// Tells the first double brace of a phrase that may have no hole; `what` says what it is, and why.
pub(super) fn none(page: &Page<'_>, phrase: Word<'_>, what: &str) {
    for brace in ["{{", "}}"] {
        if let Some(at) = phrase.text.find(brace) {
            let span = span_within(page.text, phrase.span, Span::new(at, at + 2));
            page.fault(&rules::MALFORMED_HOLE, span, format!("`{brace}` in {what}"))
                .label("nobody fills it")
                .help("write the phrase in plain words")
                .report();
            return;
        }
    }
}

//! The texts of a section: which must be there, who reads them, which holes each may have.

use std::collections::BTreeSet;

use super::holes::{Hole, cut};
use super::known_texts::{KnownHole, KnownSection, KnownText};
use super::names;
use super::page::{Page, Word, quoted};
use super::reserved::Use;
use crate::model::{Audience, Language, Name, Part, Template, Text, TextSection, Wordings};
use crate::nearest::nearest;
use crate::read::{Member, Node};
use crate::rules;

/// Reads `SECTION.texts`.
pub(super) fn section(page: &Page<'_>, node: &Node, known: &KnownSection) -> Option<TextSection> {
    let what = format!("`{}.texts`", known.name);
    let members = page.map(node, &what)?;
    let mut missing: Vec<&str> = known.texts.iter().map(|text| text.key).collect();
    missing.retain(|key| node.get(key).is_none());
    let keys = members.iter().map(|member| member.key.as_str()).collect();
    let mut texts = Vec::new();
    for member in members {
        let text = known.texts.iter().find(|text| text.key == member.key);
        if text.is_none() && misspelt(page, member, known, &mut missing) {
            continue;
        }
        texts.push(read(page, member, known, text, &keys));
    }
    for key in missing {
        page.fault(&rules::MISSING_TEXT, node.head(), format!("{what} lacks the text `{key}`"))
            .label(format!("`{key}` is missing in here"))
            .report();
    }
    names::distinct(page, &members.iter().map(Word::from).collect::<Vec<_>>(), "text", Use::Member);
    let texts = texts.into_iter().collect::<Option<Vec<_>>>()?;
    Some(TextSection { section: Name::new(known.name)?, texts })
}

/// Tells a key that a section does not know and may not have, or that is a slip for one that is missing.
fn misspelt(page: &Page<'_>, member: &Member, known: &KnownSection, missing: &mut Vec<&str>) -> bool {
    let meant = nearest(&member.key, missing.iter().copied());
    if meant.is_none() && known.open {
        return false;
    }
    missing.retain(|key| Some(*key) != meant);
    let keys: Vec<&str> = known.texts.iter().map(|text| text.key).collect();
    let help = match (meant, nearest(&member.key, keys.iter().copied())) {
        (Some(key), _) => format!("did you mean `{key}`?"),
        (None, Some(key)) => format!("`{key}` is there already: remove this one"),
        (None, None) => format!("its texts are {}", quoted(&keys)),
    };
    page.fault(
        &rules::UNKNOWN_KEY,
        member.key_span,
        format!("`{}.texts` has no text `{}`", known.name, member.key),
    )
    .label("unknown text")
    .help(help)
    .report();
    true
}

fn read(
    page: &Page<'_>,
    member: &Member,
    section: &KnownSection,
    known: Option<&KnownText>,
    keys: &BTreeSet<&str>,
) -> Option<Text> {
    let holes = known.map(|text| text.holes);
    let person = section.person && !known.is_some_and(|text| text.for_model);
    let what = format!("the text `{}.{}`", section.name, member.key);
    let key = names::among(page, Word::from(member), "a text", Use::Member, keys);
    let mut used = Vec::new();
    let audience = if person {
        by_language(page, &member.value, &what, holes, &mut used).map(Audience::Person)
    } else if member.value.as_object().is_some() {
        page.fault(
            &rules::TEXT_BY_LANGUAGE,
            member.value.head(),
            format!("{what} is read by a model, and a model's text is one string"),
        )
        .label("an object by language")
        .help("write one string")
        .report();
        None
    } else {
        template(page, &member.value, &what, holes, &mut used).map(Audience::Model)
    };
    let holes = match holes {
        Some(holes) => holes.iter().map(|hole| Name::new(hole.name)).collect::<Option<Vec<_>>>()?,
        None => used,
    };
    Some(Text { key: key?, holes, audience: audience? })
}

/// A plain text for a person: a label, a word of help.
pub(super) fn plain(page: &Page<'_>, node: &Node, what: &str) -> Option<Wordings> {
    let wordings = by_language(page, node, what, Some(&[]), &mut Vec::new())?;
    let text = |template: Template| {
        let parts = template.parts.into_iter().map(|part| match part {
            Part::Literal(text) => text,
            // A hole was told: this text may have none.
            Part::Hole(_) => String::new(),
        });
        parts.collect::<String>()
    };
    Some(wordings.into_iter().map(|(language, template)| (language, text(template))).collect())
}

fn by_language(
    page: &Page<'_>,
    node: &Node,
    what: &str,
    holes: Option<&[KnownHole]>,
    used: &mut Vec<Name>,
) -> Option<Vec<(Language, Template)>> {
    let languages: Vec<&str> = Language::ALL.iter().map(|language| language.key()).collect();
    if node.as_str().is_some() {
        page.fault(
            &rules::TEXT_WITHOUT_LANGUAGES,
            node.span,
            format!("{what} is read by a person, and a person's text is an object by language"),
        )
        .label("one string")
        .help(format!("write an object with the keys {}", quoted(&languages)))
        .report();
        return None;
    }
    // Languages are optional for the reader of keys, so that one that lacks is told as what it is.
    page.object(node, what, &[], &languages)?;
    let absent: Vec<&str> = languages.iter().copied().filter(|key| node.get(key).is_none()).collect();
    let unknown = node.as_object()?.iter().filter(|member| !languages.contains(&&*member.key));
    let slips: Vec<_> = unknown.filter_map(|member| nearest(&member.key, absent.iter().copied())).collect();
    let mut wordings = Vec::new();
    for language in Language::ALL {
        let Some(wording) = node.get(language.key()) else {
            wordings.push(None);
            if slips.contains(&language.key()) {
                continue;
            }
            page.fault(
                &rules::MISSING_LANGUAGE,
                node.head(),
                format!("{what} is not written in the language `{}`", language.key()),
            )
            .label(format!("`{}` is missing in here", language.key()))
            .report();
            continue;
        };
        let template = template(page, wording, what, holes, used);
        wordings.push(template.map(|template| (language, template)));
    }
    wordings.into_iter().collect()
}

/// One wording. `used` gains the holes of a text that is free to choose them.
fn template(
    page: &Page<'_>,
    node: &Node,
    what: &str,
    holes: Option<&[KnownHole]>,
    used: &mut Vec<Name>,
) -> Option<Template> {
    let word = page.text(node, what)?;
    let allowed: Vec<&str> = holes.unwrap_or_default().iter().map(|hole| hole.name).collect();
    let (template, found) = cut(page, word, &allowed)?;
    let fits = match holes {
        Some(holes) => known(page, word, what, holes, &found),
        None => free(page, &found, used),
    };
    fits.then_some(template)
}

/// Holes of a text that the table knows.
fn known(page: &Page<'_>, word: Word<'_>, what: &str, holes: &[KnownHole], found: &[Hole]) -> bool {
    let allowed: Vec<&str> = holes.iter().map(|hole| hole.name).collect();
    let mut missing: Vec<&str> = holes.iter().filter(|hole| hole.needed).map(|hole| hole.name).collect();
    missing.retain(|name| !found.iter().any(|hole| hole.name.as_str() == *name));
    let mut fits = missing.is_empty();
    for hole in found.iter().filter(|hole| !allowed.contains(&hole.name.as_str())) {
        fits = false;
        let meant = nearest(hole.name.as_str(), missing.iter().copied().chain(allowed.iter().copied()));
        missing.retain(|name| Some(*name) != meant);
        let help = match meant {
            Some(name) => format!("did you mean `{{{{{name}}}}}`?"),
            None if allowed.is_empty() => "this text has no holes: remove it".to_owned(),
            None => format!("it may have {}", braced(&allowed)),
        };
        page.fault(&rules::UNKNOWN_HOLE, hole.span, format!("{what} has no hole `{}`", hole.name))
            .label("nobody fills it")
            .help(help)
            .report();
    }
    for name in missing {
        page.fault(
            &rules::MISSING_HOLE,
            word.span,
            format!("{what} lacks the hole `{{{{{name}}}}}`, without which it says nothing"),
        )
        .label(format!("without `{{{{{name}}}}}`"))
        .help(format!("it may have {}", braced(&allowed)))
        .report();
    }
    fits
}

/// Holes of a text of the spec's own: any name, in the order of first use.
fn free(page: &Page<'_>, found: &[Hole], used: &mut Vec<Name>) -> bool {
    let mut fits = true;
    for hole in found {
        if used.contains(&hole.name) {
            continue;
        }
        let word = Word { text: hole.name.as_str(), span: hole.span };
        fits &= names::name(page, word, "a hole", Use::Hole).is_some();
        used.push(hole.name.clone());
    }
    fits
}

fn braced(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{{{{{name}}}}}`")).collect::<Vec<_>>().join(", ")
}

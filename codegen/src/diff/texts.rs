//! Changes of texts.

use super::excerpt::excerpts;
use super::pairs::pair;
use super::{Change, Found, LOOP, rules};
use crate::model::{Audience, Name, Part, Template, Text, TextSection};

/// Compares the texts of every section.
pub(super) fn compare(found: &mut Found<'_>) {
    let (old, new) = (&found.old.spec.texts, &found.new.spec.texts);
    for now in new {
        let was = old.iter().find(|section| section.section == now.section);
        section(found, now.section.as_str(), was.map_or(&[], |was| &was.texts), &now.texts);
    }
    let gone = |section: &&TextSection| !new.iter().any(|now| now.section == section.section);
    for was in old.iter().filter(gone) {
        section(found, was.section.as_str(), &was.texts, &[]);
    }
}

fn section(found: &mut Found<'_>, section: &str, old: &[Text], new: &[Text]) {
    let key = |text: &'_ Text| text.key.as_str().to_owned();
    let (before, behind): (Vec<String>, Vec<String>) =
        (old.iter().map(key).collect(), new.iter().map(key).collect());
    let same = |was: usize, now: usize| wordings(&old[was]) == wordings(&new[now]);
    let texts = pair(before.iter().map(String::as_str), behind.iter().map(String::as_str), same);
    for &(was, now) in &texts.renamed {
        let (was, now) = (&before[was], &behind[now]);
        let place = found.here(LOOP, &[section, "texts", now]);
        let message = format!("the text `{section}.{was}` has another key");
        found.push(Change::new(&rules::TEXT_RENAMED, place, message).between(was, now));
    }
    for &index in &texts.removed {
        let place = found.there(LOOP, &[section, "texts", &before[index]]);
        let message = format!("the text `{section}.{}` is gone", before[index]);
        let beside = found.here(LOOP, &[section, "texts"]);
        found.push(Change::new(&rules::TEXT_REMOVED, place, message).beside(beside));
    }
    for &index in &texts.added {
        let place = found.here(LOOP, &[section, "texts", &behind[index]]);
        let message = format!("there is a new text: `{section}.{}`", behind[index]);
        found.push(Change::new(&rules::TEXT_ADDED, place, message));
    }
    for &(was, now) in &texts.both {
        text(found, section, &old[was], &new[now]);
    }
}

fn text(found: &mut Found<'_>, section: &str, was: &Text, now: &Text) {
    let key = now.key.as_str();
    if was.holes != now.holes {
        let shown = |holes: &[Name]| match holes {
            [] => "no holes".to_owned(),
            holes => holes.iter().map(Name::as_str).collect::<Vec<_>>().join(", "),
        };
        let place = found.here(LOOP, &[section, "texts", key]);
        let message = format!("the text `{section}.{key}` has other holes");
        let change = Change::new(&rules::TEXT_HOLES_CHANGED, place, message);
        found.push(change.between(shown(&was.holes), shown(&now.holes)));
    }
    let (before, behind) = (wordings(was), wordings(now));
    for (language, wording) in &behind {
        let Some((_, old)) = before.iter().find(|(other, old)| other == language && old != wording) else {
            continue;
        };
        let (was, shown) = excerpts(old, wording);
        let change = match language {
            None => {
                let place = found.here(LOOP, &[section, "texts", key]);
                let message = if section == "prompt" {
                    format!("the text `{section}.{key}`, a part of every system prompt, is worded anew")
                } else {
                    format!("the text `{section}.{key}` is worded anew")
                };
                Change::new(&rules::MODEL_TEXT_CHANGED, place, message)
            }
            Some(language) => {
                let place = found.here(LOOP, &[section, "texts", key, language]);
                let message = format!("the text `{section}.{key}` is worded anew in `{language}`");
                Change::new(&rules::PERSON_TEXT_CHANGED, place, message)
            }
        };
        found.push(change.between(was, shown));
    }
}

/// The wordings of a text, as they are written, by language; a model's has none.
fn wordings(text: &Text) -> Vec<(Option<&'static str>, String)> {
    match &text.audience {
        Audience::Model(template) => vec![(None, written(template))],
        Audience::Person(wordings) => {
            wordings.iter().map(|(language, template)| (Some(language.key()), written(template))).collect()
        }
    }
}

fn written(template: &Template) -> String {
    let part = |part: &Part| match part {
        Part::Literal(text) => text.clone(),
        Part::Hole(name) => format!("{{{{{name}}}}}"),
    };
    template.parts.iter().map(part).collect()
}

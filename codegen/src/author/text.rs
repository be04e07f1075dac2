//! A new text: `cargo spec new text SECTION.NAME [WORDS…]`.

use super::edit::Edit;
use super::json::{object, text};
use super::{begun, fresh, lacks, sectioned};
use crate::check::{Use, open_sections};
use crate::model::{Language, Spec};

const LOOP: &str = "loop.json";

pub(super) fn add(edit: &mut Edit<'_>, spec: &Spec, name: &str, words: &[&str]) -> Result<String, String> {
    let open = open_sections();
    let sections: Vec<&str> = spec.texts.iter().map(|section| section.section.as_str()).collect();
    let (section, key) = sectioned(name, "text", &sections)?;
    let Some((_, person)) = open.iter().find(|(name, _)| *name == section) else {
        let names: Vec<&str> = open.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "`{section}` has the texts that the runtime says and no others; texts of one's own stand in: {}",
            names.join(", ")
        ));
    };
    let there = spec.texts.iter().filter(|texts| texts.section.as_str() == section);
    fresh(key, "a text", Use::Member, there.flat_map(|texts| &texts.texts).map(|text| text.key.as_str()))?;
    let wordings = if *person { Language::ALL.len() } else { 1 };
    if words.len() > wordings {
        return Err(format!(
            "a text of `{section}` has {wordings} {}, and here are {}",
            if wordings == 1 { "wording" } else { "wordings" },
            words.len()
        ));
    }
    let guessed = format!("{}.", begun(key));
    let word = |index: usize| text(words.get(index).map_or(&*guessed, |word| word));
    let value = match person {
        true => object(
            Language::ALL.into_iter().enumerate().map(|(index, language)| (language.key(), word(index))),
        ),
        false => word(0),
    };
    let made = edit
        .member(LOOP, &[section, "texts"], None, (key, &value))
        .ok_or_else(|| lacks("the section's `texts`"))?;
    if *person {
        for language in Language::ALL.into_iter().skip(words.len()) {
            let part = format!("\"{}\": ", language.key());
            edit.word(Some(made), &part, format!("what a person reads in the language `{}`", language.key()));
        }
    } else if words.is_empty() {
        edit.word(Some(made), &format!("\"{key}\": "), "what a model reads");
    }
    Ok(format!("the text `{section}.{key}`"))
}

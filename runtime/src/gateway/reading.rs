//! Reading aloud: the next passage of a text that the person put in, behind the companion's own words.
//!
//! A passage is part of an ordinary reply, so that it is told, stored, spoken and stopped as any is. It is nobody's words but
//! the text's: no marker in it is read, and no model has written it. The bookmark moves in the transaction that stores the reply. Where a
//! voice speaks it, what was heard moves the bookmark back ([`Gateway::heard_reading`]).

use handset_spec::markers::Kind;
use handset_spec::settings;
use handset_spec::settings::reading::{HAN_A_MINUTE, LETTERS_A_MINUTE};
use handset_spec_macros::text;

use super::Gateway;
use crate::ids::{PersonId, TurnId};
use crate::store::{Error, NewEffect, NewPassage, Reading};
use crate::voice::reading::{self, Pace, Passage};

/// What is added to a reply that reads on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Added {
    /// The words, to stand behind the reply's own.
    pub(super) words: String,
    /// Which passage that is; nothing where there was none to read.
    pub(super) passage: Option<NewPassage>,
}

/// Between what the companion says and what it reads.
const BETWEEN: &str = "\n\n";

impl Gateway {
    /// What a reply's markers ask to be read; nothing where they ask for nothing. `chars` is how many characters the reply has.
    pub(super) async fn read_on(
        &self,
        person: &PersonId,
        effects: &[NewEffect],
        chars: usize,
    ) -> Result<Option<Added>, Error> {
        let asked = effects.iter().find(|effect| effect.kind == Kind::ReadAloud);
        let Some(asked) = asked else { return Ok(None) };
        let title = asked.argument.as_deref().map(str::trim).filter(|title| !title.is_empty());
        let between = if chars == 0 { "" } else { BETWEEN };
        let personal = self.store.settings(person.clone()).await?.ok_or(Error::Gone)?;
        let language = personal.reads();
        let without = |words: String| Ok(Some(Added { words: format!("{between}{words}"), passage: None }));
        let readings = self.store.readings(person.clone()).await?;
        let chosen = match title {
            Some(title) => match by_title(&readings, title) {
                Some(reading) => Some(reading),
                None => return without(text!(reading.not_found in language, title = title)),
            },
            None => readings.iter().find(|reading| reading.bookmark < reading.chars),
        };
        let Some(chosen) = chosen else {
            return without(text!(reading.nothing in language).to_owned());
        };
        let pace = pace(&personal.settings.reading);
        // One that is asked for by its name and was read to its end begins anew.
        let mut begins = if chosen.bookmark < chosen.chars { chosen.bookmark } else { 0 };
        let mut rest = self.rest(person, chosen, begins).await?;
        let mut found = reading::next(&rest, &pace);
        if found.is_none() && begins > 0 {
            begins = 0;
            rest = self.rest(person, chosen, begins).await?;
            found = reading::next(&rest, &pace);
        }
        let Some(Passage { shown, to }) = found else {
            return without(text!(reading.nothing in language).to_owned());
        };
        let count = |text: &str| i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        let place = i64::try_from(chars + between.len()).unwrap_or(i64::MAX);
        let from = begins + count(&rest[..shown.start]);
        let words = &rest[shown];
        let passage = NewPassage {
            reading: chosen.id.clone(),
            place,
            from,
            to: from + count(words),
            bookmark: begins + count(&rest[..to]),
        };
        let over = if to == rest.len() {
            format!("{BETWEEN}{}", text!(reading.ended in language, title = &chosen.title))
        } else {
            String::new()
        };
        Ok(Some(Added { words: format!("{between}{words}{over}"), passage: Some(passage) }))
    }

    /// A text from a place on.
    async fn rest(&self, person: &PersonId, reading: &Reading, from: i64) -> Result<String, Error> {
        if from != reading.bookmark {
            let change = crate::store::ReadingChange { bookmark: Some(from), title: None };
            self.store.change_reading(person.clone(), reading.id.clone(), change, None).await?;
        }
        self.store.reading_rest(person.clone(), reading.id.clone()).await?.ok_or(Error::Gone)
    }

    /// Notes how much of a turn's reply was heard, in characters of the reply as it is shown: the bookmark of the text that was read
    /// in it goes behind the last sentence that was heard whole. To be called where a voice that speaks the reply has ended or was
    /// interrupted; again with more, it goes on. Gives whether a bookmark was moved: none is where the turn read nothing, or
    /// where something else has moved the bookmark since.
    ///
    /// # Errors
    /// What the store says.
    pub async fn heard_reading(
        &self,
        person: &PersonId,
        turn: &TurnId,
        shown_chars: usize,
    ) -> Result<bool, Error> {
        let Some(last) = self.store.last_passage(person.clone(), turn.clone()).await? else {
            return Ok(false);
        };
        let place = usize::try_from(last.place).unwrap_or_default();
        let heard = reading::heard(&last.text, shown_chars.saturating_sub(place));
        let chars = i64::try_from(last.text[..heard].chars().count()).unwrap_or(i64::MAX);
        self.store.move_bookmark(person.clone(), turn.clone(), last.from + chars).await
    }
}

fn pace(knobs: &settings::Reading) -> Pace {
    Pace { passage: knobs.passage, letters_a_minute: LETTERS_A_MINUTE, han_a_minute: HAN_A_MINUTE }
}

/// The text that is meant by a title: of that very title, or else one whose title holds it, or is held by it.
fn by_title<'r>(readings: &'r [Reading], title: &str) -> Option<&'r Reading> {
    let plain = |title: &str| {
        title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let asked = plain(title);
    let found = |is: &dyn Fn(&str) -> bool| readings.iter().find(|reading| is(&plain(&reading.title)));
    if asked.is_empty() {
        return None;
    }
    found(&|title| title == asked)
        .or_else(|| found(&|title| title.contains(&asked)))
        .or_else(|| found(&|title| !title.is_empty() && asked.contains(title)))
}

#[cfg(test)]
mod tests {
    use handset_spec::Language;

    use super::*;
    use crate::ids::ReadingId;

    #[test]
    fn a_text_is_found_by_what_people_call_it() {
        let reading = |title: &str| Reading {
            id: ReadingId::from_text(title),
            title: title.to_owned(),
            language: Language::En,
            chars: 1,
            bookmark: 0,
            created_ms: 0,
            read_ms: None,
            next: String::new(),
        };
        let readings =
            [reading("The Wind in the Willows"), reading("小王子"), reading("Emma"), reading("Emma's Diary")];
        for (asked, title) in [
            ("the wind in the willows", Some("The Wind in the Willows")),
            ("Wind in the Willows", Some("The Wind in the Willows")),
            ("《小王子》", Some("小王子")),
            ("小王子第二章", Some("小王子")),
            ("emma", Some("Emma")),
            ("emmas diary", Some("Emma's Diary")),
            ("Dune", None),
            ("！", None),
        ] {
            assert_eq!(by_title(&readings, asked).map(|found| &*found.title), title, "{asked}");
        }
    }
}

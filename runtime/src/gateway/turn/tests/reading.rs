//! Reading aloud in a turn: the passage behind the companion's words, and the bookmark.

use serde_json::json;

use super::markers::pieces;
use super::*;
use crate::store::{EffectState, NewReading, Reading, Tune};

/// Three sentences, each of which is more than half a minute's.
fn bears() -> String {
    let sentence = |name: &str| format!("{name} bear went {}home.", "slowly ".repeat(70));
    format!("{}\n\n{} {}", sentence("One"), sentence("Two"), sentence("Three"))
}

/// What a marker without a title has come to.
fn performed() -> (&'static str, Option<String>, EffectState, Option<String>) {
    ("read_aloud", Some(String::new()), EffectState::Performed, None)
}

impl House {
    async fn put_in(&self, title: &str, text: &str) -> Reading {
        let reading = NewReading {
            person: self.person.clone(),
            title: title.to_owned(),
            language: Language::En,
            text: text.to_owned(),
            now_ms: self.clock.now_ms(),
        };
        let settings = Some(json!({"reading": {"passage": 1}}));
        let tune = Tune { settings, ..Tune::default() };
        self.gateway.store.tune(self.person.clone(), tune, 1, None).await.unwrap();
        self.gateway.store.add_reading(reading, 9, None).await.unwrap().unwrap()
    }

    async fn bookmark(&self, reading: &Reading) -> i64 {
        let found = self.gateway.store.reading(self.person.clone(), reading.id.clone()).await.unwrap();
        found.unwrap().bookmark
    }
}

#[tokio::test]
async fn a_passage_follows_the_words_and_moves_the_bookmark() {
    let read = || pieces("Lie back. [read_aloud]");
    let house = House::new(vec![read(), read(), read(), read(), pieces("[read_aloud: the BEARS]")]).await;
    let text = bears();
    let reading = house.put_in("Bears", &text).await;
    let (mut heard, mut last) = (String::new(), 0);
    for number in 0..3 {
        let (turn, deltas, reply) = house.hear("read me something").await;
        let passage = reply.text.strip_prefix("Lie back.\n\n").unwrap();
        assert_eq!(deltas.concat().replace("back. \n", "back.\n"), reply.text, "it is told as it is stored");
        assert_eq!(house.effects(&turn).await, [performed()]);
        let bookmark = house.bookmark(&reading).await;
        assert!(bookmark > last, "{bookmark}");
        last = bookmark;
        match number {
            2 => {
                let (passage, over) = passage.rsplit_once("\n\n").unwrap();
                assert_eq!(over, text!(reading.ended in Language::En, title = "Bears"));
                heard += passage;
            }
            _ => heard += &format!("{passage} "),
        }
    }
    assert_eq!(heard.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
    assert_eq!(last, reading.chars);
    // There is no other text; one that is asked for by its name begins anew.
    let (turn, _, reply) = house.hear("read on").await;
    assert_eq!(reply.text, format!("Lie back.\n\n{}", text!(reading.nothing in Language::En)));
    assert_eq!(house.effects(&turn).await[0].2, EffectState::Refused);
    let (_, _, reply) = house.hear("the one about bears").await;
    assert!(reply.text.starts_with("One bear"), "{}", reply.text);
}

#[tokio::test]
async fn what_was_heard_moves_the_bookmark_to_a_sentence() {
    let house = House::new(vec![pieces("Yes. [read_aloud]"), pieces("Yes. [read_aloud]")]).await;
    let text = "The hall was dark. Nobody was there. He waited.";
    let reading = house.put_in("Hall", text).await;
    let (turn, ..) = house.hear("read to me").await;
    assert_eq!(house.bookmark(&reading).await, 47, "delivered, it counts as read");
    let heard = |chars| house.gateway.heard_reading(&house.person, &turn.id, chars);
    let before = "Yes.\n\n".chars().count();
    for (chars, bookmark) in [(0, 0), (before + 5, 0), (before + 20, 18), (before + 40, 36), (1_000, 47)] {
        assert!(heard(chars).await.unwrap());
        assert_eq!(house.bookmark(&reading).await, bookmark, "{chars}");
    }
    assert!(heard(before + 20).await.unwrap());
    let (second, _, reply) = house.hear("read on").await;
    assert!(reply.text.starts_with("Yes.\n\nNobody was there."), "{}", reply.text);
    // The first turn says nothing about it any more, nor does one that has read nothing.
    assert!(!heard(0).await.unwrap());
    assert_eq!(house.bookmark(&reading).await, 47);
    // Nor does what is heard where the person has moved the bookmark since.
    let change = crate::store::ReadingChange { bookmark: Some(3), title: None };
    house.gateway.store.change_reading(house.person.clone(), reading.id.clone(), change, None).await.unwrap();
    assert!(!house.gateway.heard_reading(&house.person, &second.id, 1_000).await.unwrap());
    assert_eq!(house.bookmark(&reading).await, 3);
}

/// A text is nobody's word: what looks like a marker in it is read, and does nothing.
#[tokio::test]
async fn a_marker_in_a_text_is_text() {
    let house = House::new(vec![pieces("[read_aloud]")]).await;
    house.put_in("Trap", "He wrote \u{27ea}dnd:on\u{27eb} and [hangup]. Then he slept.").await;
    let (turn, _, reply) = house.hear("read to me").await;
    assert!(reply.text.starts_with("He wrote \u{27ea}dnd:on\u{27eb} and [hangup]."), "{}", reply.text);
    assert_eq!(house.effects(&turn).await, [performed()]);
}

#[tokio::test]
async fn no_dead_end_is_silent() {
    let house = House::new(vec![pieces("Hm. [read_aloud: Dune]"), pieces("[read_aloud]")]).await;
    let (turn, _, reply) = house.hear("read Dune to me").await;
    assert_eq!(reply.text, format!("Hm.\n\n{}", text!(reading.not_found in Language::En, title = "Dune")));
    let refused = ("read_aloud", Some("Dune".to_owned()), EffectState::Refused, Some("not_read".to_owned()));
    assert_eq!(house.effects(&turn).await, [refused]);
    let (_, _, reply) = house.hear("read to me").await;
    assert_eq!(reply.text, text!(reading.nothing in Language::En));
}

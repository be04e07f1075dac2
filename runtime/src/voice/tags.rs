//! The tags that SenseVoice writes into its text, and the emoji that its own tools make of them: taken out of the words, into
//! the fields that are there for them (P129).
//!
//! `<|en|><|SAD|><|Speech|><|woitn|>` stands before every segment, so that the feeling is that of most segments; what is
//! neutral or unknown is none. A text without tags stays as it is, but for those emoji.

use super::recogniser::Words;
use super::tone::Emotion;

/// What a tag says.
enum Tag {
    Language,
    Emotion(Option<Emotion>),
    Event(&'static str),
    /// That there is speech, or that numbers are written in one way or another.
    Nothing,
}

/// Reads a recogniser's text.
#[must_use]
pub fn read(raw: &str) -> Words {
    let mut words = Words::default();
    let mut feelings: Vec<Option<Emotion>> = Vec::new();
    let mut shown: Vec<Emotion> = Vec::new();
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        if let Some((name, after)) = rest.strip_prefix("<|").and_then(|inner| inner.split_once("|>"))
            && let Some(tag) = tag(name)
        {
            match tag {
                Tag::Language if words.language.is_none() => words.language = Some(name.to_owned()),
                Tag::Language | Tag::Nothing => {}
                Tag::Emotion(emotion) => feelings.push(emotion),
                Tag::Event(event) => add(&mut words.events, event),
            }
            rest = after;
            continue;
        }
        match emoji(c) {
            Some(Ok(emotion)) => shown.push(emotion),
            Some(Err(event)) => add(&mut words.events, event),
            // What makes an emoji a picture goes with it.
            None if c == '\u{fe0f}' => {}
            None => words.text.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    if feelings.is_empty() {
        feelings.extend(shown.into_iter().map(Some));
    }
    words.emotion = most(&feelings);
    words.text = words.text.trim().to_owned();
    words
}

/// The feeling of most; the first of those that as many have.
fn most(feelings: &[Option<Emotion>]) -> Option<Emotion> {
    let count = |of: &Option<Emotion>| feelings.iter().filter(|other| *other == of).count();
    // `max_by_key` takes the last of equals.
    feelings.iter().rev().max_by_key(|feeling| count(feeling)).copied().flatten()
}

fn add(events: &mut Vec<String>, event: &str) {
    if !events.iter().any(|known| known == event) {
        events.push(event.to_owned());
    }
}

fn tag(name: &str) -> Option<Tag> {
    Some(match name {
        "zh" | "en" | "yue" | "ja" | "ko" => Tag::Language,
        "nospeech" | "Speech" | "Speech_Noise" | "Event_UNK" | "withitn" | "woitn" => Tag::Nothing,
        "HAPPY" => Tag::Emotion(Some(Emotion::Happy)),
        "SAD" => Tag::Emotion(Some(Emotion::Sad)),
        "ANGRY" => Tag::Emotion(Some(Emotion::Angry)),
        "FEARFUL" => Tag::Emotion(Some(Emotion::Fearful)),
        "DISGUSTED" => Tag::Emotion(Some(Emotion::Disgusted)),
        "SURPRISED" => Tag::Emotion(Some(Emotion::Surprised)),
        "NEUTRAL" | "EMO_UNKNOWN" => Tag::Emotion(None),
        "BGM" => Tag::Event("music"),
        "Applause" => Tag::Event("applause"),
        "Laughter" => Tag::Event("laughter"),
        "Cry" => Tag::Event("crying"),
        "Sneeze" => Tag::Event("sneeze"),
        "Breath" => Tag::Event("breath"),
        "Cough" => Tag::Event("cough"),
        "Sing" => Tag::Event("singing"),
        _ => return None,
    })
}

/// The emoji that stand for tags: a feeling, or something else that is to be heard.
fn emoji(c: char) -> Option<Result<Emotion, &'static str>> {
    Some(match c {
        '😊' => Ok(Emotion::Happy),
        '😔' => Ok(Emotion::Sad),
        '😡' => Ok(Emotion::Angry),
        '😰' => Ok(Emotion::Fearful),
        '🤢' => Ok(Emotion::Disgusted),
        '😮' => Ok(Emotion::Surprised),
        '🎼' => Err("music"),
        '👏' => Err("applause"),
        '😀' => Err("laughter"),
        '😭' => Err("crying"),
        '🤧' => Err("sneeze"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn p129_tags_and_emoji_leave_the_words() {
        let heard = read(
            "<|zh|><|SAD|><|Speech|><|woitn|>我今天很累。<|zh|><|SAD|><|Cry|><|woitn|>晚安。<|zh|><|NEUTRAL|><|Speech|><|woitn|>嗯。",
        );
        assert_eq!(heard.text, "我今天很累。晚安。嗯。");
        assert_eq!((heard.language.as_deref(), heard.emotion), (Some("zh"), Some(Emotion::Sad)));
        assert_eq!(heard.events, ["crying"]);
        let heard = read("🎼Good night, then.😊");
        assert_eq!((heard.text.as_str(), heard.emotion), ("Good night, then.", Some(Emotion::Happy)));
        assert_eq!(heard.events, ["music"]);
    }

    #[test]
    fn what_is_neutral_or_unknown_is_none() {
        for raw in [
            "<|en|><|NEUTRAL|><|Speech|><|withitn|>Yes.",
            "<|en|><|EMO_UNKNOWN|><|Speech|><|withitn|>Yes.",
            "Yes.",
        ] {
            let heard = read(raw);
            assert_eq!((heard.text.as_str(), heard.emotion), ("Yes.", None), "{raw}");
        }
    }

    #[test]
    fn what_only_looks_like_a_tag_is_said() {
        for raw in ["a <| b |> c", "<|maybe|> x", "1 < 2 | 3 > 2", "<|", "I ❤ you"] {
            assert_eq!(read(raw).text, raw);
        }
    }

    proptest! {
        #[test]
        fn words_without_tags_stay(raw in "[a-zA-Z0-9 .,!?<|>\u{4e00}-\u{4e20}]{0,60}") {
            prop_assume!(!raw.contains("|>"));
            prop_assert_eq!(read(&raw).text, raw.trim());
        }
    }
}

//! What the demo does with its telephone when it is asked: it writes the marker that the spec's text holds.

use handset_spec::Language;
use handset_spec::markers::{self, DELIMITERS};
use handset_spec_macros::text;

use super::parse;
use super::speak::Voice;
use crate::gateway::model::Said;

/// How many characters of a reason are repeated on the card.
const REASON_CHARS: usize = 120;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wish {
    Ring(Option<String>),
    HangUp,
    Quiet(bool),
    Read,
}

/// The demo's words, with their marker, where a sentence asks for the telephone. `before` is what was said earlier.
pub(super) fn answer(sentence: &str, before: &[Said], voice: &Voice) -> Option<String> {
    let language = voice.language();
    Some(match wish(sentence, before)? {
        Wish::Ring(None) => text!(demo.ringing in language).to_owned(),
        Wish::Ring(Some(reason)) => text!(demo.ringing_because in language, reason = reason),
        Wish::HangUp => text!(demo.hanging_up in language).to_owned(),
        Wish::Read => text!(demo.reading in language).to_owned(),
        Wish::Quiet(true) => text!(demo.dnd_on in language).to_owned(),
        Wish::Quiet(false) => text!(demo.dnd_off in language).to_owned(),
    })
}

fn wish(sentence: &str, before: &[Said]) -> Option<Wish> {
    let low = sentence.trim().to_lowercase().replace(['’', '-'], "'").replace("not'disturb", "not disturb");
    let low = low.replace("do'not", "do not");
    let low = low.trim_matches(|c: char| c.is_whitespace() || ".!?~。！？".contains(c));
    if parse::has_han(low) { chinese(low, sentence, before) } else { english(low, sentence, before) }
}

fn english(low: &str, sentence: &str, before: &[Said]) -> Option<Wish> {
    let has = |words: &[&str]| words.iter().any(|word| low.contains(word));
    if ["do not disturb me", "don't disturb me"].iter().any(|words| low.starts_with(words))
        || ["do not disturb", "dnd"].contains(&low)
    {
        return Some(Wish::Quiet(true));
    }
    if has(&["you may call me again", "you can call me again"]) {
        return Some(Wish::Quiet(false));
    }
    if has(&["do not disturb", "don't disturb", "dnd"]) {
        let off = has(&["off", "disable", "stop", "end "]);
        let on = has(&["turn on", "switch on", "enable", "start", "put on", "set "]) || low.ends_with(" on");
        return (on || off).then_some(Wish::Quiet(!off));
    }
    if parse::forbids(low) {
        return None;
    }
    if ["turn it off", "switch it off", "turn that off"].contains(&low) {
        return quiet_was_last(before).then_some(Wish::Quiet(false));
    }
    if has(&["hang up"]) && low.split_whitespace().count() <= 8 {
        return Some(Wish::HangUp);
    }
    const POLITE: &[&str] =
        &["please ", "can you ", "could you ", "would you ", "will you ", "hey, ", "hey "];
    let mut asked = low;
    while let Some(rest) = POLITE.iter().find_map(|word| asked.strip_prefix(word)) {
        asked = rest;
    }
    const READ: &[&str] = &[
        "read me something",
        "read something to me",
        "read to me",
        "read me a bedtime story",
        "read me a story",
        "read on",
        "keep reading",
        "go on reading",
        "continue reading",
    ];
    if READ
        .iter()
        .any(|words| asked.strip_prefix(words).is_some_and(|rest| rest.len() <= " please now".len()))
    {
        return Some(Wish::Read);
    }
    const RING: &[&str] = &["call me", "ring me", "phone me", "give me a call", "give me a ring"];
    let rest = RING.iter().find_map(|words| asked.strip_prefix(words))?;
    match rest.trim_start_matches([' ', ',']) {
        "" | "now" | "please" | "up" | "back" | "right now" | "now please" => Some(Wish::Ring(None)),
        why => {
            let why = ["because of ", "because ", "about ", "since ", "so that ", "to "]
                .iter()
                .find_map(|word| why.strip_prefix(word))?;
            Some(Wish::Ring(reason(tail(sentence, why))))
        }
    }
}

fn chinese(low: &str, sentence: &str, before: &[Said]) -> Option<Wish> {
    let has = |words: &[&str]| words.iter().any(|word| low.contains(word));
    if has(&["可以打电话了", "可以给我打电话了"]) {
        return Some(Wish::Quiet(false));
    }
    if has(&["别打扰我", "不要打扰我", "请勿打扰"]) {
        return Some(Wish::Quiet(true));
    }
    if has(&["勿扰", "免打扰"]) {
        let off = has(&["关", "取消", "停"]);
        return (off || has(&["开", "启"])).then_some(Wish::Quiet(!off));
    }
    if parse::forbids(low) {
        return None;
    }
    if has(&["关掉吧", "关了吧", "把它关", "关掉它"]) {
        return quiet_was_last(before).then_some(Wish::Quiet(false));
    }
    if has(&["挂了吧", "挂吧", "挂断", "挂电话", "先挂了", "挂机"]) {
        return Some(Wish::HangUp);
    }
    const READ: &[&str] = &[
        "给我念",
        "念给我听",
        "读给我听",
        "给我读",
        "给我朗读",
        "接着念",
        "继续念",
        "接着读",
        "继续读",
        "念点什么",
        "讲个睡前故事",
    ];
    if has(READ) {
        return Some(Wish::Read);
    }
    const RING: &[&str] = &[
        "给我打个电话",
        "给我打电话",
        "打电话给我",
        "打个电话给我",
        "打给我",
        "给我来个电话",
        "给我来电话",
        "给我回个电话",
    ];
    if !has(RING) {
        return None;
    }
    let why = low.split_once("因为").map(|(_, why)| why.trim_start_matches(['，', ',', ' ']));
    Some(Wish::Ring(why.and_then(|why| reason(tail(sentence, why)))))
}

/// The end of a sentence as it was written, of which `low` is the lower case.
fn tail<'s>(sentence: &'s str, low: &'s str) -> &'s str {
    let sentence = sentence.trim().trim_matches(|c: char| c.is_whitespace() || ".!?~。！？".contains(c));
    let end = low.chars().count();
    let start = sentence.chars().count().saturating_sub(end);
    let start = sentence.char_indices().nth(start).map_or(sentence.len(), |(at, _)| at);
    // Lower case may have another length; then it is told in lower case.
    if sentence[start..].to_lowercase().chars().count() == end { &sentence[start..] } else { low }
}

/// A reason that fits between a marker's delimiters.
fn reason(why: &str) -> Option<String> {
    let line = why.split_whitespace().collect::<Vec<_>>().join(" ");
    let inside = |c: &char| !DELIMITERS.iter().any(|(open, close)| c == open || c == close);
    let reason: String = line.chars().filter(inside).take(REASON_CHARS).collect();
    (!reason.trim().is_empty()).then(|| reason.trim().to_owned())
}

/// Whether the companion's last words were that do-not-disturb is on.
fn quiet_was_last(before: &[Said]) -> bool {
    let last = before.iter().rev().find_map(|said| match said {
        Said::Companion { text } => Some(text),
        _ => None,
    });
    let on = |language: Language| markers::read(text!(demo.dnd_on in language)).text;
    last.is_some_and(|last| Language::ALL.iter().any(|language| on(*language) == *last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_telephone_is_asked_for_in_plain_sentences() {
        let ring = |why: &str| Some(Wish::Ring((!why.is_empty()).then(|| why.to_owned())));
        for (sentence, wish_of) in [
            ("call me", ring("")),
            ("Do not disturb.", Some(Wish::Quiet(true))),
            ("You may call me again.", Some(Wish::Quiet(false))),
            ("请勿打扰", Some(Wish::Quiet(true))),
            ("可以打电话了", Some(Wish::Quiet(false))),
            ("Please ring me!", ring("")),
            ("Could you give me a call now?", ring("")),
            ("ring me because I miss Your voice.", ring("I miss Your voice")),
            ("call me about ⟪the⟫ trip", ring("the trip")),
            ("给我打个电话", ring("")),
            ("给我打个电话吧，因为我睡不着。", ring("我睡不着")),
            ("turn on do not disturb", Some(Wish::Quiet(true))),
            ("Turn Do-Not-Disturb on, please", None),
            ("turn do not disturb on", Some(Wish::Quiet(true))),
            ("Don’t disturb me", Some(Wish::Quiet(true))),
            ("turn off do-not-disturb", Some(Wish::Quiet(false))),
            ("dnd off", Some(Wish::Quiet(false))),
            ("开勿扰", Some(Wish::Quiet(true))),
            ("把勿扰关了吧", Some(Wish::Quiet(false))),
            ("goodbye, hang up", Some(Wish::HangUp)),
            ("挂了吧", Some(Wish::HangUp)),
            ("don't hang up", None),
            ("别挂了吧", None),
            ("don't call me", None),
            ("call me Ishmael", None),
            ("call 555 0100", None),
            ("打电话给王五", None),
            ("turn it off", None),
            ("Read me something, please.", Some(Wish::Read)),
            ("Could you read to me?", Some(Wish::Read)),
            ("Read on", Some(Wish::Read)),
            ("给我念点什么吧", Some(Wish::Read)),
            ("接着念", Some(Wish::Read)),
            ("don't read on", None),
            ("别念了", None),
            ("read me my messages aloud in the car", None),
        ] {
            assert_eq!(wish(sentence, &[]), wish_of, "{sentence}");
        }
    }

    #[test]
    fn it_is_what_was_turned_on() {
        let on = |language| markers::read(text!(demo.dnd_on in language)).text;
        for &language in Language::ALL {
            let before = [Said::Companion { text: on(language) }];
            assert_eq!(wish("Turn it off.", &before), Some(Wish::Quiet(false)));
            assert_eq!(wish("关掉吧", &before), Some(Wish::Quiet(false)));
        }
    }

    #[test]
    fn the_words_hold_their_marker() {
        for (sentence, kind, argument) in [
            ("call me because of [this] thing", "dial", Some("this thing")),
            ("给我打个电话", "dial", Some("你说想接到我的电话。")),
            ("hang up", "hangup", None),
            ("挂了吧", "hangup", None),
            ("turn on dnd", "dnd_on", None),
            ("关勿扰", "dnd_off", None),
            ("read me something", "read_aloud", Some("")),
            ("给我念点什么", "read_aloud", Some("")),
        ] {
            let words = answer(sentence, &[], &Voice::of(sentence)).unwrap();
            let reading = markers::read(&words);
            assert_eq!(reading.markers.len(), 1, "{words}");
            assert_eq!(reading.markers[0].kind.name(), kind);
            assert_eq!(reading.markers[0].argument.as_deref(), argument, "{words}");
            assert!(!reading.text.is_empty(), "{words}");
        }
    }
}

//! Plain Chinese sentences.

mod device;
mod people;
mod places;
mod time;
mod when;

use super::proposal::Proposal;

/// Reads a sentence; the more telling forms come first.
pub(super) fn understand(text: &str) -> Option<Proposal> {
    let text = polite(text);
    // Full-width colons are colons; both are three bytes against one, so the text is written anew.
    let text = text.replace('：', ":");
    let readers: &[fn(&str) -> Option<Proposal>] = &[
        device::url,
        people::email,
        people::sms,
        device::automation,
        places::stop_navigation,
        places::add_stop,
        when::calendar,
        when::timer,
        when::alarm,
        device::torch,
        device::settings,
        people::dial,
        places::search,
        places::navigate,
        device::media,
        device::app,
    ];
    readers.iter().find_map(|read| read(&text))
}

/// The sentence without what politeness adds.
fn polite(text: &str) -> &str {
    const BEFORE: &[&str] = &[
        "请你",
        "请",
        "麻烦你",
        "麻烦",
        "帮我",
        "帮忙",
        "给我",
        "我想要",
        "我想",
        "我要",
        "能不能",
        "可不可以",
        "可以",
        "能",
        "你",
    ];
    const AFTER: &[char] = &['。', '！', '？', '.', '!', '?', ' ', '吧', '吗', '呢', '~'];
    let mut text = text.trim().trim_end_matches(AFTER);
    while let Some(rest) = BEFORE.iter().find_map(|word| text.strip_prefix(word)) {
        text = rest.trim_start_matches(['，', ',', ' ']);
    }
    text
}

/// Whether a text holds one of these.
fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// What stands before and behind the first of these words that a text holds; of two at one place, the longer.
fn split<'a>(text: &'a str, words: &[&str]) -> Option<(&'a str, &'a str)> {
    let places = words.iter().filter_map(|word| Some((text.find(word)?, word.len())));
    let (at, length) = places.min_by_key(|&(at, length)| (at, std::cmp::Reverse(length)))?;
    Some((&text[..at], &text[at + length..]))
}

/// What stands between the first of `open` and the first of `close` behind it.
fn between<'a>(text: &'a str, open: &[&str], close: &[&str]) -> Option<&'a str> {
    bare(split(split(text, open)?.1, close)?.0)
}

/// Text without the marks around it; none when nothing is left.
fn bare(text: &str) -> Option<&str> {
    let marks = |c: char| c.is_whitespace() || ",，、:：;；。.！!？?“”\"「」《》".contains(c);
    let text = text.trim_matches(marks);
    (!text.is_empty()).then_some(text)
}

/// The names in a list written with commas or 和.
fn names(text: &str) -> Vec<&str> {
    text.split([',', '，', '、', '和', '跟']).filter_map(bare).collect()
}

//! What a call leaves in the chat: how long it was and, where there is something to tell, a line of what it was about.
//! (Document 2: records.)

use std::fmt::Write as _;

/// How many characters a summary may have: a line on a phone, and the one below it.
pub const MAX_SUMMARY: usize = 200;

/// From which length on a call leaves what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Below so many milliseconds a call leaves nothing.
    pub min_call_ms: i64,
    /// Below so many it leaves no summary.
    pub min_summary_ms: i64,
}

/// What a call of some length leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// Nothing: it was a slip of the finger.
    Nothing,
    /// Its duration.
    Duration,
    /// Its duration and, where one can be had in time, a summary.
    Summary,
}

impl Leaves {
    /// The word that it is kept as.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Duration => "duration",
            Self::Summary => "summary",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Nothing, Self::Duration, Self::Summary].into_iter().find(|leaves| leaves.word() == word)
    }
}

impl Limits {
    /// What a call of so many milliseconds leaves.
    #[must_use]
    pub const fn of(&self, length_ms: i64) -> Leaves {
        if length_ms < self.min_call_ms {
            Leaves::Nothing
        } else if length_ms < self.min_summary_ms {
            Leaves::Duration
        } else {
            Leaves::Summary
        }
    }
}

/// A duration as it is read aloud: `2:17`, `1:02:17`. Parts of a second are dropped.
#[must_use]
pub fn duration(length_ms: i64) -> String {
    let seconds = length_ms.max(0) / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = match hours {
        0 => write!(out, "{minutes}:{seconds:02}"),
        hours => write!(out, "{hours}:{minutes:02}:{seconds:02}"),
    };
    out
}

/// What a model wrote as one line: runs of blanks and control characters are one space, quotation marks round the whole go,
/// and what is too long is cut at a word where there is one. Nothing, where nothing is left.
#[must_use]
pub fn one_line(text: &str, max_chars: usize) -> Option<String> {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    let quoted = [('"', '"'), ('“', '”'), ('「', '」'), ('«', '»')].into_iter().find_map(|(open, close)| {
        let inner = line.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then(|| inner.trim())
    });
    let line = quoted.unwrap_or(&line);
    if line.is_empty() {
        return None;
    }
    let Some((end, _)) = line.char_indices().nth(max_chars) else { return Some(line.to_owned()) };
    // One character is the sign that it was cut.
    let room = line.char_indices().nth(max_chars.saturating_sub(1)).map_or(end, |(place, _)| place);
    let kept = &line[..room];
    // At a word, unless that would lose more than a third: Chinese has no blanks to cut at.
    let at_word = kept.rfind(' ').filter(|place| *place * 3 >= kept.len() * 2).unwrap_or(room);
    Some(format!("{}…", kept[..at_word].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_as_they_are_read() {
        for (seconds, expected) in [
            (0, "0:00"),
            (5, "0:05"),
            (59, "0:59"),
            (60, "1:00"),
            (137, "2:17"),
            (3_599, "59:59"),
            (3_737, "1:02:17"),
        ] {
            assert_eq!(duration(seconds * 1000), expected);
        }
        assert_eq!((duration(-5), duration(5_999)), ("0:00".to_owned(), "0:05".to_owned()));
    }

    #[test]
    fn the_bounds_of_a_record() {
        let limits = Limits { min_call_ms: 5_000, min_summary_ms: 20_000 };
        for (ms, expected) in [
            (0, Leaves::Nothing),
            (4_999, Leaves::Nothing),
            (5_000, Leaves::Duration),
            (19_999, Leaves::Duration),
            (20_000, Leaves::Summary),
        ] {
            assert_eq!(limits.of(ms), expected, "{ms}");
        }
    }

    #[test]
    fn a_summary_is_one_line() {
        for (text, expected) in [
            ("  They\n\n met.\t", Some("They met.")),
            ("“聊了晚饭。”", Some("聊了晚饭。")),
            ("\"a\" + \"b\"", Some("\"a\" + \"b\"")),
            ("\u{7}\n ", None),
            ("\"\"", None),
            ("one two three four", Some("one two…")),
            ("一二三四五六七八九十一二三", Some("一二三四五六七八九…")),
            ("1234567890", Some("1234567890")),
        ] {
            assert_eq!(one_line(text, 10).as_deref(), expected, "{text}");
        }
    }
}

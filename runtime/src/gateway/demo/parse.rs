//! Small readers that both languages use.

use crate::gateway::language::is_han;

/// Whether a text holds Han characters.
pub(super) fn has_han(text: &str) -> bool {
    text.chars().any(is_han)
}

/// The address in a text, from `http://` or `https://` up to a blank, a quotation mark or a Han character.
pub(super) fn url(text: &str) -> Option<&str> {
    let low = text.to_ascii_lowercase();
    let start = ["http://", "https://"].iter().filter_map(|scheme| low.find(scheme)).min()?;
    let rest = &text[start..];
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '“' | '”' | '，' | '。') || is_han(c)
    };
    let end = rest.find(ends).unwrap_or(rest.len());
    Some(rest[..end].trim_end_matches([',', '.', '!', '?', ';', ')']))
}

/// A date written `YYYY-MM-DD`, with the byte range where it stands.
pub(super) fn date(text: &str) -> Option<(&str, std::ops::Range<usize>)> {
    let bytes = text.as_bytes();
    let is_date = |at: usize| {
        let shape = bytes.get(at..at + 10).is_some_and(|part| {
            part.iter()
                .enumerate()
                .all(|(i, byte)| if i == 4 || i == 7 { *byte == b'-' } else { byte.is_ascii_digit() })
        });
        let alone = at == 0 || !bytes[at - 1].is_ascii_digit();
        shape && alone && !bytes.get(at + 10).is_some_and(u8::is_ascii_digit)
    };
    let at = (0..bytes.len()).find(|&at| is_date(at))?;
    Some((&text[at..at + 10], at..at + 10))
}

/// Times written `H:MM`, as hour, minute and the byte range where each stands.
pub(super) fn times(text: &str) -> Vec<(u32, u32, std::ops::Range<usize>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for colon in (0..bytes.len()).filter(|&at| bytes[at] == b':') {
        let digits = |range: &mut dyn Iterator<Item = usize>| {
            range.take_while(|&at| bytes[at].is_ascii_digit()).count()
        };
        let before = digits(&mut (0..colon).rev());
        let after = digits(&mut (colon + 1..bytes.len()));
        let range = colon - before..colon + 1 + after;
        if !(1..=2).contains(&before) || after != 2 {
            continue;
        }
        if let (Ok(hour), Ok(minute)) = (text[range.start..colon].parse(), text[colon + 1..range.end].parse())
        {
            found.push((hour, minute, range));
        }
    }
    found
}

/// Pairs written `name=value`, separated by blanks, commas or `and`.
pub(super) fn pairs(text: &str) -> serde_json::Map<String, serde_json::Value> {
    let mut pairs = serde_json::Map::new();
    for part in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、')) {
        if let Some((name, value)) = part.split_once('=')
            && !name.is_empty()
        {
            pairs.insert(name.to_owned(), value.into());
        }
    }
    pairs
}

/// An hour and a minute as the spec wants them. What is no time of day is written all the same: the refusal then says
/// what a time is.
pub(super) fn clock(hour: u32, minute: u32) -> String {
    format!("{hour:02}:{minute:02}")
}

/// The names of the days as the spec has them, from Monday on.
pub(super) const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// The days from one to another, over the week's end if need be.
pub(super) fn days_between(from: usize, to: usize) -> Vec<usize> {
    let length = (to + 7 - from) % 7 + 1;
    (from..from + length).map(|day| day % 7).collect()
}

/// Days by their place in the week, each once, in the week's order.
pub(super) fn day_names(mut days: Vec<usize>) -> Vec<&'static str> {
    days.sort_unstable();
    days.dedup();
    days.into_iter().filter_map(|day| DAYS.get(day).copied()).collect()
}

/// Whether a sentence begins by saying what is not to be done: it asks for nothing.
pub(super) fn forbids(text: &str) -> bool {
    const NOT: &[&str] =
        &["do not ", "don't ", "don’t ", "dont ", "never ", "别", "不要", "不用", "不许", "千万别"];
    let lower = text.to_lowercase();
    let asked = ["please ", "请"].iter().find_map(|please| lower.strip_prefix(please)).unwrap_or(&lower);
    NOT.iter().any(|not| asked.starts_with(not))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(url("open HTTPS://example.com/a?b=1, please"), Some("HTTPS://example.com/a?b=1"));
        assert_eq!(url("打开https://example.com看看"), Some("https://example.com"));
        assert_eq!(url("open example.com"), None);
    }

    #[test]
    fn dates_and_times() {
        assert_eq!(date("on 2027-03-04 at").map(|found| found.0), Some("2027-03-04"));
        assert_eq!(date("12027-03-04"), None);
        assert_eq!(date("早2027-03-04").map(|found| found.1), Some(3..13));
        let found: Vec<_> =
            times("from 9:05 to 25:99 not 1:2:3 or 100:00").into_iter().map(|t| (t.0, t.1)).collect();
        assert_eq!(found, [(9, 5), (25, 99)]);
    }

    #[test]
    fn a_range_of_days_may_wrap() {
        assert_eq!(day_names(days_between(0, 4)), ["mon", "tue", "wed", "thu", "fri"]);
        assert_eq!(day_names(days_between(5, 0)), ["mon", "sat", "sun"]);
    }
}

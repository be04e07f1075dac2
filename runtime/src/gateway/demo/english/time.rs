//! English times of day, spans and days of the week.

use super::super::parse::{self, day_names, days_between};

/// What a word counts: `five`, `twenty`, `a`.
fn number(word: &str) -> Option<f64> {
    const ONES: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [(&str, f64); 5] =
        [("twenty", 20.0), ("thirty", 30.0), ("forty", 40.0), ("fifty", 50.0), ("sixty", 60.0)];
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return word.parse().ok();
    }
    let ones = ONES.iter().zip(0u32..).find(|(name, _)| **name == word).map(|(_, value)| f64::from(value));
    ones.or_else(|| TENS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value))
}

/// How many seconds a unit has.
fn unit(word: &str) -> Option<f64> {
    match word {
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(3600.0),
        _ => None,
    }
}

/// Words of letters and numbers of digits, apart: `1h30m` is four.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut kind = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let decimal = c == '.' && kind == Some('0') && chars.peek().is_some_and(char::is_ascii_digit);
        let now = match c {
            '0'..='9' => Some('0'),
            _ if decimal => Some('0'),
            _ if c.is_alphabetic() => Some('a'),
            _ => None,
        };
        match (now, tokens.last_mut()) {
            (Some(_), Some(last)) if now == kind => last.extend(c.to_lowercase()),
            (Some(_), _) => tokens.push(c.to_lowercase().collect()),
            (None, _) => {}
        }
        kind = now;
    }
    tokens
}

/// A span of time in whole seconds: `5 minutes`, `1h30m`, `an hour and a half`, `half an hour`.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map(String::as_str);
    let mut total = None;
    let mut at = 0;
    while let Some(first) = word(at) {
        let mut next = at + 1;
        let mut count = match first {
            "a" | "an" => Some(1.0),
            "half" => {
                next += usize::from(matches!(word(next), Some("a" | "an")));
                Some(0.5)
            }
            first => number(first),
        };
        if let (Some(tens), Some(ones)) = (count, word(next).and_then(number))
            && (20.0..100.0).contains(&tens)
            && (1.0..10.0).contains(&ones)
        {
            count = Some(tens + ones);
            next += 1;
        }
        if let (Some(count), Some(unit)) = (count, word(next).and_then(unit)) {
            let mut span = count * unit;
            next += 1;
            if (word(next), word(next + 1), word(next + 2)) == (Some("and"), Some("a"), Some("half")) {
                span += unit / 2.0;
                next += 3;
            }
            total = Some(total.unwrap_or(0.0) + span);
            at = next;
        } else {
            at += 1;
        }
    }
    // Spans are small; what is too large is for the spec to refuse.
    total.map(|total: f64| total.round() as i64)
}

/// A time of day: `7:30`, `7.30 pm`, `at 6`, `6 am`, `half past seven`, `noon`.
pub(super) fn clock(text: &str) -> Option<String> {
    let low = text.to_ascii_lowercase().replace("a.m.", "am").replace("p.m.", "pm");
    let (hour, minute) = written(&low).or_else(|| spoken(&tokens(&low)))?;
    let words = tokens(&low);
    let has = |word: &str| words.iter().any(|found| found == word);
    let late = has("pm") || (!has("am") && (has("evening") || has("tonight") || has("afternoon")));
    let hour = match hour {
        1..=11 if late => hour + 12,
        12 if has("am") => 0,
        hour => hour,
    };
    Some(parse::clock(hour, minute))
}

/// A time of day in digits.
fn written(low: &str) -> Option<(u32, u32)> {
    parse::times(low).first().map(|(hour, minute, _)| (*hour, *minute))
}

/// A time of day in words, or of an hour alone.
fn spoken(words: &[String]) -> Option<(u32, u32)> {
    let word = |at: usize| words.get(at).map(String::as_str);
    let hour = |at: usize| {
        word(at).and_then(number).filter(|hour| hour.fract() == 0.0 && *hour < 100.0).map(|hour| hour as u32)
    };
    for at in 0..words.len() {
        match (word(at), word(at + 1)) {
            (Some("noon" | "midday"), _) => return Some((12, 0)),
            (Some("midnight"), _) => return Some((0, 0)),
            (Some("half"), Some("past")) => return hour(at + 2).map(|hour| (hour, 30)),
            (Some("quarter"), Some("past")) => return hour(at + 2).map(|hour| (hour, 15)),
            (Some("quarter"), Some("to")) => return hour(at + 2).map(|hour| ((hour + 23) % 24, 45)),
            (_, Some("am" | "pm" | "o")) if hour(at).is_some() => return hour(at).map(|hour| (hour, 0)),
            (Some("at" | "for" | "by"), _) if hour(at + 1).is_some() => {
                let (found, unit_follows) = (hour(at + 1)?, word(at + 2).and_then(unit).is_some());
                if !unit_follows {
                    // `at six thirty`, `at 7 45`
                    let minute = hour(at + 2).filter(|minute| (10..60).contains(minute)).unwrap_or(0);
                    return Some((found, minute));
                }
            }
            _ => {}
        }
    }
    None
}

/// Days of the week, as the spec has them.
pub(super) fn days(text: &str) -> Vec<&'static str> {
    let words = tokens(text);
    let day = |word: &str| {
        let word = word.strip_suffix('s').filter(|word| word.len() > 5).unwrap_or(word);
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            .iter()
            .position(|name| *name == word || (word.len() >= 3 && word.len() <= 5 && name.starts_with(word)))
    };
    let mut days = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "weekday" | "weekdays" | "workday" | "workdays" => days.extend(0..5),
            "weekend" | "weekends" => days.extend(5..7),
            "daily" => days.extend(0..7),
            "every" if words.get(at + 1).is_some_and(|next| next == "day") => days.extend(0..7),
            "to" | "through" | "till" => {
                let from = at.checked_sub(1).and_then(|before| day(&words[before]));
                if let (Some(from), Some(to)) = (from, words.get(at + 1).and_then(|next| day(next))) {
                    days.extend(days_between(from, to));
                }
            }
            word => days.extend(day(word)),
        }
    }
    day_names(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans() {
        for (text, expected) in [
            ("5 minutes", Some(300)),
            ("a 5-minute timer", Some(300)),
            ("1h30m", Some(5400)),
            ("1 hour and 30 minutes", Some(5400)),
            ("an hour and a half", Some(5400)),
            ("half an hour", Some(1800)),
            ("twenty five minutes", Some(1500)),
            ("ninety", None),
            ("90s", Some(90)),
            ("1.5 hours", Some(5400)),
            ("a minute", Some(60)),
            ("5", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn clocks() {
        for (text, expected) in [
            ("for 7:30", Some("07:30")),
            ("7:30pm", Some("19:30")),
            ("at 6", Some("06:00")),
            ("at 6 in the evening", Some("18:00")),
            ("6 a.m.", Some("06:00")),
            ("12 am", Some("00:00")),
            ("12:15 pm", Some("12:15")),
            ("half past seven", Some("07:30")),
            ("quarter to eight", Some("07:45")),
            ("at six thirty", Some("06:30")),
            ("noon", Some("12:00")),
            ("7 o'clock", Some("07:00")),
            ("25:99", Some("25:99")),
            ("for 5 minutes", None),
            ("soon", None),
        ] {
            assert_eq!(clock(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn weekdays() {
        assert_eq!(days("on weekdays"), ["mon", "tue", "wed", "thu", "fri"]);
        assert_eq!(days("every Saturday and Sundays"), ["sat", "sun"]);
        assert_eq!(days("Mon to Wed"), ["mon", "tue", "wed"]);
        assert_eq!(days("every day").len(), 7);
        assert!(days("the monkey sat for months").contains(&"sat"));
        assert!(days("tomorrow").is_empty());
    }
}

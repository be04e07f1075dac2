//! Chinese numbers, times of day, spans, dates and days of the week.

use super::super::parse::{self, day_names, days_between};
use super::has;

/// The value of one Chinese digit.
fn digit(c: char) -> Option<i64> {
    let place = "零一二三四五六七八九".chars().position(|known| known == c);
    match c {
        '〇' => Some(0),
        '两' => Some(2),
        _ => i64::try_from(place?).ok(),
    }
}

/// Reads a number at the start of a text: ASCII digits, or Chinese ones up to the hundreds. Gives the rest, too.
pub(super) fn number(text: &str) -> Option<(i64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        // More digits than a number has are no number.
        return Some((text[..digits].parse().ok()?, &text[digits..]));
    }
    let (mut total, mut last, mut end) = (0_i64, None, 0);
    for (at, c) in text.char_indices() {
        let weight = match c {
            '十' => 10,
            '百' => 100,
            _ => match digit(c) {
                Some(value) => {
                    // 二〇二七: digits in a row are places.
                    last = Some(
                        last.map_or(value, |before: i64| before.saturating_mul(10).saturating_add(value)),
                    );
                    end = at + c.len_utf8();
                    continue;
                }
                None => break,
            },
        };
        total = total.saturating_add(last.take().unwrap_or(1_i64).saturating_mul(weight));
        end = at + c.len_utf8();
    }
    (end > 0).then(|| (total.saturating_add(last.unwrap_or(0)), &text[end..]))
}

/// Each place of a text where a number begins, with the number and the rest.
fn numbers(text: &str) -> impl Iterator<Item = (usize, i64, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let here = text.get(at..)?;
            if let Some((value, rest)) = number(here) {
                let place = at;
                at = text.len() - rest.len();
                return Some((place, value, rest));
            }
            at += here.chars().next()?.len_utf8();
        }
    })
}

/// Units of time and their seconds; the longer names first.
const UNITS: &[(&str, i64)] =
    &[("小时", 3600), ("钟头", 3600), ("分钟", 60), ("分", 60), ("秒钟", 1), ("秒", 1)];

/// A unit at the start of a text: whether a half stands before it, its seconds, and the rest.
fn unit(text: &str) -> Option<(bool, i64, &str)> {
    let text = text.strip_prefix('个').unwrap_or(text);
    let (half, text) = text.strip_prefix('半').map_or((false, text), |text| (true, text));
    let (name, seconds) = UNITS.iter().find(|(name, _)| text.starts_with(name))?;
    Some((half, *seconds, &text[name.len()..]))
}

/// A span of time in whole seconds: 五分钟, 一个半小时, 半小时, 1小时30分.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let mut total = None;
    for (_, value, rest) in numbers(text) {
        if let Some((half, unit, rest)) = unit(rest) {
            // 两分半: the half stands behind its unit.
            let half = half || rest.starts_with('半');
            let span = value.saturating_mul(unit).saturating_add(if half { unit / 2 } else { 0 });
            total = Some(total.unwrap_or(0_i64).saturating_add(span));
        }
    }
    total.or_else(|| {
        let rest = text.split_once('半')?.1;
        let rest = rest.strip_prefix('个').unwrap_or(rest);
        UNITS.iter().find(|(name, _)| rest.starts_with(name)).map(|(_, unit)| unit / 2)
    })
}

/// A time of day with the place where it ends: 7:30, 七点半, 下午三点, 晚上8点20分.
pub(super) fn clock_at(text: &str) -> Option<(String, usize)> {
    let (hour, minute, start, end) = written(text).or_else(|| spoken(text))?;
    // What says which half of the day stands before the time.
    let before = &text[..start];
    let late = has(before, &["下午", "傍晚", "晚上", "今晚", "夜里"]);
    let noon = before.contains("中午");
    let hour = match hour {
        1..=11 if late => hour + 12,
        1..=4 if noon => hour + 12,
        12 if has(before, &["凌晨", "晚上", "夜里"]) => 0,
        hour => hour,
    };
    Some((parse::clock(hour, minute), end))
}

/// A time of day.
pub(super) fn clock(text: &str) -> Option<String> {
    clock_at(text).map(|(clock, _)| clock)
}

fn written(text: &str) -> Option<(u32, u32, usize, usize)> {
    parse::times(text).into_iter().next().map(|(hour, minute, range)| (hour, minute, range.start, range.end))
}

fn spoken(text: &str) -> Option<(u32, u32, usize, usize)> {
    for (start, hour, rest) in numbers(text) {
        let Some(rest) = ["点钟", "点", "时"].iter().find_map(|word| rest.strip_prefix(word)) else {
            continue;
        };
        let (minute, rest) = if let Some(rest) = rest.strip_prefix('半') {
            (30, rest)
        } else if let Some(rest) = rest.strip_prefix("一刻") {
            (15, rest)
        } else if let Some(rest) = rest.strip_prefix("三刻") {
            (45, rest)
        } else {
            match number(rest) {
                Some((minute, rest)) => (minute, rest.strip_prefix('分').unwrap_or(rest)),
                None => (0, rest),
            }
        };
        let (hour, minute) = (u32::try_from(hour).ok()?, u32::try_from(minute).ok()?);
        return Some((hour, minute, start, text.len() - rest.len()));
    }
    None
}

/// A date as the spec wants it, with the bytes where it stands: 2027-03-04 or 2027年3月4日.
pub(super) fn date(text: &str) -> Option<(String, std::ops::Range<usize>)> {
    if let Some((date, range)) = parse::date(text) {
        return Some((date.to_owned(), range));
    }
    numbers(text).find_map(|(start, year, rest)| {
        let (month, rest) = number(rest.strip_prefix('年')?)?;
        let (day, rest) = number(rest.strip_prefix('月')?)?;
        let rest = rest.strip_prefix('日').or_else(|| rest.strip_prefix('号')).unwrap_or(rest);
        Some((format!("{year:04}-{month:02}-{day:02}"), start..text.len() - rest.len()))
    })
}

/// Days of the week, as the spec has them: 工作日, 周末, 每天, 周一三五, 星期一到星期五.
pub(super) fn days(text: &str) -> Vec<&'static str> {
    let mut days = Vec::new();
    if has(text, &["工作日", "平日", "上班日"]) {
        days.extend(0..5);
    }
    if text.contains("周末") {
        days.extend(5..7);
    }
    if has(text, &["每天", "天天", "每日"]) {
        days.extend(0..7);
    }
    let day = |c: char| "一二三四五六日天".chars().position(|known| known == c).map(|place| place.min(6));
    let mut rest = text;
    while let Some(at) =
        ["周", "星期", "礼拜"].iter().filter_map(|word| Some((rest.find(word)?, word.len()))).min()
    {
        rest = &rest[at.0 + at.1..];
        let mut from = None;
        while let Some(c) = rest.chars().next() {
            if let Some(day) = day(c) {
                days.push(day);
                from = Some(day);
                rest = &rest[c.len_utf8()..];
            } else if matches!(c, '到' | '至' | '-' | '~') {
                let behind = &rest[c.len_utf8()..];
                let behind = ["周", "星期", "礼拜"]
                    .iter()
                    .find_map(|word| behind.strip_prefix(word))
                    .unwrap_or(behind);
                let (Some(from), Some(to)) = (from, behind.chars().next().and_then(day)) else { break };
                days.extend(days_between(from, to));
                rest = behind;
            } else if c == '、' {
                rest = &rest[c.len_utf8()..];
            } else {
                break;
            }
        }
    }
    day_names(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_numbers() {
        for (text, expected) in [
            ("五", 5),
            ("十", 10),
            ("十五", 15),
            ("二十", 20),
            ("二十五分", 25),
            ("一百零五", 105),
            ("两", 2),
            ("二〇二七年", 2027),
            ("90秒", 90),
        ] {
            assert_eq!(number(text).map(|found| found.0), Some(expected), "{text}");
        }
        assert_eq!(number(&format!("{}十百", "九".repeat(30))).map(|found| found.0), Some(i64::MAX));
        assert_eq!(number("点"), None);
        assert_eq!(number("99999999999999999999"), None);
    }

    #[test]
    fn spans() {
        for (text, expected) in [
            ("五分钟计时", Some(300)),
            ("半小时", Some(1800)),
            ("半个小时后", Some(1800)),
            ("一个半小时", Some(5400)),
            ("1小时30分", Some(5400)),
            ("两分半", Some(150)),
            ("九十秒", Some(90)),
            ("七点半", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn clocks() {
        for (text, expected) in [
            ("明天7:30叫我", Some("07:30")),
            ("工作日七点半", Some("07:30")),
            ("下午三点", Some("15:00")),
            ("晚上8点20分", Some("20:20")),
            ("中午十二点一刻", Some("12:15")),
            ("凌晨12点", Some("00:00")),
            ("早上六点", Some("06:00")),
            ("25:99", Some("25:99")),
            ("五分钟", None),
        ] {
            assert_eq!(clock(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn dates_and_days() {
        assert_eq!(date("在2027年3月4日上午").map(|found| found.0).as_deref(), Some("2027-03-04"));
        assert_eq!(date("2027-03-04 10:00").map(|found| found.1), Some(0..10));
        assert_eq!(days("工作日"), ["mon", "tue", "wed", "thu", "fri"]);
        assert_eq!(days("每周一三五"), ["mon", "wed", "fri"]);
        assert_eq!(days("星期一到星期三"), ["mon", "tue", "wed"]);
        assert_eq!(days("周六、周日"), ["sat", "sun"]);
        assert_eq!(days("每天").len(), 7);
    }
}

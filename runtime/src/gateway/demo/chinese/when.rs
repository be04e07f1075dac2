//! Alarms, timers and the calendar.

use super::super::parse;
use super::super::proposal::{Proposal, list};
use super::{bare, between, has, split, time};

const LABEL: &[&str] = &["标签是", "标签叫", "标签", "名字叫", "名叫", "备注"];

fn label(text: &str) -> Option<&str> {
    bare(split(text, LABEL)?.1)
}

pub(super) fn timer(text: &str) -> Option<Proposal> {
    let seconds = time::seconds(text);
    let counts = has(text, &["计时", "倒数", "定时"]);
    let later = has(text, &["后叫我", "后提醒", "以后叫", "之后叫", "后喊我"]);
    if !counts && (!later || seconds.is_none()) {
        return None;
    }
    Some(Proposal::new("timer").maybe("seconds", seconds).maybe("label", label(text)))
}

pub(super) fn alarm(text: &str) -> Option<Proposal> {
    if !has(text, &["闹钟", "叫我", "叫醒", "喊我", "起床", "闹铃"]) {
        return None;
    }
    let said = split(text, LABEL).map_or(text, |(before, _)| before);
    Some(
        Proposal::new("alarm")
            .maybe("time", time::clock(said))
            .maybe("days", list(&time::days(said)))
            .maybe("label", label(text)),
    )
}

pub(super) fn calendar(text: &str) -> Option<Proposal> {
    if !has(text, &["日历", "日程", "行程"]) {
        return None;
    }
    let Some((day, range)) = time::date(text) else {
        return Some(Proposal::new("calendar_event").maybe("title", title(text, text)));
    };
    let behind = &text[range.end..];
    let times = parse::times(behind);
    let (start, after) = match time::clock_at(behind) {
        Some((clock, end)) => (format!("{day}T{clock}"), &behind[end..]),
        None => (day.clone(), behind),
    };
    let end = times.get(1).map(|(hour, minute, _)| format!("{day}T{}", parse::clock(*hour, *minute)));
    let after = times.get(1).map_or(after, |(_, _, range)| &behind[range.end..]);
    Some(
        Proposal::new("calendar_event")
            .maybe("title", title(text, after))
            .with("start", start)
            .maybe("end", end)
            .maybe("location", split(text, &["地点是", "地点在", "地点"]).and_then(|(_, place)| bare(place))),
    )
}

/// What the event is: what is put into the calendar, else what stands behind the time, else before it.
fn title<'a>(text: &'a str, after: &'a str) -> Option<&'a str> {
    const INTO: &[&str] =
        &["放进", "放到", "放在", "加到", "加进", "加入", "记到", "记在", "写进", "写到", "添加到"];
    const ADDS: &[&str] = &[
        "添加日程",
        "新建日程",
        "加个日程",
        "加一个日程",
        "日程",
        "行程",
        "日历里",
        "日历上",
        "日历",
        "添加",
        "加上",
        "记下",
        "加",
        "记",
    ];
    if let Some(title) = between(text, &["把", "将"], INTO) {
        return Some(time::date(title).map_or(title, |(_, range)| title[range.end..].trim()));
    }
    let after = split(after, &["地点"]).map_or(after, |(before, _)| before);
    let mut rest = after;
    while let Some((before, behind)) = split(rest, ADDS) {
        if bare(before).is_some_and(|before| before != "在" && before != "到" && before != "的") {
            return bare(before);
        }
        rest = behind;
    }
    bare(rest).map(|title| title.trim_start_matches(['去', '的']))
}

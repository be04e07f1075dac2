//! Alarms, timers and the calendar.

use super::super::parse;
use super::super::proposal::{Proposal, list};
use super::{Sentence, bare, time};

/// What it is to be called: `called eggs`, `labelled eggs`.
fn label<'a>(sentence: &Sentence<'a>) -> Option<&'a str> {
    bare(sentence.split(&["called", "named", "labelled", "labeled", "with the label"])?.1)
}

pub(super) fn timer(sentence: &Sentence<'_>) -> Option<Proposal> {
    let counts = sentence.has(&["timer", "countdown", "count down"]);
    let later = sentence.begins(&["wake me", "remind me", "alert me"]).is_some() && sentence.has(&["in"]);
    let seconds = time::seconds(sentence.raw);
    if !counts && (!later || seconds.is_none()) {
        return None;
    }
    Some(Proposal::new("timer").maybe("seconds", seconds).maybe("label", label(sentence)))
}

pub(super) fn alarm(sentence: &Sentence<'_>) -> Option<Proposal> {
    if !sentence.has(&["alarm", "wake me", "wake us", "get me up"]) {
        return None;
    }
    // What it is called may hold words for times.
    let said = sentence.until(&["called", "named", "labelled", "labeled", "with the label"]);
    Some(
        Proposal::new("alarm")
            .maybe("time", time::clock(said))
            .maybe("days", list(&days(said)))
            .maybe("label", label(sentence)),
    )
}

/// The days that are named, without those behind an `except`.
fn days(said: &str) -> Vec<&'static str> {
    match Sentence::new(said).split(&["except", "but not", "other than"]) {
        Some((all, spared)) => {
            let spared = time::days(spared);
            time::days(all).into_iter().filter(|day| !spared.contains(day)).collect()
        }
        None => time::days(said),
    }
}

pub(super) fn calendar(sentence: &Sentence<'_>) -> Option<Proposal> {
    let date = parse::date(sentence.raw);
    let names_it = sentence.has(&["calendar", "appointment", "event"]);
    let books = sentence.begins(&["schedule", "book"]).is_some() && date.is_some();
    if !names_it && !books {
        return None;
    }
    let mut proposal = Proposal::new("calendar_event").maybe("title", title(sentence));
    let Some((day, range)) = date else {
        // A day that is no date travels as it was said; the refusal then tells what a date is.
        return Some(proposal.maybe("start", sentence.split(&["on", "for"]).and_then(|(_, day)| bare(day))));
    };
    let behind = &sentence.raw[range.end..];
    let times = parse::times(behind);
    let clock = |place: usize| {
        times.get(place).map(|(hour, minute, _)| format!("{day}T{}", parse::clock(*hour, *minute)))
    };
    let spoken = || Some(format!("{day}T{}", time::clock(behind)?));
    proposal = proposal.with("start", clock(0).or_else(spoken).unwrap_or_else(|| day.to_owned()));
    proposal = proposal.maybe("end", clock(1));
    Some(
        proposal
            .maybe("location", sentence.split(&["location", "in room"]).and_then(|(_, place)| bare(place))),
    )
}

/// What the event is: between the verb and what says where or when.
fn title<'a>(sentence: &Sentence<'a>) -> Option<&'a str> {
    const VERBS: &[&str] = &["put", "add", "schedule", "book", "create", "make", "enter", "new"];
    const NOUNS: &[&str] = &[
        "calendar event called",
        "event called",
        "event named",
        "event",
        "appointment called",
        "calendar event",
        "calendar entry",
    ];
    const ENDS: &[&str] = &[
        "in my calendar",
        "in the calendar",
        "on my calendar",
        "on the calendar",
        "to my calendar",
        "to the calendar",
        "into my calendar",
        "into the calendar",
        "calendar",
        "on",
        "at",
        "from",
    ];
    let rest = sentence.begins(VERBS)?;
    let rest = bare(rest)?;
    let rest = Sentence::new(rest).begins(NOUNS).unwrap_or(rest).trim_start_matches([':', ' ']);
    let rest = Sentence::new(rest).begins(&["for"]).unwrap_or(rest);
    let title = Sentence::new(rest).until(ENDS);
    let title = parse::date(title).map_or(title, |(_, range)| title[..range.start].trim());
    bare(title)
}

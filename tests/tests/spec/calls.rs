//! specs/conformance/calls.json, a test a case: the machines of the ringer, event by event.

use std::io::Write;

use handset::ringer::burst::{self, Burst, Plan};
use handset::ringer::call::{self, Call};
use handset::ringer::invite::{self, Answer, Invite, Left};
use handset::ringer::linger::{self, Bounds, Linger};
use handset::ringer::record::{Leaves, Limits};
use handset::store::{EndedBy, InviteState};
use handset_spec_macros::conformance;
use serde_json::{Value, json};

conformance!("calls", run);

#[test]
fn the_number_of_cases_is_told() {
    // Past the capture that hides what a passing test prints.
    writeln!(std::io::stderr(), "conformance: {CASES} calls cases, each a test of its own").unwrap();
}

fn run(case: &str) {
    let case: Value = serde_json::from_str(case).unwrap();
    let events = case["events"].as_array().unwrap();
    let steps = if case["invite"].is_object() {
        invite(&case["invite"], events)
    } else if case["burst"].is_object() {
        burst(&case["burst"], events)
    } else if case["hangup"].is_object() {
        hangup(&case["hangup"], events)
    } else {
        line(&case["line"], events)
    };
    assert_eq!(json!(steps), case["expect"]["steps"]);
}

fn ms(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn invite(given: &Value, events: &[Value]) -> Vec<Vec<String>> {
    let mut invite = Invite {
        expires_ms: ms(&given["expires_at"]),
        state: InviteState::Pending,
        answered_by: None,
        note: None,
    };
    let step = |event: &Value| {
        let answered = |answer| invite::Event::Answered { device: text(&event["device"]), answer };
        let brought = match event["is"].as_str().unwrap() {
            "accept" => answered(Answer::Accept),
            "decline" => answered(Answer::Decline { note: text(&event["note"]) }),
            "cancel" => invite::Event::Cancelled,
            "tick" => invite::Event::Tick,
            other => panic!("{other} is no event of an invite"),
        };
        let (after, effects) = invite.clone().on(brought, ms(&event["at"]));
        invite = after;
        effects.iter().map(invite_effect).collect()
    };
    events.iter().map(step).collect()
}

fn invite_effect(effect: &invite::Effect) -> String {
    match effect {
        invite::Effect::Tell(outcome) => outcome.word().to_owned(),
        invite::Effect::Close(Left::Call) => "call".to_owned(),
        invite::Effect::Close(Left::Note(None)) => "declined_silent".to_owned(),
        invite::Effect::Close(Left::Note(Some(note))) => format!("declined_note {note}"),
        invite::Effect::Close(Left::Voicemail) => "voicemail".to_owned(),
        invite::Effect::Close(Left::Trace) => "trace".to_owned(),
    }
}

fn burst(given: &Value, events: &[Value]) -> Vec<Vec<String>> {
    let mut burst = Burst::new(Plan {
        created_ms: ms(&given["created_at"]),
        interval_ms: ms(&given["interval"]),
        extra: u32::try_from(ms(&given["extra"])).unwrap(),
        expires_ms: ms(&given["expires_at"]),
    });
    let step = |event: &Value| {
        let brought = match event["is"].as_str().unwrap() {
            "tick" => burst::Event::Tick,
            "restarted" => burst::Event::Restarted,
            "resolved" => burst::Event::Resolved,
            other => panic!("{other} is no event of a burst"),
        };
        let (after, effect) = burst.on(brought, ms(&event["at"]));
        burst = after;
        let ring = |burst::Effect::Ring { sequence, last, .. }| {
            format!("ring {sequence}{}", if last { " last" } else { "" })
        };
        effect.into_iter().map(ring).collect()
    };
    events.iter().map(step).collect()
}

fn bounds(given: &Value) -> Bounds {
    let bound = |key: &str| given[key].as_i64().unwrap_or(0);
    Bounds { min_ms: bound("linger_min"), max_ms: bound("linger_max") }
}

fn hanging_up(event: &Value, bounds: Bounds) -> Option<linger::Event> {
    let turn = text(&event["turn"]).unwrap_or_default();
    Some(match event["is"].as_str().unwrap() {
        "marked" => linger::Event::Marked { turn, at: event["chars"].as_u64().unwrap() },
        "played" => linger::Event::Played {
            turn,
            heard: event["heard"].as_u64(),
            bounds,
            chance: event["chance"].as_u64().unwrap(),
        },
        "speech" => linger::Event::Speech,
        _ => return None,
    })
}

fn hangup(given: &Value, events: &[Value]) -> Vec<Vec<String>> {
    let mut linger = Linger::Open;
    let step = |event: &Value| {
        let brought = hanging_up(event, bounds(given)).unwrap_or(linger::Event::Tick);
        let (after, effect) = linger.clone().on(brought, ms(&event["at"]));
        linger = after;
        let word = |effect| match effect {
            linger::Effect::Linger { until_ms } => format!("linger {until_ms}"),
            linger::Effect::GoesOn => "goes_on".to_owned(),
            linger::Effect::HangUp => "hang_up".to_owned(),
        };
        effect.into_iter().map(word).collect()
    };
    events.iter().map(step).collect()
}

fn line(given: &Value, events: &[Value]) -> Vec<Vec<String>> {
    let limits = Limits { min_call_ms: ms(&given["min_call"]), min_summary_ms: ms(&given["min_summary"]) };
    let mut call = Call::new(ms(&given["answered_at"]));
    let step = |event: &Value| {
        let brought = match event["is"].as_str().unwrap() {
            "joined" => call::Event::Joined,
            "tick" => call::Event::Tick { limits },
            "ended" => call::Event::Ended {
                length_ms: ms(&event["length"]),
                limits,
                told: event["told"].as_bool().unwrap(),
                by: EndedBy::Device,
            },
            _ => call::Event::Line(hanging_up(event, bounds(given)).unwrap()),
        };
        let (after, effects) = call.clone().on(brought, ms(&event["at"]));
        call = after;
        effects.iter().filter_map(call_effect).collect()
    };
    events.iter().map(step).collect()
}

fn call_effect(effect: &call::Effect) -> Option<String> {
    match effect {
        call::Effect::Tell(outcome) => Some(outcome.word().to_owned()),
        call::Effect::Show => Some("show".to_owned()),
        call::Effect::Close(end) => match end.leaves {
            Leaves::Nothing => None,
            Leaves::Duration => Some(format!("record {}", end.length_ms)),
            Leaves::Summary => Some(format!("record {} summary", end.length_ms)),
        },
    }
}

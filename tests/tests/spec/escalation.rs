//! specs/conformance/escalation.json, a test a case: what happens to a person, and when their companion calls of its own accord.

use std::io::Write;

use handset::ringer::escalation::{Event, Rules, State};
use handset::zone;
use handset_spec::settings::Settings;
use handset_spec_macros::conformance;
use serde_json::{Value, json};

conformance!("escalation", run);

#[test]
fn the_number_of_cases_is_told() {
    // Past the capture that hides what a passing test prints.
    writeln!(std::io::stderr(), "conformance: {CASES} escalation cases, each a test of its own").unwrap();
}

fn moment(value: &Value) -> i64 {
    handset::clock::from_rfc3339(value.as_str().unwrap()).unwrap()
}

/// The spec's rules with what the case says otherwise.
fn rules(settings: &Value) -> Rules {
    let patched = Settings::default().patched(&json!({"escalation": settings})).unwrap();
    assert_eq!(patched.clamped, [], "a case stays within the bounds");
    Rules::from(&patched.settings)
}

fn run(case: &str) {
    let case: Value = serde_json::from_str(case).unwrap();
    let person = &case["person"];
    let home = |name: &Value| zone::named(name.as_str().unwrap()).unwrap().1;
    let mut state = State {
        rules: rules(person.get("settings").unwrap_or(&json!({}))),
        zone: home(&person["zone"]),
        dnd: false,
        heard_ms: None,
        escalated: None,
        invited: false,
        in_call: false,
    };
    let mut rings = Vec::new();
    for happens in case["happens"].as_array().unwrap() {
        let at = moment(&happens["at"]);
        let event = match happens["is"].as_str().unwrap() {
            "message" => Event::Message,
            "invited" => Event::Invited,
            "resolved" => Event::Resolved,
            "call_began" => Event::CallBegan,
            "call_ended" => Event::CallEnded,
            "dnd_on" => Event::Dnd(true),
            "dnd_off" => Event::Dnd(false),
            "settings" => Event::Rules(rules(&happens["settings"])),
            "zone" => Event::Zone(home(&happens["zone"])),
            "looks" => {
                let step = happens["every_minutes"].as_i64().unwrap() * 60_000;
                let mut now = at;
                // A look at one moment alone ends where it begins.
                while now == at || now < moment(&happens["until"]) {
                    let (after, ring) = state.on(Event::Look, now);
                    state = after;
                    rings.extend(ring.map(|ring| (now, ring.day.to_string())));
                    now += step;
                }
                continue;
            }
            other => panic!("nobody knows what {other} is"),
        };
        state = state.on(event, at).0;
    }
    let expected = case["expect"]["rings"].as_array().unwrap().iter();
    let expected: Vec<_> =
        expected.map(|ring| (moment(&ring["at"]), ring["day"].as_str().unwrap().to_owned())).collect();
    assert_eq!(rings, expected);
}

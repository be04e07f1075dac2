//! What is said of a voice, against the cases.

use std::io::Write;

use handset::voice::tone::{Baseline, Features, Limits, cues, is_soft};
use handset_spec_macros::conformance;
use serde_json::{Value, json};

conformance!("tone", run);

/// The runner of the tests says only how many tests there were.
#[test]
fn the_number_of_cases_is_told() {
    // Past the capture that hides what a passing test prints.
    writeln!(std::io::stderr(), "conformance: {CASES} tone cases, each a test of its own").unwrap();
}

fn run(case: &str) {
    let case: Value = serde_json::from_str(case).unwrap();
    let given = |key: &str, usual: usize| {
        case["given"][key].as_u64().map_or(usual, |value| usize::try_from(value).unwrap())
    };
    let past = case["past"].as_object().unwrap();
    let most = past.values().map(|values| values["count"].as_u64().unwrap()).max().unwrap_or(0);
    let clips = (0..most).map(|index| {
        features(|name| {
            let (count, number) = (past.get(name)?["count"].as_u64()?, |key: &str| past[name][key].as_f64());
            let (from, to) = (number("from")?, number("to")?);
            let step = if count > 1 { (to - from) / (count - 1) as f64 } else { 0.0 };
            (index < count).then_some(from + step * index as f64)
        })
    });
    let limits = Limits { min: given("baseline_min", 25), most: given("max_cues", 2) };
    let found = cues(&features(|name| case["voice"][name].as_f64()), &Baseline::new(clips), limits);
    let told: Vec<Value> = found
        .iter()
        .map(|cue| {
            let side = if cue.tier.percentile < 50.0 { "below" } else { "above" };
            json!({"feature": cue.feature.name(), side: cue.tier.percentile})
        })
        .collect();
    let expected = case["expect"]["cues"].as_array().unwrap();
    let same = |(told, expected): (&Value, &Value)| {
        let number = |value: &Value, key: &str| value[key].as_f64();
        told["feature"] == expected["feature"]
            && ["below", "above"].iter().all(|side| number(told, side) == number(expected, side))
    };
    assert!(
        told.len() == expected.len() && told.iter().zip(expected).all(same),
        "{told:?}, not {expected:?}"
    );
    assert_eq!(is_soft(&found), case["expect"]["soft"].as_bool().unwrap());
}

/// Figures by their names; those that always are there and are not told are none at all.
fn features(value: impl Fn(&str) -> Option<f64>) -> Features {
    Features {
        dur: value("dur").unwrap_or(f64::NAN),
        pitch: value("pitch"),
        pitch_var: value("pitch_var"),
        energy: value("energy").unwrap_or(f64::NAN),
        pause: value("pause").unwrap_or(f64::NAN),
        rate: value("rate"),
        tail: value("tail"),
    }
}

//! Settings: whatever is stored or asked for, what is used lies within the spec's bounds, and what was not taken as it was
//! given is told.

use handset_spec::settings::{FaultKind, Knob, Section, Settings, Unit};
use handset_tests::second::Random;
use serde_json::{Value, json};

/// Every knob with its path.
fn knobs() -> impl Iterator<Item = (&'static Section, &'static Knob)> {
    Settings::SECTIONS.iter().flat_map(|section| section.knobs.iter().map(move |knob| (section, knob)))
}

fn patch(section: &str, knob: &str, value: Value) -> Value {
    json!({section: {knob: value}})
}

/// Any value at all, most of them near what a knob takes.
fn anything(random: &mut Random) -> Value {
    match random.below(12) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!("text"),
        3 => json!("12:34"),
        4 => json!([1]),
        5 => json!({"a": 1}),
        6 => json!(-1),
        7 => json!(1e300),
        8 => json!(-1e300),
        9 => json!(u64::MAX),
        10 => json!(0.25),
        _ => json!(random.below(100)),
    }
}

/// Each value of settings as its knob has it in JSON.
fn is_within(settings: &Settings) -> Result<(), String> {
    let all = settings.to_json();
    for (section, knob) in knobs() {
        let value = &all[section.key][knob.key];
        let Some((min, max)) = knob.bounds else { continue };
        let (min, max) = (min.to_json(knob.unit), max.to_json(knob.unit));
        let fits = match (value.as_f64(), min.as_f64(), max.as_f64()) {
            (Some(value), Some(min), Some(max)) => (min..=max).contains(&value),
            // Times of day compare as their texts do.
            _ => (min.as_str()..=max.as_str()).contains(&value.as_str()),
        };
        if !fits {
            return Err(format!("{}.{} is {value}", section.key, knob.key));
        }
    }
    for section in Settings::SECTIONS {
        for &(low, high) in section.pairs {
            let [low, high] = [low, high].map(|place| all[section.key][section.knobs[place].key].as_f64());
            if low > high {
                return Err(format!("a range of {} is crossed", section.key));
            }
        }
    }
    Ok(())
}

#[test]
fn whatever_is_asked_for_is_within_the_bounds_or_refused() {
    let mut random = Random::new(7);
    let mut settings = Settings::default();
    let (mut taken, mut refused, mut moved) = (0, 0, 0);
    for _ in 0..20_000 {
        let mut change = json!({});
        for _ in 0..=random.below(3) {
            let (section, knob) = knobs().nth(random.below(knobs().count())).unwrap();
            change[section.key][knob.key] = anything(&mut random);
        }
        match settings.patched(&change) {
            Ok(patched) => {
                settings = patched.settings;
                taken += 1;
                moved += patched.clamped.len();
                for told in patched.clamped {
                    assert_ne!(told.given, told.used, "{}", told.path);
                }
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                refused += 1;
            }
        }
        is_within(&settings).unwrap();
        let read = Settings::from_stored(&settings.to_stored());
        assert_eq!(read.settings, settings);
        assert_eq!((read.clamped, read.ignored), (vec![], Vec::<String>::new()));
    }
    assert!(taken > 1000 && refused > 1000 && moved > 1000, "{taken} {refused} {moved}");
}

#[test]
fn whatever_is_stored_is_read() {
    let mut random = Random::new(8);
    for _ in 0..20_000 {
        let mut stored = json!({});
        for _ in 0..=random.below(4) {
            let (section, knob) = knobs().nth(random.below(knobs().count())).unwrap();
            stored[section.key][knob.key] = anything(&mut random);
        }
        is_within(&Settings::from_stored(&stored.to_string()).settings).unwrap();
    }
    for stored in ["", "null", "[]", "{", "{\"call\": 3}", "{\"cal\": {}}"] {
        let read = Settings::from_stored(stored);
        assert_eq!((read.settings, read.ignored.len()), (Settings::default(), 1), "{stored}");
    }
}

#[test]
fn only_what_differs_is_stored() {
    assert_eq!(Settings::default().to_stored(), "{}");
    for (section, knob) in knobs() {
        let default = knob.default.to_json(knob.unit);
        let same = Settings::default().patched(&patch(section.key, knob.key, default)).unwrap();
        assert_eq!((same.settings.to_stored(), same.clamped), ("{}".to_owned(), vec![]), "{}", knob.key);
        // The greatest value of each is another one, or else the least, which the lower end of a range may always have; a
        // switch is turned.
        let lower = |place: usize| section.pairs.iter().any(|&(low, _)| low == place);
        let is_lower = section.knobs.iter().position(|other| other.key == knob.key).is_some_and(lower);
        let other = match knob.bounds {
            None => json!(knob.default.to_json(knob.unit) != json!(true)),
            Some((min, max)) if max == knob.default || is_lower => min.to_json(knob.unit),
            Some((_, max)) => max.to_json(knob.unit),
        };
        let changed = Settings::default().patched(&patch(section.key, knob.key, other.clone())).unwrap();
        assert_eq!(changed.settings.to_json()[section.key][knob.key], other);
        let stored: Value = serde_json::from_str(&changed.settings.to_stored()).unwrap();
        assert_eq!(stored.as_object().unwrap().len(), 1);
        assert_eq!(stored[section.key].as_object().unwrap().len(), 1);
        for back in [patch(section.key, knob.key, Value::Null), json!({section.key: null}), Value::Null] {
            assert_eq!(changed.settings.patched(&back).unwrap().settings, Settings::default());
        }
    }
}

/// A length of time is kept in seconds: another unit in the spec changes nobody's value.
#[test]
fn lengths_are_kept_in_seconds() {
    let (section, knob) = knobs().find(|(_, knob)| knob.unit == Unit::Hours).unwrap();
    let least = knob.bounds.unwrap().0.to_json(knob.unit).as_f64().unwrap();
    let settings = Settings::default().patched(&patch(section.key, knob.key, json!(least))).unwrap().settings;
    let stored: Value = serde_json::from_str(&settings.to_stored()).unwrap();
    assert_eq!(stored[section.key][knob.key].as_f64(), Some(least * 3600.0));
}

#[test]
fn what_is_out_of_bounds_is_told_as_it_was_given() {
    for (section, knob) in knobs() {
        let Some((min, max)) = knob.bounds else { continue };
        let (min, max) = (min.to_json(knob.unit), max.to_json(knob.unit));
        let Some(least) = min.as_f64() else { continue };
        for (given, used) in [(json!(-1e300), &min), (json!(least - 1.0), &min), (json!(1e300), &max)] {
            let patched = Settings::default().patched(&patch(section.key, knob.key, given.clone())).unwrap();
            let told = &patched.clamped[0];
            assert_eq!((&*told.path, &told.given), (&*format!("{}.{}", section.key, knob.key), &given));
            assert_eq!((&told.used, &told.min, &told.max), (used, &min, &max));
        }
    }
}

/// The end that was given is moved to the other; of both, the lower.
#[test]
fn ends_of_a_range_do_not_cross() {
    let section = Settings::SECTIONS.iter().find(|section| !section.pairs.is_empty()).unwrap();
    let (low, high) = section.pairs[0];
    let (low, high) = (&section.knobs[low], &section.knobs[high]);
    let of = |settings: &Settings, knob: &Knob| settings.to_json()[section.key][knob.key].as_f64().unwrap();
    let default = Settings::default();
    let (lower, upper) = (of(&default, low), of(&default, high));
    assert!(lower < upper);
    let cases = [
        (json!({low.key: upper + 1.0}), (upper, upper), low),
        (json!({high.key: lower - 1.0}), (lower, lower), high),
        (json!({low.key: upper + 2.0, high.key: upper + 1.0}), (upper + 1.0, upper + 1.0), low),
    ];
    for (change, ends, moved) in cases {
        let patched = default.patched(&json!({section.key: change})).unwrap();
        assert_eq!((of(&patched.settings, low), of(&patched.settings, high)), ends, "{change}");
        assert_eq!(patched.clamped.len(), 1);
        assert_eq!(patched.clamped[0].path, format!("{}.{}", section.key, moved.key));
    }
    // Stored by a spec that knew no such range.
    let stored = json!({section.key: {low.key: upper + 2.0, high.key: upper + 1.0}});
    let read = Settings::from_stored(&stored.to_string());
    assert_eq!((of(&read.settings, low), read.clamped.len()), (upper + 1.0, 1));
}

#[test]
fn what_is_unknown_or_of_another_type_changes_nothing() {
    let default = Settings::default();
    let section = &Settings::SECTIONS[0];
    let faults = default.patched(&json!({"nowhere": {}, section.key: {"nothing": 1}})).unwrap_err();
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    let mut expected = ["nowhere".to_owned(), format!("{}.nothing", section.key)];
    expected.sort();
    assert_eq!(paths, expected);
    assert!(faults.iter().all(|fault| matches!(&fault.kind, FaultKind::Unknown(known) if !known.is_empty())));
    for (section, knob) in knobs() {
        let wrong = match knob.unit {
            Unit::Boolean => [json!(1), json!("true")],
            Unit::Clock => [json!("9:00"), json!("24:00")],
            Unit::Count => [json!(2.5), json!("2")],
            _ => [json!("2"), json!(true)],
        };
        for value in wrong {
            let faults = default.patched(&patch(section.key, knob.key, value)).unwrap_err();
            assert_eq!(faults[0].kind, FaultKind::Expected(knob.unit.expected()));
        }
    }
    assert_eq!(default.patched(&json!([])).unwrap_err().len(), 1);
    assert_eq!(default.patched(&json!({section.key: 3})).unwrap_err()[0].path, section.key);
}

#[test]
fn the_form_shows_every_knob() {
    let form = Settings::form();
    let shown: usize =
        form.as_array().unwrap().iter().map(|section| section["knobs"].as_array().unwrap().len()).sum();
    assert_eq!(shown, knobs().count());
    for section in form.as_array().unwrap() {
        for knob in section["knobs"].as_array().unwrap() {
            for text in [&section["label"], &knob["label"], &knob["help"]] {
                assert!(["en", "zh"].iter().all(|language| !text[language].as_str().unwrap().is_empty()));
            }
            assert_eq!(knob.get("min").is_some(), knob["unit"] != json!("boolean"), "{knob}");
        }
    }
}

/// The numbers that document 2 lists in its table.
#[test]
fn the_defaults_are_the_documents() {
    use handset_spec::settings::{ClockTime, call, escalation};
    use std::time::Duration;
    let Settings { markers, call, escalation, voice, record, .. } = Settings::default();
    assert_eq!(markers.conversation_gap, Duration::from_secs(3 * 3600));
    let seconds = Duration::from_secs;
    assert_eq!((call.ring_interval, call.extra_rings), (seconds(2), 10));
    assert_eq!((call.invite_expires, call.poll_interval), (seconds(30), seconds(8)));
    assert_eq!((escalation.silence, escalation::PER_DAY), (seconds(5 * 3600), 1));
    let hours = [(escalation.from, 12), (escalation.until, 23)];
    assert!(hours.iter().all(|&(time, hour)| time == ClockTime { hour, minute: 0 }));
    assert_eq!((voice.soft_volume, voice.linger_min, voice.linger_max), (0.5, seconds(15), seconds(20)));
    assert_eq!((record.min_call, record.min_summary), (seconds(5), seconds(20)));
    assert_eq!((record.summary_timeout, call::NOTE_MAX_CHARS), (seconds(15), 60));
}

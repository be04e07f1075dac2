//! The compiled reader and the second reading of loop.json agree.

use handset_tests::second::{Spec, Verdict, Writer};

use crate::compiled;

const CALLS: usize = 100_000;

#[test]
fn a_hundred_thousand_random_calls_without_a_difference() {
    let spec = Spec::own().unwrap();
    let mut writer = Writer::new(&spec, 1);
    let (mut passed, mut refused) = (0, 0);
    for _ in 0..CALLS {
        let arguments = writer.arguments();
        let (first, second) = (compiled::read(&arguments), spec.read(&arguments));
        assert!(agree(&first, &second), "{arguments}\ncompiled: {first:?}\nsecond:   {second:?}");
        for verdict in second {
            match verdict {
                Verdict::Ok(_) => passed += 1,
                Verdict::Refused(_) => refused += 1,
            }
        }
    }
    assert!(
        passed > CALLS / 5 && refused > CALLS / 5,
        "{passed} passed, {refused} refused: the calls are lopsided"
    );
}

#[test]
fn a_parsed_value_reads_as_its_text_does() {
    let spec = Spec::own().unwrap();
    let mut writer = Writer::new(&spec, 2);
    let mut compared = 0;
    for _ in 0..CALLS / 5 {
        let arguments = writer.call();
        // What serde_json cannot hold (a lone surrogate, 1e999, thirty digits) is lost before the reader sees it.
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&arguments) else { continue };
        if arguments.contains("123456789") {
            continue;
        }
        let (text, parsed) = (compiled::read(&arguments), compiled::read_value(&value));
        assert_eq!(text, parsed, "{arguments}");
        compared += 1;
    }
    assert!(compared > CALLS / 10);
}

/// Whether the verdicts are the same. Where a text holds faults of two kinds, either is named.
pub(crate) fn agree(first: &[Verdict], second: &[Verdict]) -> bool {
    let same = |(first, second): (&Verdict, &Verdict)| match (first, second) {
        (Verdict::Refused(first), Verdict::Refused(second)) => {
            first == second || second.contains(" or ") && second.split(" or ").any(|kind| kind == first)
        }
        (first, second) => first == second,
    };
    first.len() == second.len() && first.iter().zip(second).all(same)
}

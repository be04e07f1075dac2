//! Two knobs that are the ends of one range: `NAME_min` and `NAME_max`.

use super::super::page::Page;
use crate::model::{Knob, NumberSection, Setting};
use crate::read::Node;
use crate::rules;

/// The pairs among the knobs, each as the places of its lower and upper end.
pub(super) fn find(knobs: &[Knob]) -> Vec<(usize, usize)> {
    let upper = |(low, knob): (usize, &Knob)| {
        let stem = knob.key.as_str().strip_suffix("_min")?;
        let is = |other: &Knob| other.key.as_str().strip_suffix("_max") == Some(stem);
        let high = knobs.iter().position(is)?;
        // Ends that cannot be compared are no range.
        let (one, other) = (knob.default, knobs[high].default);
        let alike = std::mem::discriminant(&one) == std::mem::discriminant(&other);
        (alike && !matches!(one, Setting::Boolean(_))).then_some((low, high))
    };
    knobs.iter().enumerate().filter_map(upper).collect()
}

/// Tells the pairs whose lower end may be above the upper one; false where there are some. `places` are the knobs' nodes.
pub(super) fn check(page: &Page<'_>, section: &str, read: &NumberSection, places: &[&Node]) -> bool {
    let mut whole = true;
    for &(low, high) in &read.pairs {
        let (lower, upper) = (&read.knobs[low], &read.knobs[high]);
        let ends = [
            ("default", Some(lower.default), Some(upper.default)),
            ("min", lower.bounds.map(|ends| ends.0), upper.bounds.map(|ends| ends.0)),
            ("max", lower.bounds.map(|ends| ends.1), upper.bounds.map(|ends| ends.1)),
        ];
        for (key, one, other) in ends {
            if one <= other {
                continue;
            }
            whole = false;
            let span = |place: usize| places[place].get(key).map_or(places[place].head(), |node| node.span);
            page.fault(
                &rules::CROSSED_KNOBS,
                span(low),
                format!(
                    "`{key}` of `{section}.{}` is greater than that of `{section}.{}`, the other end of the range",
                    lower.key, upper.key
                ),
            )
            .label("the lower end")
            .also(span(high), "the upper end")
            .help("a value that is put right between the two must be within the bounds of both")
            .report();
        }
    }
    whole
}

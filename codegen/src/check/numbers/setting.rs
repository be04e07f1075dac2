//! The value of a knob, by its unit.

use super::super::page::Page;
use crate::model::{Setting, Unit};
use crate::read::{Node, Value};
use crate::rules;

/// The longest length of time that a knob may have: a leap year.
const LONGEST_MS: f64 = 366.0 * 24.0 * 3_600_000.0;

/// Reads a value that is measured in `unit`.
pub(super) fn read(page: &Page<'_>, node: &Node, unit: Unit, what: &str) -> Option<Setting> {
    match unit {
        Unit::Boolean => {
            if let Value::Bool(on) = node.value {
                return Some(Setting::Boolean(on));
            }
            page.wrong_type(node, what, "true or false");
            None
        }
        Unit::Clock => clock(page, node, what),
        Unit::Count => page.integer(node, what).map(Setting::Count),
        Unit::Factor => finite(page, node, what).map(Setting::Factor),
        Unit::Seconds | Unit::Minutes | Unit::Hours => length(page, node, unit, what),
    }
}

/// A number that a 64-bit float can be.
pub(super) fn finite(page: &Page<'_>, node: &Node, what: &str) -> Option<f64> {
    let Value::Number(text) = &node.value else {
        page.wrong_type(node, what, "a number");
        return None;
    };
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    if number.is_none() {
        page.fault(&rules::NUMBER_TOO_LARGE, node.span, format!("{what} does not fit into a 64-bit float"))
            .label("too large")
            .report();
    }
    number
}

fn length(page: &Page<'_>, node: &Node, unit: Unit, what: &str) -> Option<Setting> {
    let number = finite(page, node, what)?;
    #[expect(clippy::cast_precision_loss, reason = "a unit has few milliseconds")]
    let milliseconds = number * unit.milliseconds().unwrap_or(1) as f64;
    let fault = |found: &str, label: &str| {
        page.fault(&rules::NO_LENGTH_OF_TIME, node.span, format!("{what} {found}"))
            .label(label)
            .help(format!("write a number of {} from 0 to a year, no finer than a millisecond", unit.key()))
            .report();
        None
    };
    if milliseconds < 0.0 {
        return fault("is less than no time", "negative");
    }
    if milliseconds > LONGEST_MS {
        return fault("is longer than a year", "too long");
    }
    // 0.1 s is no float: what counts is the nearest millisecond, and that nothing but the float's own error is lost.
    if (milliseconds - milliseconds.round()).abs() > 1e-6 {
        return fault("is finer than a millisecond", "too fine");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to a year, and whole"
    )]
    Some(Setting::Length(milliseconds.round() as u64))
}

fn clock(page: &Page<'_>, node: &Node, what: &str) -> Option<Setting> {
    let word = page.string(node, what)?;
    let time = |text: &str| -> Option<Setting> {
        let (hour, minute) = text.split_once(':')?;
        let two = |digits: &str, most: u8| {
            let fits = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u8>().ok().filter(|number| fits && *number <= most)
        };
        Some(Setting::Clock(two(hour, 23)?, two(minute, 59)?))
    };
    let time = time(word.text);
    if time.is_none() {
        page.fault(&rules::NO_TIME_OF_DAY, word.span, format!("{what} is no time of day"))
            .label("not HH:MM")
            .help("write two digits each, from \"00:00\" to \"23:59\"")
            .report();
    }
    time
}

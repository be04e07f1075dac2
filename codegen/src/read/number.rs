//! Numbers by their text: which integer one is, exactly.

/// What a JSON number is as an integer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Integral {
    /// Integral, and this.
    Is(i128),
    /// Integral, and beyond 38 digits.
    TooLarge,
    /// Not integral.
    No,
}

/// Reads a JSON number as an integer: `60`, `60.0` and `6e1` are all 60, `0.5` is none.
///
/// `text` is a number as [`crate::read::parse`] keeps it; anything else is no integer.
pub fn integral(text: &str) -> Integral {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (unsigned, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Integral::No;
    }
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return Integral::Is(0);
    }
    let Ok(exponent) = exponent.parse::<i64>() else {
        return if exponent.starts_with('-') { Integral::No } else { Integral::TooLarge };
    };
    // The value is `kept` with this many zeros behind it; fewer than none makes a fraction.
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let zeros =
        exponent.saturating_sub(count(fraction.len())).saturating_add(count(digits.len() - kept.len()));
    if zeros < 0 {
        return Integral::No;
    }
    let kept = kept.trim_start_matches('0');
    if zeros.saturating_add(count(kept.len())) > 38 {
        return Integral::TooLarge;
    }
    let value = kept.bytes().fold(0_i128, |value, digit| value * 10 + i128::from(digit - b'0'));
    let value = (0..zeros).fold(value, |value, _| value * 10);
    Integral::Is(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::{Integral, integral};

    #[test]
    fn integers_are_read_exactly() {
        for (text, value) in [
            ("60", 60),
            ("60.0", 60),
            ("6e1", 60),
            ("600e-1", 60),
            ("0.6E+2", 60),
            ("-0", 0),
            ("0e9999999999999999999", 0),
        ] {
            assert_eq!(integral(text), Integral::Is(value), "{text}");
        }
        assert_eq!(integral("-9223372036854775809"), Integral::Is(i128::from(i64::MIN) - 1));
        for text in ["0.5", "1e-1", "60.01", "1e-99999999999999999999", ""] {
            assert_eq!(integral(text), Integral::No, "{text}");
        }
        for text in ["1e38", "1e99999999999999999999"] {
            assert_eq!(integral(text), Integral::TooLarge, "{text}");
        }
    }
}

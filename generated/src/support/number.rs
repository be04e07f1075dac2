//! JSON numbers at their exact value: `60`, `60.0` and `6e1` are one integer, `1e-1` is none.

use std::borrow::Cow;

/// A number as it was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number<'a> {
    /// A JSON number as it is written.
    Literal(&'a str),
    /// One of a parsed value.
    Parsed(&'a serde_json::Number),
}

impl<'a> Number<'a> {
    /// The integer that it is, if it is one and fits.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Self::Literal(text) => match text.parse() {
                Ok(integer) => Some(integer),
                Err(_) => integral(text)?.parse().ok(),
            },
            Self::Parsed(number) => number.as_i64().or_else(|| integral(&number.to_string())?.parse().ok()),
        }
    }

    /// The nearest 64-bit float.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Literal(text) => text.parse().unwrap_or(f64::NAN),
            Self::Parsed(number) => number.as_f64().unwrap_or(f64::NAN),
        }
    }

    /// As it travels: an integral number of up to 20 digits as those digits, any other as it is written, which keeps
    /// its value exactly.
    pub fn normal(self) -> Cow<'a, str> {
        match self {
            Self::Literal(text) => match integral(text) {
                Some(digits) => digits,
                None => Cow::Borrowed(text),
            },
            Self::Parsed(number) => {
                let text = number.to_string();
                let digits = integral(&text).map(Cow::into_owned);
                Cow::Owned(digits.unwrap_or(text))
            }
        }
    }
}

/// Longer integers stay as they are written: no zeros are invented for `1e300`.
const MOST_DIGITS: usize = 20;

/// The digits of a number with an integral value, without a leading zero and with a sign only where it means one.
fn integral(text: &str) -> Option<Cow<'_, str>> {
    if text == "-0" {
        return Some(Cow::Borrowed("0"));
    }
    if !text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return Some(Cow::Borrowed(text));
    }
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (unsigned, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = [whole, fraction].concat();
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some(Cow::Borrowed("0"));
    }
    // An exponent that does not fit is larger than any text is long; the value decides below all the same.
    let exponent: i64 =
        exponent.parse().unwrap_or(if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 });
    let shift = exponent.saturating_sub(i64::try_from(fraction.len()).ok()?);
    let digits = if shift >= 0 {
        let zeros = usize::try_from(shift).ok().filter(|zeros| *zeros <= MOST_DIGITS)?;
        significant.to_owned() + &"0".repeat(zeros)
    } else {
        let dropped = usize::try_from(shift.unsigned_abs()).ok()?;
        let kept = significant.len().checked_sub(dropped)?;
        let (kept, dropped) = significant.split_at(kept);
        if kept.is_empty() || dropped.bytes().any(|digit| digit != b'0') {
            return None;
        }
        kept.to_owned()
    };
    (digits.len() <= MOST_DIGITS).then(|| Cow::Owned(format!("{sign}{digits}")))
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn an_integral_number_reads_as_an_integer() {
        for (given, normal) in [
            ("60", "60"),
            ("60.0", "60"),
            ("6e1", "60"),
            ("0.6E+2", "60"),
            ("600e-1", "60"),
            ("60.50e1", "605"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("0e999999999999999999999", "0"),
            ("-2.50", "-2.50"),
            ("1e-1", "1e-1"),
            ("1e-99999999999999999999", "1e-99999999999999999999"),
            ("1e300", "1e300"),
            ("12345678901234567890.0", "12345678901234567890"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1.0000000000000000000000001", "1.0000000000000000000000001"),
        ] {
            assert_eq!(Number::Literal(given).normal(), normal, "{given}");
        }
    }

    #[test]
    fn an_integer_out_of_range_is_no_i64() {
        assert_eq!(Number::Literal("9223372036854775807").as_i64(), Some(i64::MAX));
        assert_eq!(Number::Literal("9223372036854775808").as_i64(), None);
        assert_eq!(Number::Literal("60.5").as_i64(), None);
        assert_eq!(Number::Literal("8.64e4").as_i64(), Some(86400));
    }
}

//! A number by its exact decimal value.

/// Sign, digits without zeros at either end, and the power of ten of the last digit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Decimal {
    negative: bool,
    digits: String,
    power: i128,
}

impl Decimal {
    /// The value of a JSON number.
    pub fn new(written: &str) -> Self {
        let lower = written.to_lowercase();
        let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
        let (whole, fraction) = mantissa
            .trim_start_matches('-')
            .split_once('.')
            .unwrap_or((mantissa.trim_start_matches('-'), ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0').trim_end_matches('0').to_owned();
        let zeros = all.len() - all.trim_end_matches('0').len();
        if digits.is_empty() {
            return Self { negative: false, digits, power: 0 };
        }
        let exponent = exponent.parse::<i128>().unwrap_or(if exponent.starts_with('-') {
            -(1 << 100)
        } else {
            1 << 100
        });
        let power =
            exponent - i128::try_from(fraction.len()).unwrap_or(0) + i128::try_from(zeros).unwrap_or(0);
        Self { negative: written.starts_with('-'), digits, power }
    }

    /// The integer it is, if it is one of up to 30 digits.
    pub fn integer(&self) -> Option<i128> {
        let power = u32::try_from(self.power).ok().filter(|power| *power <= 30)?;
        if self.digits.is_empty() {
            return Some(0);
        }
        let magnitude = self.digits.parse::<i128>().ok()?.checked_mul(10i128.checked_pow(power)?)?;
        Some(if self.negative { -magnitude } else { magnitude })
    }

    /// Whether a 64-bit float can come near it.
    pub fn is_finite(written: &str) -> bool {
        written.parse::<f64>().is_ok_and(f64::is_finite)
    }
}

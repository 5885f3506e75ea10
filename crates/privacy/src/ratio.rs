//! Exact non-negative fractions for the parameters of constraints: 0.2 is 1/5.

use mingle_model::Number;
use std::fmt;

/// `numerator / denominator`, in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

impl Ratio {
    /// `numerator / denominator` in lowest terms; `None` for a denominator of zero.
    pub fn new(numerator: u64, denominator: u64) -> Option<Ratio> {
        let divisor = gcd(numerator, denominator);
        (denominator > 0).then(|| Ratio {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        })
    }

    /// Reads a decimal number: `0.2`, `3`, `1e-2`. At most 19 decimal places; none below zero.
    pub fn parse(text: &str) -> Option<Ratio> {
        let number = Number::parse(text)?;
        let denominator = 10u64.checked_pow(number.scale.into())?;
        Ratio::new(u64::try_from(number.mantissa).ok()?, denominator)
    }

    /// The upper part.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The lower part, never zero.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The nearest floating-point number, for messages and for measures; never for a verdict.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl From<u64> for Ratio {
    fn from(whole: u64) -> Self {
        Ratio {
            numerator: whole,
            denominator: 1,
        }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let cross = |a: u64, b: u64| u128::from(a) * u128::from(b);
        cross(self.numerator, other.denominator).cmp(&cross(other.numerator, self.denominator))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // all digits of a decimal number, so that what is said is what was decided
        let exact = (0..=Number::MAX_SCALE)
            .find(|&scale| 10u128.pow(scale.into()) % u128::from(self.denominator) == 0);
        let factor = |scale: u8| 10u128.pow(scale.into()) / u128::from(self.denominator);
        let mantissa =
            |scale| i128::try_from(u128::from(self.numerator).checked_mul(factor(scale))?).ok();
        match exact.and_then(|scale| Some((mantissa(scale)?, scale))) {
            Some((mantissa, scale)) => f.write_str(&Number::text(mantissa, scale)),
            None => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_terms_and_order() {
        assert_eq!(Ratio::new(2, 10), Ratio::new(1, 5));
        assert_eq!(Ratio::new(0, 7), Some(Ratio::from(0)));
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(Ratio::new(0, 0), None);
        let (max, less) = (
            Ratio::from(u64::MAX),
            Ratio::new(u64::MAX, u64::MAX - 1).unwrap(),
        );
        assert!(
            less < max
                && less > Ratio::from(1)
                && Ratio::new(1, 3).unwrap() < Ratio::new(1, 2).unwrap()
        );
    }

    #[test]
    fn decimals_are_exact() {
        for (text, numerator, denominator) in [
            ("0.2", 1, 5),
            ("3", 3, 1),
            ("1e-2", 1, 100),
            (".5", 1, 2),
            ("0", 0, 1),
            ("2.50", 5, 2),
        ] {
            assert_eq!(
                Ratio::parse(text),
                Ratio::new(numerator, denominator),
                "{text}"
            );
        }
        for text in [
            "",
            "-0.1",
            "1/2",
            "x",
            "1e-25",
            "99999999999999999999",
            "0.00000000000000000001",
            "NaN",
        ] {
            assert_eq!(Ratio::parse(text), None, "{text}");
        }
    }

    #[test]
    fn all_digits_are_shown() {
        for text in [
            "0.2",
            "3",
            "0.1234567890123456789",
            "0",
            "1.5",
            "0.0000000000000000001",
        ] {
            assert_eq!(Ratio::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Ratio::new(1, 3).unwrap().to_string(), "1/3");
        assert_eq!(
            Ratio::new(u64::MAX, 1 << 63).unwrap().to_string(),
            format!("{}/{}", u64::MAX, 1u64 << 63)
        );
    }
}

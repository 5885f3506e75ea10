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
        (denominator > 0).then(|| Ratio { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// Reads a decimal number: `0.2`, `3`, `1e-2`. At most 18 decimal places.
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
        Ratio { numerator: whole, denominator: 1 }
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
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}", self.to_f64()),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

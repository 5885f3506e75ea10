//! Privacy parameters as exact decimals: ten releases at ε = 0.1 spend 1, not 0.9999999999999999.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// ε, δ or ρ, in units of 10⁻³⁰.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Amount(u128);

const PLACES: u32 = 30;
const ONE: u128 = 10u128.pow(PLACES);

impl Amount {
    /// Nothing.
    pub const ZERO: Amount = Amount(0);

    /// 10⁻⁹: the δ at which ρ is said as ε where nobody asks for another.
    pub const BILLIONTH: Amount = Amount(ONE / 1_000_000_000);

    /// The largest ε that is understood; anything near it protects nobody.
    pub const MAX: Amount = Amount(100_000_000 * ONE);

    /// A plain number such as `0.5`, `1` or `1e-9`: not negative, at most 30 decimal places, at
    /// most 10⁸.
    pub fn parse(text: &str) -> Option<Amount> {
        let text = text.replace('_', "");
        let text = text.strip_prefix('+').unwrap_or(&text);
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let significant = all.trim_start_matches('0');
        let trailing = significant.len() - significant.trim_end_matches('0').len();
        let mantissa = significant.trim_end_matches('0');
        if mantissa.is_empty() {
            return Some(Amount(0));
        }
        let mantissa: u128 = mantissa.parse().ok()?;
        let places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        let shift = (PLACES as i32)
            .checked_sub(places)?
            .checked_add(i32::try_from(trailing).ok()?)?;
        let shift = u32::try_from(shift).ok().filter(|&s| s <= 38)?;
        let value = Amount(mantissa.checked_mul(10u128.checked_pow(shift)?)?);
        (value <= Amount::MAX).then_some(value)
    }

    /// The largest amount that is not above a number; zero for what is negative or no number.
    pub fn floor(value: f64) -> Amount {
        exact(value).map_or(Amount::ZERO, |units| Amount::within(units.floor()))
    }

    /// The smallest amount that is not below a number; zero for what is negative or no number.
    pub fn ceil(value: f64) -> Amount {
        exact(value).map_or(Amount::ZERO, |units| Amount::within(units.ceil()))
    }

    fn within(units: IBig) -> Amount {
        u128::try_from(units).map_or(Amount::MAX, |units| Amount(units).min(Amount::MAX))
    }

    /// The nearest binary number.
    pub fn to_f64(self) -> f64 {
        // the decimal text is rounded correctly by the standard library
        self.to_string().parse().unwrap_or(f64::INFINITY)
    }

    /// Numerator over 10³⁰.
    pub fn units(self) -> u128 {
        self.0
    }

    /// So many units of 10⁻³⁰; the end of the scale for more.
    pub fn from_units(units: u128) -> Amount {
        Amount(units).min(Amount::MAX)
    }

    /// With so many significant digits, rounded down.
    pub fn floor_to(self, digits: u32) -> Amount {
        Amount(self.0 - self.0 % self.step(digits))
    }

    /// With so many significant digits, rounded up.
    pub fn ceil_to(self, digits: u32) -> Amount {
        Amount(self.0.next_multiple_of(self.step(digits)))
    }

    fn step(self, digits: u32) -> u128 {
        10u128.pow((self.0.max(1).ilog10() + 1).saturating_sub(digits))
    }

    /// So many of it.
    pub fn times(self, n: u128) -> Amount {
        Amount(self.0.saturating_mul(n))
    }

    /// The largest amount of which `n` together are not above this one.
    pub fn divided_by(self, n: u128) -> Amount {
        Amount(self.0 / n.max(1))
    }

    /// `numerator / denominator` of it, rounded down.
    pub fn share(self, numerator: u128, denominator: u128) -> Amount {
        let denominator = denominator.max(1);
        let (whole, rest) = (self.0 / denominator, self.0 % denominator);
        Amount(
            whole
                .saturating_mul(numerator)
                .saturating_add(rest.saturating_mul(numerator) / denominator),
        )
    }

    /// What is left after taking `other` away; `None` where it is not there.
    pub fn minus(self, other: Amount) -> Option<Amount> {
        self.0.checked_sub(other.0).map(Amount)
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

/// A binary number is a fraction; in units of an amount it still is one.
fn exact(value: f64) -> Option<RBig> {
    let value = RBig::try_from(value)
        .ok()
        .filter(|value| *value > RBig::ZERO)?;
    Some(value * UBig::from(ONE))
}

impl Add for Amount {
    type Output = Amount;

    /// Beyond what can be written, the sum stays at the end of the scale, which no budget reaches.
    fn add(self, other: Amount) -> Amount {
        Amount(self.0.saturating_add(other.0))
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(items: I) -> Amount {
        items.fold(Amount::ZERO, Add::add)
    }
}

/// Exact: digits and, for what is small, an exponent.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0");
        }
        let digits = self.0.to_string();
        let power = digits.len() as i32 - 1 - PLACES as i32;
        let significant = digits.trim_end_matches('0');
        if power < -4 {
            let (head, tail) = significant.split_at(1);
            let point = if tail.is_empty() { "" } else { "." };
            return write!(f, "{head}{point}{tail}e{power}");
        }
        let (whole, fraction) = (self.0 / ONE, self.0 % ONE);
        let fraction = format!("{fraction:030}");
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{whole}{point}{fraction}")
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A string, because JSON numbers of most readers are binary.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        let text = String::deserialize(deserializer)?;
        Amount::parse(&text).ok_or_else(|| de::Error::custom("not an amount"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).expect("an amount")
    }

    #[test]
    fn tenths_add_up() {
        assert_eq!((0..10).map(|_| amount("0.1")).sum::<Amount>(), amount("1"));
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, same) in [
            ("1e-9", "0.000000001"),
            ("1.5E1", "15"),
            ("1_000", "1000"),
            ("+2", "2.000"),
            ("0.0", "0"),
            (".5", "0.5"),
        ] {
            assert_eq!(amount(text), amount(same), "{text}");
        }
        for text in [
            "", "-1", "nan", "inf", "1e-31", "1e9", "1e400", "1.2.3", "0x1", "e5", "1e", ".",
        ] {
            assert_eq!(Amount::parse(text), None, "{text}");
        }
    }

    #[test]
    fn texts_are_short() {
        for text in [
            "0",
            "1",
            "0.5",
            "1e-9",
            "1.25e-12",
            "100000000",
            "0.0001",
            "1e-5",
            "12.000000000000000000000000000001",
        ] {
            assert_eq!(amount(text).to_string(), text);
        }
    }

    #[test]
    fn digits_are_kept_from_the_left() {
        for (text, down, up) in [
            ("0.123456", "0.1234", "0.1235"),
            ("12.3456e-9", "12.34e-9", "12.35e-9"),
            ("123456", "123400", "123500"),
            ("1", "1", "1"),
            ("1e-30", "1e-30", "1e-30"),
            ("0.99999", "0.9999", "1"),
            ("0", "0", "0"),
        ] {
            assert_eq!(
                (amount(text).floor_to(4), amount(text).ceil_to(4)),
                (amount(down), amount(up)),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn texts_read_back(units in 0..=Amount::MAX.0) {
            prop_assert_eq!(amount(&Amount(units).to_string()), Amount(units));
        }

        #[test]
        fn floors_and_ceilings_lean_to_the_safe_side(value in prop_oneof![1e-20..1e-3, 1e-3..1e3, 1e3..1e7]) {
            let (low, high) = (Amount::floor(value), Amount::ceil(value));
            prop_assert!(low <= high);
            prop_assert!(low.to_f64() <= value && value <= high.to_f64());
            // units of 10⁻³⁰ are coarse for 10⁻²⁰
            prop_assert!(high.to_f64() - low.to_f64() <= value * 1e-9);
        }
    }
}

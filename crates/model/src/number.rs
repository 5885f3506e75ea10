//! Exact decimal numbers: an integer and a count of decimal places.

use std::cmp::Ordering;

/// `mantissa / 10^scale`, without trailing zeros behind the point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Number {
    /// The digits, signed.
    pub mantissa: i128,
    /// How many of them stand behind the point.
    pub scale: u8,
}

impl Number {
    /// The most decimal places a number may have.
    pub const MAX_SCALE: u8 = 30;

    /// Reads `-12`, `3.50`, `.5`, `1e-3`. `None` for anything else and for numbers that do not fit.
    pub fn parse(text: &str) -> Option<Number> {
        let (body, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, digits) = match body.as_bytes().first()? {
            b'-' => (true, &body[1..]),
            b'+' => (false, &body[1..]),
            _ => (false, body),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut mantissa: i128 = 0;
        for digit in whole.bytes().chain(fraction.bytes()) {
            if !digit.is_ascii_digit() {
                return None;
            }
            mantissa = mantissa
                .checked_mul(10)?
                .checked_add((digit - b'0').into())?;
        }
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        Number::normalized(if negative { -mantissa } else { mantissa }, scale)
    }

    /// A number of that many decimal places, without trailing zeros; `None` if it does not fit.
    pub(crate) fn normalized(mut mantissa: i128, mut scale: i32) -> Option<Number> {
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        // a hostile exponent must not spin here: i128 holds fewer than 39 digits
        if scale < -39 {
            return (mantissa == 0).then_some(Number {
                mantissa: 0,
                scale: 0,
            });
        }
        while scale < 0 {
            mantissa = mantissa.checked_mul(10)?;
            scale += 1;
        }
        (scale <= Number::MAX_SCALE.into()).then_some(Number {
            mantissa,
            scale: scale as u8,
        })
    }

    /// Reads a whole number in its canonical form: `007` and `+7` are codes, not numbers.
    pub fn parse_integer(text: &str) -> Option<Number> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let canonical = !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0'))
            && text != "-0";
        canonical
            .then(|| text.parse().ok())
            .flatten()
            .map(|mantissa| Number { mantissa, scale: 0 })
    }

    /// The mantissa at a larger scale; `None` when it does not fit.
    pub fn at_scale(self, scale: u8) -> Option<i128> {
        let places = scale.checked_sub(self.scale)?;
        self.mantissa
            .checked_mul(10i128.checked_pow(places.into())?)
    }

    /// The canonical text of `mantissa / 10^scale`.
    pub fn text(mantissa: i128, scale: u8) -> String {
        let Some(Number { mantissa, scale }) = Number::normalized(mantissa, scale.into()) else {
            return String::new();
        };
        if scale == 0 {
            return mantissa.to_string();
        }
        let digits = format!("{:0>1$}", mantissa.unsigned_abs(), usize::from(scale) + 1);
        let (whole, fraction) = digits.split_at(digits.len() - usize::from(scale));
        format!("{}{whole}.{fraction}", if mantissa < 0 { "-" } else { "" })
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (self.at_scale(scale), other.at_scale(scale)) {
            (Some(a), Some(b)) => a.cmp(&b),
            // whichever overflows at the common scale is the one that is far from zero
            (None, _) => self.mantissa.cmp(&0),
            (_, None) => 0.cmp(&other.mantissa),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(given: &str) -> Option<String> {
        Number::parse(given).map(|n| Number::text(n.mantissa, n.scale))
    }

    #[test]
    fn one_text_for_one_number() {
        for (given, canonical) in [
            ("3.50", "3.5"),
            ("-0.050", "-0.05"),
            (".5", "0.5"),
            ("1e-3", "0.001"),
            ("1.2E2", "120"),
            ("-0", "0"),
            ("00012", "12"),
            ("+4", "4"),
            ("5.", "5"),
            ("0e999999999", "0"),
        ] {
            assert_eq!(text(given).as_deref(), Some(canonical), "{given}");
        }
    }

    #[test]
    fn what_is_not_a_number() {
        for given in [
            "",
            "-",
            ".",
            "1.2.3",
            "1e",
            "e5",
            "0x10",
            "1,5",
            "12 ",
            "NaN",
            "inf",
            "1e-40",
            "1e40",
            "1e99999999999",
        ] {
            assert_eq!(text(given), None, "{given}");
        }
    }

    #[test]
    fn integers_are_canonical() {
        assert!(
            ["0", "-5", "120"]
                .iter()
                .all(|t| Number::parse_integer(t).is_some())
        );
        assert!(
            ["007", "+7", "-0", "1.0", "", "-", "1e3"]
                .iter()
                .all(|t| Number::parse_integer(t).is_none())
        );
    }

    #[test]
    fn order_is_exact() {
        let sorted = [
            "-170000000000000000000000000000000000000",
            "-2.5",
            "-2.49",
            "0",
            "0.1",
            "0.10000000000000000000000001",
            "3",
        ];
        let numbers: Vec<_> = sorted.iter().map(|t| Number::parse(t).unwrap()).collect();
        assert!(numbers.windows(2).all(|w| w[0] < w[1]));
    }
}

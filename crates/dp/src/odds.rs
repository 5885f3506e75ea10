//! Odds and other numbers that bound something, in few digits: rounded up, so that a bound stays
//! one.

use crate::Epsilon;

/// Digits of an amount in a text; documents have all of them.
pub const DIGITS: u32 = 4;

/// e^ε, rounded up: how many times as likely something can become.
pub fn times(Epsilon(epsilon): Epsilon) -> String {
    let epsilon = epsilon.to_f64();
    match epsilon.exp() {
        odds if odds < 1e3 => bound(odds.next_up()),
        odds if odds < 1e6 => format!("{:.0}", odds.ceil()),
        odds if odds < 1e300 => bound(odds),
        _ => format!("1e{:.0}", (epsilon / std::f64::consts::LN_10).ceil()),
    }
}

/// Three or four digits, rounded up.
pub fn bound(value: f64) -> String {
    if !value.is_finite() {
        "beyond any number".to_owned()
    } else if (1e-3..1e6).contains(&value) {
        format!("{}", (value * 1000.0).ceil() / 1000.0)
    } else {
        let power = value.log10().floor() as i32 - 2;
        let rounded_up = (value / 10f64.powi(power)).ceil() * 10f64.powi(power);
        format!("{rounded_up:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Amount;

    #[test]
    fn odds_are_bounds_at_every_size() {
        for (epsilon, expected) in [
            ("1e-20", "1.001"),
            ("0.3", "1.35"),
            ("1", "2.719"),
            ("11", "59875"),
            ("20", "4.86e8"),
            ("1000", "1e435"),
            ("100000000", "1e43429449"),
        ] {
            let epsilon = Epsilon(Amount::parse(epsilon).expect("an amount"));
            assert_eq!(times(epsilon), expected, "{epsilon}");
        }
    }
}

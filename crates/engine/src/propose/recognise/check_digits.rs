//! Numbers with a check digit: of accounts (IBAN, ISO 13616), cards and providers (Luhn, ISO/IEC
//! 7812), patients of the British health service (weighted modulus 11).
//!
//! A number that is none passes a check digit in one of ten or eleven cases, so a column of which
//! nearly all pass was made with it. LOINC codes pass as well and are told apart by their shape.

use super::{Meaning, Recognition, SeenFacts};

const ACCOUNT: &[&str] = &["iban", "account", "konto", "kontonummer", "card"];
/// Fewer different values may pass by chance.
const ENOUGH: usize = 12;

/// Whether a text has a certain shape.
type HasShape = fn(&str) -> bool;

/// Numbers of accounts, cards and insurances.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if facts.distinct >= ENOUGH {
        let shapes: [(&str, HasShape); 3] = [
            ("account numbers (IBAN)", is_iban),
            ("numbers with a check digit", passes_luhn),
            (
                "health service numbers with a check digit",
                passes_modulus_11,
            ),
        ];
        for (why, has_shape) in shapes {
            if facts.mostly(has_shape) {
                return Some(Recognition::new(Meaning::AccountNumber, why));
            }
        }
    }
    let (_, word) = facts.word(ACCOUNT)?;
    if facts.is_few_valued() {
        return None;
    }
    let why = format!("leads to a person (\"{word}\" in its name)");
    Some(Recognition::new(Meaning::AccountNumber, why))
}

/// Country, two check digits, up to thirty letters and digits; the whole is 1 modulo 97 with the
/// first four at the end and letters as numbers from 10 on.
fn is_iban(text: &str) -> bool {
    let compact: Vec<u8> = text.bytes().filter(|&byte| byte != b' ').collect();
    let starts = compact.len() >= 15
        && compact.len() <= 34
        && compact[..2].iter().all(u8::is_ascii_uppercase)
        && compact[2..4].iter().all(u8::is_ascii_digit);
    if !starts {
        return false;
    }
    let mut remainder: u32 = 0;
    for &byte in compact[4..].iter().chain(&compact[..4]) {
        remainder = match byte {
            b'0'..=b'9' => (remainder * 10 + u32::from(byte - b'0')) % 97,
            b'A'..=b'Z' => (remainder * 100 + u32::from(byte - b'A') + 10) % 97,
            _ => return false,
        };
    }
    remainder == 1
}

/// From the right, every second digit is doubled, and the sum of all digits is a multiple of ten.
/// A national provider identifier is ten digits long and is checked with 80840 before it.
fn passes_luhn(text: &str) -> bool {
    let Some(digits) = digits(text, 10..=19) else {
        return false;
    };
    if digits.len() == 10 {
        return luhn_sum(&digits) % 10 == 6 && digits[0] <= 2 && digits[0] > 0;
    }
    luhn_sum(&digits).is_multiple_of(10)
}

/// Luhn's sum over digits, the last of which is the check digit.
pub fn luhn_sum(digits: &[u32]) -> u32 {
    let mut sum = 0;
    for (place, &digit) in digits.iter().rev().enumerate() {
        let doubled = if place % 2 == 1 { digit * 2 } else { digit };
        sum += doubled / 10 + doubled % 10;
    }
    sum
}

/// Ten digits; the first nine with weights from ten down to two, and the last one, are a multiple of
/// eleven.
fn passes_modulus_11(text: &str) -> bool {
    let Some(digits) = digits(text, 10..=10) else {
        return false;
    };
    let mut sum = 0;
    for (place, digit) in digits.iter().enumerate() {
        let weight = if place == 9 { 1 } else { 10 - place as u32 };
        sum += digit * weight;
    }
    sum % 11 == 0
}

fn digits(text: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<Vec<u32>> {
    let mut digits = Vec::new();
    for c in text.chars() {
        match c.to_digit(10) {
            Some(digit) => digits.push(digit),
            None if c == ' ' || c == '-' => {}
            None => return None,
        }
    }
    lengths.contains(&digits.len()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_examples_pass_and_slips_do_not() {
        // the examples of the standards' own descriptions
        assert!(is_iban("GB82 WEST 1234 5698 7654 32"));
        assert!(!is_iban("GB82 WEST 1234 5698 7654 23"));
        assert!(passes_luhn("1234567893") && !passes_luhn("1234567894"));
        assert!(passes_luhn("4111111111111111") && !passes_luhn("4111111111111112"));
        assert!(passes_modulus_11("943 476 5919") && !passes_modulus_11("943 476 5910"));
    }
}

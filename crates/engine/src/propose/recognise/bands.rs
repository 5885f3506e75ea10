//! Bands: `[70-80)`, `65+`, `<18`, `18-24`, `20 to 29`: numbers that were made coarser already.

use super::demographics;
use super::{Meaning, Recognition, SeenFacts};
use mingle_model::Kind;

/// Categories that are mostly ranges of numbers.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if facts.kind != Kind::Category || facts.distinct > 200 || facts.percent(is_band) < 70 {
        return None;
    }
    if facts.word(demographics::AGE).is_some() {
        let why = "ages in bands, which many know";
        return Some(Recognition::new(Meaning::Age, why));
    }
    let why = "ranges of numbers that others may know";
    Some(Recognition::new(Meaning::Band, why))
}

fn is_band(text: &str) -> bool {
    let inner = text.trim().trim_matches(['[', '(', ']', ')']);
    for sign in ["<=", ">=", "<", ">", "≤", "≥", "under ", "over "] {
        if let Some(number) = inner.strip_prefix(sign) {
            return is_number(number);
        }
    }
    if let Some(number) = inner.strip_suffix('+') {
        return is_number(number);
    }
    for between in ["-", "–", " to ", ",", ".."] {
        if let Some((low, high)) = inner.split_once(between) {
            // a code such as 4548-4 has a check digit behind the dash, not an end
            return is_number(low) && is_number(high) && rises(low, high);
        }
    }
    false
}

fn rises(low: &str, high: &str) -> bool {
    let numbers = (low.trim().parse::<f64>(), high.trim().parse::<f64>());
    matches!(numbers, (Ok(low), Ok(high)) if low < high)
}

fn is_number(text: &str) -> bool {
    let text = text.trim();
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    plain && text.bytes().any(|byte| byte.is_ascii_digit()) && text.len() <= 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_told_from_codes_and_days() {
        for band in [
            "[70-80)", "65+", "<18", "18-24", "20 to 29", ">200", "(5,10]",
        ] {
            assert!(is_band(band), "{band}");
        }
        for other in [
            "2001-03-02",
            "Norm",
            "A-B",
            "-",
            "1-2-3",
            "4548-4",
            "70",
            "",
            "+",
        ] {
            assert!(!is_band(other), "{other}");
        }
    }
}

//! Cells that a spreadsheet would run.
//!
//! A spreadsheet takes a CSV cell that starts with `=`, `+`, `-`, `@`, a tab or a line end (or a
//! full-width form of the signs) for a formula. Such a cell gets a leading `'`, unless it is a
//! plain number. A text that already starts with apostrophes and such a character gets one more, so
//! that taking exactly one away gives the text back: `unguard(guard(t)) == t` for every text.

use std::borrow::Cow;

/// The text as it is safe to write into a CSV cell.
pub fn guard(text: &str) -> Cow<'_, str> {
    if is_risky(text) && !is_plain_number(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text that [`guard`] was given.
pub fn unguard(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_risky(rest) => rest,
        _ => text,
    }
}

/// Any number of apostrophes, then a character that starts a formula.
fn is_risky(text: &str) -> bool {
    let first = text.trim_start_matches('\'').chars().next();
    matches!(
        first,
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠')
    )
}

/// `-12`, `+3.5`, `-1e-05`: a sign, digits, at most one point and one exponent, nothing to compute.
fn is_plain_number(text: &str) -> bool {
    let unsigned = |t: &str| {
        t.strip_prefix(['+', '-'])
            .map_or(t.to_owned(), str::to_owned)
    };
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let number = unsigned(text);
    let (mantissa, exponent) = number
        .split_once(['e', 'E'])
        .map_or((number.as_str(), None), |(m, e)| (m, Some(e)));
    let (whole, fraction) = mantissa
        .split_once('.')
        .map_or((mantissa, None), |(w, f)| (w, Some(f)));
    digits(whole) && fraction.is_none_or(digits) && exponent.is_none_or(|e| digits(&unsigned(e)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn formulas_are_guarded_and_numbers_are_not() {
        for text in [
            "=1+1", "+a", "-", "-1+1", "@SUM(A1)", "\tx", "\r=1", "-1-1", "+.5", "-5.", "＝1",
            "-1e", "--1",
        ] {
            assert_eq!(guard(text), format!("'{text}"), "{text}");
        }
        for text in [
            "", "a", "-5", "+5", "-5.25", "-1e-05", "5", "[-5-3]", "'", "'a", "a=b", " =1",
        ] {
            assert_eq!(guard(text), text);
        }
    }

    #[test]
    fn apostrophes_before_formulas_are_counted() {
        assert_eq!(guard("'=1"), "''=1");
        assert_eq!(guard("''=1"), "'''=1");
        assert_eq!(guard("'-5"), "''-5");
        assert_eq!(unguard("'hello"), "'hello");
    }

    proptest! {
        #[test]
        fn unguard_undoes_guard(text in "[-'=+@\t\r\n5a.e＝]{0,5}") {
            let guarded = guard(&text);
            prop_assert_eq!(unguard(&guarded), text.as_str());
            let safe = guarded.starts_with('\'') || !is_risky(&guarded) || is_plain_number(&guarded);
            prop_assert!(safe);
        }
    }
}

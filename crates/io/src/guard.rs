//! Cells that a spreadsheet would run.
//!
//! A spreadsheet takes a CSV cell that starts with `=`, `+`, `-`, `@`, a tab or a line end (or a
//! full-width form of the signs) for a formula; some skip blanks and invisible characters before it.
//! Where a semicolon separates cells, as it does in half of Europe, `a;=1+1` is two cells and the
//! second one runs, quoted or not. So a text is looked at in parts, between semicolons and tabs. A part
//! that would run gets a leading `'`, unless it is a plain number. A part that already starts with
//! apostrophes and what would run gets one more, so that taking exactly one away gives the text
//! back: `unguard(guard(t)) == t` for every text.
//!
//! Releases of 0.1.0 looked at the start of the whole text alone: [`FormulaGuard::Start`].

use mingle_model::is_invisible;
use std::borrow::Cow;

/// How the cells of a file were guarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FormulaGuard {
    /// Not at all: what somebody else has written.
    #[default]
    None,
    /// As 0.1.0 did: a `'` at the start of a text that starts with a formula.
    Start,
    /// As [`guard`] does.
    Parts,
}

impl FormulaGuard {
    /// The text that was guarded like this.
    pub fn undo(self, text: &str) -> Cow<'_, str> {
        match self {
            FormulaGuard::None => Cow::Borrowed(text),
            FormulaGuard::Start => Cow::Borrowed(match text.strip_prefix('\'') {
                Some(rest) if starts_formula(rest.trim_start_matches('\'')) => rest,
                _ => text,
            }),
            FormulaGuard::Parts => unguard(text),
        }
    }
}

/// The text as it is safe to write into a CSV cell.
pub fn guard(text: &str) -> Cow<'_, str> {
    let would_run = |part: &str| is_risky(part) && !is_plain_number(part);
    if !parts(text).any(would_run) {
        return Cow::Borrowed(text);
    }
    let mut guarded = String::with_capacity(text.len() + 1);
    for part in parts(text) {
        if would_run(part) {
            guarded.push('\'');
        }
        guarded.push_str(part);
    }
    Cow::Owned(guarded)
}

/// The text that [`guard`] was given.
pub fn unguard(text: &str) -> Cow<'_, str> {
    if !text.contains('\'') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for part in parts(text) {
        match part.strip_prefix('\'') {
            Some(rest) if is_risky(rest) => plain.push_str(rest),
            _ => plain.push_str(part),
        }
    }
    Cow::Owned(plain)
}

/// What other programs may take for a cell of its own, each with the separator that ends it. A tab at the
/// start may be run itself, so it does not end an empty part.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([';', '\t'])
}

/// Any number of apostrophes, then what starts a formula, blanks and invisible characters before it.
fn is_risky(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    starts_formula(text) || starts_formula(text.trim_start_matches(is_skipped))
}

fn starts_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

/// Blanks and characters that nobody sees.
fn is_skipped(character: char) -> bool {
    character.is_whitespace() || is_invisible(character)
}

/// `-12`, `+3.5`, `-1e-05`: a sign, digits, at most one point and one exponent, nothing to compute.
fn is_plain_number(text: &str) -> bool {
    let unsigned = |t: &str| {
        t.strip_prefix(['+', '-'])
            .map_or(t.to_owned(), str::to_owned)
    };
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let number = unsigned(text.trim_end_matches([';', '\t']));
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
            "", "a", "-5", "+5", "-5.25", "-1e-05", "5", "[-5-3]", "'", "'a", "a=b", "a;b", "a; b",
            "1;-5;2",
        ] {
            assert_eq!(guard(text), text);
        }
    }

    #[test]
    fn blanks_invisible_characters_and_separators_hide_nothing() {
        for text in [
            " =1",
            "\u{a0}=1",
            "\u{200b}=1",
            "\u{feff}@x",
            "\u{2060}\u{200d}+a",
        ] {
            assert_ne!(guard(text), text, "{text:?}");
            assert!(guard(text).starts_with('\''), "{text:?}");
        }
        assert_eq!(guard("a;=1+1"), "a;'=1+1");
        assert_eq!(guard("a; =1;-5;@x"), "a;' =1;-5;'@x");
        assert_eq!(guard("a\t=1"), "a\t'=1");
        assert_eq!(unguard("a;'=1+1"), "a;=1+1");
    }

    #[test]
    fn what_0_1_0_guarded_is_read_as_it_was_meant() {
        let read = |text| FormulaGuard::Start.undo(text).into_owned();
        assert_eq!(read("'=1"), "=1");
        assert_eq!(read("' =1"), "' =1");
        assert_eq!(read("a;'=1"), "a;'=1");
        assert_eq!(FormulaGuard::None.undo("'=1"), "'=1");
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
        fn unguard_undoes_guard(text in "[-'=+@\t\r\n5a.e＝; \u{200b}]{0,7}") {
            let guarded = guard(&text);
            let undone = unguard(&guarded);
            prop_assert_eq!(undone.as_ref(), text.as_str());
            for part in parts(&guarded) {
                let safe = part.starts_with('\'') || !is_risky(part) || is_plain_number(part);
                prop_assert!(safe, "{:?}", part);
            }
        }
    }
}

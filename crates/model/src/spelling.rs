//! Values that are written differently and mean the same.
//!
//! `HIV`, `HIV ` and `hiv` are three values to a program and one to a reader, so that a group of them
//! would count as diverse. A column's values are compared, counted and published in one canonical form:
//! by default without blanks at the ends, with one space for each run of blanks and without characters
//! that nobody sees; by choice in lower case as well. What looks alike beyond that, such as a Cyrillic А
//! beside a Latin A, is left as it is, because nobody but its owner knows what was meant, and can be
//! found by its [`skeleton`].
//!
//! Full-width forms and lower case come from Unicode's own rules. The table of letters is drawn from the
//! Unicode Consortium's list of confusable characters (UTS #39), cut to Greek and Cyrillic letters that look
//! like a Latin one in common typefaces: alphabets that stand side by side on European keyboards.

use crate::invisible::is_invisible;
use std::borrow::Cow;

/// Which spellings are one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spelling {
    /// Only texts that agree in every character.
    #[default]
    Exact,
    /// Blanks at the ends, repeated blanks and invisible characters do not count.
    Trimmed,
    /// Nor does case.
    Folded,
}

impl Spelling {
    /// All, from the strictest on.
    pub const ALL: [Spelling; 3] = [Spelling::Exact, Spelling::Trimmed, Spelling::Folded];

    /// The word used in the policy file.
    pub fn name(self) -> &'static str {
        match self {
            Spelling::Exact => "exact",
            Spelling::Trimmed => "trimmed",
            Spelling::Folded => "folded",
        }
    }

    /// The form in which a text is compared and published.
    pub fn canonical(self, text: &str) -> Cow<'_, str> {
        match self {
            Spelling::Exact => Cow::Borrowed(text),
            Spelling::Trimmed => trimmed(text),
            Spelling::Folded => {
                let trimmed = trimmed(text);
                if trimmed.chars().any(char::is_uppercase) {
                    Cow::Owned(trimmed.to_lowercase())
                } else {
                    trimmed
                }
            }
        }
    }
}

/// Without invisible characters and blanks that nobody sees.
fn trimmed(text: &str) -> Cow<'_, str> {
    let has_invisible = text.chars().any(is_invisible);
    let mut before = ' ';
    let mut is_clean = !has_invisible && !text.ends_with(char::is_whitespace);
    for character in text.chars() {
        // only single spaces, and none in front
        let is_odd = character.is_whitespace() && (character != ' ' || before == ' ');
        is_clean &= !is_odd;
        before = character;
    }
    if is_clean {
        return Cow::Borrowed(text);
    }
    let visible: String = text.chars().filter(|&c| !is_invisible(c)).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    Cow::Owned(words.join(" "))
}

/// What a text looks like, whatever its case, blanks and alphabet: texts with the same skeleton may be the
/// same value, written differently.
pub fn skeleton(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for character in text.chars() {
        if is_invisible(character) || character.is_whitespace() {
            continue;
        }
        for lower in narrow(character).to_lowercase() {
            seen.push(latin(lower));
        }
    }
    seen
}

/// The usual form of a full-width character.
fn narrow(character: char) -> char {
    const FULL_WIDTH: std::ops::RangeInclusive<char> = '\u{ff01}'..='\u{ff5e}';
    if !FULL_WIDTH.contains(&character) {
        return character;
    }
    char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
}

/// The Latin letter that a small Greek or Cyrillic one, or its capital, is taken for.
fn latin(lower: char) -> char {
    match lower {
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' | 'ё' => 'e',
        'һ' | 'н' | 'η' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' | 'μ' | 'µ' => 'm',
        'ν' => 'n',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'ѵ' => 'v',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'ү' | 'υ' => 'y',
        'ζ' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_forms() {
        let texts = [
            "HIV",
            "HIV ",
            " HIV",
            "H\u{200b}IV",
            "\u{feff}HIV",
            "HIV\u{a0}",
        ];
        for text in texts {
            assert_eq!(Spelling::Trimmed.canonical(text), "HIV", "{text:?}");
            assert_eq!(Spelling::Folded.canonical(text), "hiv", "{text:?}");
            assert_eq!(Spelling::Exact.canonical(text), text);
        }
        assert_eq!(
            Spelling::Trimmed.canonical("heart  failure\t"),
            "heart failure"
        );
        assert_eq!(Spelling::Trimmed.canonical("hiv"), "hiv");
        assert_eq!(Spelling::Folded.canonical("ÄRGER"), "ärger");
        for blank in ["", " ", "\u{200b}", "\t \u{2060}"] {
            assert_eq!(Spelling::Trimmed.canonical(blank), "", "{blank:?}");
        }
        for clean in ["a", "a b", "a b c"] {
            assert!(matches!(
                Spelling::Trimmed.canonical(clean),
                Cow::Borrowed(_)
            ));
        }
    }

    #[test]
    fn what_looks_alike_has_one_skeleton() {
        for text in [
            "HIV",
            "hiv",
            "НIV",
            "ΗΙV",
            "H I V",
            "ＨＩＶ",
            "hіv",
            "H\u{ad}IV",
        ] {
            assert_eq!(skeleton(text), "hiv", "{text:?}");
        }
        for (one, other) in [("flu", "fly"), ("A1", "A2"), ("ж", "x"), ("HIV-1", "HIV1")] {
            assert_ne!(skeleton(one), skeleton(other));
        }
    }
}

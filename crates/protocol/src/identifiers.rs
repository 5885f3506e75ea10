//! Identifiers as both sites must write them to be recognized as the same.
//!
//! Canonical form: Unicode compatibility composition (NFKC), without case (`STRASSE` is `straße`,
//! `ΟΔΟΣ` is `οδος`), white space trimmed at the ends and every run of it inside as one space. `"
//! MÜLLER\tAnna "` and `"müller anna"` are one person; leading zeros, hyphens and accents count.
//! Two rows of one site with the same canonical identifier are an error: which of them is meant?

use crate::error::Error;
use mingle_model::Missing;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// Brings every row's identifier into canonical form; a missing or repeated one is refused by its
/// row.
pub(crate) fn canonical_all(texts: &[String], missing: &Missing) -> Result<Vec<String>, Error> {
    let mut seen: HashMap<String, usize> = HashMap::with_capacity(texts.len());
    let mut all = Vec::with_capacity(texts.len());
    for (row, text) in (1..).zip(texts) {
        let id = canonical(text);
        if id.is_empty() || missing.contains(text.trim()) {
            return Err(Error::EmptyIdentifier { row });
        }
        if let Some(first) = seen.insert(id.clone(), row) {
            return Err(Error::DuplicateIdentifier { first, second: row });
        }
        all.push(id);
    }
    Ok(all)
}

/// The canonical form of an identifier.
pub fn canonical(text: &str) -> String {
    let folded = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        folded(text)
    };
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The long way, which plain letters and digits do not need.
fn folded(text: &str) -> String {
    // changing case can decompose (İ), so it is composed once more
    text.nfkc().flat_map(fold).nfkc().collect()
}

/// A character without its case: lower, upper and lower again, where ẞ and ß are ss and both small
/// sigmas are one.
fn fold(c: char) -> impl Iterator<Item = char> {
    // ı is a small letter of its own, not a way to write i
    let upper = |c: char| {
        if c == 'ı' {
            c.to_string()
        } else {
            c.to_uppercase().collect()
        }
    };
    let upper: String = c.to_lowercase().map(upper).collect();
    upper
        .chars()
        .flat_map(char::to_lowercase)
        .collect::<Vec<_>>()
        .into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_way_is_the_long_way() {
        let all: String = (0..128u8).map(char::from).collect();
        assert_eq!(folded(&all), all.to_ascii_lowercase());
    }

    #[test]
    fn case_white_space_and_composition_do_not_count() {
        for same in [
            "  MÜLLER\tAnna ",
            "müller  anna",
            "Mu\u{308}ller\u{a0}Anna",
            "MÜLLER Ａnna",
        ] {
            assert_eq!(canonical(same), "müller anna");
        }
        for other in ["muller anna", "müller-anna", "müller annna"] {
            assert_ne!(canonical(other), "müller anna");
        }
        assert_ne!(canonical("007"), canonical("7"));
        for (capital, small) in [
            ("ΟΔΟΣ", "οδος"),
            ("STRASSE", "straße"),
            ("ПЁТР", "пётр"),
            ("ÉLODIE", "élodie"),
        ] {
            assert_eq!(canonical(capital), canonical(small), "{small}");
        }
        assert_ne!(canonical("ı"), canonical("i"));
    }

    #[test]
    fn canonical_is_final() {
        for text in [
            "İstanbul",
            "ı",
            "ǅ",
            "ﬁ",
            "ẞ",
            "ς",
            "Å",
            "ŉ",
            "ΐ",
            " \u{2003}x\u{3000}y ",
        ] {
            assert_eq!(canonical(&canonical(text)), canonical(text));
        }
    }

    #[test]
    fn missing_and_repeated_identifiers_are_named_by_row() {
        let read = |texts: &[&str]| {
            canonical_all(
                &texts.iter().map(|&t| t.to_owned()).collect::<Vec<_>>(),
                &Missing::default(),
            )
        };
        assert_eq!(
            read(&["a", " ", "b"]),
            Err(Error::EmptyIdentifier { row: 2 })
        );
        assert_eq!(read(&["a", "?"]), Err(Error::EmptyIdentifier { row: 2 }));
        assert_eq!(
            read(&["x", "A", "b", " a"]),
            Err(Error::DuplicateIdentifier {
                first: 2,
                second: 4
            })
        );
    }
}

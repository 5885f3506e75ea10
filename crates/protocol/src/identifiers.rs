//! Identifiers as both sites must write them to be recognized as the same.
//!
//! Canonical form: Unicode compatibility composition (NFKC), lower case, white space trimmed at the ends and every run of
//! it inside as one space. `"  MÜLLER\tAnna "` and `"müller anna"` are one person; leading zeros, hyphens and accents
//! count. Two rows of one site with the same canonical identifier are an error: which of them is meant?

use crate::error::Error;
use mingle_model::Missing;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// Brings every row's identifier into canonical form; a missing or repeated one is refused by its row.
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
    // lower case can decompose (İ), so it is composed once more
    let lower: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_white_space_and_composition_do_not_count() {
        for same in ["  MÜLLER\tAnna ", "müller  anna", "Mu\u{308}ller\u{a0}Anna", "MÜLLER Ａnna"] {
            assert_eq!(canonical(same), "müller anna");
        }
        for other in ["muller anna", "müller-anna", "müller annna"] {
            assert_ne!(canonical(other), "müller anna");
        }
        assert_ne!(canonical("007"), canonical("7"));
    }

    #[test]
    fn canonical_is_final() {
        for text in ["İstanbul", "ǅ", "ﬁ", "ẞ", "Å", " \u{2003}x\u{3000}y "] {
            assert_eq!(canonical(&canonical(text)), canonical(text));
        }
    }

    #[test]
    fn missing_and_repeated_identifiers_are_named_by_row() {
        let read = |texts: &[&str]| {
            canonical_all(&texts.iter().map(|&t| t.to_owned()).collect::<Vec<_>>(), &Missing::default())
        };
        assert_eq!(read(&["a", " ", "b"]), Err(Error::EmptyIdentifier { row: 2 }));
        assert_eq!(read(&["a", "?"]), Err(Error::EmptyIdentifier { row: 2 }));
        assert_eq!(read(&["x", "A", "b", " a"]), Err(Error::DuplicateIdentifier { first: 2, second: 4 }));
    }
}

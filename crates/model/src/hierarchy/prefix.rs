//! Codes by how they begin: `250.83`, `250…`, `2…`, `*`.
//!
//! Lengths are counted in characters of the code as it is written, dots included. A label ends in
//! an ellipsis, for three reasons: `250` is itself a code and `250…` stands for it and for all that
//! begin so; `250*` would be read as a mask of four characters; and codes of a length all look
//! alike, so that a label does not tell how long the code is. A code that is shorter than a level
//! stays as it is there: nothing longer can share a beginning of that length with it.

use super::HierarchyError;

/// What a beginning ends in.
pub const ELLIPSIS: char = '…';

/// Checks the lengths of a hierarchy by prefix: above 0, each smaller than the one before.
pub fn check_lengths(lengths: &[usize]) -> Result<(), HierarchyError> {
    if lengths.is_empty() {
        return Err(HierarchyError::NoLevel);
    }
    if let Some(at) = lengths.iter().position(|&length| length == 0) {
        return Err(HierarchyError::PrefixOfNothing { place: at + 1 });
    }
    for place in 1..lengths.len() {
        if lengths[place] >= lengths[place - 1] {
            return Err(HierarchyError::PrefixUnsorted { place: place + 1 });
        }
    }
    Ok(())
}

/// The label of all codes that begin like this one, or the code itself where it is shorter.
pub(super) fn beginning(code: &str, length: usize) -> String {
    match code.char_indices().nth(length) {
        Some((end, _)) => format!("{}{ELLIPSIS}", &code[..end]),
        None if code.chars().count() == length => format!("{code}{ELLIPSIS}"),
        None => code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_aligned_at_the_front() {
        let path = |code: &str| [5, 4, 3, 1].map(|length| beginning(code, length));
        assert_eq!(path("250.83"), ["250.8…", "250.…", "250…", "2…"]);
        assert_eq!(path("250"), ["250", "250", "250…", "2…"]);
        assert_eq!(path("25"), ["25", "25", "25", "2…"]);
        assert_eq!(path("é1"), ["é1", "é1", "é1", "é…"]);
        assert_eq!(path("2"), ["2", "2", "2", "2…"]);
    }

    #[test]
    fn lengths_decrease() {
        use HierarchyError as E;
        assert_eq!(check_lengths(&[3, 1]), Ok(()));
        assert_eq!(check_lengths(&[]), Err(E::NoLevel));
        assert_eq!(check_lengths(&[3, 0]), Err(E::PrefixOfNothing { place: 2 }));
        assert_eq!(check_lengths(&[3, 3]), Err(E::PrefixUnsorted { place: 2 }));
        assert_eq!(check_lengths(&[1, 3]), Err(E::PrefixUnsorted { place: 2 }));
    }
}

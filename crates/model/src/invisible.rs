//! Characters that nobody sees.
//!
//! Unicode's property Default_Ignorable_Code_Point (DerivedCoreProperties, Unicode 17.0): soft hyphens,
//! zero-width spaces and joiners, marks of direction, variation selectors, fillers, tags. Two texts that
//! differ in such characters alone look the same on every screen.

/// First and last of each run of ignorable characters, ascending.
const IGNORABLE: [(u32, u32); 17] = [
    (0x00ad, 0x00ad),
    (0x034f, 0x034f),
    (0x061c, 0x061c),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x202a, 0x202e),
    (0x2060, 0x206f),
    (0x3164, 0x3164),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfff8),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0xe0000, 0xe0fff),
];

/// Whether a character is one that nobody sees.
pub fn is_invisible(character: char) -> bool {
    // most texts have none above ASCII
    if character.is_ascii() {
        return false;
    }
    let code = u32::from(character);
    IGNORABLE
        .iter()
        .any(|&(first, last)| (first..=last).contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_and_what_is_not() {
        for seen in ['a', ' ', 'é', '\u{a0}', 'Я', '中', '\u{301}', '😀'] {
            assert!(!is_invisible(seen), "{seen:?}");
        }
        for unseen in [
            '\u{ad}',
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{2060}',
            '\u{feff}',
            '\u{e0001}',
        ] {
            assert!(is_invisible(unseen), "{unseen:?}");
        }
        assert!(IGNORABLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }
}

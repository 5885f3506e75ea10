//! Texts that come from data, made fit to be read: cut where they are long, and free of what would
//! steer the page.
//!
//! Labels, column and provider names are whatever a file held. Characters that do not show, or that
//! change the direction or the place of those around them, would make a report look like another
//! one; each becomes a visible mark.

use mingle_record::foreign_text::is_unshowable;

/// The longest label that is shown in full.
pub const LONGEST: usize = 60;

/// At most `most` characters; the last becomes `…` where something is left out.
pub fn cut(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).map(visible).collect();
    if text.chars().nth(most).is_some() {
        shown.pop();
        shown.push('…');
    }
    shown
}

/// A label as it is shown.
pub fn label(text: &str) -> String {
    match text {
        "" => "(empty)".to_owned(),
        text => cut(text, LONGEST),
    }
}

/// The whole text, line by line as it is, with marks for what does not show.
pub fn block(text: &str) -> String {
    text.chars()
        .map(|c| if c == '\n' { c } else { visible(c) })
        .collect()
}

/// The character, or a mark in its place.
fn visible(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' | '\u{a0}' => ' ',
        c if is_unshowable(c) => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_visibly() {
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abcd", 4), "abcd");
        assert_eq!(label(&"ä".repeat(10_000)).chars().count(), LONGEST);
        assert_eq!(label(""), "(empty)");
    }

    #[test]
    fn what_steers_the_page_becomes_a_mark() {
        assert_eq!(
            label("a\u{202e}b\u{0}c\u{200b}d\u{1b}[31m\ne\u{2066}"),
            "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}[31m e\u{fffd}"
        );
        assert_eq!(block("a = 1\nb\u{202e} = 2"), "a = 1\nb\u{fffd} = 2");
        assert_eq!(label("<script>\"&'ü漢"), "<script>\"&'ü漢");
    }
}

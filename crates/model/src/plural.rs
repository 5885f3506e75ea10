//! How many of something, in words: `1 row`, `2 rows`.
//!
//! Messages of all rooms count rows, columns and providers; this is the one place that knows what
//! follows a one.

use std::fmt::Display;

/// A number with its noun, which gets an `s` unless there is one of it: `1 row`, `0 rows`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// The words that go with a number: `is` or `are`, `person` or `people`.
pub fn plural<'a>(count: impl Display, one: &'a str, several: &'a str) -> &'a str {
    if count.to_string() == "1" {
        one
    } else {
        several
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_everything_else_is_not() {
        let rows = [0u64, 1, 2, 11].map(|count| counted(count, "row"));
        assert_eq!(rows, ["0 rows", "1 row", "2 rows", "11 rows"]);
        let people = [0usize, 1, 2].map(|count| plural(count, "person", "people"));
        assert_eq!(people, ["people", "person", "people"]);
    }
}

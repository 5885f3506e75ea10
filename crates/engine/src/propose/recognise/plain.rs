//! Columns that are recognised by their counts: constants, hardly any values, counts of something,
//! and what is left in the end.

use super::{Meaning, Recognition, SeenFacts};
use mingle_model::Kind;

/// A column with more missing values than this, of a hundred, says more about who was asked.
const MOSTLY_MISSING: usize = 80;

const HOW_MANY: &[&str] = &["num", "number", "n", "count", "cnt", "anzahl", "nof"];

/// The same value in every row.
pub fn constant(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if facts.distinct == 1 && facts.present == facts.rows {
        return Some(Recognition::new(
            Meaning::Constant,
            "the same in every row, so it says nothing",
        ));
    }
    None
}

/// Hardly any values, or none.
pub fn mostly_missing(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let missing = facts.rows - facts.present;
    if facts.rows == 0 || missing * 100 < facts.rows * MOSTLY_MISSING {
        return None;
    }
    // rounded down: 99.9 % are not all
    let percent = missing * 100 / facts.rows;
    let why = format!("{percent} % are missing: who has a value stands out");
    Some(Recognition::new(Meaning::MostlyMissing, why))
}

/// `number_diagnoses` says how many, not which; `policy_number`, where the word comes last, is a
/// key.
pub fn count(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let first = facts.words.first()?;
    let word = HOW_MANY.iter().find(|&&word| first == word)?;
    let counts = facts.kind == Kind::Integer && facts.words.len() > 1;
    if !counts || facts.is_unique() {
        return None;
    }
    let why = format!("how many of something, which few know (\"{word}\" in its name)");
    Some(Recognition::new(Meaning::Count, why))
}

/// What is left: a number or a category.
pub fn anything(facts: &SeenFacts<'_>) -> Recognition {
    match facts.kind {
        Kind::Category if facts.is_few_valued() => {
            Recognition::new(Meaning::Category, "a category that others may know")
        }
        Kind::Category => Recognition::new(
            Meaning::Category,
            "a category with many values; a hierarchy would help",
        )
        .ranked(2),
        Kind::Date => Recognition::new(Meaning::Date, "a date that others may know"),
        Kind::Integer | Kind::Decimal => {
            Recognition::new(Meaning::Number, "a number that others may know").ranked(1)
        }
    }
}

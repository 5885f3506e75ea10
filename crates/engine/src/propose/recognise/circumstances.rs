//! What those know who were there: the ward, the plan, the class, how long it took.

use super::{Meaning, Recognition, SeenFacts};

const WORDS: &[&str] = &[
    "admission",
    "admitted",
    "discharge",
    "discharged",
    "aufnahme*",
    "entlass*",
    "ward",
    "specialty",
    "speciality",
    "station",
    "fachabteilung",
    "abteilung",
    "stay",
    "los",
    "verweildauer",
    "hospital",
    "class",
    "klasse",
    "school",
    "office",
    "plan",
    "visit",
    "hire",
    "hired",
    "deprivation",
    "quintile",
    "urban",
    "rural",
    "vehicle",
    "model",
    "hours",
];

/// By words.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let (_, word) = facts.word(WORDS)?;
    let why = format!("those who were there know it (\"{word}\" in its name)");
    Some(Recognition::new(Meaning::Circumstance, why))
}

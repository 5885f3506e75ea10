//! What else nobody may learn about a person: income and wealth, beliefs, votes, offences, marks,
//! what became of somebody.

use super::{Meaning, Recognition, SeenFacts};

const INCOME: &[&str] = &[
    "income",
    "salary",
    "wage",
    "wages",
    "earnings",
    "inctot",
    "incwage",
    "pay",
    "gehalt",
    "lohn",
    "einkommen",
    "rent",
    "pension",
];
const BELIEFS: &[&str] = &[
    "religion",
    "religious",
    "vote",
    "party",
    "political",
    "hiv",
    "sexual",
    "orientation",
    "crime",
    "offence",
    "offense",
    "conviction",
    "disability",
    "disabled",
    "needs",
    "welfare",
    "benefit",
    "benefits",
    "abuse",
    "konfession",
    "partei",
    "wahl*",
    "behinderung",
    "genotype",
    "mutation",
];
const MARKS: &[&str] = &["score", "rating", "performance", "exam", "iq", "lunch"];
const AMOUNTS: &[&str] = &[
    "bonus",
    "tax",
    "debt",
    "credit",
    "wealth",
    "gain",
    "loss",
    "charges",
    "charge",
    "billed",
    "paid",
    "cost",
    "costs",
    "amount",
    "price",
    "kosten",
    "betrag",
    "steuer",
    "vermoegen",
    "balance",
];
const OUTCOMES: &[&str] = &[
    "outcome",
    "readmitted",
    "readmission",
    "died",
    "death",
    "mortality",
    "survival",
    "vital",
    "relapse",
    "complication*",
    "insurance",
];

/// By words: income first, what became of somebody last.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let groups = [
        (INCOME, Meaning::Money, 7),
        (BELIEFS, Meaning::Sensitive, 8),
        (MARKS, Meaning::Sensitive, 9),
        (AMOUNTS, Meaning::Money, 10),
        (OUTCOMES, Meaning::Sensitive, 11),
    ];
    for (words, meaning, rank) in groups {
        if let Some((_, word)) = facts.word(words) {
            let why = format!("nobody may learn it about a person (\"{word}\" in its name)");
            return Some(Recognition::new(meaning, why).ranked(rank));
        }
    }
    None
}

//! Keys: numbers and codes that stand for one person, one visit, one case.
//!
//! The name says so (`patient_nbr`, `claim_number`, `Fallnummer`), or the values do: nearly each row
//! has its own, they are UUIDs, or whole numbers of one length with very many values. A code of a
//! short list is no key although it may be called one: `admission_type_id` has eight values.

use super::{Meaning, Recognition, SeenFacts};
use mingle_model::Kind;

/// Words that mean a key wherever they stand.
const ANYWHERE: &[&str] = &[
    "id",
    "ids",
    "uuid",
    "guid",
    "identifier",
    "pid",
    "kennung",
    "*nummer",
    "*nr",
    "pseudonym",
    "hash",
    "token",
    "key",
    "schluessel",
];
/// Words that mean a key at the end of a name; `number_of_visits` is a count.
const AT_THE_END: &[&str] = &["nbr", "no", "nr", "number", "num", "nummer", "code"];
/// Words that are keys of people by law or by custom.
const OF_PEOPLE: &[&str] = &[
    "ssn",
    "mrn",
    "npi",
    "nhs",
    "passport",
    "licence",
    "license",
    "tin",
    "nino",
    "svnr",
    "kvnr",
    "versichertennummer",
    "sozialversicherungsnummer",
    "ausweis",
    "ausweisnummer",
];
/// From so many different values on, whole numbers of one length are keys rather than amounts.
const MANY: usize = 500;
/// A whole number of so many digits, the same for all, is a key rather than an amount.
const LONG: usize = 6;

/// Columns that are called keys.
pub fn by_name(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if let Some((_, word)) = facts.word(OF_PEOPLE) {
        let why = format!("a number of a person (\"{word}\" in its name)");
        return Some(Recognition::new(Meaning::Key, why));
    }
    let word = match facts.word(ANYWHERE) {
        Some((_, word)) => word,
        None => facts.last_word(AT_THE_END)?,
    };
    // a list of codes: each stands for many rows and for nobody
    if is_list(facts, word) {
        return None;
    }
    Some(Recognition::new(
        Meaning::Key,
        format!("like a key (\"{word}\" in its name)"),
    ))
}

/// Codes (`payer_code`, ICD and ATC codes) are keys only where nearly each row has its own.
fn is_list(facts: &SeenFacts<'_>, word: &str) -> bool {
    if word == "code" {
        return !facts.is_unique();
    }
    facts.distinct <= 100 && facts.distinct * 20 <= facts.present
}

/// Columns that look like keys.
pub fn by_values(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if facts.mostly(is_uuid) {
        return Some(Recognition::new(
            Meaning::Key,
            "universally unique identifiers",
        ));
    }
    if facts.kind == Kind::Date {
        return None;
    }
    if facts.kind == Kind::Decimal {
        return fingerprint(facts);
    }
    if facts.is_unique() {
        return Some(Recognition::new(
            Meaning::Key,
            "nearly every row has its own value, like a key",
        ));
    }
    let whole = facts.kind == Kind::Integer || facts.mostly(is_digits);
    if whole && facts.distinct > MANY && facts.mostly(|text| text.len() >= LONG) {
        let length = facts.texts.first().map_or(0, |text| text.len());
        if facts.mostly(|text| text.len() == length) {
            let why = format!("whole numbers of {length} digits with many values, like a key");
            return Some(Recognition::new(Meaning::Key, why));
        }
    }
    if whole && facts.distinct > MANY && facts.distinct * 2 > facts.present {
        let why = "whole numbers that most rows have for themselves, like a key";
        return Some(Recognition::new(Meaning::Key, why));
    }
    None
}

/// Measurements with so many digits that they are each row's own.
fn fingerprint(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let mostly_own = facts.distinct > MANY && facts.distinct * 2 > facts.present;
    if facts.is_unique() || mostly_own {
        let why = "a fingerprint: so fine that most rows have their own value";
        return Some(Recognition::new(Meaning::Fingerprint, why));
    }
    None
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_uuid(text: &str) -> bool {
    let text = text.trim_start_matches('{').trim_end_matches('}');
    let groups: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12]
        && groups
            .iter()
            .all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

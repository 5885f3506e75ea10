//! What neighbours, colleagues and registers know about a person: age, sex, place, origin,
//! education, family, work.
//!
//! The groups stand in the order in which a short list is filled: the further up, the more people
//! know it and the more readers need it.

use super::{Meaning, Recognition, SeenFacts};

/// Ages.
pub const AGE: &[&str] = &["age", "ages", "alter", "altersgruppe", "agegroup"];
pub const SEX: &[&str] = &["sex", "gender", "geschlecht"];
const PLACE: &[&str] = &[
    "region",
    "state",
    "county",
    "district",
    "municipality",
    "city",
    "town",
    "village",
    "residence",
    "province",
    "borough",
    "gemeinde",
    "kreis",
    "landkreis",
    "bundesland",
    "wohnort",
    "ort",
    "stadt",
    "area",
];
const RACE: &[&str] = &["race", "raceg", "raced", "ethnicity", "ethnic", "ethnie"];
const ORIGIN: &[&str] = &[
    "native",
    "nationality",
    "citizenship",
    "birthplace",
    "bpl",
    "bplg",
    "country",
    "immigration",
    "migration",
    "staatsangehoerigkeit",
    "staatsangehörigkeit",
    "nationalitaet",
    "herkunft*",
];
const EDUCATION: &[&str] = &[
    "education",
    "educ*",
    "degree",
    "schooling",
    "qualification",
    "bildung*",
    "schulabschluss",
];
const FAMILY: &[&str] = &["marital", "marst", "married", "familienstand", "civil"];
const WORK: &[&str] = &[
    "occupation",
    "occ",
    "profession",
    "job",
    "title",
    "beruf",
    "taetigkeit",
    "tätigkeit",
];
const LANGUAGE: &[&str] = &["language", "sprache", "muttersprache"];
const HOUSEHOLD: &[&str] = &[
    "household",
    "children",
    "kinder",
    "relationship",
    "relat*",
    "dependents",
    "family",
    "haushalt*",
];
const EMPLOYMENT: &[&str] = &[
    "workclass",
    "employment",
    "employed",
    "industry",
    "ind",
    "department",
    "branch",
];
const BODY: &[&str] = &[
    "height", "weight", "groesse", "größe", "gewicht", "eye", "hair",
];

/// By words, in the order of the groups. Only what has values that can be generalized: a name of a
/// thousand employers falls to other recognisers by then.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if let Some((_, word)) = facts.word(AGE) {
        let why = format!("many know it (\"{word}\" in its name)");
        return Some(Recognition::new(Meaning::Age, why));
    }
    let groups = [
        SEX, PLACE, RACE, ORIGIN, EDUCATION, FAMILY, WORK, LANGUAGE, HOUSEHOLD, EMPLOYMENT, BODY,
    ];
    for (place, words) in groups.into_iter().enumerate() {
        if let Some((_, word)) = facts.word(words) {
            let why = format!("many know it (\"{word}\" in its name)");
            return Some(Recognition::new(Meaning::Demographic, why).ranked(place + 2));
        }
    }
    None
}

/// Whether it is somebody's work: of all that others know the nearest to a secret.
pub fn is_work(words: &[String]) -> bool {
    words.iter().any(|word| WORK.contains(&word.as_str()))
}

//! Free text, which may hold anything: names, places, stories.

use super::{Meaning, Recognition, SeenFacts};
use mingle_model::Kind;

const WORDS: &[&str] = &[
    "comment",
    "comments",
    "note",
    "notes",
    "remark",
    "remarks",
    "text",
    "freetext",
    "description",
    "narrative",
    "answer",
    "verbatim",
    "memo",
    "bemerkung*",
    "kommentar*",
    "freitext",
    "anmerkung*",
    "notiz*",
];
/// Values with so many words are sentences.
const WORDS_OF_A_SENTENCE: usize = 4;

/// By name, unless the values are a short list; or by many different values of several words.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if facts.kind != Kind::Category {
        return None;
    }
    if let Some((_, word)) = facts.word(WORDS)
        && (facts.distinct > 10 || facts.distinct * 2 > facts.present)
    {
        let why = format!("free text, which may hold anything (\"{word}\" in its name)");
        return Some(Recognition::new(Meaning::FreeText, why));
    }
    let long = facts.percent(|text| text.split_whitespace().count() >= WORDS_OF_A_SENTENCE);
    if !facts.is_few_valued() && long >= 60 && facts.distinct * 10 > facts.present {
        let why =
            format!("free text: {long} % of the values have {WORDS_OF_A_SENTENCE} or more words");
        return Some(Recognition::new(Meaning::FreeText, why));
    }
    None
}

/// Words of all kinds with hardly a repetition.
pub fn by_counts(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let many = facts.kind == Kind::Category && facts.distinct * 2 > facts.present;
    if many && !facts.is_few_valued() {
        let why = "looks like free text, which may hold anything";
        return Some(Recognition::new(Meaning::FreeText, why));
    }
    None
}

//! Sampling weights: how many people of the population a row stands for. They are nearly each row's
//! own, tell the stratum, and mean nothing once rows are changed.

use super::{Meaning, Recognition, SeenFacts};

const WHOLE: &[&str] = &[
    "fnlwgt",
    "wgt",
    "perwt",
    "hhwt",
    "pweight",
    "pwgt",
    "finalwt",
    "fweight",
    "gewichtung",
    "hochrechnungsfaktor",
    "stratum",
    "psu",
];
const WHOSE_WEIGHT: &[&str] = &[
    "design",
    "sample",
    "sampling",
    "survey",
    "person",
    "household",
    "final",
    "calibration",
    "calibrated",
    "post",
    "stratification",
    "replicate",
];

/// By name: a weight alone is a person's.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let says_weight = facts.word(&["weight", "weights", "wt"]).is_some();
    let word = match facts.word(WHOLE) {
        Some((_, word)) => word,
        None if says_weight => facts.word(WHOSE_WEIGHT)?.1,
        None => return None,
    };
    let why = format!("belongs to a sample, not to a person (\"{word}\" in its name)");
    Some(Recognition::new(Meaning::SamplingWeight, why))
}

//! Who is singled out before anything is generalized: by few columns, and in a population.

use serde::{Deserialize, Serialize};

/// What one, two or three quasi-identifiers tell together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubsetSinglingOut {
    /// The columns.
    pub columns: Vec<String>,
    /// Rows of the original that are alone with their values.
    pub original_alone: u64,
    /// Rows of the smallest class of the original.
    pub original_smallest: u64,
    /// Rows of the smallest class of the release.
    pub released_smallest: u64,
}

/// How many people of a population are alone with their quasi-identifiers as they stand in the
/// original, estimated from it by models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationEstimate {
    /// How many people the population has, as was said.
    pub population: u64,
    /// The share of them that is in the table.
    pub sampling_fraction: f64,
    /// Rows of the original that are alone in it.
    pub sample_uniques: u64,
    /// By Pitman's formula; `None` where it has no estimate.
    #[serde(deserialize_with = "crate::required")]
    pub pitman: Option<f64>,
    /// By the shifted negative binomial model; `None` where it has no estimate.
    #[serde(deserialize_with = "crate::required")]
    pub snb: Option<f64>,
    /// By Zayatz's.
    pub zayatz: f64,
    /// By the rule of Dankar and others.
    pub decided: f64,
    /// Rows of the release that are alone in it, and could be those of people who are alone in the
    /// population.
    pub released_uniques: u64,
}

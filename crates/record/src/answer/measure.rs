//! `mingle measure --json`: what a release has lost against its original.

use super::{ComparedModels, PopulationEstimate, SubsetSinglingOut};
use crate::distributions::Distances;
use crate::manifest::NoisyKind;
use crate::schema::MeasureSchema;
use crate::utility::{CentroidUtility, Loss, QueryError, Utility, large_number};
use serde::{Deserialize, Serialize};

/// The document `mingle.measure/1`, by what was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MeasureAnswer {
    /// A release with noise.
    Noise(MeasuredNoise),
    /// Groups that are published by what covers them.
    Ranges(MeasuredRanges),
    /// Groups that are published by their centroids.
    Centroids(MeasuredCentroids),
}

/// A release with noise against its original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredNoise {
    /// Which document this is.
    pub schema: MeasureSchema,
    /// That noise was measured.
    pub kind: MeasuredNoiseTag,
    /// The kind of release.
    pub release: NoisyKind,
    /// Rows of the original.
    pub rows: u64,
    /// Rows that the release says there are, with noise.
    pub published_rows: f64,
    /// Relative error of random COUNT queries.
    pub query_error: QueryError,
    /// How far its tables of counts are from the original's.
    pub marginals: Distances,
}

/// The word `dp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeasuredNoiseTag {
    /// Differentially private.
    Dp,
}

/// A table of groups against its original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredRanges {
    /// Which document this is.
    pub schema: MeasureSchema,
    /// Rows of the original.
    pub rows: u64,
    /// Rows of the release.
    pub published_rows: u64,
    /// Rows that were left out.
    pub suppressed_rows: u64,
    /// Groups of the release.
    pub groups: usize,
    /// Normalized certainty penalty: 0 is no loss, 1 is everything.
    pub ncp: Loss,
    /// Where people have several rows: the same with everybody counted once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ncp_of_people: Option<f64>,
    /// Discernibility: lower is better.
    #[serde(with = "large_number")]
    pub discernibility: u128,
    /// Average group size over k: 1 is best.
    pub average_group_size: f64,
    /// Non-uniform entropy: 0 is no loss, 1 is everything.
    pub non_uniform_entropy: Loss,
    /// Relative error of random COUNT queries.
    pub query_error: QueryError,
    /// How far its tables of counts are from the original's.
    pub marginals: Distances,
    /// The quasi-identifiers that single out most in the original, one to three together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub singling_out: Vec<SubsetSinglingOut>,
    /// Who is alone in a population, where its size was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationEstimate>,
    /// What models learn from either side, where a target was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<ComparedModels>,
}

impl MeasuredRanges {
    /// All figures; the last three are empty.
    pub fn new(utility: Utility, marginals: Distances) -> MeasuredRanges {
        MeasuredRanges {
            schema: MeasureSchema,
            rows: utility.rows,
            published_rows: utility.published_rows,
            suppressed_rows: utility.suppressed_rows,
            groups: utility.groups,
            ncp: utility.ncp,
            ncp_of_people: utility.ncp_of_people,
            discernibility: utility.discernibility,
            average_group_size: utility.average_group_size,
            non_uniform_entropy: utility.non_uniform_entropy,
            query_error: utility.query_error,
            marginals,
            singling_out: Vec::new(),
            population: None,
            models: None,
        }
    }
}

/// A table of centroids against its original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredCentroids {
    /// Which document this is.
    pub schema: MeasureSchema,
    /// Rows of the original.
    pub rows: u64,
    /// Rows of the release.
    pub published_rows: u64,
    /// Rows that were left out.
    pub suppressed_rows: u64,
    /// Groups of the release.
    pub groups: usize,
    /// Not applicable, and always `None`.
    #[serde(deserialize_with = "crate::required")]
    pub ncp: Option<Loss>,
    /// Not applicable, and always `None`.
    #[serde(deserialize_with = "crate::required")]
    pub non_uniform_entropy: Option<Loss>,
    /// 0 is no loss, 1 is everything.
    pub information_loss: Loss,
    /// Discernibility: lower is better.
    #[serde(with = "large_number")]
    pub discernibility: u128,
    /// Average group size over k: 1 is best.
    pub average_group_size: f64,
    /// Relative error of random COUNT queries.
    pub query_error: QueryError,
    /// How far its tables of counts are from the original's.
    pub marginals: Distances,
    /// The quasi-identifiers that single out most in the original, one to three together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub singling_out: Vec<SubsetSinglingOut>,
    /// Who is alone in a population, where its size was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationEstimate>,
}

impl MeasuredCentroids {
    /// All figures; the last two are empty.
    pub fn new(utility: CentroidUtility, marginals: Distances) -> MeasuredCentroids {
        MeasuredCentroids {
            schema: MeasureSchema,
            rows: utility.rows,
            published_rows: utility.published_rows,
            suppressed_rows: utility.suppressed_rows,
            groups: utility.groups,
            ncp: utility.ncp,
            non_uniform_entropy: utility.non_uniform_entropy,
            information_loss: utility.information_loss,
            discernibility: utility.discernibility,
            average_group_size: utility.average_group_size,
            query_error: utility.query_error,
            marginals,
            singling_out: Vec::new(),
            population: None,
        }
    }
}

//! Utility: what a release costs its readers, compared with the original table.
//!
//! Every figure needs only the published labels, how many rows carry each, and the original; never
//! which original row a published one was. So a release measured while it is made and the same
//! release read back from its files give the same numbers. Cost: one reading per distinct label,
//! one pass over the groups per measure; see [`query_error`] for the only expensive one.
//!
//! The figures are taken against the original and belong into `private/` unless the policy says
//! otherwise.

pub mod average_group_size;
mod centroids;
mod comparison;
pub mod discernibility;
pub mod distributions;
pub mod marginals;
pub mod ncp;
pub mod non_uniform_entropy;
pub mod query_error;

pub use centroids::{CentroidUtility, measure_centroids};
pub use comparison::{ComparedColumn, Comparison, Error};
pub use query_error::QueryError;

use mingle_model::{Cube, Missing, Published};
use serde::{Serialize, Serializer};

/// What a measure may vary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Where the random queries start.
    pub seed: u64,
    /// How many queries are asked.
    pub queries: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 0,
            queries: query_error::QUERIES,
        }
    }
}

/// All figures about one release.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Utility {
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
    /// Discernibility: lower is better.
    #[serde(serialize_with = "as_number")]
    pub discernibility: u128,
    /// Average group size over k: 1 is best.
    pub average_group_size: f64,
    /// Non-uniform entropy: 0 is no loss, 1 is everything.
    pub non_uniform_entropy: Loss,
    /// Relative error of random COUNT queries.
    pub query_error: QueryError,
}

/// A loss between 0 and 1, in all and per quasi-identifier.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Loss {
    /// Over all quasi-identifiers; 0 when there are none.
    pub overall: f64,
    /// In the policy's order.
    pub columns: Vec<ColumnLoss>,
}

/// The loss of one quasi-identifier.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ColumnLoss {
    /// The column's name.
    pub column: String,
    /// Between 0 and 1.
    pub loss: f64,
}

/// Takes every measure of a release against its original.
///
/// `k` is what the policy promises, 1 where it promises nothing. Rows of the original that the
/// release does not have count as suppressed.
pub fn measure(
    original: &Cube,
    missing: &Missing,
    published: &Published,
    k: u64,
    options: Options,
) -> Result<Utility, Error> {
    let comparison = Comparison::new(original, missing, published)?;
    Ok(Utility {
        rows: comparison.rows(),
        published_rows: comparison.published_rows(),
        suppressed_rows: comparison.suppressed(),
        groups: published.groups(),
        ncp: ncp::loss(&comparison),
        discernibility: discernibility::penalty(&comparison),
        average_group_size: average_group_size::over_k(&comparison, k),
        non_uniform_entropy: non_uniform_entropy::loss(&comparison),
        query_error: query_error::error(&comparison, options),
    })
}

/// JSON numbers end at 64 bits in most readers; a sum beyond that is a float.
fn as_number<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(*value) {
        Ok(exact) => serializer.serialize_u64(exact),
        Err(_) => serializer.serialize_f64(*value as f64),
    }
}

#[cfg(test)]
pub(crate) mod example;

#[cfg(test)]
mod tests;

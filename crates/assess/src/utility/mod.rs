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

pub use centroids::measure_centroids;
pub use comparison::{ComparedColumn, Comparison, Error};
pub use mingle_record::utility::{CentroidUtility, ColumnLoss, Loss, QueryError, Utility};

use mingle_model::{Cube, Missing, Published};

/// What a measure may vary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UtilityOptions {
    /// Where the random queries start.
    pub seed: u64,
    /// How many queries are asked.
    pub queries: usize,
}

impl Default for UtilityOptions {
    fn default() -> Self {
        UtilityOptions {
            seed: 0,
            queries: query_error::QUERIES,
        }
    }
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
    options: UtilityOptions,
) -> Result<Utility, Error> {
    let comparison = Comparison::new(original, missing, published)?;
    Ok(Utility {
        rows: comparison.rows(),
        published_rows: comparison.published_rows(),
        suppressed_rows: comparison.suppressed(),
        groups: published.groups(),
        ncp: ncp::loss(&comparison),
        ncp_of_people: ncp::loss_of_people(&comparison),
        discernibility: discernibility::penalty(&comparison),
        average_group_size: average_group_size::over_k(&comparison, k),
        non_uniform_entropy: non_uniform_entropy::loss(&comparison),
        query_error: query_error::error(&comparison, options),
    })
}

#[cfg(test)]
pub(crate) mod example;

#[cfg(test)]
mod people_tests;

#[cfg(test)]
mod tests;

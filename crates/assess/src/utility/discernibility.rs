//! The discernibility metric of Bayardo and Agrawal, *Data privacy through optimal k-anonymization*
//! (ICDE 2005).
//!
//! Every published row costs the size of its group, because it cannot be told from that many rows;
//! a suppressed row costs the size of the whole original table. So: the sum of squared group sizes,
//! plus n for each suppressed row. Lower is better; n when every row is published and unique. Exact
//! integers; cost: one pass over the groups.

use super::comparison::Comparison;

/// The sum of squared group sizes, plus n for each suppressed row.
pub fn penalty(comparison: &Comparison<'_>) -> u128 {
    let squares: u128 = comparison
        .sizes()
        .iter()
        .map(|&size| u128::from(size).pow(2))
        .sum();
    squares + u128::from(comparison.rows()) * u128::from(comparison.suppressed())
}

//! The normalized average group size of LeFevre, DeWitt and Ramakrishnan, *Mondrian
//! multidimensional k-anonymity* (ICDE 2006), there called C_AVG.
//!
//! Published rows over groups, over k. 1 is best: every group is as small as k-anonymity allows.
//! Values below 1 mean that some group is smaller than k. Suppressed rows do not count. Cost:
//! constant.

use super::comparison::Comparison;

/// Average size of the groups over k; 0 when nothing is published. A `k` of 0 means the same as 1.
pub fn over_k(comparison: &Comparison<'_>, k: u64) -> f64 {
    match comparison.published().groups() {
        0 => 0.0,
        groups => comparison.published_rows() as f64 / groups as f64 / k.max(1) as f64,
    }
}

//! Figure 4 of the paper, as printed.

use super::study::Case;
use mingle_protocol::Synchronizer;

/// Figure 4a's k.
pub const KS: [u64; 6] = [2, 5, 10, 20, 50, 100];

/// Figure 4's t, as numbers are written here.
pub const TS: [&str; 4] = ["0.15", "0.2", "0.7", "1"];

/// Share of splits whose partitions are equal from the start, in percent, by t and k.
const SAME: [[f64; 6]; 4] = [
    [29.4, 29.4, 29.4, 30.1, 30.1, 30.1],
    [5.5, 5.5, 5.5, 6.0, 6.0, 6.0],
    [1.2, 2.2, 2.5, 2.7, 3.2, 3.5],
    [1.6, 2.2, 2.5, 2.7, 3.2, 3.5],
];

/// Figure 4a: the share of SAME in percent.
pub fn same(t: &str, k: u64) -> Option<f64> {
    let (t, k) = (
        TS.iter().position(|&other| other == t)?,
        KS.iter().position(|&other| other == k)?,
    );
    Some(SAME[t][k])
}

/// Figure 4c: normalized discernibility; `None` is all splits.
pub fn discernibility(case: Option<Case>, synchronizer: Synchronizer, t: &str) -> Option<f64> {
    let by_t = match (case, synchronizer) {
        (_, Synchronizer::Repair) | (Some(Case::Central), _) => return None,
        (case, Synchronizer::Dpp2ga) => {
            let at_one = if case == Some(Case::Same) { 0.32 } else { 0.22 };
            return (t == "1").then_some(at_one);
        }
        (Some(Case::Same), _) => [0.60, 0.58, 0.32, 0.32],
        (Some(Case::Different), Synchronizer::Identity) => [1.00, 1.00, 0.97, 0.97],
        (Some(Case::Different), Synchronizer::Fork) => [1.00, 0.99, 0.96, 0.95],
        (Some(Case::Different), Synchronizer::Merge) => [0.99, 0.84, 0.63, 0.63],
        (None, Synchronizer::Identity) => [0.88, 0.97, 0.95, 0.95],
        (None, Synchronizer::Fork) => [0.88, 0.97, 0.94, 0.94],
        (None, Synchronizer::Merge) => [0.87, 0.82, 0.63, 0.62],
    };
    TS.iter().position(|&other| other == t).map(|at| by_t[at])
}

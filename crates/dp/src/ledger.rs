//! The budget of one protected data set, in a file: every release spends first and looks afterwards.

use crate::guarantee::Guarantee;

/// Proof that a release was paid for: made by spending alone, or openly for an experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    guarantee: Guarantee,
    entry: Option<u64>,
}

impl Receipt {
    /// For experiments on public or made-up data, which no ledger protects. Nothing can be published with it.
    pub fn for_experiment(guarantee: Guarantee) -> Receipt {
        Receipt { guarantee, entry: None }
    }

    /// What was paid for.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    /// The number of the entry in its ledger, counted from 1; `None` for an experiment.
    pub fn entry(&self) -> Option<u64> {
        self.entry
    }
}

//! Differential privacy without a third party: tables of counts as sums with shares of noise.
//!
//! Each provider counts its own records and adds its share of noise; only the sum of all is
//! readable. The promise is against any coalition of at most max(m, 1) providers, who take out what
//! they added themselves: what is left of the noise suffices (`mingle_dp::share`). A table is one
//! look, in which a record moves one count; ε is divided among the tables by weight.
//!
//! [`KeptRecord::NoiseSpent`](super::KeptRecord::NoiseSpent) is kept before anything noisy is
//! sent: a site charges its ledger then, once per run, and never refunds it.

use super::run::Running;
use crate::error::Error;
use mingle_dp::share::{ShareBudget, ShareHolders, SharePlan};
use mingle_dp::{Amount, Epsilon};
use sha2::{Digest, Sha256};

/// Tables of counts over public domains, and one provider's counts. No `Debug`: they are its data.
pub struct CountedTables {
    /// Per table its name, the same everywhere.
    pub names: Vec<String>,
    /// Per table this provider's counts, cell by cell of the declared domain.
    pub own: Vec<Vec<u64>>,
    /// ε of all tables together.
    pub epsilon: Epsilon,
    /// δ
    pub delta: Amount,
    /// How ε is divided among the tables.
    pub weights: Vec<u64>,
}

impl CountedTables {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let tables = self.names.len();
        if tables == 0 || self.own.len() != tables || self.weights.len() != tables {
            return Err(Error::Defect(
                "not one name, weight and list of counts per table",
            ));
        }
        if self.weights.contains(&0) || self.own.iter().any(Vec::is_empty) {
            return Err(Error::Promise(
                "every table needs cells and a part of epsilon".to_owned(),
            ));
        }
        Ok(())
    }

    pub(crate) fn public_digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"mingle tables of counts\0");
        for (at, name) in self.names.iter().enumerate() {
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((self.own[at].len() as u64).to_le_bytes());
            hash.update(self.weights[at].to_le_bytes());
        }
        hash.update(self.epsilon.0.units().to_le_bytes());
        hash.update(self.delta.units().to_le_bytes());
        hash.finalize().into()
    }

    pub(crate) fn plan(&self, holders: ShareHolders) -> Result<SharePlan, Error> {
        let budget = ShareBudget {
            epsilon: self.epsilon,
            delta: self.delta,
            weights: self.weights.clone(),
            // one record more or less moves one count of a table
            coordinates: 1,
        };
        SharePlan::new(&budget, holders)
            .map_err(|_| Error::Promise("epsilon is too small for so many tables".to_owned()))
    }
}

/// The noisy tables as everybody has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JointCounts {
    /// The session's name.
    pub session: [u8; 32],
    /// Per table its counts with everybody's noise.
    pub tables: Vec<Vec<i64>>,
    /// What the shares of those outside of the largest coalition keep.
    pub reached: (Epsilon, Amount),
    /// The largest coalition that this is kept against.
    pub colluding: u64,
}

impl JointCounts {
    pub(crate) fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"mingle joint counts\0").chain_update(self.session);
        for table in &self.tables {
            hash.update((table.len() as u64).to_le_bytes());
            for count in table {
                hash.update(count.to_le_bytes());
            }
        }
        hash.finalize().into()
    }
}

impl Running {
    pub(super) async fn count(
        &mut self,
        tables: &CountedTables,
        session: [u8; 32],
    ) -> Result<JointCounts, Error> {
        let m = self.parts.run.setup.terms.m.0;
        let plan = tables.plan(ShareHolders {
            parties: self.assembly.seats(),
            colluding: m as usize,
        })?;
        let mut vector = Vec::new();
        for (own, share) in tables.own.iter().zip(plan.shares()) {
            let draws = self.noise(&[(share, own.len())])?;
            self.looks += 1;
            for (count, draw) in own.iter().zip(draws) {
                vector.push(count.wrapping_add(draw as u64));
            }
        }
        let mut sums = self.masked_sum(vector).await?.into_iter();
        let mut noisy = Vec::with_capacity(tables.own.len());
        for own in &tables.own {
            let table = sums.by_ref().take(own.len());
            noisy.push(table.map(|sum| sum as i64).collect());
        }
        let counts = JointCounts {
            session,
            tables: noisy,
            reached: (plan.reached(), plan.delta()),
            colluding: m.max(1),
        };
        self.assembly.conclude(&counts.digest());
        self.assembly.checkpoint().await?;
        Ok(counts)
    }
}

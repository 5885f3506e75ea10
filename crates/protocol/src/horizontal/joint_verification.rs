//! Joint verification: does a table that exists withstand m colluding providers?
//!
//! Any tool may have made it. Each provider knows which of its own rows are in which group; the
//! groups and their totals are public. First that the contributions add up to the table. Then, for
//! all groups together, how many are not shown to keep k with the agreed caps, in one bag where
//! there is one cap; for l, per group the number of thin buckets, and in one bag how many of the
//! groups that these do not show have too few providers with l values.
//!
//! The answer is *proved* or *not shown*: groups of few contributors that are private because a
//! coalition leaves out a victim, and l beyond buckets, cannot be shown this way.

use super::elgamal::Ciphertext;
use super::run::{Running, SecretSums, batches};
use super::shared::{OwnRows, SharedSchema};
use super::terms::{Diversity, Rules};
use crate::error::Error;
use mingle_model::Code;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A published table by groups, and what one provider contributed to it. No `Debug`: the latter is
/// its data.
pub struct ExistingTable {
    /// Per group and combination of sensitive values, how many rows are published. The groups'
    /// order must be the same everywhere: that of their labels.
    pub published: Vec<Vec<u64>>,
    /// Of these, how many are this provider's.
    pub own: Vec<Vec<u64>>,
}

impl ExistingTable {
    /// From the rows of the published table and those of them that are this provider's, with labels
    /// as values. A group is what has the same labels.
    pub fn new(
        schema: &SharedSchema,
        published: &OwnRows,
        own: &OwnRows,
    ) -> Result<ExistingTable, Error> {
        let mut groups: BTreeMap<Vec<Code>, Vec<u64>> = BTreeMap::new();
        for row in 0..published.len() {
            let counts = groups
                .entry(published.labels(row))
                .or_insert_with(|| vec![0; schema.combinations()]);
            counts[published.combinations[row] as usize] += 1;
        }
        let mut contributed: BTreeMap<Vec<Code>, Vec<u64>> = BTreeMap::new();
        for labels in groups.keys() {
            contributed.insert(labels.clone(), vec![0; schema.combinations()]);
        }
        for row in 0..own.len() {
            let Some(counts) = contributed.get_mut(&own.labels(row)) else {
                return Err(Error::Column(format!(
                    "row {} of this provider's has labels of no group of the published table",
                    row + 1
                )));
            };
            counts[own.combinations[row] as usize] += 1;
        }
        let existing = ExistingTable {
            published: groups.into_values().collect(),
            own: contributed.into_values().collect(),
        };
        existing.check(schema)?;
        Ok(existing)
    }

    pub(crate) fn check(&self, schema: &SharedSchema) -> Result<(), Error> {
        let fits = |table: &[Vec<u64>]| {
            table.len() == self.published.len()
                && table
                    .iter()
                    .all(|group| group.len() == schema.combinations())
        };
        if !fits(&self.published) || !fits(&self.own) {
            return Err(Error::Defect("counts of another table"));
        }
        for (group, (published, own)) in self.published.iter().zip(&self.own).enumerate() {
            if published.iter().zip(own).any(|(all, own)| own > all) {
                let group = group + 1;
                return Err(Error::Column(format!(
                    "group {group} of the table has fewer rows than this provider contributed"
                )));
            }
        }
        Ok(())
    }

    pub(crate) fn public_digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"mingle table to verify\0");
        for group in &self.published {
            hash.update((group.len() as u64).to_le_bytes());
            for count in group {
                hash.update(count.to_le_bytes());
            }
        }
        hash.finalize().into()
    }
}

/// What a joint verification came to, the same everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JointVerification {
    /// The session's name.
    pub session: [u8; 32],
    /// A digest of the table's counts.
    pub table: [u8; 32],
    /// How many groups it has.
    pub groups: u64,
    /// Groups of which k was not shown against m.
    pub k_not_shown: u64,
    /// Per promised distinct l, groups of which it was not shown.
    pub l_not_shown: Vec<u64>,
}

impl JointVerification {
    /// Whether everything was shown.
    pub fn is_proved(&self) -> bool {
        self.k_not_shown == 0 && self.l_not_shown.iter().all(|&groups| groups == 0)
    }

    pub(crate) fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"mingle joint verification\0")
            .chain_update(self.session)
            .chain_update(self.table)
            .chain_update(self.groups.to_le_bytes())
            .chain_update(self.k_not_shown.to_le_bytes());
        for groups in &self.l_not_shown {
            hash.update(groups.to_le_bytes());
        }
        hash.finalize().into()
    }
}

impl Running {
    pub(super) async fn verify(
        &mut self,
        existing: &ExistingTable,
        session: [u8; 32],
    ) -> Result<JointVerification, Error> {
        self.adds_up(existing).await?;
        let run = self.parts.run.clone();
        let k_not_shown = self.k_not_shown(existing, run.rules()?).await?;
        let mut l_not_shown = Vec::new();
        for diversity in &run.rules()?.diversity {
            l_not_shown.push(self.l_not_shown(existing, diversity).await?);
        }
        let verdict = JointVerification {
            session,
            table: existing.public_digest(),
            groups: existing.published.len() as u64,
            k_not_shown,
            l_not_shown,
        };
        self.assembly.conclude(&verdict.digest());
        self.assembly.checkpoint().await?;
        Ok(verdict)
    }

    /// Whether the contributions are the table. Where they are not, the number of cells that differ
    /// is all that is learnt at level `bits`.
    async fn adds_up(&mut self, existing: &ExistingTable) -> Result<(), Error> {
        let own: Vec<u64> = existing.own.concat();
        let published: Vec<u64> = existing.published.concat();
        let mut differing = 0;
        if self.keys.is_none() {
            let sums = self.masked_sum(own).await?;
            differing = sums.iter().zip(&published).filter(|(a, b)| a != b).count() as u64;
        } else {
            let cells: Vec<(u64, u64)> = own.into_iter().zip(published).collect();
            for batch in batches(&cells, |_| 1) {
                let list = SecretSums {
                    summands: batch.iter().map(|(own, _)| *own).collect(),
                    threshold: 1,
                };
                let sums = self.encrypted_sums(&[list]).await?;
                let mut bag: Vec<Ciphertext> = Vec::with_capacity(sums.len());
                for (sum, (_, published)) in sums.into_iter().zip(batch) {
                    bag.push(sum.minus(*published));
                }
                let zeros: u64 = self.zeros(vec![bag]).await?.iter().sum();
                differing += batch.len() as u64 - zeros;
            }
        }
        if differing > 0 {
            return Err(Error::DoesNotAddUp { cells: differing });
        }
        Ok(())
    }

    async fn k_not_shown(&mut self, existing: &ExistingTable, rules: &Rules) -> Result<u64, Error> {
        let sizes: Vec<u64> = existing
            .own
            .iter()
            .map(|group| group.iter().sum())
            .collect();
        let capped = |cap: u64| SecretSums {
            summands: sizes.iter().map(|&rows| rows.min(cap)).collect(),
            threshold: super::capping::capped_threshold(rules.k, rules.m, cap),
        };
        if let [cap] = rules.caps[..] {
            return self.below_in_one(capped(cap)).await;
        }
        // with several caps a group is shown by any of them, so that each needs its own bag
        let mut lists = Vec::new();
        for &cap in &rules.caps {
            let all = capped(cap);
            for summand in all.summands {
                lists.push(SecretSums {
                    summands: vec![summand],
                    threshold: all.threshold,
                });
            }
        }
        let below = self.below(&lists).await?;
        let groups = sizes.len();
        let shown =
            |group: &usize| (0..rules.caps.len()).any(|cap| below[cap * groups + group] == 0);
        Ok((groups - (0..groups).filter(shown).count()) as u64)
    }

    /// How many sums of one list are below its threshold, without telling which.
    async fn below_in_one(&mut self, list: SecretSums) -> Result<u64, Error> {
        let mut below = 0;
        let threshold = list.threshold;
        for part in batches(&list.summands, |_| threshold as usize) {
            let list = SecretSums {
                summands: part.to_vec(),
                threshold,
            };
            below += self.below(&[list]).await?.iter().sum::<u64>();
        }
        Ok(below)
    }

    async fn l_not_shown(
        &mut self,
        existing: &ExistingTable,
        diversity: &Diversity,
    ) -> Result<u64, Error> {
        let run = self.parts.run.clone();
        let needed = super::buckets::BucketDealing::holders_needed(run.rules()?.m);
        let mut held: Vec<BTreeSet<u32>> = Vec::new();
        for group in &existing.own {
            let mut values = BTreeSet::new();
            for (combination, _) in group.iter().enumerate().filter(|(_, count)| **count > 0) {
                let schema = &run.setup.schema;
                values.extend(schema.diverse_value(combination as u32, diversity.attribute));
            }
            held.push(values);
        }
        let mut lists = Vec::new();
        for values in &held {
            let mut buckets = vec![0; diversity.dealing.buckets() as usize];
            for &value in values {
                buckets[diversity.dealing.bucket(value)] = 1;
            }
            lists.push(SecretSums {
                summands: buckets,
                threshold: needed,
            });
        }
        let thin = self.below(&lists).await?;
        let mut open = Vec::new();
        for (values, thin) in held.iter().zip(thin) {
            if !diversity.dealing.suffices(thin) {
                open.push(u64::from(values.len() as u64 >= diversity.l.0));
            }
        }
        if open.is_empty() {
            return Ok(0);
        }
        let rich = SecretSums {
            summands: open,
            threshold: needed,
        };
        self.below_in_one(rich).await
    }
}

//! A conjunction of constraints bound to a table.

use crate::constraint::{Attribute, Check, Constraint, Counts};
use crate::rule::{Promise, Rule};
use crate::tally::Tally;
use mingle_model::{Code, SensitiveColumn};

/// Everything that is promised about a table, in the policy's order.
#[derive(Debug)]
pub struct Requirement {
    constraints: Vec<Box<dyn Constraint>>,
    promises: Vec<Promise>,
    /// The distinct attributes that constraints look at, ascending.
    attributes: Vec<Attribute>,
    /// Per attribute the code of each combination of sensitive values.
    codes: Vec<Vec<Code>>,
    /// Per constraint the place of its attribute among `attributes`.
    looks_at: Vec<Option<usize>>,
}

impl Requirement {
    /// Whether all constraints hold; undecided is no.
    pub fn holds(&self, tally: &Tally) -> bool {
        (0..self.constraints.len()).all(|c| self.check(c, tally) == Check::Holds)
    }

    /// Decides one constraint.
    pub fn check(&self, constraint: usize, tally: &Tally) -> Check {
        let values = self.looks_at[constraint].map_or(&[][..], |a| &tally.counts[a]);
        self.constraints[constraint].check(Counts { size: tally.size, values })
    }

    /// Counts a set of rows, given as combinations of sensitive values with how often each occurs.
    pub fn tally(&self, rows: impl Iterator<Item = (u32, u64)> + Clone) -> Tally {
        let counts = self.codes.iter().map(|codes| {
            let mut values: Vec<(Code, u64)> = rows.clone().map(|(s, n)| (codes[s as usize], n)).collect();
            values.sort_unstable_by_key(|&(code, _)| code);
            values.dedup_by(|later, first| {
                let same = later.0 == first.0;
                first.1 += if same { later.1 } else { 0 };
                same
            });
            values
        });
        let counts = counts.collect();
        Tally { size: rows.map(|(_, n)| n).sum(), counts }
    }

    /// The constraints, in the policy's order.
    pub fn constraints(&self) -> impl Iterator<Item = &dyn Constraint> {
        self.constraints.iter().map(AsRef::as_ref)
    }

    /// What each constraint promises, in the same order.
    pub fn promises(&self) -> &[Promise] {
        &self.promises
    }

    /// The attributes that a [`Tally`] counts.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Whether adding rows to a group that satisfies everything can never break it.
    pub fn group_monotone(&self) -> bool {
        self.constraints.iter().all(|c| c.group_monotone())
    }

    /// The smallest size a group can have.
    pub fn smallest_group(&self) -> u64 {
        let k = |p: &Promise| if let Rule::KAnonymity { k } = p.rule { k } else { 1 };
        self.promises.iter().map(k).max().unwrap_or(1)
    }
}

#[allow(unused)]
fn bind(_: &[Promise], _: &[SensitiveColumn]) {}

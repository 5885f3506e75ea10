//! A conjunction of constraints bound to a table.
//!
//! Bound means: parameters were checked, attributes found, and what a constraint needs to know about the whole table
//! (its distribution, which values are missing, their order) was prepared. Binding costs O(combinations of sensitive
//! values × constraints); deciding a group costs only what its own values cost.

use crate::combinations::Combinations;
use crate::constraint::{Attribute, Check, Constraint, Counts};
use crate::error::Error;
use crate::rule::Promise;
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
    /// Binds promises to a table, given as how often each combination of sensitive values occurs in all of it.
    ///
    /// For t-closeness these counts are the distribution that groups are compared with: they must be those of the
    /// rows that will be published, as [`verify`](crate::verify) makes sure.
    pub fn bind(promises: &[Promise], sensitive: &[SensitiveColumn], table: &[u64]) -> Result<Requirement, Error> {
        let combinations = Combinations::new(sensitive, table)?;
        let constraints: Result<Vec<_>, Error> = promises.iter().map(|p| combinations.constraint(p)).collect();
        let constraints = constraints?;
        let mut attributes: Vec<Attribute> = constraints.iter().filter_map(|c| c.attribute()).collect();
        attributes.sort_unstable();
        attributes.dedup();
        let place = |a: Attribute| attributes.iter().position(|&other| other == a);
        Ok(Requirement {
            looks_at: constraints.iter().map(|c| c.attribute().and_then(place)).collect(),
            codes: attributes.iter().map(|&a| combinations.codes(a)).collect(),
            promises: promises.to_vec(),
            constraints,
            attributes,
        })
    }

    /// Whether all constraints hold; undecided is no.
    pub fn holds(&self, tally: &Tally) -> bool {
        (0..self.constraints.len()).all(|c| self.check(c, tally) == Check::Holds)
    }

    /// Decides one constraint.
    pub fn check(&self, constraint: usize, tally: &Tally) -> Check {
        let values = self.looks_at[constraint].and_then(|a| tally.counts.get(a)).map_or(&[][..], Vec::as_slice);
        self.constraints[constraint].check(Counts { size: tally.size, values })
    }

    /// Counts a set of rows, given as combinations of sensitive values with how often each occurs.
    pub fn tally(&self, rows: impl Iterator<Item = (u32, u64)> + Clone) -> Tally {
        let mut tally = Tally::default();
        self.tally_into(rows, &mut tally);
        tally
    }

    /// Like [`tally`](Requirement::tally), into one whose memory is used again.
    pub fn tally_into(&self, rows: impl Iterator<Item = (u32, u64)> + Clone, tally: &mut Tally) {
        tally.size = rows.clone().map(|(_, count)| count).sum();
        tally.counts.resize_with(self.codes.len(), Vec::new);
        for (codes, values) in self.codes.iter().zip(&mut tally.counts) {
            values.clear();
            rows.clone().for_each(|(combination, count)| add_last(values, codes[combination as usize], count));
            // entries come ordered by combination, so one attribute, the first and all together need no sort
            if !values.is_sorted_by_key(|&(code, _)| code) {
                values.sort_unstable_by_key(|&(code, _)| code);
                values.dedup_by(|later, first| {
                    let same = later.0 == first.0;
                    first.1 += if same { later.1 } else { 0 };
                    same
                });
            }
        }
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

    /// No smaller group can satisfy everything.
    pub fn smallest_group(&self) -> u64 {
        self.promises.iter().map(|promise| promise.rule.smallest_group()).max().unwrap_or(1).max(1)
    }
}

/// Adds to the last value if it is the same, so that runs of equal codes take one place.
#[inline]
fn add_last(values: &mut Vec<(Code, u64)>, code: Code, count: u64) {
    match values.last_mut() {
        // a count of zero is no value
        _ if count == 0 => {}
        Some(last) if last.0 == code => last.1 += count,
        _ => values.push((code, count)),
    }
}

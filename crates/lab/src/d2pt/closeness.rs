//! One sensitive column and all promises about it, decided one by one.
//!
//! A count of people by value serves every promise, so each class is counted once whatever the
//! number of promises. The distribution that t-closeness compares with is that of everybody,
//! always.

use super::people::SplitPeople;
use super::plan::Bound;
use crate::error::Error;
use mingle_model::{Entry, ProviderId, SensitiveColumn};
use mingle_privacy::{Attribute, Check, Promise, Requirement, Rule, Tally};

/// A sensitive column of everybody, and promises about it.
pub struct Closeness {
    code_of: Vec<u32>,
    /// One constraint per bound, in their order.
    requirement: Requirement,
}

impl Closeness {
    /// The sensitive column of a site.
    pub fn new(people: &SplitPeople, site: usize, bounds: &[Bound]) -> Result<Closeness, Error> {
        let column = people.sensitive(site);
        let values = column.domain.len();
        let mut counts = vec![0; values];
        column
            .codes
            .iter()
            .for_each(|code| counts[code as usize] += 1);
        let codes = (0..values as u32).collect();
        let sensitive = SensitiveColumn {
            name: column.spec.name.clone(),
            domain: column.domain.clone(),
            codes,
        };
        let promise = |bound: &Bound| Promise {
            rule: Rule::t_closeness(bound.t, bound.distance),
            attribute: Some(Attribute::Column(0)),
        };
        let promises: Vec<Promise> = bounds.iter().map(promise).collect();
        let requirement = Requirement::bind(&promises, &[sensitive], &counts)?;
        Ok(Closeness {
            code_of: column.codes.iter().collect(),
            requirement,
        })
    }

    /// Counts these people.
    pub fn tally(&self, people: &[u32]) -> Tally {
        let mut codes: Vec<u32> = people
            .iter()
            .map(|&person| self.code_of[person as usize])
            .collect();
        codes.sort_unstable();
        let entry = |run: &[u32]| Entry {
            sensitive: run[0],
            provider: ProviderId(0),
            count: run.len() as u64,
        };
        self.requirement
            .tally(codes.chunk_by(|a, b| a == b).map(entry))
    }

    /// Whether these people are close enough to everybody, by the promise at this place.
    pub fn holds(&self, bound: usize, tally: &Tally) -> bool {
        self.requirement.check(bound, tally) == Check::Holds
    }
}

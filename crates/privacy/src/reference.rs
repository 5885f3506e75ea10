//! The whole table that a part of it is compared with.
//!
//! A table that fits no machine is anonymized and verified in parts, but t-closeness compares every
//! group with the whole table. A part knows only the combinations of sensitive values that it has,
//! and numbers them in its own way; here the combinations that only other parts have come after
//! those, all with how often they occur in the whole table. Cost O(combinations).

use crate::error::Error;
use crate::requirement::Requirement;
use crate::rule::Promise;
use mingle_model::{Code, Codes, SensitiveColumn};
use std::collections::HashMap;

/// How often each combination of sensitive values occurs in a whole table, numbered as a part of it
/// numbers them.
pub struct ReferenceTable {
    sensitive: Vec<SensitiveColumn>,
    counts: Vec<u64>,
}

/// A combination of sensitive values, as a code per column, and how often it occurs in the whole
/// table. Without sensitive columns there is one combination, the empty one.
pub type CountedCombination = (Vec<Code>, u64);

impl ReferenceTable {
    /// The whole table around a part, whose sensitive columns have the domains of the whole.
    /// `None` where the part has a combination that the whole table has not, or where the whole
    /// has one twice: then it is a part of something else.
    pub fn around(
        part: &[SensitiveColumn],
        whole: &[CountedCombination],
    ) -> Option<ReferenceTable> {
        let mut count_of: HashMap<&[Code], u64> = HashMap::with_capacity(whole.len());
        for (codes, count) in whole {
            if codes.len() != part.len() || count_of.insert(codes, *count).is_some() {
                return None;
            }
        }
        let own = part.first().map_or(1, |column| column.codes.len());
        let mut columns: Vec<Codes> = part.iter().map(|column| column.codes.clone()).collect();
        let mut counts = Vec::with_capacity(whole.len());
        let mut codes: Vec<Code> = Vec::with_capacity(part.len());
        for combination in 0..own {
            codes.clear();
            codes.extend(part.iter().map(|column| column.codes.get(combination)));
            counts.push(count_of.remove(codes.as_slice())?);
        }
        // the order of a map is of no concern to anybody, but the same bytes should come out of the
        // same rows
        for (codes, count) in whole {
            if count_of.remove(codes.as_slice()).is_none() {
                continue;
            }
            for (column, &code) in columns.iter_mut().zip(codes) {
                column.push(code);
            }
            counts.push(*count);
        }
        let mut sensitive = Vec::with_capacity(part.len());
        for (column, codes) in part.iter().zip(columns) {
            sensitive.push(SensitiveColumn {
                name: column.name.clone(),
                domain: column.domain.clone(),
                codes,
            });
        }
        Some(ReferenceTable { sensitive, counts })
    }

    /// Promises about groups of the part, compared with the whole table.
    pub fn bind(&self, promises: &[Promise]) -> Result<Requirement, Error> {
        Requirement::bind(promises, &self.sensitive, &self.counts)
    }

    /// How often each combination occurs in the whole table.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }
}

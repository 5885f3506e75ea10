//! Tables that fit no machine: cut into cells, anonymized cell by cell, verified as a whole.
//!
//! Something that has all rows, such as a cluster, counts; whoever drives it grows the top of a
//! Mondrian tree from exact counts ([`TreeGrowth`]) until every cell fits into the memory of a
//! worker and still keeps what is promised; workers anonymize one cell each
//! ([`TablePart::anonymize`]); and what is published is verified part by part, each group with all
//! of its rows ([`check_published`]), because labels of two cells may come out alike. What comes
//! out is put together in one folder ([`AssembledRelease`]).
//!
//! Every part knows the domains, the providers and the distribution of sensitive values of the whole
//! table, because it is read together with rows that have all of them and are not of the part: so
//! codes, kinds, hierarchies and, unless rows may be left out, boundaries of ranges are the same in all
//! parts.
//!
//! Assumptions: each row is one person, and there is nobody's earlier release beside it. Memory of a
//! part is that of its distinct rows and of the whole table's distinct values.

mod anonymize;
mod assemble;
mod check;
mod tree;

pub use anonymize::{AnonymizedCell, AnonymizedLine};
pub use assemble::{AssembledRelease, AssembledSide};
pub use check::{PartCheck, check_published};
pub use mingle_release::CodedRows;
pub use tree::{CellTree, GrownCell, HistogramLine, TreeGrowth};

use crate::failure;
use crate::inputs::Inputs;
use crate::insiders;
use crate::run::Run;
use mingle_io::Scan;
use mingle_model::{Code, Codes, Column, Role, SensitiveColumn, Table};
use mingle_policy::Policy;
use mingle_privacy::{CountedCombination, Insiders};
use mingle_record::{Problem, ProblemCode};
use std::collections::HashMap;

/// Rows of a part of a table, read together with rows that stand for the whole.
pub struct TablePart<'p> {
    policy: &'p Policy,
    table: Table,
    /// So many rows at the front stand for the whole table, and are not of the part.
    standing: usize,
    /// How often each row of the part occurs.
    counts: Vec<u64>,
    /// The combinations of sensitive values of the whole table.
    combinations: Vec<CountedCombination>,
    insiders: Insiders,
}

/// How often rows occur.
pub struct PartCounts {
    /// So many rows at the front stand for the whole table: every value of every column, every
    /// provider, and every combination of sensitive values is in some of them.
    pub standing: usize,
    /// Per row how often it occurs: for rows that stand for the whole table their combination of
    /// sensitive values, or zero; for the others the row itself.
    pub counts: Vec<u64>,
}

impl<'p> TablePart<'p> {
    /// Reads a part.
    pub fn read(
        policy: &'p Policy,
        source: impl Scan + 'static,
        counted: PartCounts,
        run: &Run,
    ) -> Result<TablePart<'p>, Problem> {
        refuse_policy(policy)?;
        let original = Inputs::table(source).read(policy, run)?;
        let table = Table::clone(&original.table);
        if table.rows() != counted.counts.len() || counted.standing > table.rows() {
            return Err(failure::defect("counts do not fit the rows of a part"));
        }
        let mut counts = counted.counts;
        let of_part = counts.split_off(counted.standing);
        let combinations = combinations(&table, &counts)?;
        let mut has_rows = vec![false; table.providers.len()];
        for row in 0..counted.standing {
            has_rows[table.provider_of.get(row) as usize] = true;
        }
        let contributors = has_rows.iter().filter(|has| **has).count() as u64;
        let insiders = policy.insiders(contributors)?;
        insiders::check_sites(insiders, contributors)?;
        Ok(TablePart {
            policy,
            table,
            standing: counted.standing,
            counts: of_part,
            combinations,
            insiders,
        })
    }

    /// Against whom everything holds.
    pub fn insiders(&self) -> Insiders {
        self.insiders
    }

    fn quasi_identifiers(&self) -> Vec<&Column> {
        self.table.with_role(Role::QuasiIdentifier).collect()
    }

    /// The sensitive columns with all combinations of the whole table.
    fn whole_sensitive(&self) -> Vec<SensitiveColumn> {
        let mut columns = Vec::new();
        for (place, column) in self.table.with_role(Role::Sensitive).enumerate() {
            let codes: Codes = self
                .combinations
                .iter()
                .map(|(codes, _)| codes[place])
                .collect();
            columns.push(SensitiveColumn {
                name: column.spec.name.clone(),
                domain: column.domain.clone(),
                codes,
            });
        }
        columns
    }
}

/// The combinations of sensitive values of the whole table. Values that are written differently may
/// be one, so combinations are added up by their codes.
fn combinations(table: &Table, counts: &[u64]) -> Result<Vec<CountedCombination>, Problem> {
    let sensitive: Vec<&Column> = table.with_role(Role::Sensitive).collect();
    let mut place_of: HashMap<Vec<Code>, usize> = HashMap::new();
    let mut combinations: Vec<CountedCombination> = Vec::new();
    for (row, &count) in counts.iter().enumerate() {
        if count == 0 {
            continue;
        }
        let codes: Vec<Code> = sensitive
            .iter()
            .map(|column| column.codes.get(row))
            .collect();
        let place = *place_of.entry(codes.clone()).or_insert(combinations.len());
        match combinations.get_mut(place) {
            Some((_, sum)) => {
                let more = sum.checked_add(count);
                *sum = more.ok_or_else(|| failure::defect("more rows than can be counted"))?;
            }
            None => combinations.push((codes, count)),
        }
    }
    Ok(combinations)
}

/// What cannot be promised cell by cell is refused before anything is done.
pub fn refuse_policy(policy: &Policy) -> Result<(), Problem> {
    let refused = |what: &str, hint: &str| {
        let text =
            format!("{what} cannot be published in cells, each in the memory of another worker");
        Err(Problem::new(ProblemCode::Contradiction, text, hint))
    };
    let elsewhere = "publish from a machine that holds the table, or raise the number of rows that the driver takes";
    if policy.noise().is_some() {
        return refused("a table with noise ([dp])", elsewhere);
    }
    if policy.risk.is_some() {
        return refused("a table with accepted risks ([risk])", elsewhere);
    }
    if policy.release.strict {
        return refused(
            "a table with strict = true",
            "not every warning is looked for there: take strict out, and look at the warnings of a sample with mingle.plan",
        );
    }
    if policy.data.people.column().is_some() || policy.separated().is_some() {
        return refused(
            "a table in which people have several rows",
            "cells do not keep a person's rows together, and groups count rows there: publish from a machine that holds \
             the table, or raise driver_rows so that the driver reads all rows",
        );
    }
    if policy.composition.is_some() {
        return refused("a table beside earlier releases ([composition])", elsewhere);
    }
    if policy.release.fragmented {
        return refused("a table in fragments (fragmented = true)", elsewhere);
    }
    if policy.method.capabilities().full_domain {
        return refused(
            "a table with the same levels everywhere (full-domain methods)",
            "use name = \"agglomerative\" or \"mondrian\" in [method]",
        );
    }
    if policy.method.output != mingle_anonymize::GroupRepresentative::Range {
        return refused("a table of centroids", "use output = \"range\" in [method]");
    }
    if policy.method.ranges != mingle_anonymize::Ranges::Tight {
        return refused(
            "a table with ranges = \"cell\"",
            "use ranges = \"tight\" in [method]",
        );
    }
    if policy.with_role(Role::QuasiIdentifier).next().is_none() {
        return refused("a table without quasi-identifiers", elsewhere);
    }
    Ok(())
}

#[cfg(test)]
mod tests;

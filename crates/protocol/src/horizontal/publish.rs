//! From totals to a table: what fails for outsiders is merged upwards, the rest is published.
//!
//! k and distinct l were tested for every cell before it was cut out, so that a parent holds them as
//! well; merging keeps them. Every other promise is for outsiders, and is checked here on the
//! totals, which everybody has: a group that fails is united with all of its parent's cell, until
//! none fails. The whole table failing means no release.
//!
//! Groups are what a reader sees: cells with the same labels (nodes of a hierarchy may have been cut
//! between children) are one group. What is published is verified once more by `privacy`, from the
//! texts alone.

use super::cell::CellBox;
use super::shared::{SharedColumn, SharedSchema};
use super::tree::CutTree;
use crate::error::Error;
use mingle_model::{
    Code, Codes, Column, ColumnSpec, Entry, Kind, ProviderId, Providers, Published, Role,
    SensitiveColumn, Table,
};
use mingle_privacy::{Check, Insiders, Promise, Reach, Requirement, Verdict, Verified, verify};
use std::collections::{BTreeMap, BTreeSet};

/// The joint table as everybody has it.
pub struct HorizontalTable {
    /// What is published, verified for outsiders.
    pub verified: Verified,
    /// The table as labels and values, one row per group and combination of values.
    pub table: Table,
    /// How often each row of it occurs.
    pub counts: Vec<u64>,
    /// The cells behind the groups; cells with the same labels are one group.
    pub cells: Vec<CellBox>,
    /// Cells that were merged because they failed a promise to outsiders.
    pub merged: u64,
}

impl HorizontalTable {
    /// The bytes that all providers must have come to.
    pub fn canonical(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in 0..self.table.rows() {
            for column in &self.table.columns {
                let text = column.domain.text(column.codes.get(row));
                bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
                bytes.extend_from_slice(text.as_bytes());
            }
            bytes.extend_from_slice(&self.counts[row].to_le_bytes());
        }
        bytes
    }
}

/// Merges, labels and verifies.
pub(crate) fn publish(
    schema: &SharedSchema,
    tree: &CutTree,
    totals: Vec<Vec<u64>>,
    promises: &[Promise],
) -> Result<HorizontalTable, Error> {
    let leaves = tree.leaves();
    if totals.len() != leaves.len() {
        return Err(Error::Defect("not one total per leaf"));
    }
    let mut cells: BTreeMap<usize, Vec<u64>> = leaves.into_iter().zip(totals).collect();
    let merged = merge(schema, tree, &mut cells, promises)?;
    let final_cells = cells
        .keys()
        .map(|&node| tree.nodes()[node].cell.clone())
        .collect();
    let (table, counts) = table(schema, &groups(schema, tree, &cells))?;
    let published = Published::from_counts(&table, &counts)
        .ok_or(Error::Defect("more rows than can be counted"))?;
    let verification = verify(published, promises, Insiders::NONE, Reach::Stated)?;
    match verification.into_verified() {
        Ok(verified) => Ok(HorizontalTable {
            verified,
            table,
            counts,
            cells: final_cells,
            merged,
        }),
        Err(verification) => Err(Error::NotVerified {
            constraint: match verification.verdict() {
                Verdict::Fails(witness) => witness.name.to_owned(),
                _ => "what is promised".to_owned(),
            },
        }),
    }
}

/// Cells by their labels, with the sum of their totals.
fn groups(
    schema: &SharedSchema,
    tree: &CutTree,
    cells: &BTreeMap<usize, Vec<u64>>,
) -> BTreeMap<Vec<String>, (Vec<usize>, Vec<u64>)> {
    let mut groups: BTreeMap<Vec<String>, (Vec<usize>, Vec<u64>)> = BTreeMap::new();
    for (&node, counts) in cells {
        let labels = tree.nodes()[node].cell.labels(schema.quasi_identifiers());
        let empty = || (Vec::new(), vec![0; counts.len()]);
        let (members, sum) = groups.entry(labels).or_insert_with(empty);
        members.push(node);
        add(sum, counts);
    }
    groups
}

fn add(sum: &mut [u64], counts: &[u64]) {
    for (sum, count) in sum.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// Unites what fails with its parent's cell, until nothing fails. Returns how many cells went.
fn merge(
    schema: &SharedSchema,
    tree: &CutTree,
    cells: &mut BTreeMap<usize, Vec<u64>>,
    promises: &[Promise],
) -> Result<u64, Error> {
    let before = cells.len();
    let occurring = Occurring::new(schema, cells)?;
    let requirement = Requirement::bind(promises, &occurring.sensitive, &occurring.distribution)?;
    loop {
        let mut failing: BTreeSet<usize> = BTreeSet::new();
        let mut failed = "";
        for (members, counts) in groups(schema, tree, cells).values() {
            let entries = occurring.entries(counts);
            let tally = requirement.tally(entries.iter().copied());
            for (at, promise) in promises.iter().enumerate() {
                if requirement.check(at, &tally) != Check::Holds {
                    failing.extend(members);
                    failed = promise.name();
                }
            }
        }
        // the smallest first: uniting a deep cell may mend what is above it
        let deepest = failing.iter().copied().max();
        let Some(node) = deepest else {
            return Ok((before - cells.len()) as u64);
        };
        let Some(parent) = tree.nodes()[node].parent else {
            return Err(Error::NotVerified {
                constraint: failed.to_owned(),
            });
        };
        collapse(tree, cells, parent);
    }
}

/// Puts everything below a node into one cell.
fn collapse(tree: &CutTree, cells: &mut BTreeMap<usize, Vec<u64>>, node: usize) {
    let mut sum: Vec<u64> = Vec::new();
    let mut below = vec![node];
    while let Some(at) = below.pop() {
        if let Some(counts) = cells.remove(&at) {
            if sum.is_empty() {
                sum = vec![0; counts.len()];
            }
            add(&mut sum, &counts);
        } else if let Some(children) = tree.nodes()[at].children {
            below.extend(children);
        }
    }
    cells.insert(node, sum);
}

/// The combinations of sensitive values that occur, as constraints want them.
struct Occurring {
    combinations: Vec<usize>,
    sensitive: Vec<SensitiveColumn>,
    distribution: Vec<u64>,
}

impl Occurring {
    fn new(schema: &SharedSchema, cells: &BTreeMap<usize, Vec<u64>>) -> Result<Occurring, Error> {
        let mut all = vec![0u64; schema.combinations()];
        for counts in cells.values() {
            add(&mut all, counts);
        }
        let combinations: Vec<usize> = (0..all.len()).filter(|&c| all[c] > 0).collect();
        let mut sensitive = Vec::new();
        for (at, shared) in schema.sensitive().iter().enumerate() {
            let column = values(schema, shared, at, &combinations)?;
            sensitive.push(SensitiveColumn {
                name: shared.spec.name.clone(),
                domain: column.domain,
                codes: column.codes,
            });
        }
        let distribution = combinations.iter().map(|&c| all[c]).collect();
        Ok(Occurring {
            combinations,
            sensitive,
            distribution,
        })
    }

    fn entries(&self, counts: &[u64]) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (place, &combination) in self.combinations.iter().enumerate() {
            if counts[combination] > 0 {
                entries.push(Entry {
                    sensitive: place as u32,
                    provider: ProviderId(0),
                    count: counts[combination],
                });
            }
        }
        entries
    }
}

/// A sensitive column with a row per combination.
fn values(
    schema: &SharedSchema,
    shared: &SharedColumn,
    at: usize,
    combinations: &[usize],
) -> Result<Column, Error> {
    let code = |&combination: &usize| schema.codes_of(combination as u32)[at];
    let codes: Vec<Code> = combinations.iter().map(code).collect();
    let texts = codes.iter().map(|&code| shared.domain.text(code));
    let spec = ColumnSpec {
        kind: Some(shared.domain.kind()),
        ..shared.spec.clone()
    };
    Ok(Column::from_texts(spec, texts, schema.missing())?)
}

/// The published rows, groups in the order of their labels, values in the order of their codes.
fn table(
    schema: &SharedSchema,
    groups: &BTreeMap<Vec<String>, (Vec<usize>, Vec<u64>)>,
) -> Result<(Table, Vec<u64>), Error> {
    let (mut labels, mut combinations, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for (group, (_, sum)) in groups {
        for (combination, &count) in sum.iter().enumerate() {
            if count > 0 {
                labels.push(group);
                combinations.push(combination);
                counts.push(count);
            }
        }
    }
    let mut columns = Vec::new();
    for (at, shared) in schema.quasi_identifiers().iter().enumerate() {
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(shared.spec.name.clone(), Role::QuasiIdentifier)
        };
        let texts = labels.iter().map(|labels| labels[at].as_str());
        columns.push(Column::from_texts(spec, texts, schema.missing())?);
    }
    for (at, shared) in schema.sensitive().iter().enumerate() {
        columns.push(values(schema, shared, at, &combinations)?);
    }
    let mut provider_of = Codes::with_capacity(1, counts.len());
    for _ in 0..counts.len() {
        provider_of.push(0);
    }
    let table = Table {
        columns,
        providers: Providers::new(vec!["all providers".to_owned()]),
        provider_of,
        person_of: None,
    };
    Ok((table, counts))
}

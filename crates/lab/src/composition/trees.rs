//! Mondrian along user-defined hierarchies, as the paper's authors seem to have used it.
//!
//! A part of the table is divided by replacing one column's label by those below it, if all the
//! parts that come out satisfy the requirement; the widest column that allows it is taken, wide
//! being its share of the column's values. Labels are exactly the nodes that were chosen, so
//! everybody's group can be told from the labels. Compared with cuts at the median parts are large,
//! because a node is divided into all its children at once or not at all: the paper's "culprit
//! behind the larger average partition sizes". Not for publishing: an experiment. Cost: rows ×
//! columns per level of the tree.

use mingle_anonymize::{Error, Method, MethodOptions};
use mingle_model::{Cell, Cube, Hierarchy, Partition};
use mingle_privacy::Requirement;

/// Top-down along the hierarchies, which all quasi-identifiers must have.
pub struct Trees;

/// A label in each column: level and node.
type Labels = Vec<(u8, u32)>;

impl Method for Trees {
    fn name(&self) -> &'static str {
        "trees"
    }

    fn partition(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<Partition, Error> {
        let trees: Option<Vec<&Hierarchy>> = cube
            .quasi_identifiers()
            .iter()
            .map(|qi| qi.domain.hierarchy())
            .collect();
        let search = Search {
            cube,
            requirement,
            trees: trees.ok_or(Error::NoCells)?,
        };
        let everybody: Vec<u32> = (0..cube.tuples() as u32).collect();
        if !search.holds(&everybody) {
            return Err(Error::Unsatisfiable);
        }
        let roots = search
            .trees
            .iter()
            .map(|tree| (tree.height() as u8, 0))
            .collect();
        let mut open = vec![(everybody, roots)];
        let mut partition = Partition {
            group_of: vec![0; cube.records().len()],
            cells: Vec::new(),
        };
        let mut groups = 0;
        while let Some((tuples, labels)) = open.pop() {
            if options
                .cancel
                .is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed))
            {
                return Err(Error::Cancelled);
            }
            match search.divide(&tuples, &labels) {
                Some(parts) => open.extend(parts),
                None => {
                    let records = tuples
                        .iter()
                        .flat_map(|&tuple| cube.records_of(tuple as usize));
                    records.for_each(|record| partition.group_of[record] = groups);
                    partition.cells.extend(
                        labels
                            .iter()
                            .map(|&(level, node)| Cell::Node { level, node }),
                    );
                    groups += 1;
                }
            }
        }
        Ok(partition)
    }
}

struct Search<'a> {
    cube: &'a Cube,
    requirement: &'a Requirement,
    trees: Vec<&'a Hierarchy>,
}

impl Search<'_> {
    fn holds(&self, tuples: &[u32]) -> bool {
        let records = tuples
            .iter()
            .flat_map(|&tuple| &self.cube.records()[self.cube.records_of(tuple as usize)]);
        let mut entries: Vec<_> = records.map(|record| record.entry()).collect();
        entries.sort_unstable_by_key(|entry| (entry.sensitive, entry.provider));
        self.requirement
            .holds(&self.requirement.tally(entries.into_iter()))
    }

    fn divide(&self, tuples: &[u32], labels: &Labels) -> Option<Vec<(Vec<u32>, Labels)>> {
        let mut columns: Vec<usize> = (0..self.trees.len())
            .filter(|&column| labels[column].0 > 0)
            .collect();
        columns.sort_by(|&a, &b| {
            self.width(b, labels)
                .total_cmp(&self.width(a, labels))
                .then(a.cmp(&b))
        });
        columns.into_iter().find_map(|column| {
            let parts = self.children(tuples, column, labels)?;
            parts
                .iter()
                .all(|(tuples, _)| self.holds(tuples))
                .then_some(parts)
        })
    }

    fn width(&self, column: usize, labels: &Labels) -> f64 {
        let (level, node) = labels[column];
        let (first, last) = self.trees[column].leaves(usize::from(level), node);
        f64::from(last - first + 1) / self.trees[column].nodes(0) as f64
    }

    /// The parts below a label: at the first level where somebody differs, if there is one.
    fn children(
        &self,
        tuples: &[u32],
        column: usize,
        labels: &Labels,
    ) -> Option<Vec<(Vec<u32>, Labels)>> {
        let codes = &self.cube.quasi_identifiers()[column].codes;
        for level in (0..labels[column].0).rev() {
            let node = |tuple: u32| {
                self.trees[column].ancestor(codes.get(tuple as usize), usize::from(level))
            };
            let mut sorted: Vec<(u32, u32)> =
                tuples.iter().map(|&tuple| (node(tuple), tuple)).collect();
            sorted.sort_unstable();
            let parts: Vec<&[(u32, u32)]> = sorted.chunk_by(|a, b| a.0 == b.0).collect();
            if parts.len() > 1 {
                let part = |part: &[(u32, u32)]| {
                    let mut labels = labels.clone();
                    labels[column] = (level, part[0].0);
                    (part.iter().map(|&(_, tuple)| tuple).collect(), labels)
                };
                return Some(parts.into_iter().map(part).collect());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::people::CensusPeople;
    use super::*;
    use mingle_model::{Missing, Published};
    use mingle_privacy::{Insiders, K, M, Promise, Reach, Rule, Verified, verify};
    use std::sync::Arc;

    fn published(k: u64) -> (Cube, Verified) {
        let people = CensusPeople::ipums_like(1_500, 1).unwrap();
        let rows: Vec<u32> = (0..1_500).collect();
        let cube = Cube::new(people.table(&rows, 0, true).unwrap());
        let promises = [Promise {
            rule: Rule::k_anonymity(K(k)),
            attribute: None,
        }];
        let requirement =
            Requirement::bind(&promises, cube.sensitive(), &cube.combinations()).unwrap();
        let partition = Trees
            .partition(&cube, &requirement, &MethodOptions::default())
            .unwrap();
        let published =
            Published::from_partition(&Arc::new(cube.clone()), &partition, &Missing::default())
                .unwrap();
        let verified = verify(published, &promises, Insiders::victim(M(0)), Reach::Stated).unwrap();
        let Ok(verified) = verified.into_verified() else {
            panic!("k holds")
        };
        (cube, verified)
    }

    #[test]
    fn groups_hold_and_nobody_fits_two() {
        let [(_, two), (cube, five)] = [published(2), published(5)];
        let (two, five) = (two.published(), five.published());
        assert!(
            two.groups() > five.groups() && five.groups() > 10,
            "{} {}",
            two.groups(),
            five.groups()
        );
        assert_eq!(five.rows(), 1_500);
        let missing = Missing::default();
        let covers = |group: usize, tuple: usize| {
            let labels = five.describe(group);
            labels
                .zip(cube.quasi_identifiers())
                .all(|((_, label), qi)| {
                    let reader = mingle_model::LabelReader::new(&qi.domain, &missing);
                    reader.read(label).unwrap().covers(qi.codes.get(tuple))
                })
        };
        for tuple in (0..cube.tuples()).step_by(37) {
            assert_eq!(
                (0..five.groups())
                    .filter(|&group| covers(group, tuple))
                    .count(),
                1
            );
        }
    }

    #[test]
    fn a_table_without_hierarchies_or_too_small_is_refused() {
        let people = CensusPeople::adult(None, 50, 1).unwrap();
        let rows: Vec<u32> = (0..50).collect();
        let refused = |k: u64, people: &CensusPeople, along: bool| {
            let cube = Cube::new(people.table(&rows, 0, along).unwrap());
            let promises = [Promise {
                rule: Rule::k_anonymity(K(k)),
                attribute: None,
            }];
            let requirement =
                Requirement::bind(&promises, cube.sensitive(), &cube.combinations()).unwrap();
            Trees
                .partition(&cube, &requirement, &MethodOptions::default())
                .err()
                .unwrap()
        };
        assert_eq!(refused(2, &people, false), Error::NoCells);
        assert_eq!(
            refused(51, &CensusPeople::ipums_like(50, 0).unwrap(), true),
            Error::Unsatisfiable
        );
    }
}

//! Hierarchical ground distance: height of the lowest common ancestor over the height H of the
//! hierarchy.
//!
//! Each edge between a node and its parent counts 1/2H, and the earth mover's distance on a tree is
//! the sum over its edges of the mass that must cross: (1/2H) sum |P(node) - Q(node)| over all
//! nodes but the root. On each level both sum to 1, so half of a level's sum is that of its
//! positive differences, which only nodes above values of the group have. A node is a range of
//! codes, so the group's ascending values pass each node once: cost O(values present × levels), and
//! nothing is allocated.

use super::ladder::{Ladder, Pieces};
use super::{Cost, Distance, excess};
use crate::constraint::GroupCounts;
use mingle_model::{Code, Hierarchy};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::ops::Range;

/// The table's counts by node, for each level below the root.
#[derive(Clone, Debug)]
pub struct Hierarchical {
    levels: Vec<Level>,
    rows: u64,
}

#[derive(Clone, Debug)]
struct Level {
    node_of: Vec<u32>,
    table: Vec<u64>,
}

impl Hierarchical {
    /// From the hierarchy and the table's counts by code; their sum fits into 64 bits.
    pub fn new(hierarchy: &Hierarchy, table: &[u64]) -> Hierarchical {
        let levels = (0..hierarchy.height())
            .map(|level| Level::new(hierarchy, level, table))
            .collect();
        Hierarchical {
            levels,
            rows: table.iter().sum(),
        }
    }

    #[inline]
    pub(super) fn distance(&self, group: GroupCounts<'_>) -> Distance {
        let costs = || self.levels.iter().map(|level| level.cost(group, self.rows));
        let narrow = costs().try_fold(0u128, u128::checked_add);
        let cost = narrow.map_or_else(
            || Cost::Wide(costs().map(BigUint::from).sum()),
            Cost::Narrow,
        );
        Distance {
            cost,
            unit: [group.size, self.rows, self.levels.len() as u64],
        }
    }

    /// One step for each node with values of the group below; a node and its only such child share
    /// a ladder.
    pub(super) fn pieces(&self, values: &[(Code, u64)]) -> Pieces {
        let mut steps: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
        for (set, table) in self.levels.iter().flat_map(|level| level.nodes(values)) {
            steps.entry((set.start, set.end)).or_default().push(table);
        }
        let ladder = |((from, to), steps)| Ladder {
            set: from..to,
            weight: 1,
            steps,
        };
        Pieces {
            order: (0..values.len()).collect(),
            ladders: steps.into_iter().map(ladder).collect(),
            lines: Vec::new(),
            rows: self.rows,
            constant: self.levels.len() as u64,
        }
    }
}

impl Level {
    /// The values below each node, by their places, with the node's rows in the table.
    fn nodes(&self, values: &[(Code, u64)]) -> impl Iterator<Item = (Range<usize>, u64)> {
        let node = |value: &(Code, u64)| self.node_of[value.0 as usize];
        let mut from = 0;
        values
            .chunk_by(move |a, b| node(a) == node(b))
            .map(move |below| {
                let set = from..from + below.len();
                from = set.end;
                (set, self.table[node(&below[0]) as usize])
            })
    }

    fn new(hierarchy: &Hierarchy, level: usize, counts: &[u64]) -> Level {
        let node_of: Vec<u32> = (0..counts.len())
            .map(|code| hierarchy.ancestor(code as Code, level))
            .collect();
        let mut table = vec![0; hierarchy.nodes(level)];
        node_of
            .iter()
            .zip(counts)
            .for_each(|(&node, count)| table[node as usize] += count);
        Level { node_of, table }
    }

    /// The sum of this level's positive differences, at most `size × rows`.
    fn cost(&self, group: GroupCounts<'_>, rows: u64) -> u128 {
        let node = |&(code, _): &(Code, u64)| self.node_of[code as usize] as usize;
        let of_node = |values: &[(Code, u64)]| {
            let count = values.iter().map(|&(_, count)| count).sum();
            excess(count, group.size, self.table[node(&values[0])], rows)
        };
        group
            .values
            .chunk_by(|a, b| node(a) == node(b))
            .map(of_node)
            .sum()
    }
}

//! What one provider adds to the answer of each question.

use super::cell::bin;
use super::shared::{OwnRows, SharedSchema};
use super::terms::{Diversity, Rules};
use super::tree::{CutTree, HistogramQuestion, Measure, Region, Test};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// One provider's rows, by node of the tree.
pub(crate) struct OwnCounts {
    schema: Arc<SharedSchema>,
    rows: Arc<OwnRows>,
    members: HashMap<usize, Vec<u32>>,
}

impl OwnCounts {
    pub(crate) fn new(schema: Arc<SharedSchema>, rows: Arc<OwnRows>) -> OwnCounts {
        let everybody = (0..rows.len() as u32).collect();
        OwnCounts {
            schema,
            rows,
            members: HashMap::from([(0, everybody)]),
        }
    }

    /// The rows of a node. Those of its parent are divided when a child is first asked for.
    fn rows_of(&mut self, tree: &CutTree, node: usize) -> &[u32] {
        if !self.members.contains_key(&node) {
            let mut path = vec![node];
            let mut at = node;
            while let Some(parent) = tree.nodes()[at].parent {
                if self.members.contains_key(&parent) {
                    break;
                }
                path.push(parent);
                at = parent;
            }
            for &child in path.iter().rev() {
                self.divide_parent(tree, child);
            }
        }
        self.members.get(&node).map_or(&[], Vec::as_slice)
    }

    fn divide_parent(&mut self, tree: &CutTree, child: usize) {
        let Some(parent) = tree.nodes()[child].parent else {
            return;
        };
        let node = &tree.nodes()[parent];
        let (Some(cut), Some([left, right])) = (node.cut, node.children) else {
            return;
        };
        // a cell that was cut is not asked about again
        let Some(rows) = self.members.remove(&parent) else {
            return;
        };
        let codes = &self.rows.quasi_identifiers[cut.attribute];
        let is_left = |row: &u32| codes[*row as usize] <= cut.last;
        let (lower, upper) = rows.into_iter().partition(is_left);
        self.members.insert(left, lower);
        self.members.insert(right, upper);
    }

    fn region(&mut self, tree: &CutTree, region: Region) -> Vec<u32> {
        let rows = self.rows.clone();
        let all = self.rows_of(tree, region.node);
        let Some((cut, right)) = region.side else {
            return all.to_vec();
        };
        let codes = &rows.quasi_identifiers[cut.attribute];
        let mut side = Vec::new();
        for &row in all {
            if (codes[row as usize] > cut.last) == right {
                side.push(row);
            }
        }
        side
    }

    pub(crate) fn histogram(&mut self, tree: &CutTree, question: &HistogramQuestion) -> Vec<u64> {
        let rows = self.rows.clone();
        let codes = &rows.quasi_identifiers[question.attribute];
        let mut counts = vec![0; question.places.len() + 1];
        for &row in self.rows_of(tree, question.node) {
            counts[bin(&question.places, codes[row as usize])] += 1;
        }
        counts
    }

    /// What this provider adds to each sum of a test.
    pub(crate) fn summands(&mut self, tree: &CutTree, test: &Test) -> Vec<u64> {
        let rules = tree.rules();
        let rows = self.region(tree, test.region);
        self.measure(&rows, test.measure, rules)
    }

    fn measure(&self, rows: &[u32], measure: Measure, rules: &Rules) -> Vec<u64> {
        match measure {
            Measure::Rest { cap } => vec![(rows.len() as u64).min(cap)],
            Measure::Holders => vec![u64::from(!rows.is_empty())],
            Measure::Buckets(at) => {
                let diversity = &rules.diversity[at];
                let mut held = vec![0; diversity.dealing.buckets() as usize];
                for value in self.values(rows, diversity) {
                    held[diversity.dealing.bucket(value)] = 1;
                }
                held
            }
            Measure::Rich(at) => {
                let diversity = &rules.diversity[at];
                let values = self.values(rows, diversity).len() as u64;
                vec![u64::from(values >= diversity.l.0)]
            }
        }
    }

    fn values(&self, rows: &[u32], diversity: &Diversity) -> BTreeSet<u32> {
        let mut combinations = BTreeSet::new();
        for &row in rows {
            combinations.insert(self.rows.combinations[row as usize]);
        }
        let mut values = BTreeSet::new();
        for combination in combinations {
            values.extend(self.schema.diverse_value(combination, diversity.attribute));
        }
        values
    }

    /// How many of a leaf's rows have each combination of sensitive values.
    pub(crate) fn totals(&mut self, tree: &CutTree, leaf: usize) -> Vec<u64> {
        let rows = self.rows.clone();
        let mut counts = vec![0; self.schema.combinations()];
        for &row in self.rows_of(tree, leaf) {
            counts[rows.combinations[row as usize] as usize] += 1;
        }
        counts
    }
}

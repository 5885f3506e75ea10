//! Which group a person is most likely in, where groups are published by their centroids: the
//! nearest one.
//!
//! Distances are those that microaggregation groups by: numbers and days in standard deviations of
//! the people's values, categories by how far up the hierarchy one must go to meet (0 to 1),
//! without a hierarchy 0 or 1; over columns Euclidean. A label that is not a single number counts
//! as 0 where it covers the value. Groups are kept in a tree whose nodes know how near they can be
//! at best; cost of a look-up: about its depth, more where many groups are equally near.

use mingle_model::{Code, Domain, Reading};

/// Groups by their centroids.
pub struct Centroids<'a> {
    columns: Vec<CentroidColumn<'a>>,
    groups: Vec<u32>,
    nodes: Vec<Node>,
    /// Per node and column.
    bounds: Vec<Bound>,
}

/// One column of all groups.
pub struct CentroidColumn<'a> {
    /// The people's values.
    pub domain: &'a Domain,
    /// What each label covers.
    pub readings: Vec<Reading>,
    /// The number that each label is, where it is one.
    pub points: Vec<Option<f64>>,
    /// Each group's label.
    pub labels: Vec<u32>,
    /// Per code of the people its number, where it has one.
    pub numbers: Vec<Option<f64>>,
    /// One over the standard deviation of the people's numbers.
    pub unit: f64,
}

/// Groups `from..to`, and where the second child is; the first follows its parent.
struct Node {
    from: u32,
    to: u32,
    second: u32,
}

/// The points and codes that the labels below a node lie between.
#[derive(Clone, Copy)]
struct Bound {
    points: (f64, f64),
    codes: (Code, Code),
    /// Whether all labels are points.
    sharp: bool,
}

const LEAF: usize = 8;

impl<'a> Centroids<'a> {
    /// Builds the tree.
    pub fn new(groups: usize, columns: Vec<CentroidColumn<'a>>) -> Centroids<'a> {
        let mut tree = Centroids {
            columns,
            groups: (0..groups as u32).collect(),
            nodes: Vec::new(),
            bounds: Vec::new(),
        };
        let mut order = std::mem::take(&mut tree.groups);
        if !order.is_empty() {
            tree.divide(&mut order, 0);
        }
        tree.groups = order;
        tree
    }

    /// Appends the group nearest to a person with these codes, and all that are exactly as near.
    pub fn nearest(&self, point: &[Code], found: &mut Vec<u32>) {
        let mut best = f64::INFINITY;
        let start = found.len();
        if !self.nodes.is_empty() {
            self.visit(0, point, &mut best, start, found);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn visit(&self, at: usize, point: &[Code], best: &mut f64, start: usize, found: &mut Vec<u32>) {
        let node = &self.nodes[at];
        if node.second == 0 {
            for &group in &self.groups[node.from as usize..node.to as usize] {
                let distance = self.distance(group, point);
                if distance < *best {
                    *best = distance;
                    found.truncate(start);
                }
                if distance == *best {
                    found.push(group);
                }
            }
            return;
        }
        let mut children =
            [at + 1, node.second as usize].map(|child| (self.at_best(child, point), child));
        if children[1].0 < children[0].0 {
            children.swap(0, 1);
        }
        for (at_best, child) in children {
            if at_best <= *best {
                self.visit(child, point, best, start, found);
            }
        }
    }

    fn distance(&self, group: u32, point: &[Code]) -> f64 {
        let one = |(column, &code): (&CentroidColumn<'_>, &Code)| {
            column.distance(column.labels[group as usize], code)
        };
        self.columns.iter().zip(point).map(one).map(|d| d * d).sum()
    }

    fn at_best(&self, node: usize, point: &[Code]) -> f64 {
        let bounds = &self.bounds[node * self.columns.len()..(node + 1) * self.columns.len()];
        let one = |((column, bound), &code): ((&CentroidColumn<'_>, &Bound), &Code)| {
            column.at_best(bound, code)
        };
        self.columns
            .iter()
            .zip(bounds)
            .zip(point)
            .map(one)
            .map(|d| d * d)
            .sum()
    }

    fn divide(&mut self, groups: &mut [u32], from: u32) {
        let at = self.nodes.len();
        self.nodes.push(Node {
            from,
            to: from + groups.len() as u32,
            second: 0,
        });
        let bounds: Vec<Bound> = self
            .columns
            .iter()
            .map(|column| column.bound(groups))
            .collect();
        let widest = self
            .columns
            .iter()
            .zip(&bounds)
            .map(|(column, bound)| column.width(bound))
            .enumerate();
        let widest = widest.reduce(|best, next| if next.1 > best.1 { next } else { best });
        self.bounds.extend(bounds);
        let Some((column, _)) = widest.filter(|&(_, width)| width > 0.0 && groups.len() > LEAF)
        else {
            return;
        };
        let column = &self.columns[column];
        let half = groups.len() / 2;
        let middle = |g: u32| column.middle(column.labels[g as usize]);
        groups.select_nth_unstable_by(half, |&a, &b| {
            middle(a).total_cmp(&middle(b)).then(a.cmp(&b))
        });
        let (left, right) = groups.split_at_mut(half);
        self.divide(left, from);
        self.nodes[at].second = self.nodes.len() as u32;
        self.divide(right, from + half as u32);
    }
}

impl CentroidColumn<'_> {
    fn distance(&self, label: u32, code: Code) -> f64 {
        match (self.points[label as usize], self.numbers[code as usize]) {
            (Some(point), Some(number)) => (point - number).abs() * self.unit,
            // a number and none
            (Some(_), None) => 1.0,
            (None, _) => {
                let reading = &self.readings[label as usize];
                if reading.covers(code) {
                    0.0
                } else {
                    reading
                        .ranges
                        .iter()
                        .map(|&range| self.apart(range, code))
                        .fold(1.0, f64::min)
                }
            }
        }
    }

    /// How far up the hierarchy a code meets codes of a range that it is not in.
    fn apart(&self, (lo, hi): (Code, Code), code: Code) -> f64 {
        let Some(tree) = self.domain.hierarchy() else {
            return 1.0;
        };
        // codes follow the tree, so the nearer end meets lowest
        let (a, b) = if code < lo { (code, lo) } else { (hi, code) };
        tree.lowest_common_ancestor(a, b).0 as f64 / tree.height() as f64
    }

    fn at_best(&self, bound: &Bound, code: Code) -> f64 {
        if bound.sharp {
            return match self.numbers[code as usize] {
                Some(n) => (bound.points.0 - n).max(n - bound.points.1).max(0.0) * self.unit,
                None => 1.0,
            };
        }
        let (lo, hi) = bound.codes;
        let may_be_point = bound.points.0 <= bound.points.1;
        if may_be_point || lo > hi || (lo <= code && code <= hi) {
            0.0
        } else {
            self.apart((lo, hi), code)
        }
    }

    fn bound(&self, groups: &[u32]) -> Bound {
        let mut bound = Bound {
            points: (f64::INFINITY, f64::NEG_INFINITY),
            codes: (Code::MAX, 0),
            sharp: true,
        };
        for &group in groups {
            let label = self.labels[group as usize] as usize;
            match self.points[label] {
                Some(p) => bound.points = (bound.points.0.min(p), bound.points.1.max(p)),
                None => {
                    bound.sharp = false;
                    for &(lo, hi) in &self.readings[label].ranges {
                        bound.codes = (bound.codes.0.min(lo), bound.codes.1.max(hi));
                    }
                }
            }
        }
        bound
    }

    /// How much there is to divide.
    fn width(&self, bound: &Bound) -> f64 {
        let (points, codes) = (
            bound.points.1 - bound.points.0,
            f64::from(bound.codes.1) - f64::from(bound.codes.0),
        );
        (points.max(0.0) * self.unit).max(codes.max(0.0) / self.domain.len() as f64)
    }

    fn middle(&self, label: u32) -> f64 {
        let ranges = &self.readings[label as usize].ranges;
        let codes = ranges
            .first()
            .zip(ranges.last())
            .map(|(a, b)| (f64::from(a.0) + f64::from(b.1)) / 2.0);
        self.points[label as usize].or(codes).unwrap_or(0.0)
    }
}

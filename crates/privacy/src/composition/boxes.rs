//! Which groups contain a person: boxes in a tree.
//!
//! A group's label in a column is a set of codes. Where a column has at most 64 values the set is
//! kept as bits, else as its smallest and largest code with a closer look where it has gaps. A node
//! of the tree keeps the union of what is below it. Groups are divided at the median of the column
//! in which their middles lie furthest apart for their width. Cost of a look-up: about the depth of
//! the tree and the groups that are found, where groups hardly overlap.

use mingle_model::{Code, Reading};

/// Groups as boxes.
pub struct Boxes {
    columns: Vec<Side>,
    /// Per group (as ordered in `groups`) and column what the label covers.
    sides: Vec<u64>,
    groups: Vec<u32>,
    nodes: Vec<Node>,
    /// Per node and column.
    bounds: Vec<u64>,
}

/// How a column's codes are covered.
struct Side {
    form: Form,
    /// The exact ranges of labels with gaps, by group; empty where no label has any.
    gaps: Vec<Option<Ranges>>,
}

type Ranges = Box<[(Code, Code)]>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A bit for each code.
    Bits,
    /// The smallest code in the upper half, the largest in the lower.
    Span,
}

/// Groups `from..to`, and where the second child is; the first follows its parent.
struct Node {
    from: u32,
    to: u32,
    second: u32,
}

const LEAF: usize = 8;

/// One column of all groups.
pub struct BoxColumn<'a> {
    /// How many values the people have.
    pub values: usize,
    /// What each label covers.
    pub readings: &'a [Reading],
    /// Each group's label.
    pub labels: &'a [u32],
}

impl Boxes {
    /// Builds the tree. A group with a label that covers nobody is left out.
    pub fn new(groups: usize, columns: &[BoxColumn<'_>]) -> Boxes {
        let inhabited = |g: usize| {
            columns
                .iter()
                .all(|c| !c.readings[c.labels[g] as usize].ranges.is_empty())
        };
        let groups: Vec<u32> = (0..groups)
            .filter(|&g| inhabited(g))
            .map(|g| g as u32)
            .collect();
        let forms: Vec<Form> = columns
            .iter()
            .map(|c| {
                if c.values <= 64 {
                    Form::Bits
                } else {
                    Form::Span
                }
            })
            .collect();
        let per_label: Vec<Vec<u64>> = columns
            .iter()
            .zip(&forms)
            .map(|(c, &form)| c.readings.iter().map(|r| side(form, r)).collect())
            .collect();
        let side_of =
            |group: u32, c: usize| per_label[c][columns[c].labels[group as usize] as usize];
        let mut build = Build {
            forms: &forms,
            nodes: Vec::new(),
            bounds: Vec::new(),
        };
        let mut order = groups;
        if !order.is_empty() {
            build.divide(&mut order, 0, &side_of);
        }
        let (nodes, bounds) = (build.nodes, build.bounds);
        let sides = order
            .iter()
            .flat_map(|&g| (0..columns.len()).map(move |c| (g, c)))
            .map(|(g, c)| side_of(g, c));
        let sides = sides.collect();
        let gaps = |c: &BoxColumn<'_>, form: Form| {
            let any = form == Form::Span && c.readings.iter().any(|r| r.ranges.len() > 1);
            let exact = |&g: &u32| {
                let reading = &c.readings[c.labels[g as usize] as usize];
                (reading.ranges.len() > 1).then(|| reading.ranges.clone().into_boxed_slice())
            };
            if any {
                order.iter().map(exact).collect()
            } else {
                Vec::new()
            }
        };
        let columns = columns
            .iter()
            .zip(&forms)
            .map(|(c, &form)| Side {
                form,
                gaps: gaps(c, form),
            })
            .collect();
        Boxes {
            columns,
            sides,
            groups: order,
            nodes,
            bounds,
        }
    }

    /// Appends the groups that contain a person with these codes, in no particular order.
    pub fn containing(&self, point: &[Code], stack: &mut Vec<u32>, found: &mut Vec<u32>) {
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push(0);
        }
        while let Some(at) = stack.pop() {
            if !self.covers(&self.bounds, at as usize, point) {
                continue;
            }
            let node = &self.nodes[at as usize];
            match node.second {
                0 => {
                    let inside = |&place: &u32| self.contains(place as usize, point);
                    found.extend(
                        (node.from..node.to)
                            .filter(inside)
                            .map(|place| self.groups[place as usize]),
                    );
                }
                second => stack.extend([second, at + 1]),
            }
        }
    }

    #[inline]
    fn covers(&self, sides: &[u64], at: usize, point: &[Code]) -> bool {
        let sides = &sides[at * point.len()..(at + 1) * point.len()];
        self.columns
            .iter()
            .zip(sides)
            .zip(point)
            .all(|((column, &side), &code)| column.form.has(side, code))
    }

    fn contains(&self, place: usize, point: &[Code]) -> bool {
        let closer =
            |(column, &code): (&Side, &Code)| match column.gaps.get(place).and_then(Option::as_ref)
            {
                Some(ranges) => ranges.iter().any(|&(lo, hi)| lo <= code && code <= hi),
                None => true,
            };
        self.covers(&self.sides, place, point) && self.columns.iter().zip(point).all(closer)
    }
}

/// What a label covers.
fn side(form: Form, reading: &Reading) -> u64 {
    match (form, reading.ranges.first().zip(reading.ranges.last())) {
        (_, None) => 0,
        (Form::Span, Some((&(lo, _), &(_, hi)))) => u64::from(lo) << 32 | u64::from(hi),
        (Form::Bits, _) => reading
            .ranges
            .iter()
            .flat_map(|&(lo, hi)| lo..=hi)
            .fold(0, |bits, code| bits | 1 << code),
    }
}

impl Form {
    #[inline]
    fn has(self, side: u64, code: Code) -> bool {
        match self {
            Form::Bits => side >> code & 1 == 1,
            Form::Span => (side >> 32) as u32 <= code && code <= side as u32,
        }
    }

    fn union(self, a: u64, b: u64) -> u64 {
        match self {
            Form::Bits => a | b,
            Form::Span => (a >> 32).min(b >> 32) << 32 | u64::from((a as u32).max(b as u32)),
        }
    }

    /// The smallest and largest code of a side.
    fn ends(self, side: u64) -> (u32, u32) {
        match self {
            Form::Bits => (side.trailing_zeros(), 63 - side.leading_zeros()),
            Form::Span => ((side >> 32) as u32, side as u32),
        }
    }
}

struct Build<'a> {
    forms: &'a [Form],
    nodes: Vec<Node>,
    bounds: Vec<u64>,
}

impl Build<'_> {
    /// Makes a node of these groups, which stand at `from`, and of all that are below it.
    fn divide(&mut self, groups: &mut [u32], from: u32, side_of: &impl Fn(u32, usize) -> u64) {
        let at = self.nodes.len();
        self.nodes.push(Node {
            from,
            to: from + groups.len() as u32,
            second: 0,
        });
        for (c, form) in self.forms.iter().enumerate() {
            let union = groups
                .iter()
                .map(|&g| side_of(g, c))
                .reduce(|a, b| form.union(a, b));
            self.bounds.push(union.unwrap_or(0));
        }
        let Some(column) = self.widest(groups, side_of).filter(|_| groups.len() > LEAF) else {
            return;
        };
        let middle = |&g: &u32| {
            let (lo, hi) = self.forms[column].ends(side_of(g, column));
            (u64::from(lo) + u64::from(hi), g)
        };
        let half = groups.len() / 2;
        groups.select_nth_unstable_by_key(half, middle);
        let (left, right) = groups.split_at_mut(half);
        self.divide(left, from, side_of);
        self.nodes[at].second = self.nodes.len() as u32;
        self.divide(right, from + half as u32, side_of);
    }

    /// The column in which the groups' middles lie furthest apart for their width; `None` where
    /// they all coincide.
    fn widest(&self, groups: &[u32], side_of: &impl Fn(u32, usize) -> u64) -> Option<usize> {
        let score = |c: usize| {
            let (mut least, mut most, mut width) = (f64::MAX, 0f64, 0f64);
            for &g in groups {
                let (lo, hi) = self.forms[c].ends(side_of(g, c));
                let middle = f64::from(lo) + f64::from(hi);
                (least, most) = (least.min(middle), most.max(middle));
                width += f64::from(hi - lo) + 1.0;
            }
            (most - least) * groups.len() as f64 / width
        };
        let scored = (0..self.forms.len())
            .map(|c| (score(c), c))
            .filter(|&(score, _)| score > 0.0);
        scored
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .map(|(_, c)| c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_tree_finds_what_looking_at_every_group_finds() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for round in 0..300 {
            let groups = random.random_range(0..60usize);
            let sizes: Vec<usize> = (0..random.random_range(1..4))
                .map(|_| [3, 64, 65, 200][random.random_range(0..4)])
                .collect();
            let readings: Vec<Vec<Reading>> = sizes
                .iter()
                .map(|&n| (0..20).map(|_| reading(&mut random, n as u32)).collect())
                .collect();
            let labels: Vec<Vec<u32>> = sizes
                .iter()
                .map(|_| (0..groups).map(|_| random.random_range(0..20)).collect())
                .collect();
            let columns: Vec<BoxColumn> = (0..sizes.len())
                .map(|c| BoxColumn {
                    values: sizes[c],
                    readings: &readings[c],
                    labels: &labels[c],
                })
                .collect();
            let tree = Boxes::new(groups, &columns);
            for _ in 0..50 {
                let point: Vec<Code> = sizes
                    .iter()
                    .map(|&n| random.random_range(0..n as u32))
                    .collect();
                let inside = |g: &u32| {
                    (0..sizes.len())
                        .all(|c| readings[c][labels[c][*g as usize] as usize].covers(point[c]))
                };
                let expected: Vec<u32> = (0..groups as u32).filter(inside).collect();
                let (mut stack, mut found) = (Vec::new(), Vec::new());
                tree.containing(&point, &mut stack, &mut found);
                found.sort_unstable();
                assert_eq!(found, expected, "round {round}");
            }
        }
    }

    /// One to three ranges, or none.
    fn reading(random: &mut ChaCha8Rng, values: u32) -> Reading {
        let mut codes: Vec<u32> = Vec::new();
        for _ in 0..random.random_range(0..4) {
            let lo = random.random_range(0..values);
            codes.extend(lo..=(lo + random.random_range(0..values)).min(values - 1));
        }
        codes.sort_unstable();
        codes.dedup();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for code in codes {
            match ranges.last_mut() {
                Some((_, hi)) if *hi + 1 == code => *hi = code,
                _ => ranges.push((code, code)),
            }
        }
        Reading {
            ranges,
            bounds: None,
        }
    }
}

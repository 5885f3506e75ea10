//! Which tuples or groups are cheapest to join: a search tree over extents.
//!
//! Each node keeps what all its items have in common (the largest lower end, the smallest upper end, the values in all
//! sets) and their smallest number of rows. A union with any of them costs at least as much as one with that common
//! part, because costs grow with extents; so whole branches are passed over. Building
//! costs `O(n log n)`; a query visits a small part of the tree, the smaller the denser the data.

use crate::loss::{Extents, Loss};

/// How many items a leaf may hold.
const LEAF: usize = 8;
/// Above this many items, both halves of the tree are built at the same time.
const PARALLEL: usize = 4096;

/// Branches that could improve on what is found by less than this factor are passed over: half the work, hardly worse.
const TOLERANCE: f32 = 1.4;

/// A search tree over items: extents with a number of rows each.
pub struct Index<'a> {
    loss: &'a Loss<'a>,
    /// Item ids, leaf by leaf.
    items: Vec<u32>,
    /// The items' extents and rows in the same order, so that a leaf is one piece of memory.
    extents: Extents,
    rows: Vec<f32>,
    tree: Tree,
}

/// Nodes in depth-first order.
struct Tree {
    nodes: Vec<Node>,
    /// Per node what its items have in common.
    common: Extents,
}

struct Node {
    start: u32,
    end: u32,
    /// How far behind this node its right child stands; the left one is the next node. 0 for leaves.
    right: u32,
    /// The fewest rows of an item.
    rows: f32,
}

/// Who is looking for company.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// What it covers.
    pub extent: (&'a Extents, usize),
    /// How many rows it has.
    pub rows: f32,
}

impl<'a> Index<'a> {
    /// Builds the tree over these items.
    pub fn new(loss: &'a Loss<'a>, extents: &Extents, rows: &[f32], mut items: Vec<u32>) -> Self {
        let builder = Builder { loss, extents, rows };
        let tree = match items.is_empty() {
            true => Tree { nodes: Vec::new(), common: loss.extents() },
            false => builder.build(&mut items, 0),
        };
        let mut sorted = loss.extents();
        items.iter().for_each(|&i| sorted.push_from(extents, i as usize));
        let rows = items.iter().map(|&i| rows[i as usize]).collect();
        Index { loss, items, extents: sorted, rows, tree }
    }

    /// The items in the order of the leaves: neighbours are alike.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Adds to `found` the items with the cheapest unions, `count` of them at most and the cheapest first.
    ///
    /// A union costs its rows times its loss per row. `found` may already hold items of another index; `skip` is left
    /// out.
    pub fn nearest(&self, query: Query, count: usize, skip: Option<u32>, found: &mut Vec<(f32, u32)>) {
        if !self.tree.nodes.is_empty() && count > 0 {
            self.descend(0, query, count, skip, found);
        }
    }

    fn descend(&self, node: usize, query: Query, count: usize, skip: Option<u32>, found: &mut Vec<(f32, u32)>) {
        let Node { start, end, right, .. } = self.tree.nodes[node];
        if right == 0 {
            for at in start as usize..end as usize {
                if Some(self.items[at]) != skip {
                    self.offer(query, at, count, found);
                }
            }
            return;
        }
        let limit = limit(found, count);
        let mut children = [node + 1, node + right as usize].map(|child| (self.bound(child, query, limit), child));
        if children[1].0 < children[0].0 {
            children.swap(0, 1);
        }
        for (least, child) in children {
            if least * TOLERANCE < self::limit(found, count) {
                self.descend(child, query, count, skip, found);
            }
        }
    }

    fn bound(&self, node: usize, query: Query, limit: f32) -> f32 {
        let rows = query.rows + self.tree.nodes[node].rows;
        rows * self.loss.union(query.extent, (&self.tree.common, node), limit / rows)
    }

    fn offer(&self, query: Query, at: usize, count: usize, found: &mut Vec<(f32, u32)>) {
        let limit = limit(found, count);
        let rows = query.rows + self.rows[at];
        let cost = rows * self.loss.union(query.extent, (&self.extents, at), limit / rows);
        if cost < limit {
            let place = found.partition_point(|&(c, _)| c <= cost);
            found.insert(place, (cost, self.items[at]));
            found.truncate(count);
        }
    }
}

/// What an item must stay below to be among the best.
fn limit(found: &[(f32, u32)], count: usize) -> f32 {
    if found.len() < count { f32::INFINITY } else { found[count - 1].0 }
}

struct Builder<'a> {
    loss: &'a Loss<'a>,
    extents: &'a Extents,
    rows: &'a [f32],
}

impl Builder<'_> {
    fn build(&self, items: &mut [u32], start: usize) -> Tree {
        let n = items.len();
        let middle = if n > LEAF { self.cut(items) } else { None };
        let Some(middle) = middle else { return self.leaf(items, start) };
        let (left, right) = items.split_at_mut(middle);
        let (left, right) = match n > PARALLEL {
            true => rayon::join(|| self.build(left, start), || self.build(right, start + middle)),
            false => (self.build(left, start), self.build(right, start + middle)),
        };
        let mut common = self.loss.extents();
        common.push_from(&left.common, 0);
        common.meet_from(0, &right.common, 0);
        common.append(&left.common);
        common.append(&right.common);
        let rows = left.nodes[0].rows.min(right.nodes[0].rows);
        let node = Node { start: start as u32, end: (start + n) as u32, right: left.nodes.len() as u32 + 1, rows };
        Tree { nodes: [node].into_iter().chain(left.nodes).chain(right.nodes).collect(), common }
    }

    fn leaf(&self, items: &[u32], start: usize) -> Tree {
        let rows = items.iter().map(|&i| self.rows[i as usize]).fold(f32::INFINITY, f32::min);
        let mut common = self.loss.extents();
        common.push_from(self.extents, items[0] as usize);
        items[1..].iter().for_each(|&i| common.meet_from(0, self.extents, i as usize));
        let node = Node { start: start as u32, end: (start + items.len()) as u32, right: 0, rows };
        Tree { nodes: vec![node], common }
    }

    /// Reorders items so that a cut through the column that separates them best falls between them.
    fn cut(&self, items: &mut [u32]) -> Option<usize> {
        let n = items.len();
        let mut best = (0.0, 0, 0);
        let mut counts: Vec<u32> = Vec::new();
        for slot in 0..self.loss.slots() {
            let codes = items.iter().map(|&i| self.loss.top(self.extents, i as usize, slot));
            let (lo, hi) = codes.clone().fold((u32::MAX, 0), |(lo, hi), code| (lo.min(code), hi.max(code)));
            let cost = self.loss.range(slot, lo, hi);
            // half the cost is the most that a balanced cut can score
            if lo == hi || cost * 0.5 <= best.0 {
                continue;
            }
            let (cut, smaller) = if (hi - lo) as usize <= 4 * n {
                counts.clear();
                counts.resize((hi - lo) as usize + 1, 0);
                codes.for_each(|code| counts[(code - lo) as usize] += 1);
                median_of_counts(&counts, n, lo)
            } else {
                let mut sorted: Vec<u32> = codes.collect();
                sorted.sort_unstable();
                median_of_sorted(&sorted)
            };
            let score = cost * smaller as f32 / n as f32;
            if score > best.0 {
                best = (score, slot, cut);
            }
        }
        let (score, slot, cut) = best;
        if score == 0.0 {
            return None;
        }
        let (below, above): (Vec<u32>, Vec<u32>) =
            items.iter().partition(|&&i| self.loss.top(self.extents, i as usize, slot) < cut);
        items[..below.len()].copy_from_slice(&below);
        items[below.len()..].copy_from_slice(&above);
        Some(below.len())
    }
}

/// The code before which to cut so that both sides are as equal as can be, and the size of the smaller side.
fn median_of_counts(counts: &[u32], n: usize, lo: u32) -> (u32, usize) {
    let mut below = 0;
    let mut best = (lo + 1, 0);
    for (i, &count) in counts[..counts.len() - 1].iter().enumerate() {
        below += count as usize;
        if below.min(n - below) > best.1 {
            best = (lo + i as u32 + 1, below.min(n - below));
        }
    }
    best
}

/// The same for sorted codes.
fn median_of_sorted(sorted: &[u32]) -> (u32, usize) {
    let n = sorted.len();
    let middle = sorted[n / 2];
    let below = sorted.partition_point(|&c| c < middle);
    let through = sorted.partition_point(|&c| c <= middle);
    let smaller = |at: usize| at.min(n - at);
    if smaller(through) > smaller(below) { (sorted[through], smaller(through)) } else { (middle, smaller(below)) }
}

//! Which tuples or groups are cheapest to join: a search tree over extents.
//!
//! Each entry of a node keeps what all items below have in common (the largest lower end, the
//! smallest upper end, the values in all sets) and their smallest number of rows. A union with any
//! of them costs at least as much as one with that common part, because costs grow with extents; so
//! whole branches are passed over. Nodes have eight entries whose costs are looked up side by side:
//! that is what makes it quick. Building costs `O(n log n)`; a query visits a small part of the
//! tree, the smaller the denser the data.

use crate::loss::{Extents, GeneralizationCosts, LANES};

/// Above this many items, the parts of a node are built at the same time.
const PARALLEL: usize = 4096;
/// Branches that could improve on what is found by less than this factor are passed over: half the
/// work, hardly worse.
const TOLERANCE: f32 = 1.4;

/// A search tree over items: extents with a number of rows each.
pub struct Index<'a> {
    loss: &'a GeneralizationCosts<'a>,
    /// Item ids, leaf by leaf.
    items: Vec<u32>,
    tree: Tree,
}

/// Nodes, parents before their children. Children are found by their distance, so trees can be put
/// behind each other.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    /// Per node and column in the cost table, its entries' lower and upper ends.
    lows: Vec<[u16; LANES]>,
    highs: Vec<[u16; LANES]>,
    /// Per entry the whole extent; only kept where some columns are not in the table.
    extents: Extents,
}

struct Node {
    entries: usize,
    is_leaf: bool,
    /// Per entry the fewest rows of an item.
    rows: [f32; LANES],
    /// Per entry an item, or how far behind this node the child stands.
    targets: [u32; LANES],
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
    pub fn new(
        loss: &'a GeneralizationCosts<'a>,
        extents: &Extents,
        rows: &[f32],
        mut items: Vec<u32>,
    ) -> Self {
        let tree = if items.is_empty() {
            Tree::default()
        } else {
            Builder {
                loss,
                extents,
                rows,
            }
            .build(&mut items)
            .0
        };
        Index { loss, items, tree }
    }

    /// The items in the order of the leaves: neighbours are alike.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Adds to `found` the items with the cheapest unions, `count` of them at most and the cheapest
    /// first.
    ///
    /// A union costs its rows times its loss per row. `found` may already hold items of another
    /// index; `skip` is left out.
    pub fn nearest(
        &self,
        query: Query,
        count: usize,
        skip: Option<u32>,
        found: &mut Vec<(f32, u32)>,
    ) {
        if !self.tree.nodes.is_empty() && count > 0 {
            self.descend(0, query, count, skip, found);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn descend(
        &self,
        at: usize,
        query: Query,
        count: usize,
        skip: Option<u32>,
        found: &mut Vec<(f32, u32)>,
    ) {
        let node = &self.tree.nodes[at];
        let mut costs = self.costs(at, node, query);
        let costs = &mut costs[..node.entries];
        if node.is_leaf {
            for &(cost, item) in costs.iter() {
                if cost < limit(found, count) && Some(item) != skip {
                    let place = found.partition_point(|&(c, _)| c <= cost);
                    found.insert(place, (cost, item));
                    found.truncate(count);
                }
            }
            return;
        }
        costs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(least, child) in costs.iter() {
            if least * TOLERANCE >= limit(found, count) {
                break;
            }
            self.descend(at + child as usize, query, count, skip, found);
        }
    }

    /// What a union with each entry costs, or at least costs.
    fn costs(&self, at: usize, node: &Node, query: Query) -> [(f32, u32); LANES] {
        let narrow = self.loss.narrow();
        let lows = &self.tree.lows[at * narrow..][..narrow];
        let highs = &self.tree.highs[at * narrow..][..narrow];
        let mut per_row = self.loss.side_by_side(query.extent, lows, highs);
        if self.loss.has_others() {
            for (lane, cost) in per_row[..node.entries].iter_mut().enumerate() {
                *cost += self.loss.others(
                    query.extent,
                    (&self.tree.extents, at * LANES + lane),
                    f32::INFINITY,
                );
            }
        }
        std::array::from_fn(|lane| {
            (
                (query.rows + node.rows[lane]) * per_row[lane],
                node.targets[lane],
            )
        })
    }
}

/// What an item must stay below to be among the best.
fn limit(found: &[(f32, u32)], count: usize) -> f32 {
    if found.len() < count {
        f32::INFINITY
    } else {
        found[count - 1].0
    }
}

struct Builder<'a> {
    loss: &'a GeneralizationCosts<'a>,
    extents: &'a Extents,
    rows: &'a [f32],
}

/// A finished tree, what all its items have in common, and their fewest rows.
type Built = (Tree, Extents, f32);

impl Builder<'_> {
    fn build(&self, items: &mut [u32]) -> Built {
        if items.len() <= LANES {
            let entries = items
                .iter()
                .map(|&i| (i, (self.extents, i as usize), self.rows[i as usize]));
            return self.node(true, entries);
        }
        let n = items.len();
        let parts = self.parts(items);
        let built: Vec<Built> = if n > PARALLEL {
            use rayon::prelude::*;
            parts.into_par_iter().map(|part| self.build(part)).collect()
        } else {
            parts.into_iter().map(|part| self.build(part)).collect()
        };
        let distances = built.iter().scan(1, |next, (tree, ..)| {
            let distance = *next;
            *next += tree.nodes.len() as u32;
            Some(distance)
        });
        let entries = distances
            .zip(&built)
            .map(|(distance, (_, common, rows))| (distance, (common, 0), *rows));
        let (mut tree, common, rows) = self.node(false, entries);
        for (below, ..) in &built {
            tree.lows.extend_from_slice(&below.lows);
            tree.highs.extend_from_slice(&below.highs);
            tree.extents.append(&below.extents);
        }
        tree.nodes
            .extend(built.into_iter().flat_map(|(below, ..)| below.nodes));
        (tree, common, rows)
    }

    /// A tree of one node.
    fn node<'e>(
        &self,
        is_leaf: bool,
        entries: impl Iterator<Item = (u32, (&'e Extents, usize), f32)>,
    ) -> Built {
        let mut node = Node {
            entries: 0,
            is_leaf,
            rows: [0.0; LANES],
            targets: [0; LANES],
        };
        let narrow = self.loss.narrow();
        let mut tree = Tree {
            extents: self.loss.extents(),
            ..Tree::default()
        };
        tree.lows.resize(narrow, [0; LANES]);
        tree.highs.resize(narrow, [0; LANES]);
        let mut common = self.loss.extents();
        let mut least = f32::INFINITY;
        for (target, (extents, group), rows) in entries {
            let lane = node.entries;
            (node.targets[lane], node.rows[lane]) = (target, rows);
            for (column, &(low, high)) in extents.ends_of(group).iter().enumerate() {
                (tree.lows[column][lane], tree.highs[column][lane]) = (low, high);
            }
            if common.is_empty() {
                common.push_from(extents, group)
            } else {
                common.meet_from(0, extents, group)
            }
            if self.loss.has_others() {
                tree.extents.push_from(extents, group);
            }
            least = least.min(rows);
            node.entries += 1;
        }
        if self.loss.has_others() {
            (node.entries..LANES).for_each(|_| tree.extents.push_from(&common, 0));
        }
        tree.nodes.push(node);
        (tree, common, least)
    }

    /// Cuts the items into at most eight parts, the largest first.
    fn parts<'i>(&self, items: &'i mut [u32]) -> Vec<&'i mut [u32]> {
        let mut parts = vec![items];
        while parts.len() < LANES {
            let largest = (0..parts.len())
                .max_by_key(|&p| (parts[p].len(), p))
                .expect("there is a part");
            if parts[largest].len() <= LANES {
                break;
            }
            let part = parts.swap_remove(largest);
            // items that are all alike are cut anywhere
            let middle = self.cut(part).unwrap_or(part.len() / 2);
            let (left, right) = part.split_at_mut(middle);
            parts.extend([left, right]);
        }
        parts
    }

    /// Reorders items so that a cut through the column that separates them best falls between them.
    fn cut(&self, items: &mut [u32]) -> Option<usize> {
        let n = items.len();
        let mut best = (0.0, 0, 0);
        let mut counts: Vec<u32> = Vec::new();
        for slot in 0..self.loss.slots() {
            let codes = items
                .iter()
                .map(|&i| self.loss.top(self.extents, i as usize, slot));
            let (lo, hi) = codes
                .clone()
                .fold((u32::MAX, 0), |(lo, hi), code| (lo.min(code), hi.max(code)));
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
        let (below, above): (Vec<u32>, Vec<u32>) = items
            .iter()
            .partition(|&&i| self.loss.top(self.extents, i as usize, slot) < cut);
        items[..below.len()].copy_from_slice(&below);
        items[below.len()..].copy_from_slice(&above);
        Some(below.len())
    }
}

/// The code before which to cut so that both sides are as equal as can be, and the size of the
/// smaller side.
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
    if smaller(through) > smaller(below) {
        (sorted[through], smaller(through))
    } else {
        (middle, smaller(below))
    }
}

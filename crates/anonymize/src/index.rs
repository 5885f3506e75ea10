//! Which tuples or groups are cheapest to join: a search tree over extents.
//!
//! Each entry of a node keeps what all items below have in common (the largest lower end, the
//! smallest upper end, the values in all sets) and their smallest number of rows. A union with any
//! of them costs at least as much as one with that common part, because costs grow with extents; so
//! whole branches are passed over. Nodes have eight entries whose costs are looked up side by side:
//! that is what makes it quick. Building costs `O(n log n)`; a query visits a small part of the
//! tree, the smaller the denser the data, and never more than [`MOST_VISITS`] nodes. The tree is cut
//! in the columns where two items that differ cost most: a code out of hundreds hardly matters.

use crate::loss::{EntryBounds, Extents, GeneralizationCosts, LANES};

/// Above this many items, the parts of a node are built at the same time.
const PARALLEL: usize = 4096;
/// Branches that could improve on what is found by less than this factor are passed over: half the
/// work, hardly worse.
pub const TOLERANCE: f32 = 1.2;
/// The same in tables that are searched in pieces, where the nearest are near anyway: a fifth less
/// work.
pub const TOLERANCE_AMONG_MANY: f32 = 1.5;
/// A query looks at so many nodes at most, the most promising first. Few tables need as many; where
/// dozens of columns differ at random hardly a branch can be passed over, and without a limit each
/// query would look at the whole table.
const MOST_VISITS: usize = 400;

/// A search tree over items: extents with a number of rows each.
pub struct Index<'a> {
    loss: &'a GeneralizationCosts<'a>,
    /// The items' extents, by id.
    extents: &'a Extents,
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
    /// Per node and column that is not in the table, what is below its entries.
    bounds: Vec<EntryBounds>,
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
    /// Branches that could improve on what is found by less than this factor are passed over.
    pub tolerance: f32,
}

impl<'a> Index<'a> {
    /// Builds the tree over these items.
    pub fn new(
        loss: &'a GeneralizationCosts<'a>,
        extents: &'a Extents,
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
        };
        Index {
            loss,
            extents,
            items,
            tree,
        }
    }

    /// The items in the order of the leaves: neighbours are alike.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Adds to `found` the items with the cheapest unions among those that `accepts` lets through,
    /// `count` of them at most and the cheapest first.
    ///
    /// A union costs its rows times its loss per row. `found` may already hold items of another
    /// index. Items are asked about only when they are cheap enough, so asking may cost something.
    pub fn nearest(
        &self,
        query: Query,
        count: usize,
        accepts: impl Fn(u32) -> bool,
        found: &mut Vec<(f32, u32)>,
    ) {
        if !self.tree.nodes.is_empty() && count > 0 {
            self.descend(
                0,
                query,
                &mut Nearest {
                    count,
                    accepts,
                    found,
                    visits_left: MOST_VISITS,
                },
            );
        }
    }

    fn descend<A: Fn(u32) -> bool>(&self, at: usize, query: Query, nearest: &mut Nearest<'_, A>) {
        let node = &self.tree.nodes[at];
        nearest.visits_left = nearest.visits_left.saturating_sub(1);
        let mut costs = self.costs(at, node, query);
        let costs = &mut costs[..node.entries];
        if node.is_leaf {
            for &(cost, item) in costs.iter() {
                nearest.offer(cost, item);
            }
            return;
        }
        costs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(least, child) in costs.iter() {
            if least * query.tolerance >= nearest.limit() || nearest.is_spent() {
                break;
            }
            self.descend(at + child as usize, query, nearest);
        }
    }

    /// What a union with each entry costs, or at least costs.
    fn costs(&self, at: usize, node: &Node, query: Query) -> [(f32, u32); LANES] {
        let narrow = self.loss.narrow();
        let lows = &self.tree.lows[at * narrow..][..narrow];
        let highs = &self.tree.highs[at * narrow..][..narrow];
        let mut per_row = self.loss.side_by_side(query.extent, lows, highs);
        if self.loss.wide() > 0 {
            let wide = self.loss.wide();
            let bounds = &self.tree.bounds[at * wide..][..wide];
            if node.is_leaf {
                let items = (self.extents, &node.targets[..node.entries]);
                self.loss
                    .add_unions(query.extent, bounds, items, &mut per_row);
            } else {
                self.loss.add_bounds(query.extent, bounds, &mut per_row);
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

/// The best items so far.
struct Nearest<'f, A> {
    count: usize,
    accepts: A,
    found: &'f mut Vec<(f32, u32)>,
    /// How many nodes may still be looked at.
    visits_left: usize,
}

impl<A: Fn(u32) -> bool> Nearest<'_, A> {
    /// What an item must stay below to be among the best.
    fn limit(&self) -> f32 {
        if self.found.len() < self.count {
            f32::INFINITY
        } else {
            self.found[self.count - 1].0
        }
    }

    /// Whether enough was looked at. Whoever has found nobody at all goes on.
    fn is_spent(&self) -> bool {
        self.visits_left == 0 && !self.found.is_empty()
    }

    fn offer(&mut self, cost: f32, item: u32) {
        if cost < self.limit() && (self.accepts)(item) {
            let place = self.found.partition_point(|&(c, _)| c <= cost);
            self.found.insert(place, (cost, item));
            self.found.truncate(self.count);
        }
    }
}

struct Builder<'a> {
    loss: &'a GeneralizationCosts<'a>,
    extents: &'a Extents,
    rows: &'a [f32],
}

impl Builder<'_> {
    fn build(&self, items: &mut [u32]) -> Tree {
        if items.len() <= LANES {
            return self.leaf(items);
        }
        let n = items.len();
        let parts = self.parts(items);
        let children: Vec<Tree> = if n > PARALLEL {
            use rayon::prelude::*;
            parts.into_par_iter().map(|part| self.build(part)).collect()
        } else {
            parts.into_iter().map(|part| self.build(part)).collect()
        };
        self.above(children)
    }

    /// A tree of one node, whose entries are items.
    fn leaf(&self, items: &[u32]) -> Tree {
        let mut tree = self.one_node(true);
        for (lane, &item) in items.iter().enumerate() {
            let ends = self.extents.ends_of(item as usize);
            for (column, &(low, high)) in ends.iter().enumerate() {
                (tree.lows[column][lane], tree.highs[column][lane]) = (low, high);
            }
            self.loss
                .enter(&mut tree.bounds, lane, self.extents, item as usize);
            tree.nodes[0].targets[lane] = item;
            tree.nodes[0].rows[lane] = self.rows[item as usize];
        }
        tree.nodes[0].entries = items.len();
        tree
    }

    /// A node whose entries are these trees, followed by them.
    fn above(&self, children: Vec<Tree>) -> Tree {
        let mut tree = self.one_node(false);
        tree.nodes[0].entries = children.len();
        let mut distance = 1;
        for (lane, child) in children.iter().enumerate() {
            // what is below an entry is what is below all entries of the child's first node
            let root = &child.nodes[0];
            for column in 0..self.loss.narrow() {
                let lows = &child.lows[column][..root.entries];
                let highs = &child.highs[column][..root.entries];
                tree.lows[column][lane] = lows.iter().copied().max().unwrap_or(0);
                tree.highs[column][lane] = highs.iter().copied().min().unwrap_or(0);
            }
            for column in 0..self.loss.wide() {
                let below = child.bounds[column];
                below.put_common(root.entries, &mut tree.bounds[column], lane);
            }
            let fewest = root.rows[..root.entries].iter().copied();
            tree.nodes[0].rows[lane] = fewest.fold(f32::INFINITY, f32::min);
            tree.nodes[0].targets[lane] = distance;
            distance += child.nodes.len() as u32;
        }
        for child in children {
            tree.nodes.extend(child.nodes);
            tree.lows.extend(child.lows);
            tree.highs.extend(child.highs);
            tree.bounds.extend(child.bounds);
        }
        tree
    }

    fn one_node(&self, is_leaf: bool) -> Tree {
        let node = Node {
            entries: 0,
            is_leaf,
            rows: [0.0; LANES],
            targets: [0; LANES],
        };
        Tree {
            nodes: vec![node],
            lows: vec![[0; LANES]; self.loss.narrow()],
            highs: vec![[0; LANES]; self.loss.narrow()],
            bounds: vec![EntryBounds::default(); self.loss.wide()],
        }
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
            let cost = self.loss.pair(slot, lo, hi);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::LabelRules;
    use crate::{LabelForm, MethodOptions};
    use mingle_model::{
        Column, ColumnSpec, Cube, HierarchySource, Kind, Missing, Providers, Role, Table,
    };
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// A number, a set, a hierarchy that is in the cost table and one that is too large for it.
    fn cube(rng: &mut ChaCha8Rng, rows: usize) -> Cube {
        let spec = |name: &str, kind, hierarchy| ColumnSpec {
            kind: Some(kind),
            hierarchy,
            ..ColumnSpec::new(name, Role::QuasiIdentifier)
        };
        let mut column = |spec: ColumnSpec, values: u32| {
            let mut texts = Vec::with_capacity(rows);
            for _ in 0..rows {
                let skewed = rng.random_range(0..values) * rng.random_range(0..values) / values;
                texts.push((10_000 + skewed).to_string());
            }
            let texts = texts.iter().map(String::as_str);
            Column::from_texts(spec, texts, &Missing::default()).expect("texts fit the kind")
        };
        let mask = |n| Some(HierarchySource::Mask(n));
        let columns = vec![
            column(spec("number", Kind::Integer, None), 900),
            column(spec("set", Kind::Category, None), 90),
            column(spec("small", Kind::Category, mask(3)), 30),
            column(spec("large", Kind::Category, mask(5)), 4_000),
            column(spec("listed", Kind::Category, mask(2)), 40),
        ];
        Cube::new(Table {
            columns,
            providers: Providers::new(vec!["A".into()]),
            provider_of: std::iter::repeat_n(0, rows).collect(),
            person_of: None,
        })
    }

    /// Some tuples alone and some groups of several.
    fn items(loss: &GeneralizationCosts, rng: &mut ChaCha8Rng) -> (Extents, Vec<f32>) {
        let mut extents = loss.extents();
        let mut rows = Vec::new();
        for tuple in 0..loss.cube().tuples() {
            if rows.len() > 1 && rng.random_range(0..4) == 0 {
                let group = rng.random_range(0..rows.len());
                let mut one = loss.extents();
                loss.push_tuple(&mut one, tuple);
                extents.join_from(group, &one, 0);
                rows[group] += 1.0;
            } else {
                loss.push_tuple(&mut extents, tuple);
                rows.push(1.0);
            }
        }
        (extents, rows)
    }

    /// What every item costs to join, by the definition.
    fn all_costs(
        loss: &GeneralizationCosts,
        extents: &Extents,
        rows: &[f32],
        query: usize,
    ) -> Vec<(f32, u32)> {
        let mut costs = Vec::new();
        for item in 0..rows.len() {
            if item != query {
                let union = loss.union((extents, query), (extents, item), f32::INFINITY);
                costs.push(((rows[query] + rows[item]) * union, item as u32));
            }
        }
        costs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        costs
    }

    #[test]
    fn bounds_never_exceed_what_lies_below_and_little_is_missed() {
        let mut rng = ChaCha8Rng::seed_from_u64(17);
        for form in [LabelForm::Hierarchy, LabelForm::Sets] {
            for _ in 0..8 {
                let cube = cube(&mut rng, 700);
                let options = MethodOptions {
                    labels: form,
                    max_label_values: rng.random_range(2..12),
                    ..MethodOptions::default()
                };
                let loss = GeneralizationCosts::weighted(
                    &cube,
                    &[1.0, 0.7, 1.3, 1.0, 1.0],
                    LabelRules::of(&options),
                );
                let (extents, rows) = items(&loss, &mut rng);
                let index = Index::new(&loss, &extents, &rows, (0..rows.len() as u32).collect());
                for query in (0..rows.len()).step_by(7) {
                    let expected = all_costs(&loss, &extents, &rows, query);
                    let asked = Query {
                        extent: (&extents, query),
                        rows: rows[query],
                        tolerance: TOLERANCE,
                    };
                    let mut found = Vec::new();
                    index.nearest(asked, 10, |item| item != query as u32, &mut found);
                    assert_eq!(found.len(), 10);
                    for (place, &(cost, item)) in found.iter().enumerate() {
                        let (exact, _) = *expected
                            .iter()
                            .find(|&&(_, other)| other == item)
                            .expect("an item that was asked for");
                        assert!((cost - exact).abs() <= 1e-3 * exact.max(1.0));
                        // a bound that is too high would hide cheap items behind it
                        let best = expected[place].0;
                        assert!(cost <= best * TOLERANCE + 1e-3, "{cost} instead of {best}");
                    }
                    let mut accepted = Vec::new();
                    index.nearest(asked, 3, |item| item % 5 == 0, &mut accepted);
                    assert!(accepted.iter().all(|&(_, item)| item % 5 == 0));
                    assert_eq!(accepted.len(), 3);
                }
            }
        }
    }
}

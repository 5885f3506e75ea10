//! Information loss of a group, as the searches see it: the sum over columns of what its cells
//! cost.
//!
//! The measure is NCP (normalized certainty penalty): a cell of a hierarchy or a set that covers v
//! of V occurring values costs 0 for v = 1, else v/V; a number without a hierarchy costs its range
//! over the column's; a missing value among numbers costs 1. It is computed from codes in fixed
//! point, for speed, and only guides a search: what a release really costs is measured from its
//! published labels elsewhere. Cost of an evaluation: about a nanosecond per column.

use crate::labels::LabelRules;
use mingle_model::{Cell, Code, Cube, Domain, Partition};

/// The extents of many groups: in every column the smallest and largest code, and for categories
/// without a hierarchy the set. Blocks of plain numbers, because the searches do little else than
/// compare extents.
#[derive(Clone, Debug, Default)]
pub struct Extents {
    /// How many columns are in the table.
    narrow: usize,
    /// Their lower and upper ends; a lower end is kept as the place where its row of the cost table
    /// begins.
    ends: Vec<(u16, u16)>,
    /// Columns that are not in the table, and how many of them there are.
    others: usize,
    spans: Vec<(Code, Code)>,
    words: usize,
    sets: Vec<u64>,
}

/// So many extents are compared side by side.
pub const LANES: usize = 8;

impl Extents {
    /// A group's ends in the columns that are in the cost table.
    pub fn ends_of(&self, group: usize) -> &[(u16, u16)] {
        part(&self.ends, group, self.narrow)
    }

    /// How many groups there are, in a table that has columns.
    fn len(&self) -> usize {
        match self.narrow {
            0 => self.spans.len() / self.others.max(1),
            narrow => self.ends.len() / narrow,
        }
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty() && self.spans.is_empty()
    }

    /// Forgets all groups.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.spans.clear();
        self.sets.clear();
    }

    /// Appends a copy of a group from another block.
    pub fn push_from(&mut self, other: &Extents, group: usize) {
        self.ends
            .extend_from_slice(part(&other.ends, group, self.narrow));
        self.spans
            .extend_from_slice(part(&other.spans, group, self.others));
        self.sets
            .extend_from_slice(part(&other.sets, group, self.words));
    }

    /// Overwrites a group with one from another block.
    pub fn set_from(&mut self, group: usize, other: &Extents, source: usize) {
        part_mut(&mut self.ends, group, self.narrow).copy_from_slice(part(
            &other.ends,
            source,
            self.narrow,
        ));
        part_mut(&mut self.spans, group, self.others).copy_from_slice(part(
            &other.spans,
            source,
            self.others,
        ));
        part_mut(&mut self.sets, group, self.words).copy_from_slice(part(
            &other.sets,
            source,
            self.words,
        ));
    }

    /// Grows a group to take in one from another block.
    pub fn join_from(&mut self, group: usize, other: &Extents, source: usize) {
        apply(
            part_mut(&mut self.ends, group, self.narrow),
            part(&other.ends, source, self.narrow),
            join,
        );
        apply(
            part_mut(&mut self.spans, group, self.others),
            part(&other.spans, source, self.others),
            join,
        );
        apply(
            part_mut(&mut self.sets, group, self.words),
            part(&other.sets, source, self.words),
            |a, b| a | b,
        );
    }

    /// Grows a group to take in another of the same block.
    pub fn join(&mut self, group: usize, other: usize) {
        for at in 0..self.narrow {
            let theirs = self.ends[other * self.narrow + at];
            let mine = &mut self.ends[group * self.narrow + at];
            *mine = join(*mine, theirs);
        }
        for at in 0..self.others {
            let theirs = self.spans[other * self.others + at];
            let mine = &mut self.spans[group * self.others + at];
            *mine = join(*mine, theirs);
        }
        for at in 0..self.words {
            self.sets[group * self.words + at] |= self.sets[other * self.words + at];
        }
    }
}

#[inline]
fn join<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.min(b.0), a.1.max(b.1))
}

#[inline]
fn meet<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.max(b.0), a.1.min(b.1))
}

#[inline]
fn part<T>(all: &[T], group: usize, width: usize) -> &[T] {
    &all[group * width..][..width]
}

#[inline]
fn part_mut<T>(all: &mut [T], group: usize, width: usize) -> &mut [T] {
    &mut all[group * width..][..width]
}

#[inline]
fn apply<T: Copy>(mine: &mut [T], theirs: &[T], with: impl Fn(T, T) -> T) {
    mine.iter_mut()
        .zip(theirs)
        .for_each(|(a, &b)| *a = with(*a, b));
}

/// How the cost of a column that is not in the table follows from its extent.
enum Scale {
    /// `position[hi] - position[lo]`, at most 1; a missing value stands one column's width below
    /// the others.
    Positions(Box<[f32]>),
    /// A large hierarchy: the cost of the lowest common ancestor.
    Tree(LargeTree),
    /// Share of the column's values in the set, kept in these words; a set that is too long to be
    /// published as one costs what is published instead.
    Words {
        start: usize,
        end: usize,
        share: f32,
        most_values: u32,
        instead: Option<LargeTree>,
    },
}

/// Columns of a cube and what generalizing them costs.
///
/// Columns are kept in slots: first those whose costs are looked up in one table, the ones with
/// fewest values (which cost most when they differ) in front, then the others.
pub struct GeneralizationCosts<'a> {
    cube: &'a Cube,
    /// Per slot its column.
    column_of: Vec<usize>,
    /// Per slot in the table: where its costs begin, and how many values it has.
    tables: Vec<(u16, u16)>,
    /// `costs[begin + lo * values + hi]`, in units of [`UNIT`]. Lower ends are kept as `begin + lo
    /// * values`, so that a look-up is one addition.
    costs: Vec<u32>,
    /// The slots behind those in the table.
    scales: Vec<Scale>,
    words: usize,
    /// Per slot what its cost counts.
    weights: Vec<f32>,
}

/// One column's full cost in fixed point.
const UNIT: f32 = 65_536.0;
/// Up to this many values, sets are exact while searching; beyond, ranges of codes stand in for
/// them.
const SET_LIMIT: usize = 1024;

impl<'a> GeneralizationCosts<'a> {
    /// Prepares the columns of a cube, all of equal weight.
    pub fn new(cube: &'a Cube) -> Self {
        let weights = vec![1.0; cube.quasi_identifiers().len()];
        GeneralizationCosts::weighted(cube, &weights, LabelRules::unlimited())
    }

    /// Prepares the columns of a cube, each with what its cost counts; groups are going to be
    /// published by these rules.
    pub fn weighted(cube: &'a Cube, weights: &[f32], rules: LabelRules) -> Self {
        let domain = |c: usize| &cube.quasi_identifiers()[c].domain;
        // sets of values that have an order are filled up to runs, and of two values every set is one
        let is_run = |c: usize| domain(c).is_ordered() || domain(c).len() <= 2;
        let is_set = |c: usize| rules.may_list(domain(c)) && !is_run(c);
        let most_values = u32::try_from(rules.most_values()).unwrap_or(u32::MAX);
        let mut by_size: Vec<usize> = (0..cube.quasi_identifiers().len()).collect();
        by_size.sort_by_key(|&c| (domain(c).len(), c));
        let mut loss = GeneralizationCosts {
            cube,
            column_of: Vec::new(),
            tables: Vec::new(),
            costs: Vec::new(),
            scales: Vec::new(),
            words: 0,
            weights: Vec::new(),
        };
        // 16 bits address the whole table
        let fits = |used: usize, c: usize| {
            !is_set(c) && used + domain(c).len().pow(2) <= usize::from(u16::MAX)
        };
        let mut rest = Vec::new();
        for c in by_size {
            if fits(loss.costs.len(), c) {
                loss.push_table(c, weights[c], most_values)
            } else {
                rest.push(c)
            }
        }
        for c in rest {
            loss.column_of.push(c);
            loss.weights.push(weights[c]);
            let scale = if is_set(c) && domain(c).len() <= SET_LIMIT {
                let start = loss.words;
                loss.words += domain(c).len().div_ceil(64);
                Scale::Words {
                    start,
                    end: loss.words,
                    share: 1.0 / domain(c).len() as f32,
                    most_values,
                    instead: domain(c).hierarchy().map(|_| LargeTree::new(domain(c))),
                }
            } else if domain(c).hierarchy().is_some() {
                Scale::Tree(LargeTree::new(domain(c)))
            } else {
                Scale::Positions(positions(domain(c)))
            };
            loss.scales.push(scale);
        }
        loss
    }

    fn push_table(&mut self, column: usize, weight: f32, most_values: u32) {
        let domain = &self.cube.quasi_identifiers()[column].domain;
        let values = domain.len() as Code;
        self.column_of.push(column);
        self.weights.push(weight);
        self.tables.push((self.costs.len() as u16, values as u16));
        let position = positions(domain);
        let cost = |lo: Code, hi: Code| match domain.hierarchy() {
            // bounds of a search may cross over; they cost nothing
            _ if lo > hi => 0.0,
            Some(_) => tree_cost(domain, lo, hi),
            None if domain.is_flat() => run_cost(domain, lo, hi, most_values),
            None => (position[hi as usize] - position[lo as usize]).min(1.0),
        };
        let pairs = (0..values).flat_map(|lo| (0..values).map(move |hi| (lo, hi)));
        self.costs
            .extend(pairs.map(|(lo, hi)| (weight * cost(lo, hi) * UNIT) as u32));
    }

    /// The cube whose columns these are.
    pub fn cube(&self) -> &'a Cube {
        self.cube
    }

    /// How many slots, one per column.
    pub fn slots(&self) -> usize {
        self.column_of.len()
    }

    /// No groups yet, in the layout of these columns.
    pub fn extents(&self) -> Extents {
        Extents {
            narrow: self.tables.len(),
            others: self.scales.len(),
            words: self.words,
            ..Extents::default()
        }
    }

    /// A tuple's code in a slot.
    #[inline]
    pub fn code(&self, tuple: usize, slot: usize) -> Code {
        let column = &self.cube.quasi_identifiers()[self.column_of[slot]];
        column.codes.get(tuple)
    }

    /// Appends the extent of a single tuple.
    pub fn push_tuple(&self, extents: &mut Extents, tuple: usize) {
        let code = |slot: usize| self.code(tuple, slot);
        for (slot, (begin, values)) in self.tables.iter().enumerate() {
            extents
                .ends
                .push((begin + code(slot) as u16 * values, code(slot) as u16));
        }
        let first = extents.sets.len();
        extents.sets.resize(first + self.words, 0);
        for (s, scale) in self.scales.iter().enumerate() {
            let code = code(self.tables.len() + s);
            extents.spans.push((code, code));
            if let Scale::Words { start, .. } = scale {
                extents.sets[first + start + code as usize / 64] |= 1 << (code % 64);
            }
        }
    }

    /// Appends the extent of some tuples together.
    pub fn push_box(&self, extents: &mut Extents, tuples: &[u32]) {
        let Some((&first, others)) = tuples.split_first() else {
            return;
        };
        let group = extents.len();
        self.push_tuple(extents, first as usize);
        let mut one = self.extents();
        for &tuple in others {
            one.clear();
            self.push_tuple(&mut one, tuple as usize);
            extents.join_from(group, &one, 0);
        }
    }

    /// The domain of a slot's column.
    pub fn domain(&self, slot: usize) -> &'a Domain {
        &self.cube.quasi_identifiers()[self.column_of[slot]].domain
    }

    /// The smallest and the largest code of a group in a slot.
    #[inline]
    pub fn span(&self, extents: &Extents, group: usize, slot: usize) -> (Code, Code) {
        match slot.checked_sub(self.tables.len()) {
            None => {
                let (low, high) = extents.ends[group * extents.narrow + slot];
                let (begin, values) = self.tables[slot];
                (Code::from((low - begin) / values), high.into())
            }
            Some(s) => extents.spans[group * extents.others + s],
        }
    }

    /// The largest code of a group in a slot.
    #[inline]
    pub fn top(&self, extents: &Extents, group: usize, slot: usize) -> Code {
        match slot.checked_sub(self.tables.len()) {
            None => extents.ends[group * extents.narrow + slot].1.into(),
            Some(s) => extents.spans[group * extents.others + s].1,
        }
    }

    /// What a range of codes costs in one slot.
    pub fn range(&self, slot: usize, lo: Code, hi: Code) -> f32 {
        match slot.checked_sub(self.tables.len()) {
            None => {
                let (begin, values) = self.tables[slot];
                self.costs[usize::from(begin) + lo as usize * usize::from(values) + hi as usize]
                    as f32
                    / UNIT
            }
            Some(s) => self.weights[slot] * self.scales[s].of_span(lo, hi),
        }
    }

    /// What two values cost in one slot when they are published together: the least that joining
    /// something at one end of a range of codes with something at the other can cost. Of a set these
    /// are two values, however many codes lie between them.
    pub fn pair(&self, slot: usize, one: Code, other: Code) -> f32 {
        let (lo, hi) = join((one, one), (other, other));
        let Some(s) = slot.checked_sub(self.tables.len()) else {
            return self.range(slot, lo, hi);
        };
        if lo == hi {
            return 0.0;
        }
        self.weights[slot] * self.scales[s].of_values(2, lo, hi)
    }

    /// What a range of codes costs in a column.
    pub fn range_of_column(&self, column: usize, lo: Code, hi: Code) -> f32 {
        let slot = self
            .column_of
            .iter()
            .position(|&c| c == column)
            .expect("every column has a slot");
        self.range(slot, lo, hi)
    }

    /// What a partition costs as it would be published, widened ends and all: rows times the loss
    /// of their labels, and whoever is left out as much as can be lost.
    pub fn of_partition(&self, partition: &Partition) -> f64 {
        let columns = self.slots();
        if columns == 0 {
            return 0.0;
        }
        let mut rows = vec![0.0f64; partition.cells.len() / columns];
        let mut sum = 0.0;
        for (&group, record) in partition.group_of.iter().zip(self.cube.records()) {
            if group == Partition::SUPPRESSED {
                sum += record.count as f64 * columns as f64;
                continue;
            }
            rows[group as usize] += record.count as f64;
        }
        for (cells, rows) in partition.cells.chunks(columns).zip(&rows) {
            let mut loss = 0.0;
            for (column, cell) in cells.iter().enumerate() {
                loss += self.of_cell(column, cell);
            }
            sum += rows * f64::from(loss);
        }
        sum
    }

    /// What a published cell costs in a column.
    pub fn of_cell(&self, column: usize, cell: &Cell) -> f32 {
        let slot = self
            .column_of
            .iter()
            .position(|&c| c == column)
            .expect("every column has a slot");
        let domain = &self.cube.quasi_identifiers()[column].domain;
        match cell {
            &Cell::Span { lo, hi } => self.range(slot, lo, hi),
            &Cell::Between { lo, hi } => {
                let width = domain
                    .extent()
                    .map_or(0.0, |(low, high)| (high - low) as f64);
                self.weights[slot]
                    * if width > 0.0 {
                        ((hi - lo) as f64 / width).min(1.0) as f32
                    } else {
                        0.0
                    }
            }
            Cell::Set(codes) if codes.len() < 2 => 0.0,
            Cell::Set(codes) => self.weights[slot] * codes.len() as f32 / domain.len() as f32,
            &Cell::Node { level, node } => {
                let (lo, hi) = domain
                    .hierarchy()
                    .map_or((0, 0), |tree| tree.leaves(usize::from(level), node));
                self.range(slot, lo, hi)
            }
            // a point is as precise as it looks only to a search, which makes none
            Cell::Centroid(_) | Cell::Mode(_) => 0.0,
            Cell::All => self.weights[slot],
        }
    }

    /// What a group costs per row, summed over columns.
    pub fn of(&self, extents: &Extents, group: usize) -> f32 {
        self.union((extents, group), (extents, group), f32::INFINITY)
    }

    /// What the union of two groups costs per row; stops early, with some value above `limit`, once
    /// it exceeds that.
    #[inline]
    pub fn union(&self, a: (&Extents, usize), b: (&Extents, usize), limit: f32) -> f32 {
        let most = (limit * UNIT) as u32;
        let sum = self.table_sum(a.0.ends_of(a.1), b.0.ends_of(b.1), most);
        let cost = sum as f32 / UNIT;
        if sum > most || self.scales.is_empty() {
            cost
        } else {
            cost + self.others(a, b, limit - cost)
        }
    }

    /// How many columns are in the cost table.
    pub fn narrow(&self) -> usize {
        self.tables.len()
    }

    /// What unions of a group with eight others cost per row in the columns of the cost table,
    /// given column by column.
    ///
    /// Written without early exits: eight independent sums keep the processor busier than one that
    /// may stop.
    #[inline]
    pub fn side_by_side(
        &self,
        (extents, group): (&Extents, usize),
        lows: &[[u16; LANES]],
        highs: &[[u16; LANES]],
    ) -> [f32; LANES] {
        let mut sums = [0u32; LANES];
        for (&own, (lows, highs)) in extents.ends_of(group).iter().zip(lows.iter().zip(highs)) {
            for lane in 0..LANES {
                sums[lane] += self.look_up(own, (lows[lane], highs[lane]));
            }
        }
        sums.map(|sum| sum as f32 / UNIT)
    }

    /// What the union of two groups costs in a column of the table, given their ends there.
    #[inline]
    fn look_up(&self, a: (u16, u16), b: (u16, u16)) -> u32 {
        // Both ends come from `push_tuple`, and joining and meeting only choose between such ends, so
        // that the place lies in its column's square of the table. An end of another cube's columns
        // would not: better no partition than one whose costs were made up.
        self.costs[usize::from(a.0.min(b.0)) + usize::from(a.1.max(b.1))]
    }

    /// The hottest loop of all: a few instructions per column, columns that cost most first, two at
    /// a time before looking whether that is enough already.
    #[inline]
    fn table_sum(&self, a: &[(u16, u16)], b: &[(u16, u16)], most: u32) -> u32 {
        let (pairs_a, rest_a) = a.as_chunks::<2>();
        let (pairs_b, rest_b) = b.as_chunks::<2>();
        let mut sum = 0;
        for (x, y) in pairs_a.iter().zip(pairs_b) {
            sum += self.look_up(x[0], y[0]) + self.look_up(x[1], y[1]);
            if sum > most {
                return sum;
            }
        }
        sum + rest_a
            .iter()
            .zip(rest_b)
            .map(|(&x, &y)| self.look_up(x, y))
            .sum::<u32>()
    }

    /// What the union of two groups costs per row in the columns that are not in the table; stops
    /// early above `limit`.
    pub fn others(&self, a: (&Extents, usize), b: (&Extents, usize), limit: f32) -> f32 {
        let spans_a = part(&a.0.spans, a.1, a.0.others);
        let spans_b = part(&b.0.spans, b.1, b.0.others);
        let mut sum = 0.0;
        for (s, scale) in self.scales.iter().enumerate() {
            let (lo, hi) = join(spans_a[s], spans_b[s]);
            if lo == hi {
                continue;
            }
            let cost = match scale {
                Scale::Words { start, end, .. } => {
                    let are_single = spans_a[s].0 == spans_a[s].1 && spans_b[s].0 == spans_b[s].1;
                    if are_single {
                        // nearly always, and then the sets need not be looked at
                        scale.of_values(2, lo, hi)
                    } else {
                        let words_a = &part(&a.0.sets, a.1, self.words)[*start..*end];
                        let words_b = &part(&b.0.sets, b.1, self.words)[*start..*end];
                        scale.of_values(values_of_both(words_a, words_b), lo, hi)
                    }
                }
                scale => scale.of_span(lo, hi),
            };
            sum += self.weights[self.tables.len() + s] * cost;
            if sum > limit {
                break;
            }
        }
        sum
    }

    /// Adds to `sums` what unions of a group with anything below each of eight entries of a search
    /// tree cost at least, in the columns that are not in the table.
    pub fn add_bounds(
        &self,
        (extents, group): (&Extents, usize),
        bounds: &[EntryBounds],
        sums: &mut [f32; LANES],
    ) {
        let own = part(&extents.spans, group, extents.others);
        for (s, scale) in self.scales.iter().enumerate() {
            let weight = self.weights[self.tables.len() + s];
            match scale {
                Scale::Words {
                    start, end, share, ..
                } => {
                    let words = &part(&extents.sets, group, self.words)[*start..*end];
                    let (mine, values) = folded(words, *share);
                    let (lo, hi) = own[s];
                    let alone = scale.of_values(values, lo, hi);
                    let with_another = scale.of_values(values + 1, lo, hi);
                    for (sum, mask) in sums.iter_mut().zip(bounds[s].masks) {
                        // an entry that has none of the group's values brings one more
                        let meets = mine.may_meet(mask);
                        *sum += weight * if meets { alone } else { with_another };
                    }
                }
                scale => scale.add_spans(own[s], &bounds[s], weight, sums),
            }
        }
    }

    /// Adds to `sums` what unions of a group with each of at most eight items cost, in the columns
    /// that are not in the table. The items' spans are given as the entries of a leaf.
    pub fn add_unions(
        &self,
        (extents, group): (&Extents, usize),
        bounds: &[EntryBounds],
        (of_items, items): (&Extents, &[u32]),
        sums: &mut [f32; LANES],
    ) {
        let own = part(&extents.spans, group, extents.others);
        for (s, scale) in self.scales.iter().enumerate() {
            let weight = self.weights[self.tables.len() + s];
            let Scale::Words { start, end, .. } = scale else {
                scale.add_spans(own[s], &bounds[s], weight, sums);
                continue;
            };
            let words = &part(&extents.sets, group, self.words)[*start..*end];
            let is_single = own[s].0 == own[s].1;
            for (lane, &item) in items.iter().enumerate() {
                let theirs = (bounds[s].lows[lane], bounds[s].highs[lane]);
                let (lo, hi) = join(own[s], theirs);
                if lo == hi {
                    continue;
                }
                let values = if is_single && theirs.0 == theirs.1 {
                    // nearly always, and then the sets need not be looked at
                    2
                } else {
                    let all = part(&of_items.sets, item as usize, self.words);
                    values_of_both(words, &all[*start..*end])
                };
                sums[lane] += weight * scale.of_values(values, lo, hi);
            }
        }
    }

    /// Puts an item into a lane of a search tree's entry, for the columns that are not in the
    /// table.
    pub fn enter(&self, bounds: &mut [EntryBounds], lane: usize, extents: &Extents, group: usize) {
        let spans = part(&extents.spans, group, extents.others);
        for (s, scale) in self.scales.iter().enumerate() {
            (bounds[s].lows[lane], bounds[s].highs[lane]) = spans[s];
            if let Scale::Words {
                start, end, share, ..
            } = scale
            {
                let words = &part(&extents.sets, group, self.words)[*start..*end];
                bounds[s].masks[lane] = folded(words, *share).0;
            }
        }
    }

    /// How many columns are not in the cost table.
    pub fn wide(&self) -> usize {
        self.scales.len()
    }
}

/// What the items below eight entries of a search tree have in common in a column that is not in
/// the cost table: the largest lower end and the smallest upper end, which may cross, and of sets
/// the values of all of them, folded into one word.
#[derive(Clone, Copy, Default, Debug)]
pub struct EntryBounds {
    lows: [Code; LANES],
    highs: [Code; LANES],
    masks: [FoldedSet; LANES],
}

impl EntryBounds {
    /// All lanes but the unused ones in one: what is below the parent's entry.
    pub fn put_common(&self, lanes: usize, into: &mut EntryBounds, lane: usize) {
        let mut common = (0, Code::MAX);
        let mut mask = FoldedSet::default();
        for own in 0..lanes {
            common = meet(common, (self.lows[own], self.highs[own]));
            mask = mask.joined(self.masks[own]);
        }
        (into.lows[lane], into.highs[lane]) = common;
        into.masks[lane] = mask;
    }
}

/// A set of values folded into two words: in which of 32 runs of codes there are values, and what
/// their codes are modulo 32. Branches of a search tree hold runs of codes, so that the first tells
/// them apart near the root and the second near the leaves.
#[derive(Clone, Copy, Default, Debug)]
struct FoldedSet {
    runs: u32,
    remainders: u32,
}

impl FoldedSet {
    /// Whether two sets may have a value in common; if not, they have none.
    #[inline]
    fn may_meet(self, other: FoldedSet) -> bool {
        self.runs & other.runs != 0 && self.remainders & other.remainders != 0
    }

    fn joined(self, other: FoldedSet) -> FoldedSet {
        FoldedSet {
            runs: self.runs | other.runs,
            remainders: self.remainders | other.remainders,
        }
    }
}

/// The values of a set folded, and how many there are; a value's share of the column says how long
/// runs are.
fn folded(words: &[u64], share: f32) -> (FoldedSet, u32) {
    let mut set = FoldedSet::default();
    let mut values = 0;
    for (first, &word) in (0..).step_by(64).zip(words) {
        let mut left = word;
        while left != 0 {
            let code: u32 = first + left.trailing_zeros();
            let run = ((code as f32 * share * 32.0) as u32).min(31);
            set.runs |= 1 << run;
            set.remainders |= 1 << (code % 32);
            values += 1;
            left &= left - 1;
        }
    }
    (set, values)
}

/// How many values two sets have together.
#[inline]
fn values_of_both(one: &[u64], other: &[u64]) -> u32 {
    let mut values = 0;
    for (mine, theirs) in one.iter().zip(other) {
        values += (mine | theirs).count_ones();
    }
    values
}

impl Scale {
    /// What a range of codes costs, for columns whose groups are ranges.
    fn of_span(&self, lo: Code, hi: Code) -> f32 {
        match self {
            _ if lo >= hi => 0.0,
            Scale::Positions(position) => (position[hi as usize] - position[lo as usize]).min(1.0),
            Scale::Tree(tree) => tree.cost(lo, hi),
            Scale::Words { .. } => self.of_values(hi - lo + 1, lo, hi),
        }
    }

    /// Adds what a span's unions with eight others cost, for columns whose groups are ranges.
    #[inline]
    fn add_spans(
        &self,
        own: (Code, Code),
        others: &EntryBounds,
        weight: f32,
        sums: &mut [f32; LANES],
    ) {
        let (lows, highs) = (&others.lows, &others.highs);
        match self {
            Scale::Positions(position) => {
                for lane in 0..LANES {
                    let (lo, hi) = join(own, (lows[lane], highs[lane]));
                    let width = position[hi as usize] - position[lo as usize];
                    sums[lane] += weight * width.clamp(0.0, 1.0);
                }
            }
            Scale::Tree(tree) => {
                for lane in 0..LANES {
                    let (lo, hi) = join(own, (lows[lane], highs[lane]));
                    sums[lane] += weight * tree.cost(lo, hi);
                }
            }
            Scale::Words { .. } => unreachable!("sets are no ranges"),
        }
    }

    /// What a set of so many values costs, the first and the last of which are these.
    #[inline]
    fn of_values(&self, values: u32, lo: Code, hi: Code) -> f32 {
        let Scale::Words {
            share,
            most_values,
            instead,
            ..
        } = self
        else {
            return self.of_span(lo, hi);
        };
        if values < 2 {
            return 0.0;
        }
        if values <= *most_values {
            return values as f32 * share;
        }
        match instead {
            Some(tree) => tree.cost(lo, hi).max(values as f32 * share),
            None => 1.0,
        }
    }
}

/// A hierarchy that is too large for the cost table: above each value the nodes of all levels next
/// to each other, so that a look-up reads few lines of the processor's cache and takes no branches.
struct LargeTree {
    /// How many groups of [`AT_ONCE`] nodes stand above a value.
    width: usize,
    /// Per value its node on each level, the lowest first, and then the root as often as fills the
    /// last group. Nodes of all levels have numbers of their own.
    nodes_above: Box<[[u32; AT_ONCE]]>,
    costs: Box<[f32]>,
}

/// So many levels are compared at once.
const AT_ONCE: usize = 4;

impl LargeTree {
    fn new(domain: &Domain) -> Self {
        let tree = domain.hierarchy().expect("only hierarchies have trees");
        let height = tree.height();
        let mut first_of_level = Vec::with_capacity(height);
        let mut costs = Vec::new();
        for level in 1..=height {
            first_of_level.push(costs.len() as u32);
            for node in 0..tree.nodes(level) as u32 {
                let (first, last) = tree.leaves(level, node);
                costs.push(share_of_leaves(domain, first, last));
            }
        }
        let root = costs.len() as u32;
        costs.push(1.0);
        // one more than the levels, so that two values always have a node in common
        let width = (height + 1).div_ceil(AT_ONCE);
        let mut nodes_above = vec![[root; AT_ONCE]; domain.len() * width];
        for code in 0..domain.len() as Code {
            let above = part_mut(&mut nodes_above, code as usize, width).as_flattened_mut();
            for level in 1..=height {
                above[level - 1] = first_of_level[level - 1] + tree.ancestor(code, level);
            }
        }
        LargeTree {
            width,
            nodes_above: nodes_above.into(),
            costs: costs.into(),
        }
    }

    #[inline]
    fn cost(&self, lo: Code, hi: Code) -> f32 {
        // bounds of a search may cross over; they cost nothing
        if lo >= hi {
            return 0.0;
        }
        let above_lo = part(&self.nodes_above, lo as usize, self.width);
        let above_hi = part(&self.nodes_above, hi as usize, self.width);
        // two values have different nodes up to some level, and the same ones from there on
        let mut level = 0;
        for (one, other) in above_lo.iter().zip(above_hi) {
            for at in 0..AT_ONCE {
                level += u32::from(one[at] != other[at]);
            }
        }
        let node = above_lo.as_flattened()[level as usize];
        self.costs[node as usize]
    }
}

/// What a run of categories costs that have an order: a list of its values, or `*`.
fn run_cost(domain: &Domain, lo: Code, hi: Code, most_values: u32) -> f32 {
    if hi - lo + 1 > most_values {
        1.0
    } else {
        share_of_leaves(domain, lo, hi)
    }
}

fn tree_cost(domain: &Domain, lo: Code, hi: Code) -> f32 {
    let tree = domain.hierarchy().expect("only hierarchies have trees");
    let (level, node) = tree.lowest_common_ancestor(lo, hi);
    let (first, last) = tree.leaves(level, node);
    share_of_leaves(domain, first, last)
}

/// What a node costs that covers these leaves.
fn share_of_leaves(domain: &Domain, first: Code, last: Code) -> f32 {
    if first == last {
        0.0
    } else {
        (last - first + 1) as f32 / domain.len() as f32
    }
}

/// Where each value stands between 0 and 1: by number, or by rank for large categories.
fn positions(domain: &Domain) -> Box<[f32]> {
    let last = domain.len().saturating_sub(1).max(1) as f32;
    let Some((low, high)) = domain.extent() else {
        return (0..domain.len()).map(|c| c as f32 / last).collect();
    };
    let width = ((high - low) as f64).max(1.0);
    let place = |c: usize| {
        domain
            .number(c as Code)
            .map_or(-1.0, |n| ((n - low) as f64 / width) as f32)
    };
    (0..domain.len()).map(place).collect()
}

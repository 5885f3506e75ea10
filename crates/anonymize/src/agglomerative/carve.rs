//! Carving groups with a given mix of sensitive values out of a table.
//!
//! Every constraint on proportions holds for a group whose sensitive values are mixed like those of
//! a set that satisfies it, up to rounding. So: start at an outlying row, take the rows nearest to
//! it but of each sensitive value not much more than its share, and keep the group if it and what
//! is left both satisfy the requirement. How much more than its share is tried from "anything" down
//! to "nothing"; the exact check decides. What is left at the end is the last group. The idea of
//! drawing from buckets of sensitive values in proportion is that of SABRE (Cao, Karras, Kalnis,
//! Tan 2011).
//!
//! A table is first halved, value by value, into cells of a few thousand rows that all have the mix
//! of the whole: they are carved in parallel, and the cost (rows² / group size within a cell) stays
//! linear in the table.

use super::clusters::Task;
use super::distances::CellRows;
use crate::profiles::counted;
use crate::{Error, MethodOptions};
use mingle_model::Entry;
use mingle_privacy::Tally;
use rayon::prelude::*;

/// Cells have at most this many rows.
const CELL: f32 = 8_192.0;
/// Group sizes that are tried, as multiples of the smallest group the requirement allows.
const SIZES: [f32; 4] = [1.0, 2.0, 4.0, 8.0];
/// How far above their share sensitive values may be together, as a share of the group.
const EXCESS: [f32; 10] = [1.0, 0.5, 0.35, 0.25, 0.2, 0.15, 0.1, 0.07, 0.03, 0.0];
/// After this many starting rows in a row without a group, the rest stays together.
const ATTEMPTS: usize = 24;
/// How many of the nearest rows are sorted at first.
const FIRST_SORTED: usize = 256;
/// Of the sizes that work, a larger one must be this much better per row.
const LARGER_IS_WORSE: f32 = 0.95;

/// Groups of records that all satisfy the requirement, as every cell does: parts of the cells.
pub(super) fn carve(
    task: &Task,
    cells: Vec<Vec<u32>>,
    options: &MethodOptions,
) -> Result<Vec<Vec<u32>>, Error> {
    let groups: Result<Vec<Vec<Vec<u32>>>, Error> = cells
        .into_par_iter()
        .map(|cell| Carver::new(task, cell).run(options))
        .collect();
    Ok(groups?.into_iter().flatten().collect())
}

/// Halves until cells are small, as long as both halves satisfy the requirement.
pub(super) fn halve(task: &Task, units: Vec<u32>, cells: &mut Vec<Vec<u32>>) {
    let rows: f32 = units.iter().map(|&u| task.rows[u as usize]).sum();
    if rows > CELL {
        let cost = |units: &[u32]| {
            let (rows, loss) = task.measure(units.iter().copied(), &mut task.loss.extents());
            rows * loss
        };
        let halves = (0..task.loss.slots()).map(|slot| lower_half(task, &units, slot));
        let best = halves
            .map(|(a, b)| (cost(&a) + cost(&b), a, b))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, lower, upper)) = best {
            let holds = |half: &[u32]| task.requirement.holds(&task.tally_of(half));
            if holds(&lower) && holds(&upper) {
                halve(task, lower, cells);
                halve(task, upper, cells);
                return;
            }
        }
    }
    cells.push(units);
}

/// Of each sensitive value's rows the half with the smaller codes in a slot, and the other half.
fn lower_half(task: &Task, units: &[u32], slot: usize) -> (Vec<u32>, Vec<u32>) {
    // by sensitive value, then by code, then by unit, in one number
    let mut keys = Vec::with_capacity(units.len());
    for &unit in units {
        let value = task.sensitive[unit as usize];
        let code = task.loss.top(&task.extents, unit as usize, slot);
        keys.push(u128::from(value) << 64 | u128::from(code) << 32 | u128::from(unit));
    }
    keys.sort_unstable();
    let sorted: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    let mut owed = 0.0;
    for same in sorted.chunk_by(|&a, &b| task.sensitive[a as usize] == task.sensitive[b as usize]) {
        let all: f32 = same.iter().map(|&u| task.rows[u as usize]).sum();
        let mut room = all / 2.0 + owed;
        for &u in same {
            let rows = task.rows[u as usize];
            if rows / 2.0 <= room {
                room -= rows;
                lower.push(u);
            } else {
                upper.push(u);
            }
        }
        owed = room;
    }
    (lower, upper)
}

/// A cell being carved. Its rows are numbered in the order of their units.
struct Carver<'a> {
    task: &'a Task<'a>,
    /// Per row its unit, its combination of sensitive values and how many rows it counts for.
    units: Vec<u32>,
    sensitive: Vec<u32>,
    counts: Vec<f32>,
    distances: CellRows,
    /// The rows that are in no group yet.
    rest: Vec<u32>,
    tally: Tally,
    /// Rows per combination of sensitive values in the rest.
    rows_of: Vec<f32>,
    /// Where to begin in [`EXCESS`]: near what worked last.
    first: usize,
    /// Distances of the rest from the last starting row, in the order of the rest.
    from_last: Vec<f32>,
    /// Scratch: rows taken per combination.
    taken: Vec<f32>,
    /// Scratch: which rows go.
    is_gone: Vec<bool>,
    /// Scratch: what a candidate counts.
    counted: Tally,
}

/// Rows by their distance from one of them, sorted only as far as somebody looked.
struct Nearest {
    /// The distance's bits, which order numbers that are not negative, before the row's number.
    rows: Vec<u64>,
    sorted: usize,
}

impl Nearest {
    fn new(distances: &[f32], rest: &[u32]) -> Self {
        let mut rows = Vec::with_capacity(rest.len());
        for (distance, &row) in distances.iter().zip(rest) {
            rows.push(u64::from(distance.to_bits()) << 32 | u64::from(row));
        }
        Nearest { rows, sorted: 0 }
    }

    fn get(&mut self, at: usize) -> Option<u32> {
        if at >= self.sorted && self.sorted < self.rows.len() {
            self.sort_more();
        }
        self.rows.get(at).map(|&row| row as u32)
    }

    fn sort_more(&mut self) {
        let end = (2 * self.sorted).max(FIRST_SORTED).min(self.rows.len());
        let wanted = end - self.sorted;
        let others = &mut self.rows[self.sorted..];
        if wanted < others.len() {
            others.select_nth_unstable(wanted);
        }
        others[..wanted].sort_unstable();
        self.sorted = end;
    }
}

/// A group that could be carved out, with its loss per row.
struct Candidate {
    rows: Vec<u32>,
    tally: Tally,
    loss: f32,
    excess: usize,
}

impl<'a> Carver<'a> {
    fn new(task: &'a Task<'a>, cell: Vec<u32>) -> Self {
        let combinations = task.sensitive.iter().max().map_or(0, |&s| s as usize + 1);
        let mut rows_of = vec![0.0; combinations];
        let mut units = cell.clone();
        units.sort_unstable();
        let mut sensitive = Vec::with_capacity(units.len());
        let mut counts = Vec::with_capacity(units.len());
        for &unit in &units {
            let (value, count) = (task.sensitive[unit as usize], task.rows[unit as usize]);
            rows_of[value as usize] += count;
            sensitive.push(value);
            counts.push(count);
        }
        let mut rest = Vec::with_capacity(units.len());
        for unit in &cell {
            rest.push(units.partition_point(|other| other < unit) as u32);
        }
        Carver {
            task,
            distances: CellRows::new(task, &units),
            is_gone: vec![false; units.len()],
            tally: task.tally_of(&cell),
            units,
            sensitive,
            counts,
            rest,
            rows_of,
            first: 0,
            from_last: Vec::new(),
            taken: vec![0.0; combinations],
            counted: Tally::default(),
        }
    }

    fn run(mut self, options: &MethodOptions) -> Result<Vec<Vec<u32>>, Error> {
        let mut groups = Vec::new();
        let mut failed = 0;
        if self.may_be_divided() {
            self.measure_from(self.rest[0]);
        }
        while failed < ATTEMPTS && self.may_be_divided() {
            options.check_cancelled()?;
            let seed = self.seed(failed);
            self.measure_from(seed);
            match self.candidate() {
                Some(found) => {
                    self.remove(&found);
                    groups.push(self.units_of(&found.rows));
                    failed = 0;
                }
                None => {
                    failed += 1;
                    self.first = 0;
                }
            }
        }
        groups.push(self.units_of(&self.rest));
        Ok(groups)
    }

    /// Whether the rest has rows enough for two groups.
    fn may_be_divided(&self) -> bool {
        self.tally.members() >= 2 * self.task.requirement.smallest_group()
    }

    fn units_of(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.units[row as usize]).collect()
    }

    /// The row farthest from the last one; after a failure, others all over the cell.
    fn seed(&self, failed: usize) -> u32 {
        if failed > 0 {
            return self.rest[failed * (self.rest.len() - 1) / ATTEMPTS];
        }
        let mut farthest = 0;
        for (at, distance) in self.from_last.iter().enumerate() {
            if *distance >= self.from_last[farthest] {
                farthest = at;
            }
        }
        self.rest[farthest]
    }

    fn measure_from(&mut self, seed: u32) {
        self.distances
            .measure_from(self.task, seed, &self.rest, &mut self.from_last);
    }

    /// The best group around the row that distances were measured from.
    fn candidate(&mut self) -> Option<Candidate> {
        let mut near = Nearest::new(&self.from_last, &self.rest);
        let smallest = self.task.smallest_rows;
        let half = self.tally.size() as f32 / 2.0;
        let mut best: Option<Candidate> = None;
        for size in SIZES.map(|multiple| multiple * smallest) {
            if size > half {
                break;
            }
            let Some(found) = self.of_size(&mut near, size) else {
                continue;
            };
            let is_better = match &best {
                Some(best) => found.loss < best.loss * LARGER_IS_WORSE,
                None => true,
            };
            if is_better {
                best = Some(found);
            }
        }
        best
    }

    /// A group of that size with as much excess as the requirement allows.
    fn of_size(&mut self, near: &mut Nearest, size: f32) -> Option<Candidate> {
        let mut refused = Vec::new();
        for (excess, share) in EXCESS.iter().enumerate().skip(self.first) {
            let rows = self.choose(near, size, share * size);
            // less excess often means the same rows, and checking costs more than choosing
            if rows == refused {
                continue;
            }
            match self.check(&rows) {
                Some((tally, loss)) => {
                    return Some(Candidate {
                        rows,
                        tally,
                        loss,
                        excess,
                    });
                }
                None => refused = rows,
            }
        }
        None
    }

    /// The nearest rows, `size` of them, with at most so many above their values' shares.
    fn choose(&mut self, near: &mut Nearest, size: f32, mut pool: f32) -> Vec<u32> {
        let scale = size / self.tally.size() as f32;
        let mut rows = 0.0;
        let mut chosen = Vec::new();
        self.taken.fill(0.0);
        // values below this one are closed: no row of them can be taken any more
        let mut open = self.next_open(0, scale, pool);
        let mut at = 0;
        while rows < size
            && open < self.taken.len()
            && let Some(row) = near.get(at)
        {
            at += 1;
            let value = self.sensitive[row as usize] as usize;
            let own = self.counts[row as usize];
            let over = self.over(value, own, scale);
            if over > pool {
                continue;
            }
            pool -= over;
            self.taken[value] += own;
            rows += own;
            chosen.push(row);
            // a value that is closed stays so, since the pool only shrinks
            open = self.next_open(open, scale, pool);
        }
        chosen
    }

    /// The first value from this one on of which a row could be taken.
    fn next_open(&self, from: usize, scale: f32, pool: f32) -> usize {
        let mut value = from;
        while value < self.taken.len() && self.is_closed(value, scale, pool) {
            value += 1;
        }
        value
    }

    /// How far so many rows more lift a value above its share, beyond what it has above it already.
    fn over(&self, value: usize, own: f32, scale: f32) -> f32 {
        let share = self.rows_of[value] * scale;
        let taken = self.taken[value];
        (taken + own - share).max(0.0) - (taken - share).max(0.0)
    }

    /// Whether no row of a value is left, or a single one would be too much.
    fn is_closed(&self, value: usize, scale: f32, pool: f32) -> bool {
        self.taken[value] >= self.rows_of[value] || self.over(value, 1.0, scale) > pool
    }

    /// What these rows count and lose, if they and the rest without them satisfy the requirement.
    fn check(&mut self, rows: &[u32]) -> Option<(Tally, f32)> {
        let task = self.task;
        let cube = task.loss.cube();
        if let Some(people) = counted(cube, task.requirement) {
            // units are kinds of people then
            let kinds = rows.iter().map(|&row| self.units[row as usize] as usize);
            let kinds = kinds.map(|kind| (kind, people.kinds().get(kind).people));
            task.requirement.tally_kinds_into(kinds, &mut self.counted);
        } else {
            let mut entries: Vec<Entry> = Vec::with_capacity(rows.len());
            for &row in rows {
                entries.push(cube.records()[self.units[row as usize] as usize].entry());
            }
            task.requirement
                .tally_into(entries.iter().copied(), &mut self.counted);
        }
        if !task.requirement.holds(&self.counted) {
            return None;
        }
        let tally = self.counted.clone();
        let mut left = self.tally.clone();
        left.subtract(&tally);
        if !task.requirement.holds(&left) {
            return None;
        }
        let units = rows.iter().map(|&row| self.units[row as usize]);
        let (_, loss) = task.measure(units, &mut task.loss.extents());
        Some((tally, loss))
    }

    fn remove(&mut self, found: &Candidate) {
        self.first = found.excess.saturating_sub(2);
        self.tally.subtract(&found.tally);
        for &row in &found.rows {
            self.rows_of[self.sensitive[row as usize] as usize] -= self.counts[row as usize];
            self.is_gone[row as usize] = true;
        }
        let mut kept = 0;
        for at in 0..self.rest.len() {
            if !self.is_gone[self.rest[at] as usize] {
                self.rest[kept] = self.rest[at];
                self.from_last[kept] = self.from_last[at];
                kept += 1;
            }
        }
        self.rest.truncate(kept);
        self.from_last.truncate(kept);
    }
}

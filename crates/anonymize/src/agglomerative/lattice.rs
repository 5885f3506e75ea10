//! Groups of units that have the same ancestors: a start for tables with hierarchies.
//!
//! Where labels come from hierarchies, merging pairs goes astray: the first two partners settle
//! which columns are generalized, and others who would have shared a better choice come too late.
//! Here a choice is made for many at once. A *level vector* says for every column up to which level
//! of its hierarchy it is generalized. Vectors are taken in order of what they cost on average,
//! finest first, and under each of them all units with the same ancestors that satisfy the
//! requirement together become a group; whoever is left waits for the next vector. (Iterated
//! full-domain generalization, as ARX does local recoding, but over the whole lattice.)
//!
//! Ranges without a hierarchy have artificial levels, halves of halves by rows; the labels follow
//! from the groups and not from these levels. Other categories are exact or anything. A unit that
//! covers several values is at home on a level only if one ancestor covers all of them.
//!
//! Cost: a hash for each unit that is left, for each vector; the search's effort says how many
//! there may be, and who is left then is merged.

use super::clusters::Task;
use crate::{Error, MethodOptions};
use mingle_model::{Code, Domain};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Columns of ranges are divided into at most so many parts, two to the power of levels.
const FINEST_PARTS: usize = 64;
/// Fixed point for the order of vectors.
const UNIT: f32 = 1e6;

/// Groups that satisfy the requirement; whoever is in none of them is left to others.
pub(super) struct LevelGroups {
    pub groups: Vec<Vec<u32>>,
    pub left: Vec<u32>,
}

/// Whether a start from level vectors makes sense: some column has a hierarchy.
pub(super) fn has_levels(task: &Task) -> bool {
    let columns = task.loss.cube().quasi_identifiers();
    columns.iter().any(|qi| qi.domain.hierarchy().is_some())
}

/// Takes level vectors, finest first, until nobody is left or so many units were looked at.
pub(super) fn groups(
    task: &Task,
    most_visits: u64,
    options: &MethodOptions,
) -> Result<LevelGroups, Error> {
    let ladders = ladders(task);
    let mut vectors = VectorsByCost::new(&ladders);
    let mut left: Vec<u32> = (0..task.rows.len() as u32).collect();
    let mut groups = Vec::new();
    let mut visits = 0;
    while visits < most_visits && !left.is_empty() {
        options.check_cancelled()?;
        let Some(vector) = vectors.next() else {
            break;
        };
        visits += left.len() as u64;
        left = take_alike(task, &ladders, &vector, &left, &mut groups);
    }
    Ok(LevelGroups { groups, left })
}

/// Makes groups of the units that are alike under a vector; returns the others.
fn take_alike(
    task: &Task,
    ladders: &[Ladder],
    vector: &[u8],
    units: &[u32],
    groups: &mut Vec<Vec<u32>>,
) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = units
        .par_iter()
        .map(|&unit| (key(task, ladders, vector, unit), unit))
        .collect();
    keyed.par_sort_unstable();
    let fewest = task.requirement.smallest_group() as f32;
    let mut left = Vec::new();
    for alike in keyed.chunk_by(|a, b| a.0 == b.0) {
        let members: Vec<u32> = alike.iter().map(|&(_, unit)| unit).collect();
        let rows: f32 = members.iter().map(|&unit| task.rows[unit as usize]).sum();
        let holds = rows >= fewest
            && alike[0].0 != NOT_AT_HOME
            && task.holds(&task.tally_of(&members), members.iter().copied());
        if holds {
            groups.push(members);
        } else {
            left.extend(members);
        }
    }
    // the order must not depend on hashes: the next vector sees units as if nobody had left
    left.sort_unstable();
    left
}

/// The key of units that no single ancestor covers.
const NOT_AT_HOME: u64 = u64::MAX;

/// A hash of a unit's ancestors. Should two hashes be equal by chance, the group is merely wider
/// than it had to be: what it may publish follows from its members.
fn key(task: &Task, ladders: &[Ladder], vector: &[u8], unit: u32) -> u64 {
    let mut hash = 0u64;
    for (slot, ladder) in ladders.iter().enumerate() {
        let (lo, hi) = task.loss.span(&task.extents, unit as usize, slot);
        let node_of = &ladder.levels[vector[slot] as usize].node_of;
        let node = node_of[lo as usize];
        if node != node_of[hi as usize] {
            return NOT_AT_HOME;
        }
        hash = (hash ^ u64::from(node))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23);
    }
    hash
}

/// The levels of a column, exact values first.
struct Ladder {
    levels: Vec<LadderLevel>,
}

struct LadderLevel {
    node_of: Vec<u32>,
    /// What the level costs a row in the mean.
    cost: f32,
}

fn ladders(task: &Task) -> Vec<Ladder> {
    let mut ladders = Vec::with_capacity(task.loss.slots());
    for slot in 0..task.loss.slots() {
        let domain = task.loss.domain(slot);
        let mut rows = vec![0.0f64; domain.len()];
        for unit in 0..task.rows.len() {
            let (lo, _) = task.loss.span(&task.extents, unit, slot);
            rows[lo as usize] += f64::from(task.rows[unit]);
        }
        let mut levels: Vec<LadderLevel> = Vec::new();
        for node_of in levels_of(domain, &rows) {
            let cost = mean_cost(task, slot, &rows, &node_of);
            // a level that generalizes nothing more would double the lattice for nothing
            if levels.last().is_none_or(|finer| finer.node_of != node_of) {
                levels.push(LadderLevel { node_of, cost });
            }
        }
        ladders.push(Ladder { levels });
    }
    ladders
}

/// Per level the node above each value.
fn levels_of(domain: &Domain, rows: &[f64]) -> Vec<Vec<u32>> {
    let values = domain.len() as Code;
    let mut levels = vec![(0..values).collect::<Vec<u32>>()];
    if let Some(tree) = domain.hierarchy() {
        for level in 1..=tree.height() {
            levels.push((0..values).map(|code| tree.ancestor(code, level)).collect());
        }
        return levels;
    }
    if !domain.is_flat() {
        let mut parts = FINEST_PARTS;
        while parts > 1 {
            if parts * 2 <= domain.len() {
                levels.push(parts_of_equal_rows(rows, parts));
            }
            parts /= 2;
        }
    }
    levels.push(vec![0; domain.len()]);
    levels
}

/// Cuts an ordered column into parts of about equal numbers of rows.
fn parts_of_equal_rows(rows: &[f64], parts: usize) -> Vec<u32> {
    let all: f64 = rows.iter().sum();
    let mut below = 0.0;
    let mut part_of = Vec::with_capacity(rows.len());
    for own in rows {
        let middle = (below + own / 2.0) / all.max(1.0);
        part_of.push(((middle * parts as f64) as u32).min(parts as u32 - 1));
        below += own;
    }
    part_of
}

/// What a row's node costs in the mean.
fn mean_cost(task: &Task, slot: usize, rows: &[f64], node_of: &[u32]) -> f32 {
    let all: f64 = rows.iter().sum();
    let mut sum = 0.0;
    let mut first = 0;
    // nodes are runs of codes
    for alike in node_of.chunk_by(|a, b| a == b) {
        let last = first + alike.len() - 1;
        let own: f64 = rows[first..=last].iter().sum();
        sum += own * f64::from(task.loss.range(slot, first as Code, last as Code));
        first = last + 1;
    }
    (sum / all.max(1.0)) as f32
}

/// Level vectors in order of cost, made as they are asked for: the lattice may be far larger than
/// what is ever looked at.
struct VectorsByCost<'a> {
    ladders: &'a [Ladder],
    waiting: BinaryHeap<Reverse<(u64, Vec<u8>)>>,
    seen: HashSet<Vec<u8>>,
}

impl<'a> VectorsByCost<'a> {
    fn new(ladders: &'a [Ladder]) -> Self {
        let exact = vec![0; ladders.len()];
        VectorsByCost {
            ladders,
            waiting: BinaryHeap::from([Reverse((0, exact.clone()))]),
            seen: HashSet::from([exact]),
        }
    }

    fn cost(&self, vector: &[u8]) -> u64 {
        let mut cost = 0;
        for (ladder, &level) in self.ladders.iter().zip(vector) {
            cost += (ladder.levels[level as usize].cost * UNIT) as u64;
        }
        cost
    }

    fn next(&mut self) -> Option<Vec<u8>> {
        let Reverse((_, vector)) = self.waiting.pop()?;
        for slot in 0..vector.len() {
            let mut coarser = vector.clone();
            coarser[slot] += 1;
            let is_level = (coarser[slot] as usize) < self.ladders[slot].levels.len();
            if is_level && self.seen.insert(coarser.clone()) {
                self.waiting.push(Reverse((self.cost(&coarser), coarser)));
            }
        }
        Some(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder(costs: &[f32]) -> Ladder {
        let mut levels = Vec::new();
        for &cost in costs {
            levels.push(LadderLevel {
                node_of: Vec::new(),
                cost,
            });
        }
        Ladder { levels }
    }

    #[test]
    fn vectors_come_in_order_of_cost_and_each_of_them_once() {
        let ladders = [
            ladder(&[0.0, 0.25, 1.0]),
            ladder(&[0.0, 0.5]),
            ladder(&[0.0, 0.125, 0.375, 1.0]),
        ];
        let mut vectors = VectorsByCost::new(&ladders);
        let mut seen = HashSet::new();
        let mut last = 0;
        while let Some(vector) = vectors.next() {
            let cost = vectors.cost(&vector);
            assert!(cost >= last);
            last = cost;
            assert!(seen.insert(vector));
        }
        assert_eq!(seen.len(), 3 * 2 * 4);
    }

    #[test]
    fn parts_of_a_column_have_about_equal_rows() {
        let rows = [1.0, 1.0, 1.0, 5.0, 1.0, 1.0, 1.0, 1.0];
        assert_eq!(parts_of_equal_rows(&rows, 2), [0, 0, 0, 0, 1, 1, 1, 1]);
        let uniform = vec![1.0; 64];
        let parts = parts_of_equal_rows(&uniform, 4);
        for part in 0..4 {
            assert_eq!(parts.iter().filter(|&&own| own == part).count(), 16);
        }
    }
}

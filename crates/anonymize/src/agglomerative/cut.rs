//! Cutting: a table is cut in two where that saves most, again and again.
//!
//! Merging alike tuples makes good small groups, but groups that must withstand coalitions are
//! large, and many merges in a row go astray. So here groups start from the other end. Unlike
//! Mondrian's, a cut may be anywhere in any column: all places are tried, and of those whose sides
//! both satisfy the requirement the one wins whose sides cost least. Counts and extents of both
//! sides slide along with the cut: O(tuples × columns²) per level of the tree.

use super::clusters::Task;
use crate::{Error, MethodOptions};
use mingle_model::Code;
use mingle_privacy::Tally;

/// After so many cuts that leave a side unsatisfied, a part stays whole.
const TRIES: usize = 24;
/// Parts of more units are cut on both sides at the same time.
const PARALLEL: usize = 1024;

/// Groups of units that all satisfy the requirement, if the whole does: all units together.
pub(super) fn cut(
    task: &Task,
    whole: Tally,
    options: &MethodOptions,
) -> Result<Vec<Vec<u32>>, Error> {
    divide(task, (0..task.rows.len() as u32).collect(), whole, options)
}

/// A place to cut: units of smaller codes in a slot go left.
#[derive(Clone, Copy)]
struct Place {
    cost: f32,
    slot: usize,
    code: Code,
}

fn divide(
    task: &Task,
    units: Vec<u32>,
    tally: Tally,
    options: &MethodOptions,
) -> Result<Vec<Vec<u32>>, Error> {
    options.check_cancelled()?;
    let Some((left, right, tallies)) = best(task, &units, &tally) else {
        return Ok(vec![units]);
    };
    let [left_tally, right_tally] = tallies;
    let many = units.len() > PARALLEL;
    drop(units);
    let (first, second) = if many {
        rayon::join(
            || divide(task, left, left_tally, options),
            || divide(task, right, right_tally, options),
        )
    } else {
        (
            divide(task, left, left_tally, options),
            divide(task, right, right_tally, options),
        )
    };
    let mut groups = first?;
    groups.extend(second?);
    Ok(groups)
}

/// The cheapest cut that leaves both sides satisfied.
fn best(task: &Task, units: &[u32], whole: &Tally) -> Option<(Vec<u32>, Vec<u32>, [Tally; 2])> {
    if whole.members() < 2 * task.requirement.smallest_group() {
        return None;
    }
    let mut places: Vec<Place> = (0..task.loss.slots())
        .flat_map(|slot| places(task, units, slot))
        .collect();
    places.sort_unstable_by(|a, b| {
        a.cost
            .total_cmp(&b.cost)
            .then((a.slot, a.code).cmp(&(b.slot, b.code)))
    });
    places.into_iter().take(TRIES).find_map(|place| {
        let is_left = |&u: &u32| task.loss.top(&task.extents, u as usize, place.slot) < place.code;
        let (left, right): (Vec<u32>, Vec<u32>) = units.iter().partition(|u| is_left(u));
        let tallies = sides(task, &left, &right, whole);
        let hold = [&left, &right]
            .iter()
            .zip(&tallies)
            .all(|(side, tally)| task.holds(tally, side.iter().copied()));
        hold.then_some((left, right, tallies))
    })
}

fn sides(task: &Task, left: &[u32], right: &[u32], whole: &Tally) -> [Tally; 2] {
    let left_is_smaller = left.len() <= right.len();
    let smaller = task.tally_of(if left_is_smaller { left } else { right });
    let mut larger = whole.clone();
    larger.subtract(&smaller);
    if left_is_smaller {
        [smaller, larger]
    } else {
        [larger, smaller]
    }
}

/// All places in a slot with what both sides would cost, those left out where a side would be too
/// small.
fn places(task: &Task, units: &[u32], slot: usize) -> Vec<Place> {
    let code = |u: u32| task.loss.top(&task.extents, u as usize, slot);
    // by code and then by unit, in one number
    let mut keys = Vec::with_capacity(units.len());
    for &unit in units {
        keys.push(u64::from(code(unit)) << 32 | u64::from(unit));
    }
    keys.sort_unstable();
    let sorted: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
    let fewest = task.requirement.smallest_group() as f32;
    let below = growing(task, sorted.iter().copied());
    let above = growing(task, sorted.iter().rev().copied());
    let last = sorted.len() - 1;
    (1..sorted.len())
        .filter(|&at| code(sorted[at - 1]) != code(sorted[at]))
        .filter_map(|at| {
            let ((rows_a, loss_a), (rows_b, loss_b)) = (below[at - 1], above[last - at]);
            let fits = rows_a >= fewest && rows_b >= fewest;
            let cost = rows_a * loss_a + rows_b * loss_b;
            fits.then_some(Place {
                cost,
                slot,
                code: code(sorted[at]),
            })
        })
        .collect()
}

/// Rows and loss per row of the first unit, the first two, and so on.
fn growing(task: &Task, units: impl Iterator<Item = u32>) -> Vec<(f32, f32)> {
    let mut extent = task.loss.extents();
    let mut rows = 0.0;
    units
        .map(|u| {
            if extent.is_empty() {
                extent.push_from(&task.extents, u as usize)
            } else {
                extent.join_from(0, &task.extents, u as usize)
            }
            rows += task.rows[u as usize];
            (rows, task.loss.of(&extent, 0))
        })
        .collect()
}

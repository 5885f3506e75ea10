//! Ends of ranges that few providers attain are widened.
//!
//! A tight range says that somebody in the group has its smallest and somebody its largest value.
//! If at most m of the group's providers have such a value, a coalition may know that none of its
//! own rows has it, and that it is a victim's. Such an end is moved to the next boundary of the
//! column's [`Grid`](mingle_model::Grid), where it says nothing. An end that more than m providers
//! attain stays where it is whatever m of them take out. Categories are published as nodes of their
//! hierarchy, which do not follow the rows closely, or as sets ([`labels`](crate::labels)), whose
//! elements are not widened.

use mingle_model::{Cell, Code, Cube, Domain, Grid, ProviderId};
use mingle_privacy::{M, Requirement};

/// What widening needs to know of a table.
pub struct Widening<'a> {
    cube: &'a Cube,
    m: M,
    /// Per column, where it is published in ranges.
    grids: Vec<Option<Grid>>,
}

impl<'a> Widening<'a> {
    /// Prepared once for all groups.
    pub fn new(cube: &'a Cube, requirement: &Requirement) -> Self {
        let grids = cube
            .quasi_identifiers()
            .iter()
            .map(|qi| qi.domain.grid())
            .collect();
        Widening {
            cube,
            m: requirement.insiders().m,
            grids,
        }
    }

    /// Widens the tight cells of a group, given as its tuples and records.
    pub fn apply(&self, records: impl Iterator<Item = (u32, u32)> + Clone, cells: &mut [Cell]) {
        if self.m == M(0) {
            return;
        }
        for ((qi, grid), cell) in self
            .cube
            .quasi_identifiers()
            .iter()
            .zip(&self.grids)
            .zip(cells)
        {
            let (&Some(grid), &mut Cell::Span { lo, hi }) = (grid, &mut *cell) else {
                continue;
            };
            let attained = |end: Code| {
                let at_end = records
                    .clone()
                    .filter(|&(tuple, _)| qi.codes.get(tuple as usize) == end);
                more_than(
                    self.m,
                    at_end.map(|(_, record)| self.cube.records()[record as usize].provider),
                )
            };
            if let Some(wider) = widened(
                &qi.domain,
                grid,
                (lo, hi),
                [attained(lo), lo == hi || attained(hi)],
            ) {
                *cell = wider;
            }
        }
    }
}

/// The cell with those ends moved that are not kept; `None` where both are, or where a missing
/// value makes it `*`.
fn widened(
    domain: &Domain,
    grid: Grid,
    (lo, hi): (Code, Code),
    [keep_lo, keep_hi]: [bool; 2],
) -> Option<Cell> {
    // a single value is both ends at once
    let (keep_lo, keep_hi) = if lo == hi {
        (keep_lo, keep_lo)
    } else {
        (keep_lo, keep_hi)
    };
    let (low, high) = (domain.number(lo)?, domain.number(hi)?);
    let end = |keep: bool, number: i128, moved: i128| if keep { number } else { moved };
    let cell = Cell::Between {
        lo: end(keep_lo, low, grid.floor(low)),
        hi: end(keep_hi, high, grid.ceil(high)),
    };
    (!keep_lo || !keep_hi).then_some(cell)
}

/// Whether more than `m` different providers come by.
fn more_than(m: M, providers: impl Iterator<Item = ProviderId>) -> bool {
    let mut seen: Vec<ProviderId> = Vec::new();
    for provider in providers {
        if let Err(place) = seen.binary_search(&provider) {
            seen.insert(place, provider);
            if seen.len() as u64 > m.0 {
                return true;
            }
        }
    }
    false
}

//! Ends of ranges that few providers attain are widened.
//!
//! A tight range says that somebody in the group has its smallest and somebody its largest value.
//! If at most m of the group's providers have such a value, a coalition may know whose it is. Such an
//! end is moved to the next boundary of the column's [`Grid`](mingle_model::Grid), where it does not
//! say so. An end that more than m providers attain stays where it is whatever m of them take out.
//! Where labels are public, every end is moved, whoever attains it. Categories are published as nodes of their
//! hierarchy, which do not follow the rows closely, or as sets ([`labels`](crate::labels)), whose
//! elements are not widened.
//!
//! Where people have several rows, it is people who attain an end, and it stays only if no m providers
//! know all of them; insiders who know rows take out their own, so that for them it is providers who
//! attain it.

use mingle_model::{Cell, Code, Cube, Domain, Grid, PeopleOfCube, ProviderId};
use mingle_privacy::{Insiders, Knows, LabelPromise, M, Requirement};

/// What widening needs to know of a table.
pub struct Widening<'a> {
    cube: &'a Cube,
    insiders: Insiders,
    /// Per column, where it is published in ranges.
    grids: Vec<Option<Grid>>,
}

impl<'a> Widening<'a> {
    /// Prepared once for all groups, given per column which of its values are published.
    pub fn new(cube: &'a Cube, requirement: &Requirement, published: &[Vec<bool>]) -> Self {
        let mut grids = Vec::with_capacity(published.len());
        for (qi, published) in cube.quasi_identifiers().iter().zip(published) {
            grids.push(qi.domain.grid_among(|code| published[code as usize]));
        }
        Widening {
            cube,
            insiders: requirement.insiders(),
            grids,
        }
    }

    /// The smallest and the largest value of the whole table, where the bounds of a cell end because
    /// nothing lies beyond, are moved like any other end that somebody attains.
    pub fn hide_extremes(&self, cells: &mut [Cell]) {
        let columns = self.cube.quasi_identifiers().iter().zip(&self.grids);
        for ((qi, grid), cell) in columns.zip(cells) {
            let (&Some(grid), Some((lowest, highest))) = (grid, qi.domain.extent()) else {
                continue;
            };
            let ends = match *cell {
                Cell::Span { lo, hi } => qi.domain.number(lo).zip(qi.domain.number(hi)),
                Cell::Between { lo, hi } => Some((lo, hi)),
                _ => None,
            };
            // a single value says the same of everybody in the group
            let Some((low, high)) = ends.filter(|(low, high)| low < high) else {
                continue;
            };
            if low == lowest || high == highest {
                *cell = Cell::Between {
                    lo: if low == lowest { grid.floor(low) } else { low },
                    hi: if high == highest {
                        grid.ceil(high)
                    } else {
                        high
                    },
                };
            }
        }
    }

    /// Widens the tight cells of a group, given as its tuples and records.
    pub fn apply(&self, records: impl Iterator<Item = (u32, u32)> + Clone, cells: &mut [Cell]) {
        let always = self.insiders.labels == LabelPromise::Public;
        if self.insiders.m == M(0) && !always {
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
            if always {
                if let Some(wider) = widened(&qi.domain, grid, (lo, hi), [false, false]) {
                    *cell = wider;
                }
                continue;
            }
            let attained = |end: Code| {
                let at_end = records
                    .clone()
                    .filter(|&(tuple, _)| qi.codes.get(tuple as usize) == end);
                let at_end = at_end.map(|(_, record)| record as usize);
                match self.cube.people() {
                    Some(people) if self.insiders.knows == Knows::People => {
                        !self.few_know(people, at_end)
                    }
                    // who knows rows takes out its own, whosever they are
                    _ => more_than(
                        self.insiders.m,
                        at_end.map(|record| self.cube.records()[record].provider),
                    ),
                }
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

/// Searches for who knows everybody give up after so many steps, and the end is moved.
const STEPS: usize = 1 << 16;

impl Widening<'_> {
    /// Whether some m providers know everybody who has one of these records, or might.
    fn few_know(&self, people: &PeopleOfCube, records: impl Iterator<Item = usize>) -> bool {
        let mut kinds: Vec<usize> = records.map(|record| people.kind_of(record)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let providers_of = |&kind: &usize| people.kinds().get(kind).providers;
        let mut known_to: Vec<&[ProviderId]> = kinds.iter().map(providers_of).collect();
        known_to.sort_unstable();
        known_to.dedup();
        let room = usize::try_from(self.insiders.m.0).unwrap_or(usize::MAX);
        let mut steps = STEPS;
        may_cover(&known_to, &mut Vec::new(), room, &mut steps)
    }
}

/// Whether `room` providers beside those inside know everybody; yes where that takes too long to tell.
fn may_cover(
    known_to: &[&[ProviderId]],
    inside: &mut Vec<ProviderId>,
    room: usize,
    steps: &mut usize,
) -> bool {
    let is_unknown = |own: &&&[ProviderId]| !own.iter().any(|p| inside.contains(p));
    let Some(next) = known_to.iter().find(is_unknown) else {
        return true;
    };
    if room == 0 {
        return false;
    }
    *steps = steps.saturating_sub(known_to.len());
    if *steps == 0 {
        return true;
    }
    // one of her providers must be inside, whoever else is
    for &provider in *next {
        inside.push(provider);
        let found = may_cover(known_to, inside, room - 1, steps);
        inside.pop();
        if found {
            return true;
        }
    }
    false
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

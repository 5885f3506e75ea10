//! Mondrian: strict multidimensional partitioning (LeFevre, DeWitt, Ramakrishnan 2006), the field's
//! baseline.
//!
//! The table is cut in two at the median of the column with the widest normalized range, as long as
//! both sides satisfy the requirement; where the widest column allows no cut, the next one is
//! tried. Against insiders this is the baseline of Goryczka, Xiong and Fung (2011): the same cuts,
//! with m-privacy in place of the constraint. Cost: distinct tuples × columns per level of the
//! tree.
//!
//! Where the requirement is closed under union (always for the outsider, and against insiders for
//! group-monotone constraints) a part that fails cannot have parts that hold, and stopping there is
//! right. Elsewhere parts that fail are looked through: see [`Search::look_through`].
//!
//! Where people are counted, profiles are cut by their medians ([`Profiles`]): labels cover all rows
//! of a group's people, so those of both sides of a cut may overlap, and cells have no bounds of
//! their own to be published.

use crate::bisect::{Cut, Tuples, Units, median_cuts, partition_in_place, tallies};
use crate::labels::LabelRules;
use crate::loss::GeneralizationCosts;
use crate::profiles::{Profiles, check_people, counted};
use crate::separate::separate;
use crate::widen::Widening;
use crate::{
    Capabilities, CataloguedMethod, Error, GroupRepresentative, Method, MethodOptions, Ranges,
    apart, plan,
};
use mingle_model::{Code, Cube, Partition, published_values};
use mingle_privacy::{Requirement, Tally};

/// Strict Mondrian with median cuts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mondrian;

/// Above this many tuples, both sides of a cut are divided at the same time.
const PARALLEL: usize = 2048;

impl CataloguedMethod for Mondrian {
    const NAME: &'static str = "mondrian";

    const CAPABILITIES: Capabilities = Capabilities {
        cells: true,
        centroids: false,
        suppresses: false,
        full_domain: false,
        decoys: false,
        efforts: false,
        aims: false,
        sets: true,
        quick: true,
    };

    fn with_output(_: GroupRepresentative) -> Self {
        Mondrian
    }
}

impl Method for Mondrian {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn partition(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<Partition, Error> {
        check_people(cube, requirement)?;
        if let Some(planned) = apart::partition(self, cube, requirement, options)? {
            return Ok(planned);
        }
        let loss = GeneralizationCosts::new(cube);
        if let Some(people) = counted(cube, requirement) {
            if options.ranges == Ranges::Cell {
                return Err(Error::CellsOfPeople);
            }
            let groups = groups(cube, requirement, &loss, options)?.ok_or(Error::Unsatisfiable)?;
            let groups = Profiles::new(cube, people).records_of_groups(&groups);
            let tuple_of = plan::tuple_of_record(cube);
            return Ok(plan::of_records(
                cube,
                requirement,
                options,
                &groups,
                &tuple_of,
            ));
        }
        let search = Search {
            units: Tuples(cube),
            requirement,
            loss: &loss,
            options,
        };
        let mut tuples: Vec<u32> = (0..cube.tuples() as u32).collect();
        let parts = search.whole(&mut tuples)?.ok_or(Error::Unsatisfiable)?;
        Ok(search.partition(&parts, &tuples))
    }
}

/// The groups of tuples that the cuts leave, or of profiles where people are counted, if there are
/// such that hold.
pub fn groups(
    cube: &Cube,
    requirement: &Requirement,
    loss: &GeneralizationCosts,
    options: &MethodOptions,
) -> Result<Option<Vec<Vec<u32>>>, Error> {
    match counted(cube, requirement) {
        None => groups_of(Tuples(cube), requirement, loss, options),
        Some(people) => {
            let profiles = Profiles::new(cube, people);
            groups_of(profiles, requirement, loss, options)
        }
    }
}

fn groups_of<U: Units>(
    units: U,
    requirement: &Requirement,
    loss: &GeneralizationCosts,
    options: &MethodOptions,
) -> Result<Option<Vec<Vec<u32>>>, Error> {
    let mut all: Vec<u32> = (0..units.len() as u32).collect();
    let search = Search {
        units,
        requirement,
        loss,
        options,
    };
    let parts = search.whole(&mut all)?;
    Ok(parts.map(|parts| contiguous(&parts, &all)))
}

/// What stays the same throughout a run.
struct Search<'a, U> {
    units: U,
    requirement: &'a Requirement,
    loss: &'a GeneralizationCosts<'a>,
    options: &'a MethodOptions<'a>,
}

/// The smallest and largest code in every column.
type Bounds = Vec<(Code, Code)>;

/// A finished part: how many tuples, in the order they were left in, and its bounds.
struct Part {
    tuples: usize,
    bounds: Bounds,
}

impl<U: Units> Search<'_, U> {
    /// Divides all units.
    fn whole(&self, tuples: &mut [u32]) -> Result<Option<Vec<Part>>, Error> {
        let cube = self.units.cube();
        let mut bounds = Vec::with_capacity(cube.quasi_identifiers().len());
        for qi in cube.quasi_identifiers() {
            bounds.push((0, qi.domain.len().saturating_sub(1) as Code));
        }
        self.solve(tuples, plan::whole(cube, self.requirement), bounds)
    }

    /// Divides a part into parts that hold, if there are such.
    fn solve(
        &self,
        tuples: &mut [u32],
        tally: Tally,
        bounds: Bounds,
    ) -> Result<Option<Vec<Part>>, Error> {
        if self.requirement.holds(&tally) {
            self.divide(tuples, tally, bounds).map(Some)
        } else {
            self.look_through(tuples, &tally, &bounds)
        }
    }

    /// Reorders the tuples of a part that holds so that each smaller part is contiguous, and
    /// returns the parts in that order.
    fn divide(&self, tuples: &mut [u32], tally: Tally, bounds: Bounds) -> Result<Vec<Part>, Error> {
        self.options.check_cancelled()?;
        let Some((cut, [left_tally, right_tally])) = self.choose(tuples, &tally) else {
            let parts = self.look_through(tuples, &tally, &bounds)?;
            return Ok(parts.unwrap_or_else(|| {
                vec![Part {
                    tuples: tuples.len(),
                    bounds,
                }]
            }));
        };
        let (left, right) = partition_in_place(tuples, |t| self.is_left(cut, t));
        let (below, above) = halves(bounds, cut);
        let (left, right) = if left.len() + right.len() > PARALLEL {
            rayon::join(
                || self.divide(left, left_tally, below),
                || self.divide(right, right_tally, above),
            )
        } else {
            (
                self.divide(left, left_tally, below),
                self.divide(right, right_tally, above),
            )
        };
        let mut parts = left?;
        parts.extend(right?);
        Ok(parts)
    }

    /// Cuts although a side fails, in the hope that its parts hold: without closure under union
    /// that can be so. Only the widest column is tried, or the search would be exponential.
    fn look_through(
        &self,
        tuples: &mut [u32],
        tally: &Tally,
        bounds: &Bounds,
    ) -> Result<Option<Vec<Part>>, Error> {
        if self.requirement.closed_under_union()
            || tally.members() < 2 * self.requirement.smallest_group()
        {
            return Ok(None);
        }
        self.options.check_cancelled()?;
        let Some(&cut) = median_cuts(&self.units, self.loss, tuples).first() else {
            return Ok(None);
        };
        let is_left = |t| self.is_left(cut, t);
        let [left_tally, right_tally] =
            tallies(&self.units, self.requirement, tuples, tally, is_left);
        let (left, right) = partition_in_place(tuples, is_left);
        let (below, above) = halves(bounds.clone(), cut);
        let Some(mut parts) = self.solve(left, left_tally, below)? else {
            return Ok(None);
        };
        Ok(self.solve(right, right_tally, above)?.map(|others| {
            parts.extend(others);
            parts
        }))
    }

    /// The median cut of the widest column that the requirement allows, with both sides' counts.
    fn choose(&self, tuples: &[u32], tally: &Tally) -> Option<(Cut, [Tally; 2])> {
        if tally.members() < 2 * self.requirement.smallest_group() {
            return None;
        }
        median_cuts(&self.units, self.loss, tuples)
            .into_iter()
            .find_map(|cut| {
                let sides = tallies(&self.units, self.requirement, tuples, tally, |t| {
                    self.is_left(cut, t)
                });
                sides
                    .iter()
                    .all(|side| self.requirement.holds(side))
                    .then_some((cut, sides))
            })
    }

    fn is_left(&self, cut: Cut, tuple: u32) -> bool {
        self.units.code(cut.column, tuple) < cut.code
    }
}

impl Search<'_, Tuples<'_>> {
    fn partition(&self, parts: &[Part], tuples: &[u32]) -> Partition {
        let groups = contiguous(parts, tuples);
        let mut partition =
            plan::of_tuples(self.units.cube(), self.requirement, self.options, &groups);
        if self.options.ranges == Ranges::Cell {
            let rules = LabelRules::of(self.options);
            let columns = self.units.cube().quasi_identifiers();
            let mut published = Vec::with_capacity(columns.len());
            for column in 0..columns.len() {
                let group_of = &partition.group_of;
                published.push(published_values(self.units.cube(), column, group_of));
            }
            let widening = Widening::new(self.units.cube(), self.requirement, &published);
            let records = |t: u32| {
                self.units
                    .cube()
                    .records_of(t as usize)
                    .map(move |r| (t, r as u32))
            };
            partition.cells.clear();
            for (part, tuples) in parts.iter().zip(&groups) {
                let mut cells = Vec::with_capacity(columns.len());
                for (qi, &(lo, hi)) in columns.iter().zip(&part.bounds) {
                    cells.push(rules.between(&qi.domain, lo, hi));
                }
                widening.apply(tuples.iter().flat_map(|&t| records(t)), &mut cells);
                widening.hide_extremes(&mut cells);
                partition.cells.extend(cells);
            }
            separate(self.units.cube(), self.requirement, &mut partition);
        }
        partition
    }
}

/// The tuples of each part, in the order they were left in.
fn contiguous(parts: &[Part], tuples: &[u32]) -> Vec<Vec<u32>> {
    let mut groups = Vec::with_capacity(parts.len());
    let mut rest = tuples;
    for part in parts {
        let (mine, others) = rest.split_at(part.tuples);
        groups.push(mine.to_vec());
        rest = others;
    }
    groups
}

/// The bounds below and above a cut.
fn halves(bounds: Bounds, cut: Cut) -> (Bounds, Bounds) {
    let (mut below, mut above) = (bounds.clone(), bounds);
    (below[cut.column].1, above[cut.column].0) = (cut.code - 1, cut.code);
    (below, above)
}

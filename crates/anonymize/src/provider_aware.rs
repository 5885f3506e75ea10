//! Provider-aware: Algorithm 2 of Goryczka, Xiong and Fung, *m-Privacy for Collaborative Data
//! Publishing* (2011).
//!
//! Like Mondrian a binary space partitioning with median cuts, but with the provider as one more
//! dimension: a part may also be cut between providers, in order of their number of rows, where
//! that divides its own rows most evenly. All cuts whose sides both satisfy the requirement are
//! candidates, and the one whose sides have the highest privacy fitness wins (Equation 1 with alpha
//! = 0.8), because those leave most room for further cuts. The paper does not say how the scores of
//! both sides become one; here it is their mean, weighted by rows, and ties go to the provider,
//! then to the widest column.
//!
//! What cuts between providers buy: a group with a single contributor has nobody who could subtract
//! anything, so it only needs to satisfy the constraint itself, whatever m. Strict semantics rules
//! such groups out. Cost: records × columns per level of the tree.
//!
//! Where people are counted, kinds of people are cut by the medians of their rows
//! ([`profiles`](crate::profiles)), and between providers by the largest who knows them.

use crate::bisect::{RecordUnits, Units, median_cuts, most_even, partition_in_place, tallies};
use crate::loss::GeneralizationCosts;
use crate::profiles::{KindUnits, check_people, counted, records_of_kinds};
use crate::{
    Capabilities, CataloguedMethod, Error, GroupRepresentative, Method, MethodOptions, Ranges,
    apart, plan,
};
use mingle_model::{Code, Cube, Partition};
use mingle_privacy::{Requirement, Tally};
use std::cmp::Reverse;

/// Binary space partitioning with the provider as a dimension.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProviderAware;

/// The weight of everything but the first constraint in the fitness of a part: the paper's choice
/// for anonymizing.
const ALPHA: f64 = 0.8;
/// Above this many records, both sides of a cut are divided at the same time.
const PARALLEL: usize = 2048;

impl CataloguedMethod for ProviderAware {
    const NAME: &'static str = "provider-aware";

    const CAPABILITIES: Capabilities = Capabilities {
        cells: false,
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
        ProviderAware
    }
}

impl Method for ProviderAware {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn partition(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<Partition, Error> {
        if options.ranges == Ranges::Cell {
            return Err(Error::NoCells);
        }
        if cube.quasi_identifiers().is_empty() {
            return plan::one_group(cube, requirement);
        }
        check_people(cube, requirement)?;
        if let Some(planned) = apart::partition(self, cube, requirement, options)? {
            return Ok(planned);
        }
        let loss = GeneralizationCosts::new(cube);
        let groups = cut(cube, requirement, &loss, (options, &ranks(cube)))?;
        let groups = groups.ok_or(Error::Unsatisfiable)?;
        let groups = match counted(cube, requirement) {
            None => groups,
            Some(people) => records_of_kinds(people, &groups),
        };
        let tuple_of = plan::tuple_of_record(cube);
        Ok(plan::of_records(
            cube,
            requirement,
            options,
            &groups,
            &tuple_of,
        ))
    }
}

/// The groups of records that the cuts leave, or of kinds where people are counted, if there are such
/// that hold. Without insiders it does not matter whose rows they are, and providers are no
/// dimension.
pub fn groups(
    cube: &Cube,
    requirement: &Requirement,
    loss: &GeneralizationCosts,
    options: &MethodOptions,
) -> Result<Option<Groups>, Error> {
    let rank = if requirement.insiders().m.0 > 0 {
        ranks(cube)
    } else {
        vec![0; cube.providers().len()]
    };
    cut(cube, requirement, loss, (options, &rank))
}

/// Cuts all records or kinds, given the providers' places.
fn cut(
    cube: &Cube,
    requirement: &Requirement,
    loss: &GeneralizationCosts,
    (options, rank): (&MethodOptions, &[Code]),
) -> Result<Option<Groups>, Error> {
    let Some(people) = counted(cube, requirement) else {
        let records = cube.records().iter();
        let places = records.map(|r| rank[r.provider.0 as usize]).collect();
        let search = Search {
            units: &RecordUnits::new(cube),
            requirement,
            loss,
            options,
            places,
        };
        return search.whole();
    };
    let mut places = Vec::with_capacity(people.kinds().len());
    for alike in people.kinds().iter() {
        let own = alike.providers.iter().map(|p| rank[p.0 as usize]);
        places.push(own.min().unwrap_or(0));
    }
    let search = Search {
        units: &KindUnits::new(cube, people),
        requirement,
        loss,
        options,
        places,
    };
    search.whole()
}

struct Search<'a, U> {
    units: &'a U,
    requirement: &'a Requirement,
    loss: &'a GeneralizationCosts<'a>,
    options: &'a MethodOptions<'a>,
    /// Per unit the place of its provider in order of rows: names must not decide. People whom
    /// several know stand with the first of these.
    places: Vec<Code>,
}

/// The providers' places, those with most rows first.
fn ranks(cube: &Cube) -> Vec<Code> {
    let mut rows = vec![0u64; cube.providers().len()];
    cube.records()
        .iter()
        .for_each(|r| rows[r.provider.0 as usize] += r.count);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&provider| Reverse(rows[provider]));
    let mut rank = vec![0; rows.len()];
    order
        .iter()
        .zip(0..)
        .for_each(|(&provider, place)| rank[provider] = place);
    rank
}

/// A dimension and where it is cut.
#[derive(Clone, Copy)]
enum Cut {
    Provider(Code),
    Column(crate::bisect::Cut),
}

type Groups = Vec<Vec<u32>>;

impl<U: Units> Search<'_, U> {
    /// Divides all units.
    fn whole(&self) -> Result<Option<Groups>, Error> {
        let cube = self.units.cube();
        let mut records: Vec<u32> = (0..self.units.len() as u32).collect();
        self.solve(&mut records, plan::whole(cube, self.requirement))
    }

    /// Divides a part into groups that hold, if there are such.
    fn solve(&self, records: &mut [u32], tally: Tally) -> Result<Option<Groups>, Error> {
        if self.requirement.holds(&tally) {
            self.divide(records, tally).map(Some)
        } else {
            self.look_through(records, &tally)
        }
    }

    fn divide(&self, records: &mut [u32], tally: Tally) -> Result<Groups, Error> {
        self.options.check_cancelled()?;
        let Some((cut, [left_tally, right_tally])) = self.choose(records, &tally) else {
            return Ok(self
                .look_through(records, &tally)?
                .unwrap_or_else(|| vec![records.to_vec()]));
        };
        let (left, right) = partition_in_place(records, |r| self.is_left(cut, r));
        let (left, right) = if left.len() + right.len() > PARALLEL {
            rayon::join(
                || self.divide(left, left_tally),
                || self.divide(right, right_tally),
            )
        } else {
            (
                self.divide(left, left_tally),
                self.divide(right, right_tally),
            )
        };
        let mut groups = left?;
        groups.extend(right?);
        Ok(groups)
    }

    /// Cuts although a side fails, first between providers: without closure under union the parts
    /// may hold.
    fn look_through(&self, records: &mut [u32], tally: &Tally) -> Result<Option<Groups>, Error> {
        if self.requirement.closed_under_union()
            || tally.members() < 2 * self.requirement.smallest_group()
        {
            return Ok(None);
        }
        self.options.check_cancelled()?;
        let Some(&cut) = self.cuts(records).first() else {
            return Ok(None);
        };
        let is_left = |r| self.is_left(cut, r);
        let [left_tally, right_tally] =
            tallies(self.units, self.requirement, records, tally, is_left);
        let (left, right) = partition_in_place(records, is_left);
        let Some(mut groups) = self.solve(left, left_tally)? else {
            return Ok(None);
        };
        Ok(self.solve(right, right_tally)?.map(|others| {
            groups.extend(others);
            groups
        }))
    }

    /// Of all cuts that the requirement allows, the one whose sides are fittest.
    fn choose(&self, records: &[u32], tally: &Tally) -> Option<(Cut, [Tally; 2])> {
        if tally.members() < 2 * self.requirement.smallest_group() {
            return None;
        }
        let mut best: Option<(f64, Cut, [Tally; 2])> = None;
        for cut in self.cuts(records) {
            let sides = tallies(self.units, self.requirement, records, tally, |r| {
                self.is_left(cut, r)
            });
            let score = self.score(&sides);
            let better = best.as_ref().is_none_or(|b| score > b.0);
            // the score is cheaper than the check
            if better && sides.iter().all(|side| self.requirement.holds(side)) {
                best = Some((score, cut, sides));
            }
        }
        best.map(|(_, cut, sides)| (cut, sides))
    }

    fn score(&self, sides: &[Tally; 2]) -> f64 {
        let weighted = |side: &Tally| side.size() as f64 * self.requirement.fitness(side, ALPHA);
        sides.iter().map(weighted).sum::<f64>()
            / sides.iter().map(|side| side.size() as f64).sum::<f64>()
    }

    fn cuts(&self, records: &[u32]) -> Vec<Cut> {
        let columns = median_cuts(self.units, self.loss, records)
            .into_iter()
            .map(Cut::Column);
        self.between_providers(records)
            .into_iter()
            .map(Cut::Provider)
            .chain(columns)
            .collect()
    }

    /// The provider before whom a cut leaves the most equal numbers of rows on both sides.
    fn between_providers(&self, records: &[u32]) -> Option<Code> {
        let cube = self.units.cube();
        let mut rows = vec![0u64; cube.providers().len()];
        records
            .iter()
            .for_each(|&r| rows[self.provider(r) as usize] += self.units.weight(r));
        let present = (0..).zip(rows).filter(|&(_, rows)| rows > 0);
        (present.clone().count() > 1).then(|| most_even(present))
    }

    /// The place of the provider of a record.
    fn provider(&self, record: u32) -> Code {
        self.places[record as usize]
    }

    fn is_left(&self, cut: Cut, record: u32) -> bool {
        match cut {
            Cut::Provider(first) => self.provider(record) < first,
            Cut::Column(cut) => self.units.code(cut.column, record) < cut.code,
        }
    }
}

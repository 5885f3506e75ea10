//! Groups for requirements on proportions: entropy, recursive, frequency, t-closeness.
//!
//! No construction is best everywhere. With few sensitive values groups are carved from the whole
//! table with the right mix; with many values no small group has that mix, and cutting the table in
//! two as long as both sides hold gives more groups with tighter labels. So both are made, several
//! ways of cutting among them, and every part that a cut leaves is carved in turn, which never makes
//! labels wider. The start that would be published with the least loss is improved by exchanging
//! rows, and kept as it was where that did not help. Hence the result never loses more than
//! [`mondrian`] or, against insiders, [`provider_aware`] would.

use super::clusters::{Clusters, Parts, Task};
use super::{Groups, Search, blocks, carve, cut};
use crate::loss::GeneralizationCosts;
use crate::profiles::{counted, records_of_kinds};
use crate::{Error, mondrian, plan, provider_aware};
use mingle_model::Partition;
use mingle_privacy::Tally;

/// The best partition that was found.
pub(super) fn partition(search: &Search) -> Result<Partition, Error> {
    let cube = search.loss.cube();
    let together = vec![0; cube.providers().len()];
    let parts = Parts::of(cube, search.requirement, &together);
    let part = parts.first().ok_or(Error::Unsatisfiable)?;
    // one part of all tuples has the records in their order: units are records, or kinds of people
    let task = Task::of_records(search.loss, search.requirement, part, search.crowding());
    let mut best: Option<Start> = None;
    for division in blocks::choose(cube, search.requirement) {
        let cells = mixed_cells(&task, &division, search);
        let start = Start::new(search, carve::carve(&task, cells, search.options)?);
        best = Some(start.or_cheaper(best));
    }
    if let Some(cells) = cheapest_cuts(search, part)? {
        let start = Start::new(search, carve::carve(&task, cells, search.options)?);
        best = Some(start.or_cheaper(best));
    }
    let start = best.ok_or(Error::Unsatisfiable)?;
    let graph = search.graph(&task, &vec![false; task.rows.len()])?;
    let clusters = Clusters::of_groups(&task, start.groups.clone());
    let improved = search.improved(&task, &graph, clusters, false)?;
    let improved = Start::new(search, improved.members);
    Ok(improved.or_cheaper(Some(start)).partition)
}

/// Groups of records, or of kinds of people, and what they cost as they would be published.
struct Start {
    groups: Groups,
    partition: Partition,
    cost: f64,
}

impl Start {
    fn new(search: &Search, groups: Groups) -> Self {
        let cube = search.loss.cube();
        let tuple_of = plan::tuple_of_record(cube);
        let (requirement, options) = (search.requirement, search.options);
        let partition = match counted(cube, requirement) {
            None => plan::of_records(cube, requirement, options, &groups, &tuple_of),
            Some(people) => {
                let records = records_of_kinds(people, &groups);
                plan::of_records(cube, requirement, options, &records, &tuple_of)
            }
        };
        Start {
            cost: search.loss.of_partition(&partition),
            groups,
            partition,
        }
    }

    /// The other one where that costs no more.
    fn or_cheaper(self, other: Option<Start>) -> Start {
        match other {
            Some(other) if other.cost <= self.cost => other,
            _ => self,
        }
    }
}

/// Every block of providers, divided into cells that are small enough to be carved.
fn mixed_cells(task: &Task, division: &blocks::Blocks, search: &Search) -> Groups {
    let cube = search.loss.cube();
    let count = division.iter().max().map_or(0, |&last| last as usize + 1);
    let mut units_of = vec![Vec::new(); count];
    match counted(cube, search.requirement) {
        None => {
            for (unit, record) in (0..).zip(cube.records()) {
                units_of[blocks::block_of(division, record.provider)].push(unit);
            }
        }
        Some(people) => {
            for (unit, alike) in (0..).zip(people.kinds().iter()) {
                units_of[blocks::block_of_people(division, alike.providers)].push(unit);
            }
        }
    }
    let mut cells = Vec::new();
    for units in units_of {
        if !units.is_empty() {
            carve::halve(task, units, &mut cells);
        }
    }
    cells
}

/// The parts of the way of cutting that loses least, if any leaves parts that all hold.
fn cheapest_cuts(search: &Search, part: &Parts) -> Result<Option<Groups>, Error> {
    let (cube, requirement) = (search.loss.cube(), search.requirement);
    // the methods' own cuts are those of unweighted columns
    let plain = GeneralizationCosts::new(cube);
    let mut ways: Vec<Groups> = Vec::new();
    if let Some(tuples) = mondrian::groups(cube, requirement, &plain, search.options)? {
        ways.push(single_units(search, part, &tuples));
    }
    ways.extend(provider_aware::groups(
        cube,
        requirement,
        &plain,
        search.options,
    )?);
    let tuples = Task::of_tuples(search.loss, requirement, part, search.crowding());
    let whole = Tally::sum(tuples.tallies.iter());
    if requirement.holds(&whole) {
        let groups = cut::cut(&tuples, whole, search.options)?;
        ways.push(single_units(search, part, &groups));
    }
    let mut best: Option<(f64, Groups)> = None;
    for groups in ways {
        let loss = Start::new(search, groups.clone()).cost;
        if best.as_ref().is_none_or(|(least, _)| loss < *least) {
            best = Some((loss, groups));
        }
    }
    Ok(best.map(|(_, groups)| groups))
}

/// Groups of tuples as groups of records, or of profiles as groups of kinds.
fn single_units(search: &Search, part: &Parts, groups: &[Vec<u32>]) -> Groups {
    let people = counted(search.loss.cube(), search.requirement);
    let mut all = Vec::with_capacity(groups.len());
    for units in groups {
        let units = units.iter().copied();
        all.push(match people {
            None => part.records_of(units),
            Some(people) => units
                .flat_map(|profile| people.kinds_of(profile as usize))
                .map(|kind| kind as u32)
                .collect(),
        });
    }
    all
}

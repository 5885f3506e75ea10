//! From groups of tuples or records to a partition.

use crate::labels::LabelRules;
use crate::profiles::{counted, tally_kinds};
use crate::separate::separate;
use crate::widen::Widening;
use crate::{Error, MethodOptions};
use mingle_model::{Cell, Cube, Entry, Partition, ProviderId, Record, published_values};
use mingle_privacy::{Requirement, Tally};

/// Groups of whole tuples.
pub fn of_tuples(
    cube: &Cube,
    requirement: &Requirement,
    options: &MethodOptions,
    groups: &[Vec<u32>],
) -> Partition {
    let mut partition = empty(cube, groups.len());
    for (group, tuples) in groups.iter().enumerate() {
        for &tuple in tuples {
            partition.group_of[cube.records_of(tuple as usize)].fill(group as u32);
        }
    }
    let labelling = GroupLabelling::new(cube, requirement, options, &partition.group_of);
    for tuples in groups {
        let records = tuples
            .iter()
            .flat_map(|&t| cube.records_of(t as usize).map(move |r| (t, r as u32)));
        let mut cells = labelling.tight(tuples.iter().copied());
        labelling.widening.apply(records, &mut cells);
        partition.cells.extend(cells);
    }
    separate(cube, requirement, &mut partition);
    partition
}

/// Groups of records, given with the tuple of each record.
pub fn of_records(
    cube: &Cube,
    requirement: &Requirement,
    options: &MethodOptions,
    groups: &[Vec<u32>],
    tuple_of: &[u32],
) -> Partition {
    let mut partition = empty(cube, groups.len());
    for (group, records) in groups.iter().enumerate() {
        for &record in records {
            partition.group_of[record as usize] = group as u32;
        }
    }
    let labelling = GroupLabelling::new(cube, requirement, options, &partition.group_of);
    for records in groups {
        let cells = labelling.of_records(records, tuple_of);
        partition.cells.extend(cells);
    }
    separate(cube, requirement, &mut partition);
    partition
}

/// How the groups of a table are labelled: by the policy's rules, and ends that few providers attain
/// widened.
pub struct GroupLabelling<'a> {
    cube: &'a Cube,
    rules: LabelRules,
    widening: Widening<'a>,
    /// Per column which of its values some published row has.
    published: Vec<Vec<bool>>,
}

impl<'a> GroupLabelling<'a> {
    /// Prepared once for all groups, where per record it is known who is left out: what only they have
    /// must not show in anybody's label.
    pub fn new(
        cube: &'a Cube,
        requirement: &Requirement,
        options: &MethodOptions,
        group_of: &[u32],
    ) -> Self {
        let mut published = Vec::with_capacity(cube.quasi_identifiers().len());
        for column in 0..cube.quasi_identifiers().len() {
            published.push(published_values(cube, column, group_of));
        }
        GroupLabelling {
            cube,
            rules: LabelRules::of(options),
            widening: Widening::new(cube, requirement, &published),
            published,
        }
    }

    /// Likewise, where nobody is left out.
    pub fn of_everybody(
        cube: &'a Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Self {
        GroupLabelling::new(cube, requirement, options, &vec![0; cube.records().len()])
    }

    /// The cells of a group of these records.
    pub fn of_records(&self, records: &[u32], tuple_of: &[u32]) -> Vec<Cell> {
        let records = records.iter().map(|&r| (tuple_of[r as usize], r));
        let mut cells = self.tight(records.clone().map(|(t, _)| t));
        self.widening.apply(records, &mut cells);
        cells
    }

    /// The cells of a group that holds these tuples, before ends are widened.
    fn tight(&self, tuples: impl Iterator<Item = u32> + Clone) -> Vec<Cell> {
        let mut cells = Vec::with_capacity(self.cube.quasi_identifiers().len());
        for (qi, published) in self.cube.quasi_identifiers().iter().zip(&self.published) {
            let codes = tuples.clone().map(|t| qi.codes.get(t as usize));
            cells.push(self.rules.tight(&qi.domain, codes, published));
        }
        cells
    }
}

fn empty(cube: &Cube, groups: usize) -> Partition {
    Partition {
        group_of: vec![Partition::SUPPRESSED; cube.records().len()],
        cells: Vec::with_capacity(groups * cube.quasi_identifiers().len()),
    }
}

/// Per record its tuple.
pub fn tuple_of_record(cube: &Cube) -> Vec<u32> {
    (0..cube.tuples())
        .flat_map(|t| std::iter::repeat_n(t as u32, cube.records_of(t).len()))
        .collect()
}

/// Counts the rows of some tuples, where rows are counted and not people.
pub fn tally(
    cube: &Cube,
    requirement: &Requirement,
    tuples: impl Iterator<Item = u32> + Clone,
) -> Tally {
    if requirement.attributes().is_empty() && !requirement.insiders().need_providers() {
        let count = tuples.map(|t| cube.weight(t as usize)).sum();
        return requirement.tally(
            [Entry {
                sensitive: 0,
                provider: ProviderId(0),
                count,
            }]
            .into_iter(),
        );
    }
    let records = tuples.flat_map(|t| cube.records_of(t as usize));
    tally_records(cube, requirement, records.map(|record| record as u32))
}

/// Counts the rows of some records, or the people who have them: then they are all records of some
/// people. Adds up by combination and provider first, which saves sorting millions of them.
pub fn tally_records(
    cube: &Cube,
    requirement: &Requirement,
    records: impl Iterator<Item = u32> + Clone,
) -> Tally {
    if let Some(people) = counted(cube, requirement) {
        let kinds = records.map(|record| people.kind_of(record as usize));
        return tally_kinds(people, requirement, kinds);
    }
    let records = records.map(|record| &cube.records()[record as usize]);
    let by_provider = requirement.insiders().need_providers();
    let combinations = cube.sensitive().first().map_or(1, |s| s.codes.len());
    let providers = if by_provider {
        cube.providers().len()
    } else {
        1
    };
    let cells = combinations.saturating_mul(providers);
    // a table of counts must pay for itself, and fit
    if cells > DENSE || records.clone().take(cells / 4).count() < cells / 4 {
        return requirement.tally(sorted(records).iter().map(Record::entry));
    }
    let mut counts = vec![0u64; cells];
    let provider = |r: &Record| {
        if by_provider {
            r.provider.0 as usize
        } else {
            0
        }
    };
    records.for_each(|r| counts[r.sensitive as usize * providers + provider(r)] += r.count);
    let entry = |(at, &count): (usize, &u64)| Entry {
        sensitive: (at / providers) as u32,
        provider: ProviderId((at % providers) as u32),
        count,
    };
    requirement.tally(
        counts
            .iter()
            .enumerate()
            .map(entry)
            .filter(|entry| entry.count > 0),
    )
}

/// More combinations of sensitive values and providers than this are not counted in a table of
/// their own.
const DENSE: usize = 1 << 20;

fn sorted<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Record> {
    let mut records: Vec<Record> = records.copied().collect();
    records.sort_unstable_by_key(|r| (r.sensitive, r.provider));
    records
}

/// The plan of a table without quasi-identifiers: all of its rows look alike, so there is one group
/// whatever a method would do.
pub fn one_group(cube: &Cube, requirement: &Requirement) -> Result<Partition, Error> {
    if !requirement.holds(&whole(cube, requirement)) {
        return Err(Error::Unsatisfiable);
    }
    Ok(Partition {
        group_of: vec![0; cube.records().len()],
        cells: Vec::new(),
    })
}

/// Counts the whole table.
pub fn whole(cube: &Cube, requirement: &Requirement) -> Tally {
    if let Some(people) = counted(cube, requirement) {
        return tally_kinds(people, requirement, 0..people.kinds().len());
    }
    tally(cube, requirement, 0..cube.tuples() as u32)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;

//! From groups of tuples or records to a partition.

use mingle_model::{Cell, Code, Cube, Entry, Partition, ProviderId, Record};
use mingle_privacy::{Requirement, Tally};

/// Groups of whole tuples.
pub fn of_tuples(cube: &Cube, groups: &[Vec<u32>]) -> Partition {
    let mut partition = empty(cube, groups.len());
    for (group, tuples) in groups.iter().enumerate() {
        tuples.iter().for_each(|&t| partition.group_of[cube.records_of(t as usize)].fill(group as u32));
        partition.cells.extend(tight(cube, tuples.iter().copied()));
    }
    partition
}

/// Groups of records, given with the tuple of each record.
pub fn of_records(cube: &Cube, groups: &[Vec<u32>], tuple_of: &[u32]) -> Partition {
    let mut partition = empty(cube, groups.len());
    for (group, records) in groups.iter().enumerate() {
        records.iter().for_each(|&r| partition.group_of[r as usize] = group as u32);
        partition.cells.extend(tight(cube, records.iter().map(|&r| tuple_of[r as usize])));
    }
    partition
}

fn empty(cube: &Cube, groups: usize) -> Partition {
    Partition {
        group_of: vec![Partition::SUPPRESSED; cube.records().len()],
        cells: Vec::with_capacity(groups * cube.quasi_identifiers().len()),
    }
}

/// The cells of a group that holds these tuples: the smallest range, or exactly the values that occur.
pub fn tight<'a>(cube: &'a Cube, tuples: impl Iterator<Item = u32> + Clone + 'a) -> impl Iterator<Item = Cell> + 'a {
    cube.quasi_identifiers().iter().map(move |qi| {
        let codes = tuples.clone().map(|t| qi.codes.get(t as usize));
        if !qi.domain.is_flat() {
            let (lo, hi) = codes.fold((Code::MAX, 0), |(lo, hi), c| (lo.min(c), hi.max(c)));
            return Cell::Span { lo, hi };
        }
        let mut set: Vec<Code> = codes.collect();
        set.sort_unstable();
        set.dedup();
        Cell::Set(set.into())
    })
}

/// Per record its tuple.
pub fn tuple_of_record(cube: &Cube) -> Vec<u32> {
    (0..cube.tuples()).flat_map(|t| std::iter::repeat_n(t as u32, cube.records_of(t).len())).collect()
}

/// Counts the rows of some tuples. Adds up by combination and provider first, which saves sorting millions of records.
pub fn tally(cube: &Cube, requirement: &Requirement, tuples: impl Iterator<Item = u32> + Clone) -> Tally {
    let by_provider = requirement.insiders().need_providers();
    if requirement.attributes().is_empty() && !by_provider {
        let count = tuples.map(|t| cube.weight(t as usize)).sum();
        return requirement.tally([Entry { sensitive: 0, provider: ProviderId(0), count }].into_iter());
    }
    let combinations = cube.sensitive().first().map_or(1, |s| s.codes.len());
    let providers = if by_provider { cube.providers().len() } else { 1 };
    let records = tuples.flat_map(|t| &cube.records()[cube.records_of(t as usize)]);
    if combinations.saturating_mul(providers) > DENSE {
        return requirement.tally(records.map(Record::entry));
    }
    let mut counts = vec![0u64; combinations * providers];
    let provider = |r: &Record| if by_provider { r.provider.0 as usize } else { 0 };
    records.for_each(|r| counts[r.sensitive as usize * providers + provider(r)] += u64::from(r.count));
    let entry = |(at, &count): (usize, &u64)| Entry {
        sensitive: (at / providers) as u32,
        provider: ProviderId((at % providers) as u32),
        count,
    };
    requirement.tally(counts.iter().enumerate().map(entry).filter(|entry| entry.count > 0))
}

/// More combinations of sensitive values and providers than this are not counted in a table of their own.
const DENSE: usize = 1 << 16;

/// Counts the whole table.
pub fn whole(cube: &Cube, requirement: &Requirement) -> Tally {
    tally(cube, requirement, 0..cube.tuples() as u32)
}

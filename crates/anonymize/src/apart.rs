//! Rows of a person apart: planned for rows, and mended for people.
//!
//! Where the rows of a person may go where they fit, people are counted within each group. Two groups
//! that hold may then fail as one, since somebody may be in both, and what a group counts is not
//! the sum of what its parts count. So a method first plans for rows, as if each were a person. Then
//! people are counted in every group as it will be published, groups that look alike being one, and
//! a group that fails is united with the one whose company costs least, until all hold or one group is
//! left. Every round leaves fewer groups.
//!
//! Who has all rows in one group is counted there as she would be where rows stay together, so a plan that keeps
//! them together is a plan for this as well. It is made too, and taken where it costs less: against insiders who
//! recognise people, groups that were united for them may end up wider than that.
//!
//! Cost: a round counts all records and compares each group that fails with all others; and a second plan.

use crate::loss::{Extents, GeneralizationCosts};
use crate::{Error, Method, MethodOptions, plan};
use mingle_model::{Cube, Entry, Kinds, Partition, PersonRows};
use mingle_privacy::Requirement;
use std::collections::HashMap;

/// Groups of records.
type Groups = Vec<Vec<u32>>;

/// The same promises about rows, where the rows of a person may be apart.
pub fn about_rows(cube: &Cube, requirement: &Requirement) -> Result<Option<Requirement>, Error> {
    if requirement.person_rows() != Some(PersonRows::Apart) {
        return Ok(None);
    }
    let counts = cube.combinations();
    let rows = Requirement::bind(requirement.promises(), cube.sensitive(), &counts);
    let rows = rows.map_err(|_| Error::Unsatisfiable)?;
    Ok(Some(rows.against(requirement.insiders())))
}

/// Plans for rows and mends for people; `None` where rows of a person stay together.
pub fn partition(
    method: &dyn Method,
    cube: &Cube,
    requirement: &Requirement,
    options: &MethodOptions,
) -> Result<Option<Partition>, Error> {
    let Some(rows) = about_rows(cube, requirement)? else {
        return Ok(None);
    };
    let apart = mended(method, cube, (requirement, &rows), options);
    let together = together(method, cube, requirement, options);
    let (apart, together) = match (apart, together) {
        (Err(Error::Cancelled), _) | (_, Err(Error::Cancelled)) => return Err(Error::Cancelled),
        (Ok(apart), Ok(Some(together))) => (apart, together),
        (Err(_), Ok(Some(together))) => return Ok(Some(together)),
        (apart, _) => return apart.map(Some),
    };
    let loss = GeneralizationCosts::new(cube);
    if loss.of_partition(&together) < loss.of_partition(&apart) {
        return Ok(Some(together));
    }
    Ok(Some(apart))
}

/// A plan that keeps the rows of a person together, if it holds where they may be apart.
fn together(
    method: &dyn Method,
    cube: &Cube,
    requirement: &Requirement,
    options: &MethodOptions,
) -> Result<Option<Partition>, Error> {
    let Some(people) = cube.people() else {
        return Ok(None);
    };
    let together = requirement.bind_people_again(
        requirement.promises(),
        cube.sensitive(),
        people.kinds(),
        PersonRows::Together,
    );
    let together = together.map_err(|_| Error::Unsatisfiable)?;
    let planned = method.partition(cube, &together, options)?;
    Ok(holds(cube, requirement, &planned)?.then_some(planned))
}

/// A plan for rows whose groups were united until people are protected.
fn mended(
    method: &dyn Method,
    cube: &Cube,
    (requirement, rows): (&Requirement, &Requirement),
    options: &MethodOptions,
) -> Result<Partition, Error> {
    let mut planned = method.partition(cube, rows, options)?;
    let tuple_of = plan::tuple_of_record(cube);
    loop {
        options.check_cancelled()?;
        let groups = published_groups(cube, &planned);
        let failing = failing(cube, requirement, &groups)?;
        if failing.is_empty() {
            return Ok(planned);
        }
        if groups.len() < 2 {
            return Err(Error::Unsatisfiable);
        }
        let groups = united(cube, groups, &failing, &tuple_of);
        planned = plan::of_records(cube, rows, options, &groups, &tuple_of);
    }
}

/// Whether people are protected in every group of a plan for rows.
pub fn holds(cube: &Cube, requirement: &Requirement, planned: &Partition) -> Result<bool, Error> {
    let groups = published_groups(cube, planned);
    Ok(failing(cube, requirement, &groups)?.is_empty())
}

/// The records of each group as it will be published: groups with the same labels are one.
fn published_groups(cube: &Cube, planned: &Partition) -> Groups {
    let columns = cube.quasi_identifiers();
    let mut place_of_label: HashMap<Vec<String>, usize> = HashMap::new();
    let mut place_of_group: HashMap<u32, usize> = HashMap::new();
    let mut groups: Groups = Vec::new();
    for (record, &group) in (0..).zip(&planned.group_of) {
        if group == Partition::SUPPRESSED {
            continue;
        }
        let place = *place_of_group.entry(group).or_insert_with(|| {
            let cells = &planned.cells[group as usize * columns.len()..][..columns.len()];
            let labels = columns.iter().zip(cells);
            let labels = labels.map(|(qi, cell)| qi.domain.label(cell)).collect();
            *place_of_label.entry(labels).or_insert(groups.len())
        });
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(record);
    }
    groups
}

/// Which groups fail when people are counted within each of them.
fn failing(
    cube: &Cube,
    requirement: &Requirement,
    groups: &[Vec<u32>],
) -> Result<Vec<usize>, Error> {
    let people = cube.people().ok_or(Error::OtherPeople)?;
    // what each person has in each group
    let mut kinds = Kinds::default();
    let mut ends = Vec::with_capacity(groups.len());
    let mut own: Vec<(usize, Entry)> = Vec::new();
    for records in groups {
        own.clear();
        for &record in records {
            let kind = people.kind_of(record as usize);
            let mut entry = cube.records()[record as usize].entry();
            entry.count /= people.kinds().get(kind).people;
            own.push((kind, entry));
        }
        own.sort_unstable();
        for of_kind in own.chunk_by(|a, b| a.0 == b.0) {
            let alike = people.kinds().get(of_kind[0].0);
            let entries = of_kind.iter().map(|&(_, entry)| entry);
            kinds.push(alike.people, entries, alike.providers.iter().copied());
        }
        ends.push(kinds.len());
    }
    let bound = requirement.bind_people_again(
        requirement.promises(),
        cube.sensitive(),
        &kinds,
        PersonRows::Apart,
    );
    let bound = bound.map_err(|_| Error::Unsatisfiable)?;
    let mut failing = Vec::new();
    let mut start = 0;
    for (group, end) in ends.into_iter().enumerate() {
        let tally = bound.tally_kinds((start..end).map(|kind| (kind, kinds.get(kind).people)));
        if !bound.holds(&tally) {
            failing.push(group);
        }
        start = end;
    }
    Ok(failing)
}

/// Each group that fails together with the one whose company costs least; each takes part once.
fn united(cube: &Cube, groups: Groups, failing: &[usize], tuple_of: &[u32]) -> Groups {
    let loss = GeneralizationCosts::new(cube);
    let mut extents: Extents = loss.extents();
    let mut rows = Vec::with_capacity(groups.len());
    for records in &groups {
        let mut tuples: Vec<u32> = records.iter().map(|&r| tuple_of[r as usize]).collect();
        tuples.dedup();
        loss.push_box(&mut extents, &tuples);
        let counts = records.iter().map(|&r| cube.records()[r as usize].count);
        rows.push(counts.sum::<u64>() as f32);
    }
    let mut partner: Vec<Option<usize>> = vec![None; groups.len()];
    let mut is_taken = vec![false; groups.len()];
    for &group in failing {
        if is_taken[group] {
            continue;
        }
        let mut best: Option<(f32, usize)> = None;
        for other in 0..groups.len() {
            if other == group || is_taken[other] {
                continue;
            }
            let union = loss.union((&extents, group), (&extents, other), f32::INFINITY);
            let cost = union * (rows[group] + rows[other]);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, other));
            }
        }
        if let Some((_, other)) = best {
            (is_taken[group], is_taken[other]) = (true, true);
            partner[other] = Some(group);
        }
    }
    let mut all: Groups = vec![Vec::new(); groups.len()];
    for (group, records) in groups.into_iter().enumerate() {
        all[partner[group].unwrap_or(group)].extend(records);
    }
    all.retain(|records| !records.is_empty());
    all
}

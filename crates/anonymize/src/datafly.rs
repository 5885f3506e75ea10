//! Datafly: full-domain generalization until the requirement holds (Sweeney 1997), and the rest
//! left out.
//!
//! All columns start at level 0. While some class fails the requirement, the column with the most
//! distinct current values rises by one level ([`FullDomain::step`]); at the latest, everything is
//! `*` and one class. Every state is checked anew, because against insiders a union of classes that
//! hold may fail. Labels are those of the levels: they are not made tight, and none of their ends
//! follows from the rows of a class, so that against insiders nothing needs to be widened.
//!
//! With [`MethodOptions::max_suppressed`], the search stops as soon as the failing classes have no
//! more rows than that, and leaves these classes out. t-closeness compares with the rows that are
//! published, so the classes that stay are checked once more against these; where one fails, the
//! search goes on.
//!
//! Where people are counted, a profile has in each column the node of the current level, or the lowest
//! one above it that covers all of its values, and profiles with the same labels are a class.
//!
//! Where the rows of a person may be apart, the search goes on until every class also holds for
//! people.
//!
//! Assumes hierarchies: a column without one goes from its values to `*` in a single step. Cost:
//! O(tuples × columns) and a check of all classes per step, and at most as many steps as the
//! hierarchies have levels together.

use crate::full_domain::FullDomain;
use crate::profiles::{check_people, counted};
use crate::{
    Capabilities, CataloguedMethod, Error, GroupRepresentative, Method, MethodOptions, Ranges,
    apart, plan,
};
use mingle_model::{Cube, Kinds, Partition, PeopleOfCube};
use mingle_privacy::{Requirement, Tally};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Full-domain generalization, the column with the most values first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Datafly;

impl CataloguedMethod for Datafly {
    const NAME: &'static str = "datafly";

    const CAPABILITIES: Capabilities = Capabilities {
        cells: false,
        centroids: false,
        suppresses: true,
        full_domain: true,
        decoys: false,
        efforts: false,
        aims: false,
        sets: false,
        quick: true,
    };

    fn with_output(_: GroupRepresentative) -> Self {
        Datafly
    }
}

impl Method for Datafly {
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
        check_people(cube, requirement)?;
        let rows = apart::about_rows(cube, requirement)?;
        let planned = rows.as_ref().unwrap_or(requirement);
        let mut full = FullDomain::new(
            cube.quasi_identifiers()
                .iter()
                .map(|qi| (&qi.domain, &qi.codes))
                .collect(),
        );
        let people = counted(cube, planned);
        let tuples: Vec<u32> = (0..cube.tuples() as u32).collect();
        loop {
            options.check_cancelled()?;
            let classes = match people {
                None => Classes::new(cube, None, &full.classes(&tuples)),
                Some(people) => {
                    let class_of = classes_of_profiles(cube, people, &full);
                    Classes::new(cube, Some(people), &class_of)
                }
            };
            if let Some(kept) = classes.kept(planned, options.max_suppressed) {
                let partition = classes.partition(&full, &kept);
                if rows.is_none() || apart::holds(cube, requirement, &partition)? {
                    return Ok(partition);
                }
            }
            full.step(&tuples).ok_or(Error::Unsatisfiable)?;
        }
    }
}

/// Per profile its class: those whose labels are the same, numbered by their first member.
fn classes_of_profiles(cube: &Cube, people: &PeopleOfCube, full: &FullDomain) -> Vec<u32> {
    let columns = cube.quasi_identifiers();
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    // labels of different levels may read the same, and readers know no levels
    let mut labels: Vec<HashMap<String, u32>> = vec![HashMap::new(); columns.len()];
    let mut label_of: Vec<HashMap<(u32, u32), u32>> = vec![HashMap::new(); columns.len()];
    let mut class_of = Vec::with_capacity(people.profiles());
    for profile in 0..people.profiles() {
        let mut key = Vec::with_capacity(columns.len());
        for (column, qi) in columns.iter().enumerate() {
            let span = full.span(column, people.tuples_of(profile).iter().copied());
            let label = *label_of[column].entry(span).or_insert_with(|| {
                let text = qi.domain.label(&full.cover_span(column, span));
                let next = labels[column].len() as u32;
                *labels[column].entry(text).or_insert(next)
            });
            key.push(label);
        }
        let next = numbers.len() as u32;
        class_of.push(*numbers.entry(key).or_insert(next));
    }
    class_of
}

/// Tuples, or profiles where people are counted, that look alike.
struct Classes<'a> {
    cube: &'a Cube,
    people: Option<&'a PeopleOfCube>,
    members: Vec<Vec<u32>>,
    rows: Vec<u64>,
    /// How many people, or rows where these are people.
    sizes: Vec<u64>,
}

impl<'a> Classes<'a> {
    /// From the class of each tuple or profile.
    fn new(cube: &'a Cube, people: Option<&'a PeopleOfCube>, class_of: &[u32]) -> Self {
        let count = class_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut classes = Classes {
            cube,
            people,
            members: vec![Vec::new(); count],
            rows: vec![0; count],
            sizes: vec![0; count],
        };
        for (unit, &class) in class_of.iter().enumerate() {
            let class = class as usize;
            classes.members[class].push(unit as u32);
            let Some(people) = people else {
                classes.rows[class] += cube.weight(unit);
                classes.sizes[class] += cube.weight(unit);
                continue;
            };
            for kind in people.kinds_of(unit) {
                let alike = people.kinds().get(kind);
                classes.rows[class] += alike.people * alike.rows();
                classes.sizes[class] += alike.people;
            }
        }
        classes
    }

    /// Per class whether it is published, if that is possible with at most `most` rows left out.
    fn kept(&self, requirement: &Requirement, most: u64) -> Option<Vec<bool>> {
        let all = vec![true; self.members.len()];
        let kept = self.holding(requirement, all, most, None)?;
        if kept.iter().all(|&kept| kept) {
            return Some(kept);
        }
        // nothing to publish is no release, and cannot be bound
        let (promises, sensitive) = (requirement.promises(), self.cube.sensitive());
        if let Some(people) = self.people {
            let (kinds, renumbered) = self.kinds(people, &kept);
            let rows = requirement.person_rows().unwrap_or_default();
            let rest = requirement
                .bind_people_again(promises, sensitive, &kinds, rows)
                .ok()?;
            return self.holding(&rest, kept, 0, Some(&renumbered));
        }
        let counts = self.combinations(&kept);
        let rest = requirement.bind_again(promises, sensitive, &counts).ok()?;
        self.holding(&rest, kept, 0, None)
    }

    /// The kinds of people in the classes that are kept, and per kind its number among them.
    fn kinds(&self, people: &PeopleOfCube, kept: &[bool]) -> (Kinds, Vec<usize>) {
        let mut kinds = Kinds::default();
        let mut renumbered = vec![usize::MAX; people.kinds().len()];
        for (profiles, _) in self.members.iter().zip(kept).filter(|(_, kept)| **kept) {
            for kind in profiles.iter().flat_map(|&p| people.kinds_of(p as usize)) {
                let alike = people.kinds().get(kind);
                renumbered[kind] = kinds.len();
                let (entries, providers) = (alike.entries, alike.providers);
                kinds.push(
                    alike.people,
                    entries.iter().copied(),
                    providers.iter().copied(),
                );
            }
        }
        (kinds, renumbered)
    }

    /// Which of these classes hold; `None` if the others have more than `most` rows. Kinds of people
    /// may have other numbers in the requirement.
    fn holding(
        &self,
        requirement: &Requirement,
        among: Vec<bool>,
        most: u64,
        renumbered: Option<&[usize]>,
    ) -> Option<Vec<bool>> {
        let smallest = requirement.smallest_group();
        let too_small = |class: &usize| among[*class] && self.sizes[*class] < smallest;
        // adding up sizes rules most states out before anything else is counted
        let small: u64 = (0..among.len())
            .filter(too_small)
            .map(|class| self.rows[class])
            .sum();
        let failed = AtomicU64::new(small);
        let within = |more: u64| failed.fetch_add(more, Ordering::Relaxed) + more <= most;
        let holds = |class: usize| {
            if among[class] && self.sizes[class] >= smallest {
                let tally = within(0).then(|| self.tally(requirement, class, renumbered))?;
                let holds = requirement.holds(&tally);
                (holds || within(self.rows[class])).then_some(holds)
            } else {
                within(0).then_some(false)
            }
        };
        (0..among.len()).into_par_iter().map(holds).collect()
    }

    fn tally(
        &self,
        requirement: &Requirement,
        class: usize,
        renumbered: Option<&[usize]>,
    ) -> Tally {
        let Some(people) = self.people else {
            return plan::tally(self.cube, requirement, self.units(class));
        };
        let kinds = self.units(class).flat_map(|p| people.kinds_of(p as usize));
        requirement.tally_kinds(kinds.map(|kind| {
            let number = renumbered.map_or(kind, |renumbered| renumbered[kind]);
            (number, people.kinds().get(kind).people)
        }))
    }

    fn units(&self, class: usize) -> impl Iterator<Item = u32> + Clone {
        self.members[class].iter().copied()
    }

    /// The tuples of a class; some may come several times.
    fn tuples(&self, class: usize) -> Vec<u32> {
        let Some(people) = self.people else {
            return self.members[class].clone();
        };
        let mut tuples = Vec::new();
        for profile in self.units(class) {
            tuples.extend_from_slice(people.tuples_of(profile as usize));
        }
        tuples
    }

    fn records(&self, class: usize) -> Vec<u32> {
        let mut records = Vec::new();
        for unit in self.units(class) {
            match self.people {
                None => {
                    let own = self.cube.records_of(unit as usize);
                    records.extend(own.map(|record| record as u32));
                }
                Some(people) => {
                    for kind in people.kinds_of(unit as usize) {
                        records.extend_from_slice(people.records_of(kind));
                    }
                }
            }
        }
        records
    }

    /// How many rows have each combination of sensitive values in the classes that are kept.
    fn combinations(&self, kept: &[bool]) -> Vec<u64> {
        let mut counts = vec![
            0;
            self.cube
                .sensitive()
                .first()
                .map_or(1, |column| column.codes.len())
        ];
        let tuples = self
            .members
            .iter()
            .zip(kept)
            .filter(|(_, kept)| **kept)
            .flat_map(|(members, _)| members);
        for record in
            tuples.flat_map(|&tuple| &self.cube.records()[self.cube.records_of(tuple as usize)])
        {
            counts[record.sensitive as usize] += record.count;
        }
        counts
    }

    fn partition(&self, full: &FullDomain, kept: &[bool]) -> Partition {
        let mut group_of = vec![Partition::SUPPRESSED; self.cube.records().len()];
        let mut cells = Vec::new();
        for (group, class) in (0..kept.len()).filter(|&class| kept[class]).enumerate() {
            for record in self.records(class) {
                group_of[record as usize] = group as u32;
            }
            let tuples = self.tuples(class);
            cells.extend(
                (0..full.levels().len()).map(|column| full.cover(column, tuples.iter().copied())),
            );
        }
        Partition { group_of, cells }
    }
}

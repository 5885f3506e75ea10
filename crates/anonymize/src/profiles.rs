//! People who have several rows, as what a method moves.
//!
//! All rows of a person go into one group, so a unit is not a tuple but a *profile*: the set of a
//! person's tuples, with everybody who has these and no others. Where people must be able to part
//! that have the same tuples, as between providers, it is a *kind* of people, see
//! [`PeopleOfCube`]. A profile is a box, the smallest label that covers its tuples: labels and losses are
//! those of the box. Methods that cut a table need one code per column, and go by the median of the
//! profile's tuples; all rows go along.
//!
//! Units are people only where the requirement counts people. A requirement that counts rows moves
//! rows, whether somebody has several or not: what it plans then is refused when it is rendered.
//! Cost O(tuples of all profiles × columns).

use crate::Error;
use crate::bisect::Units;
use mingle_model::{Code, Cube, PeopleOfCube};
use mingle_privacy::{Requirement, Tally};

/// The people of a table, where the requirement counts them.
pub fn counted<'a>(cube: &'a Cube, requirement: &Requirement) -> Option<&'a PeopleOfCube> {
    cube.people().filter(|_| requirement.counts_people())
}

/// An error where the requirement counts other people than those of the table: their kinds would be
/// taken for each other.
pub fn check_people(cube: &Cube, requirement: &Requirement) -> Result<(), Error> {
    let bound = |people: &PeopleOfCube| requirement.is_bound_to(people.kinds());
    if requirement.counts_people() && !cube.people().is_some_and(bound) {
        return Err(Error::OtherPeople);
    }
    Ok(())
}

/// Counts the people of some kinds, each of which may come several times.
pub fn tally_kinds(
    people: &PeopleOfCube,
    requirement: &Requirement,
    kinds: impl Iterator<Item = usize>,
) -> Tally {
    let mut distinct: Vec<usize> = kinds.collect();
    distinct.sort_unstable();
    distinct.dedup();
    let number = |kind: usize| (kind, people.kinds().get(kind).people);
    requirement.tally_kinds(distinct.into_iter().map(number))
}

/// The records of groups of kinds.
pub fn records_of_kinds(people: &PeopleOfCube, groups: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut all = Vec::with_capacity(groups.len());
    for kinds in groups {
        let mut records = Vec::new();
        for &kind in kinds {
            records.extend_from_slice(people.records_of(kind as usize));
        }
        all.push(records);
    }
    all
}

/// Units are profiles.
pub struct Profiles<'a> {
    cube: &'a Cube,
    people: &'a PeopleOfCube,
    /// Per column the code that stands for each profile.
    codes: Vec<Vec<Code>>,
    /// Per profile how many people have it.
    numbers: Vec<u64>,
}

impl<'a> Profiles<'a> {
    /// The profiles of a cube's people.
    pub fn new(cube: &'a Cube, people: &'a PeopleOfCube) -> Self {
        let mut codes = Vec::with_capacity(cube.quasi_identifiers().len());
        let mut own: Vec<Code> = Vec::new();
        for qi in cube.quasi_identifiers() {
            let mut medians = Vec::with_capacity(people.profiles());
            for profile in 0..people.profiles() {
                own.clear();
                own.extend(
                    people
                        .tuples_of(profile)
                        .iter()
                        .map(|&tuple| qi.codes.get(tuple as usize)),
                );
                own.sort_unstable();
                medians.push(own[(own.len() - 1) / 2]);
            }
            codes.push(medians);
        }
        let mut numbers = Vec::with_capacity(people.profiles());
        for profile in 0..people.profiles() {
            let kinds = people.kinds_of(profile);
            numbers.push(kinds.map(|kind| people.kinds().get(kind).people).sum());
        }
        Profiles {
            cube,
            people,
            codes,
            numbers,
        }
    }

    /// The people whose profiles these are.
    pub fn people(&self) -> &'a PeopleOfCube {
        self.people
    }
}

impl Units for Profiles<'_> {
    fn cube(&self) -> &Cube {
        self.cube
    }

    fn len(&self) -> usize {
        self.numbers.len()
    }

    #[inline]
    fn weight(&self, unit: u32) -> u64 {
        self.numbers[unit as usize]
    }

    #[inline]
    fn code(&self, column: usize, unit: u32) -> Code {
        self.codes[column][unit as usize]
    }

    fn tally(&self, requirement: &Requirement, units: impl Iterator<Item = u32> + Clone) -> Tally {
        let kinds = units.flat_map(|unit| self.people.kinds_of(unit as usize));
        tally_kinds(self.people, requirement, kinds)
    }

    fn push_records(&self, unit: u32, records: &mut Vec<u32>) {
        for kind in self.people.kinds_of(unit as usize) {
            records.extend_from_slice(self.people.records_of(kind));
        }
    }
}

/// Units are kinds of people.
pub struct KindUnits<'a>(Profiles<'a>);

impl<'a> KindUnits<'a> {
    /// The kinds of a cube's people.
    pub fn new(cube: &'a Cube, people: &'a PeopleOfCube) -> Self {
        KindUnits(Profiles::new(cube, people))
    }
}

impl Units for KindUnits<'_> {
    fn cube(&self) -> &Cube {
        self.0.cube
    }

    fn len(&self) -> usize {
        self.0.people.kinds().len()
    }

    #[inline]
    fn weight(&self, unit: u32) -> u64 {
        self.0.people.kinds().get(unit as usize).people
    }

    #[inline]
    fn code(&self, column: usize, unit: u32) -> Code {
        let profile = self.0.people.profile_of(unit as usize);
        self.0.code(column, profile as u32)
    }

    fn tally(&self, requirement: &Requirement, units: impl Iterator<Item = u32> + Clone) -> Tally {
        let kinds = units.map(|unit| unit as usize);
        tally_kinds(self.0.people, requirement, kinds)
    }

    fn push_records(&self, unit: u32, records: &mut Vec<u32>) {
        records.extend_from_slice(self.0.people.records_of(unit as usize));
    }
}

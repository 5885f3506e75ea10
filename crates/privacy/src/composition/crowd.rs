//! The people that releases are laid over, as a reader tells them apart.
//!
//! Where each row is one person, the reader knows people by a tuple of quasi-identifiers. Where
//! people may have several rows, by a *profile*: the tuples of all of somebody's rows. Such people
//! are a *unit* here; a unit's *members* are those who have the same sensitive values too.

use mingle_model::{Cube, Partition, Published};
use std::ops::Range;

/// People by what is known about them.
pub struct OverlaidPeople<'a> {
    cube: &'a Cube,
    /// All tuples; one of them is a unit where each row is one person.
    tuples: Vec<u32>,
}

impl<'a> OverlaidPeople<'a> {
    /// The people of a cube.
    pub fn new(cube: &'a Cube) -> OverlaidPeople<'a> {
        let tuples = match cube.people() {
            None => (0..cube.tuples() as u32).collect(),
            Some(_) => Vec::new(),
        };
        OverlaidPeople { cube, tuples }
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        match self.cube.people() {
            None => self.cube.tuples(),
            Some(people) => people.profiles(),
        }
    }

    /// The tuples of a unit, ascending.
    pub fn tuples_of(&self, unit: usize) -> &[u32] {
        match self.cube.people() {
            None => &self.tuples[unit..=unit],
            Some(people) => people.tuples_of(unit),
        }
    }

    /// The members of a unit.
    pub fn members_of(&self, unit: usize) -> Range<usize> {
        match self.cube.people() {
            None => self.cube.records_of(unit),
            Some(people) => people.kinds_of(unit),
        }
    }

    /// How many people a member stands for.
    pub fn people_of(&self, member: usize) -> u64 {
        match self.cube.people() {
            None => self.cube.records()[member].count,
            Some(people) => people.kinds().get(member).people,
        }
    }

    /// How many people a unit has.
    pub fn people_of_unit(&self, unit: usize) -> u64 {
        self.members_of(unit)
            .map(|member| self.people_of(member))
            .sum()
    }

    /// How many people there are.
    pub fn count(&self) -> u64 {
        match self.cube.people() {
            None => self.cube.rows(),
            Some(people) => people.count(),
        }
    }

    /// The combinations of sensitive values that a member has; one may occur twice.
    pub fn combinations_of(&self, member: usize) -> impl Iterator<Item = u32> {
        let (one, several) = match self.cube.people() {
            None => (Some(self.cube.records()[member].sensitive), [].as_slice()),
            Some(people) => (None, people.kinds().get(member).entries),
        };
        let several = several.iter().map(|entry| entry.sensitive);
        one.into_iter().chain(several)
    }

    /// The first record of a member.
    pub fn record_of(&self, member: usize) -> usize {
        match self.cube.people() {
            None => member,
            Some(people) => people.records_of(member)[0] as usize,
        }
    }

    /// The group that a member is in, all rows together; `None` where it was left out.
    pub fn group_of(&self, member: usize, own: &Published) -> Option<u32> {
        let group = own.group_of()[self.record_of(member)];
        (group != Partition::SUPPRESSED).then_some(group)
    }
}

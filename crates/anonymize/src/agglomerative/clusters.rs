//! Groups in progress, and what they cost together.

use super::blocks::{Blocks, block_of, block_of_people};
use crate::index::{TOLERANCE, TOLERANCE_AMONG_MANY};
use crate::loss::{Extents, GeneralizationCosts};
use crate::plan;
use crate::profiles::counted;
use mingle_model::{Code, Cube, Entry, PeopleOfCube, Record};
use mingle_privacy::{Requirement, Tally};
use rayon::prelude::*;

/// What does not change while groups form: the units (tuples or single rows; profiles or people where
/// these are counted) and the goal.
pub(super) struct Task<'a> {
    pub loss: &'a GeneralizationCosts<'a>,
    pub requirement: &'a Requirement,
    /// The units' own extents, rows and tallies.
    pub extents: Extents,
    pub rows: Vec<f32>,
    pub tallies: Vec<Tally>,
    /// Each unit's combination of sensitive values; empty where units are whole tuples.
    pub sensitive: Vec<u32>,
    /// Units that must not stand alone although they could; see [`decoys`](super::decoys).
    pub decoys: Vec<bool>,
    /// Whether the units are a piece of a large table. They know fewer neighbours, then, and a group
    /// all of whose neighbours are satisfied asks farther away.
    pub among_many: bool,
    /// How many rows the smallest group that the requirement allows has in the mean.
    pub smallest_rows: f32,
    /// What one row more in a group costs each of its rows.
    pub crowding: f32,
}

/// Tuples, or profiles where people are counted, each with the records of it that belong together.
#[derive(Default)]
pub(super) struct Parts {
    /// The tuple or profile of each unit.
    pub numbers: Vec<u32>,
    starts: Vec<u32>,
    records: Vec<u32>,
}

impl Parts {
    /// Every tuple or profile, divided by block.
    pub fn of(cube: &Cube, requirement: &Requirement, blocks: &Blocks) -> Vec<Parts> {
        let all = match counted(cube, requirement) {
            None => 0..cube.tuples(),
            Some(people) => 0..people.profiles(),
        };
        Parts::of_some(cube, requirement, blocks, all)
    }

    /// These tuples or profiles, divided by block.
    pub fn of_some(
        cube: &Cube,
        requirement: &Requirement,
        blocks: &Blocks,
        numbers: impl Iterator<Item = usize>,
    ) -> Vec<Parts> {
        let count = blocks.iter().max().map_or(0, |&last| last as usize + 1);
        let mut parts: Vec<Parts> = std::iter::repeat_with(Parts::default).take(count).collect();
        if let Some(people) = counted(cube, requirement) {
            for profile in numbers {
                for kind in people.kinds_of(profile) {
                    let providers = people.kinds().get(kind).providers;
                    let part = &mut parts[block_of_people(blocks, providers)];
                    part.open(profile);
                    part.records.extend_from_slice(people.records_of(kind));
                }
            }
        } else {
            for tuple in numbers {
                for record in cube.records_of(tuple) {
                    let part = &mut parts[block_of(blocks, cube.records()[record].provider)];
                    part.open(tuple);
                    part.records.push(record as u32);
                }
            }
        }
        parts
            .iter_mut()
            .for_each(|part| part.starts.push(part.records.len() as u32));
        parts.retain(|part| part.len() > 0);
        parts
    }

    /// Appends a unit with these records of a tuple or profile.
    pub fn push(&mut self, number: u32, records: impl Iterator<Item = u32>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.numbers.push(number);
        self.records.extend(records);
        self.starts.push(self.records.len() as u32);
    }

    /// Begins a unit, unless it is the one that was begun last.
    fn open(&mut self, number: usize) {
        if self.numbers.last() != Some(&(number as u32)) {
            self.numbers.push(number as u32);
            self.starts.push(self.records.len() as u32);
        }
    }

    /// Some of the units, numbered anew.
    pub fn only(&self, units: &[u32]) -> Parts {
        let mut some = Parts::default();
        for &unit in units {
            some.numbers.push(self.numbers[unit as usize]);
            some.starts.push(some.records.len() as u32);
            some.records.extend_from_slice(self.records(unit as usize));
        }
        some.starts.push(some.records.len() as u32);
        some
    }

    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The extents of the units.
    pub fn extents(&self, loss: &GeneralizationCosts, requirement: &Requirement) -> Extents {
        let people = counted(loss.cube(), requirement);
        let mut extents = loss.extents();
        for &number in &self.numbers {
            match people {
                None => loss.push_tuple(&mut extents, number as usize),
                Some(people) => loss.push_box(&mut extents, people.tuples_of(number as usize)),
            }
        }
        extents
    }

    /// The largest code of a unit in a slot.
    pub fn top(
        &self,
        loss: &GeneralizationCosts,
        requirement: &Requirement,
        unit: usize,
        slot: usize,
    ) -> Code {
        let number = self.numbers[unit] as usize;
        let Some(people) = counted(loss.cube(), requirement) else {
            return loss.code(number, slot);
        };
        let mut top = 0;
        for &tuple in people.tuples_of(number) {
            top = top.max(loss.code(tuple as usize, slot));
        }
        top
    }

    /// The records of a tuple's part.
    pub fn records(&self, unit: usize) -> &[u32] {
        &self.records[self.starts[unit] as usize..self.starts[unit + 1] as usize]
    }

    /// The records of a group of tuples' parts.
    pub fn records_of(&self, units: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut records = Vec::new();
        for unit in units {
            records.extend_from_slice(self.records(unit as usize));
        }
        records
    }
}

/// As many rows as the smallest group that the requirement allows has in the mean, where people have
/// several.
pub(super) fn smallest_rows(cube: &Cube, requirement: &Requirement) -> f32 {
    let smallest = requirement.smallest_group() as f32;
    match counted(cube, requirement) {
        None => smallest,
        Some(people) => smallest * cube.rows() as f32 / people.count().max(1) as f32,
    }
}

/// The combination of sensitive values that most of a person's rows have, the first of equals.
fn commonest(entries: &[Entry]) -> u32 {
    let mut best = (0, 0);
    for same in entries.chunk_by(|a, b| a.sensitive == b.sensitive) {
        let rows: u64 = same.iter().map(|entry| entry.count).sum();
        if rows > best.0 {
            best = (rows, same[0].sensitive);
        }
    }
    best.1
}

/// Groups by number, in columns. A group without members is gone.
pub(super) struct Clusters {
    pub members: Vec<Vec<u32>>,
    pub extents: Extents,
    pub rows: Vec<f32>,
    /// Loss per row.
    pub losses: Vec<f32>,
    pub tallies: Vec<Tally>,
    pub satisfied: Vec<bool>,
    /// Per unit its group.
    pub of: Vec<u32>,
}

impl<'a> Task<'a> {
    /// Units are whole tuples, or the part of them that some providers contributed; profiles where
    /// people are counted.
    pub fn of_tuples(
        loss: &'a GeneralizationCosts<'a>,
        requirement: &'a Requirement,
        units: &Parts,
        crowding: f32,
    ) -> Self {
        let cube = loss.cube();
        let people = counted(cube, requirement);
        let records = |u: usize| {
            units
                .records(u)
                .iter()
                .map(|&r| &cube.records()[r as usize])
        };
        let all = 0..units.len();
        let rows: Vec<f32> = all
            .clone()
            .map(|u| records(u).map(|r| r.count as f32).sum())
            .collect();
        let tally = |u: usize| match people {
            None => requirement.tally(records(u).map(Record::entry)),
            Some(_) => plan::tally_records(cube, requirement, units.records(u).iter().copied()),
        };
        Task {
            loss,
            requirement,
            smallest_rows: smallest_rows(cube, requirement),
            extents: units.extents(loss, requirement),
            tallies: all.into_par_iter().map(tally).collect(),
            sensitive: Vec::new(),
            decoys: vec![false; rows.len()],
            among_many: false,
            rows,
            crowding,
        }
    }

    /// Units are the records of these tuples; kinds of people where people are counted.
    pub fn of_records(
        loss: &'a GeneralizationCosts<'a>,
        requirement: &'a Requirement,
        parts: &Parts,
        crowding: f32,
    ) -> Self {
        let cube = loss.cube();
        if let Some(people) = counted(cube, requirement) {
            return Task::of_kinds(loss, requirement, people, crowding);
        }
        let mut extents = loss.extents();
        for (unit, &tuple) in parts.numbers.iter().enumerate() {
            parts
                .records(unit)
                .iter()
                .for_each(|_| loss.push_tuple(&mut extents, tuple as usize));
        }
        let records: Vec<&Record> = parts
            .records
            .iter()
            .map(|&r| &cube.records()[r as usize])
            .collect();
        Task {
            loss,
            requirement,
            smallest_rows: smallest_rows(cube, requirement),
            extents,
            rows: records.iter().map(|r| r.count as f32).collect(),
            tallies: records
                .par_iter()
                .map(|r| requirement.tally([r.entry()].into_iter()))
                .collect(),
            sensitive: records.iter().map(|r| r.sensitive).collect(),
            decoys: vec![false; records.len()],
            among_many: false,
            crowding,
        }
    }

    /// Units are kinds of people. Somebody with several sensitive values stands with those who have
    /// only the one that most of her rows have: this guides a search, and the checks see all of them.
    fn of_kinds(
        loss: &'a GeneralizationCosts<'a>,
        requirement: &'a Requirement,
        people: &PeopleOfCube,
        crowding: f32,
    ) -> Self {
        let kinds = people.kinds();
        let mut extents = loss.extents();
        let mut rows = Vec::with_capacity(kinds.len());
        let mut sensitive = Vec::with_capacity(kinds.len());
        for (kind, alike) in kinds.iter().enumerate() {
            loss.push_box(&mut extents, people.tuples_of(people.profile_of(kind)));
            rows.push((alike.people * alike.rows()) as f32);
            sensitive.push(commonest(alike.entries));
        }
        let tally =
            |kind: usize| requirement.tally_kinds([(kind, kinds.get(kind).people)].into_iter());
        Task {
            loss,
            requirement,
            smallest_rows: smallest_rows(loss.cube(), requirement),
            extents,
            tallies: (0..kinds.len()).into_par_iter().map(tally).collect(),
            sensitive,
            decoys: vec![false; rows.len()],
            among_many: false,
            rows,
            crowding,
        }
    }

    /// The same task for some of the units, numbered anew.
    pub fn part(&self, tuples: &[u32]) -> Task<'a> {
        let mut extents = self.loss.extents();
        tuples
            .iter()
            .for_each(|&t| extents.push_from(&self.extents, t as usize));
        Task {
            extents,
            rows: tuples.iter().map(|&t| self.rows[t as usize]).collect(),
            tallies: tuples
                .iter()
                .map(|&t| self.tallies[t as usize].clone())
                .collect(),
            sensitive: Vec::new(),
            decoys: tuples.iter().map(|&t| self.decoys[t as usize]).collect(),
            ..*self
        }
    }

    /// How far the nearest may be from the nearest that there are.
    pub fn tolerance(&self) -> f32 {
        if self.among_many {
            TOLERANCE_AMONG_MANY
        } else {
            TOLERANCE
        }
    }

    /// Whether units with these counts may be a group: the requirement holds, and no decoy stands
    /// alone.
    pub fn holds(&self, tally: &Tally, mut units: impl Iterator<Item = u32>) -> bool {
        let alone = units.next().filter(|_| units.next().is_none());
        !alone.is_some_and(|unit| self.decoys[unit as usize]) && self.requirement.holds(tally)
    }

    /// Whether these are rows enough for a group, but lack sensitive values. Against insiders what
    /// is missing is mostly providers, and looking for those costs more than it finds; and where
    /// people have several values hardly anybody completes a group alone.
    pub fn lacks_values(&self, tally: &Tally) -> bool {
        !self.requirement.counts_people()
            && !self.requirement.insiders().need_providers()
            && tally.members() >= self.requirement.smallest_group()
            && !self.requirement.holds(tally)
    }

    /// Whether two sets of rows satisfy the requirement together.
    pub fn hold_together(&self, one: &Tally, other: &Tally) -> bool {
        let mut both = one.clone();
        both.merge(other);
        self.requirement.holds(&both)
    }

    /// Counts the rows of some units.
    pub fn tally_of(&self, units: &[u32]) -> Tally {
        Tally::sum(units.iter().map(|&u| &self.tallies[u as usize]))
    }

    /// How many groups the rows are enough for, by the smallest group that the requirement allows
    /// and the rows that a coalition takes out where all providers are evenly mixed.
    pub fn expected_groups(&self, whole: &Tally) -> f32 {
        let mut contributed = whole.contributions();
        contributed.sort_unstable_by(|a, b| b.cmp(a));
        let m = usize::try_from(self.requirement.insiders().m.0).unwrap_or(usize::MAX);
        let coalition = m.min(contributed.len().saturating_sub(1));
        let taken: u64 = contributed[..coalition].iter().sum();
        (whole.size() - taken) as f32 / self.smallest_rows
    }

    /// What a group costs in all: its rows' loss of information, and their crowding.
    pub fn cost(&self, rows: f32, loss: f32) -> f32 {
        rows * (loss + self.crowding * rows)
    }

    /// Rows and loss per row of a group of these members, computed in `scratch`.
    pub fn measure(&self, members: impl Iterator<Item = u32>, scratch: &mut Extents) -> (f32, f32) {
        scratch.clear();
        let mut rows = 0.0;
        for t in members {
            if scratch.is_empty() {
                scratch.push_from(&self.extents, t as usize)
            } else {
                scratch.join_from(0, &self.extents, t as usize)
            }
            rows += self.rows[t as usize];
        }
        if scratch.is_empty() {
            (0.0, 0.0)
        } else {
            (rows, self.loss.of(scratch, 0))
        }
    }
}

/// The extents of a group without each of its members: what is before it and what is behind it,
/// joined.
pub(super) struct Without {
    /// The first member, the first two, and so on.
    before: Extents,
    /// The last member, the last two, and so on.
    behind: Extents,
    members: usize,
}

impl Without {
    /// No group yet; memory is used again.
    pub fn new(task: &Task) -> Self {
        Without {
            before: task.loss.extents(),
            behind: task.loss.extents(),
            members: 0,
        }
    }

    /// Takes up a group.
    pub fn set(&mut self, task: &Task, members: &[u32]) {
        self.members = members.len();
        accumulate(task, members.iter(), &mut self.before);
        accumulate(task, members.iter().rev(), &mut self.behind);
    }

    /// The loss per row of the group without the n-th of its members.
    pub fn loss(&self, task: &Task, n: usize) -> f32 {
        match self.sides(n) {
            (None, None) => 0.0,
            (Some(one), None) | (None, Some(one)) => task.loss.of(one.0, one.1),
            (Some(before), Some(behind)) => task.loss.union(before, behind, f32::INFINITY),
        }
    }

    /// Puts the extent of the group without the n-th of its members into `scratch`, or nothing if it
    /// has no other.
    pub fn put(&self, n: usize, scratch: &mut Extents) {
        scratch.clear();
        for (extents, at) in <[Side; 2]>::from(self.sides(n)).into_iter().flatten() {
            if scratch.is_empty() {
                scratch.push_from(extents, at);
            } else {
                scratch.join_from(0, extents, at);
            }
        }
    }

    fn sides(&self, n: usize) -> (Side<'_>, Side<'_>) {
        let behind = (self.members - 1 - n).checked_sub(1);
        (
            n.checked_sub(1).map(|at| (&self.before, at)),
            behind.map(|at| (&self.behind, at)),
        )
    }
}

/// One of several extents, if there is anything on that side.
type Side<'a> = Option<(&'a Extents, usize)>;

fn accumulate<'u>(task: &Task, members: impl Iterator<Item = &'u u32>, extents: &mut Extents) {
    extents.clear();
    for (at, &unit) in members.enumerate() {
        extents.push_from(&task.extents, unit as usize);
        if at > 0 {
            extents.join(at, at - 1);
        }
    }
}

impl Clusters {
    /// Every unit a group of its own.
    pub fn singletons(task: &Task) -> Self {
        let n = task.rows.len();
        // tuples lose nothing by themselves, profiles do
        let loss = |unit: usize| {
            if task.requirement.counts_people() {
                task.loss.of(&task.extents, unit)
            } else {
                0.0
            }
        };
        Clusters {
            members: (0..n as u32).map(|t| vec![t]).collect(),
            extents: task.extents.clone(),
            rows: task.rows.clone(),
            losses: (0..n).map(loss).collect(),
            tallies: task.tallies.clone(),
            satisfied: (0..n as u32)
                .into_par_iter()
                .map(|u| task.holds(&task.tallies[u as usize], [u].into_iter()))
                .collect(),
            of: (0..n as u32).collect(),
        }
    }

    /// These groups.
    pub fn of_groups(task: &Task, groups: Vec<Vec<u32>>) -> Self {
        let mut clusters = Clusters {
            members: Vec::new(),
            extents: task.loss.extents(),
            rows: Vec::new(),
            losses: Vec::new(),
            tallies: Vec::new(),
            satisfied: Vec::new(),
            of: vec![0; task.rows.len()],
        };
        let mut scratch = task.loss.extents();
        for members in groups {
            let new = clusters.push_empty(task);
            members.iter().for_each(|&t| clusters.of[t as usize] = new);
            clusters.members[new as usize] = members;
            clusters.refresh(task, new as usize, &mut scratch);
        }
        clusters
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Puts all of group `b` into group `a`.
    pub fn merge(&mut self, task: &Task, a: usize, b: usize) {
        self.losses[a] = task
            .loss
            .union((&self.extents, a), (&self.extents, b), f32::INFINITY);
        self.extents.join(a, b);
        self.rows[a] += self.rows[b];
        let members = std::mem::take(&mut self.members[b]);
        members.iter().for_each(|&t| self.of[t as usize] = a as u32);
        self.members[a].extend(members);
        let tally = std::mem::take(&mut self.tallies[b]);
        self.tallies[a].merge(&tally);
        self.satisfied[a] = task.requirement.holds(&self.tallies[a]);
    }

    /// Moves a unit; the two groups are stale until [`refresh`](Self::refresh)ed.
    pub fn relocate(&mut self, tuple: u32, to: u32) {
        let from = std::mem::replace(&mut self.of[tuple as usize], to);
        self.members[from as usize].retain(|&t| t != tuple);
        self.members[to as usize].push(tuple);
    }

    /// Appends an empty group and returns its number.
    pub fn push_empty(&mut self, task: &Task) -> u32 {
        self.members.push(Vec::new());
        self.extents.push_from(&task.extents, 0);
        self.rows.push(0.0);
        self.losses.push(0.0);
        self.tallies.push(Tally::default());
        self.satisfied.push(false);
        self.members.len() as u32 - 1
    }

    /// Computes a group anew from its members.
    pub fn refresh(&mut self, task: &Task, group: usize, scratch: &mut Extents) {
        let Some((&first, others)) = self.members[group].split_first() else {
            return;
        };
        let (rows, loss) = task.measure(self.members[group].iter().copied(), scratch);
        self.extents.set_from(group, scratch, 0);
        let mut tally = task.tallies[first as usize].clone();
        others
            .iter()
            .for_each(|&t| tally.merge(&task.tallies[t as usize]));
        self.satisfied[group] = task.holds(&tally, self.members[group].iter().copied());
        (self.rows[group], self.losses[group], self.tallies[group]) = (rows, loss, tally);
    }

    /// What all groups cost together.
    pub fn cost(&self, task: &Task) -> f64 {
        let alive = (0..self.len()).filter(|&g| !self.members[g].is_empty());
        alive
            .map(|g| f64::from(task.cost(self.rows[g], self.losses[g])))
            .sum()
    }

    /// What all groups lose together, whatever their sizes.
    pub fn loss(&self) -> f64 {
        let mut sum = 0.0;
        for group in 0..self.len() {
            if !self.members[group].is_empty() {
                sum += f64::from(self.rows[group] * self.losses[group]);
            }
        }
        sum
    }

    /// Forgets groups that are gone.
    pub fn compact(&mut self, task: &Task) {
        let kept: Vec<usize> = (0..self.len())
            .filter(|&g| !self.members[g].is_empty())
            .collect();
        let mut extents = task.loss.extents();
        kept.iter()
            .for_each(|&g| extents.push_from(&self.extents, g));
        self.extents = extents;
        self.rows = kept.iter().map(|&g| self.rows[g]).collect();
        self.losses = kept.iter().map(|&g| self.losses[g]).collect();
        self.satisfied = kept.iter().map(|&g| self.satisfied[g]).collect();
        self.tallies = kept
            .iter()
            .map(|&g| std::mem::take(&mut self.tallies[g]))
            .collect();
        self.members = kept
            .iter()
            .map(|&g| std::mem::take(&mut self.members[g]))
            .collect();
        for (g, members) in self.members.iter().enumerate() {
            members.iter().for_each(|&t| self.of[t as usize] = g as u32);
        }
    }
}

//! Groups in progress, and what they cost together.

use crate::loss::{Extents, Loss};
use mingle_model::Record;
use mingle_privacy::{Requirement, Tally};
use rayon::prelude::*;

/// What does not change while groups form: the units (tuples or single rows) and the goal.
pub(super) struct Task<'a> {
    pub loss: &'a Loss<'a>,
    pub requirement: &'a Requirement,
    /// The units' own extents, rows and tallies.
    pub extents: Extents,
    pub rows: Vec<f32>,
    pub tallies: Vec<Tally>,
    /// Each unit's combination of sensitive values; empty where units are whole tuples.
    pub sensitive: Vec<u32>,
    /// What one row more in a group costs each of its rows.
    pub crowding: f32,
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
    /// Units are whole tuples.
    pub fn of_tuples(loss: &'a Loss<'a>, requirement: &'a Requirement, crowding: f32) -> Self {
        let cube = loss.cube();
        let tuples = 0..cube.tuples();
        let mut extents = loss.extents();
        tuples.clone().for_each(|t| loss.push_tuple(&mut extents, t));
        let tally = |t: usize| {
            let records = &cube.records()[cube.records_of(t)];
            requirement.tally(records.iter().map(Record::entry))
        };
        let rows = tuples.clone().map(|t| cube.weight(t) as f32).collect();
        let tallies = tuples.into_par_iter().map(tally).collect();
        Task { loss, requirement, extents, rows, tallies, sensitive: Vec::new(), crowding }
    }

    /// Units are records.
    pub fn of_records(loss: &'a Loss<'a>, requirement: &'a Requirement, crowding: f32) -> Self {
        let cube = loss.cube();
        let mut extents = loss.extents();
        for tuple in 0..cube.tuples() {
            cube.records_of(tuple).for_each(|_| loss.push_tuple(&mut extents, tuple));
        }
        let records = cube.records();
        let tally = |r: &Record| requirement.tally([r.entry()].into_iter());
        Task {
            loss,
            requirement,
            extents,
            rows: records.iter().map(|r| r.count as f32).collect(),
            tallies: records.par_iter().map(tally).collect(),
            sensitive: records.iter().map(|r| r.sensitive).collect(),
            crowding,
        }
    }

    /// The same task for some of the units, numbered anew.
    pub fn part(&self, tuples: &[u32]) -> Task<'a> {
        let mut extents = self.loss.extents();
        tuples.iter().for_each(|&t| extents.push_from(&self.extents, t as usize));
        Task {
            extents,
            rows: tuples.iter().map(|&t| self.rows[t as usize]).collect(),
            tallies: tuples.iter().map(|&t| self.tallies[t as usize].clone()).collect(),
            sensitive: Vec::new(),
            ..*self
        }
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
            match scratch.is_empty() {
                true => scratch.push_from(&self.extents, t as usize),
                false => scratch.join_from(0, &self.extents, t as usize),
            }
            rows += self.rows[t as usize];
        }
        if scratch.is_empty() { (0.0, 0.0) } else { (rows, self.loss.of(scratch, 0)) }
    }
}

impl Clusters {
    /// Every unit a group of its own.
    pub fn singletons(task: &Task) -> Self {
        let n = task.rows.len();
        Clusters {
            members: (0..n as u32).map(|t| vec![t]).collect(),
            extents: task.extents.clone(),
            rows: task.rows.clone(),
            losses: vec![0.0; n],
            tallies: task.tallies.clone(),
            satisfied: task.tallies.par_iter().map(|t| task.requirement.holds(t)).collect(),
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
        self.losses[a] = task.loss.union((&self.extents, a), (&self.extents, b), f32::INFINITY);
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
        let Some((&first, others)) = self.members[group].split_first() else { return };
        let (rows, loss) = task.measure(self.members[group].iter().copied(), scratch);
        self.extents.set_from(group, scratch, 0);
        let mut tally = task.tallies[first as usize].clone();
        others.iter().for_each(|&t| tally.merge(&task.tallies[t as usize]));
        self.satisfied[group] = task.requirement.holds(&tally);
        (self.rows[group], self.losses[group], self.tallies[group]) = (rows, loss, tally);
    }

    /// What all groups cost together.
    pub fn cost(&self, task: &Task) -> f64 {
        let alive = (0..self.len()).filter(|&g| !self.members[g].is_empty());
        alive.map(|g| f64::from(task.cost(self.rows[g], self.losses[g]))).sum()
    }

    /// Forgets groups that are gone.
    pub fn compact(&mut self, task: &Task) {
        let kept: Vec<usize> = (0..self.len()).filter(|&g| !self.members[g].is_empty()).collect();
        let mut extents = task.loss.extents();
        kept.iter().for_each(|&g| extents.push_from(&self.extents, g));
        self.extents = extents;
        self.rows = kept.iter().map(|&g| self.rows[g]).collect();
        self.losses = kept.iter().map(|&g| self.losses[g]).collect();
        self.satisfied = kept.iter().map(|&g| self.satisfied[g]).collect();
        self.tallies = kept.iter().map(|&g| std::mem::take(&mut self.tallies[g])).collect();
        self.members = kept.iter().map(|&g| std::mem::take(&mut self.members[g])).collect();
        for (g, members) in self.members.iter().enumerate() {
            members.iter().for_each(|&t| self.of[t as usize] = g as u32);
        }
    }
}

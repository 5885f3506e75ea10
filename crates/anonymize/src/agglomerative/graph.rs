//! Each tuple's nearest tuples.
//!
//! Tuples are asked in the order of the search tree, so that whoever is asked next has mostly the same
//! neighbours. What the last one found is looked at first: a search that knows good company from the
//! start passes over most branches. Runs of [`RUN`] tuples are asked side by side, and the first of a
//! run knows nobody: what is found does not depend on the number of threads.

use super::clusters::Task;
use crate::index::{Index, Query};
use crate::{Error, MethodOptions};
use rayon::prelude::*;

/// How many neighbours with the missing values a tuple learns that has rows enough.
const COMPANY: usize = 8;
/// So many tuples are asked one after the other.
const RUN: usize = 64;

/// For every tuple that cannot stand alone, the tuples whose company costs least.
pub(super) struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

/// A tuple and its neighbours.
type NeighbourList = (u32, Vec<u32>);

impl Graph {
    pub fn new(
        task: &Task,
        satisfied: &[bool],
        degree: usize,
        options: &MethodOptions,
    ) -> Result<Self, Error> {
        let (dense, sparse): (Vec<u32>, Vec<u32>) =
            (0..task.rows.len() as u32).partition(|&t| satisfied[t as usize]);
        let index = |items| Index::new(task.loss, &task.extents, &task.rows, items);
        let (sparse, dense) = rayon::join(|| index(sparse), || index(dense));
        let search = NeighbourSearch {
            task,
            sparse: &sparse,
            dense: &dense,
            degree,
        };
        let runs: Result<Vec<Vec<NeighbourList>>, Error> = sparse
            .items()
            .par_chunks(RUN)
            .map(|run| search.of_run(run, options))
            .collect();
        let runs = runs?;
        let mut starts = vec![0u32; satisfied.len() + 1];
        for (tuple, list) in runs.iter().flatten() {
            starts[*tuple as usize + 1] = list.len() as u32;
        }
        for tuple in 0..satisfied.len() {
            starts[tuple + 1] += starts[tuple];
        }
        let mut neighbours = vec![0; starts[satisfied.len()] as usize];
        for (tuple, list) in runs.iter().flatten() {
            neighbours[starts[*tuple as usize] as usize..][..list.len()].copy_from_slice(list);
        }
        Ok(Graph { starts, neighbours })
    }

    pub fn of(&self, tuple: u32) -> &[u32] {
        &self.neighbours
            [self.starts[tuple as usize] as usize..self.starts[tuple as usize + 1] as usize]
    }
}

/// Looks for neighbours among tuples that cannot stand alone and among those that can.
struct NeighbourSearch<'a> {
    task: &'a Task<'a>,
    sparse: &'a Index<'a>,
    dense: &'a Index<'a>,
    degree: usize,
}

impl NeighbourSearch<'_> {
    /// The neighbours of tuples that follow one another in the search tree.
    fn of_run(&self, run: &[u32], options: &MethodOptions) -> Result<Vec<NeighbourList>, Error> {
        let mut lists = Vec::with_capacity(run.len());
        // what the last tuple found, and itself
        let mut known: Vec<u32> = Vec::with_capacity(self.degree + 2);
        let mut seeds: Vec<(f32, u32)> = Vec::with_capacity(self.degree + 2);
        let mut found: Vec<(f32, u32)> = Vec::with_capacity(2 * self.degree + 2);
        for &tuple in run {
            options.check_cancelled()?;
            self.cost_of(tuple, &known, &mut seeds);
            found.clear();
            self.find(tuple, &seeds, &mut found);
            let mut near: Vec<u32> = found.iter().map(|&(_, other)| other).collect();
            known.clear();
            known.extend_from_slice(&near);
            known.push(tuple);
            if self.task.lacks_values(&self.task.tallies[tuple as usize]) {
                self.add_company(tuple, &mut near);
            }
            lists.push((tuple, near));
        }
        Ok(lists)
    }

    /// What a tuple's company with others costs, the cheapest first.
    fn cost_of(&self, tuple: u32, others: &[u32], costs: &mut Vec<(f32, u32)>) {
        costs.clear();
        let task = self.task;
        let own = (&task.extents, tuple as usize);
        for &other in others {
            if other != tuple {
                let union = task
                    .loss
                    .union(own, (&task.extents, other as usize), f32::INFINITY);
                let rows = task.rows[tuple as usize] + task.rows[other as usize];
                costs.push((rows * union, other));
            }
        }
        sort_by_cost(costs);
    }

    /// The tuples whose company costs least, those known beforehand among them.
    fn find(&self, tuple: u32, seeds: &[(f32, u32)], found: &mut Vec<(f32, u32)>) {
        let query = Query {
            below: seeds
                .get(self.degree - 1)
                .map_or(f32::INFINITY, |seed| seed.0),
            ..self.query(tuple)
        };
        self.sparse
            .nearest(query, self.degree, |other| other != tuple, found);
        self.dense.nearest(query, self.degree, |_| true, found);
        for seed in seeds {
            if !found.iter().any(|near| near.1 == seed.1) {
                found.push(*seed);
            }
        }
        sort_by_cost(found);
        found.truncate(self.degree);
    }

    /// Adds tuples with which this one has the values that it lacks.
    fn add_company(&self, tuple: u32, near: &mut Vec<u32>) {
        let own = &self.task.tallies[tuple as usize];
        let completes = |other: u32| {
            let theirs = &self.task.tallies[other as usize];
            other != tuple && self.task.hold_together(own, theirs)
        };
        let mut company = Vec::with_capacity(COMPANY + 1);
        let query = self.query(tuple);
        self.sparse.nearest(query, COMPANY, completes, &mut company);
        self.dense.nearest(query, COMPANY, completes, &mut company);
        for (_, other) in company {
            if !near.contains(&other) {
                near.push(other);
            }
        }
    }

    fn query(&self, tuple: u32) -> Query<'_> {
        Query {
            extent: (&self.task.extents, tuple as usize),
            rows: self.task.rows[tuple as usize],
            tolerance: self.task.tolerance(),
            below: f32::INFINITY,
        }
    }
}

fn sort_by_cost(costs: &mut [(f32, u32)]) {
    costs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
}

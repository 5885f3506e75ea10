//! Each tuple's nearest tuples.

use super::clusters::Task;
use crate::index::{Index, Query};
use crate::{Error, MethodOptions};
use rayon::prelude::*;

/// How many neighbours with the missing values a tuple learns that has rows enough.
const COMPANY: usize = 8;

/// For every tuple that cannot stand alone, the tuples whose company costs least.
pub(super) struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

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
        let lists: Result<Vec<(u32, Vec<u32>)>, Error> = sparse
            .items()
            .par_iter()
            .map(|&t| {
                options.check_cancelled()?;
                let query = Query {
                    extent: (&task.extents, t as usize),
                    rows: task.rows[t as usize],
                    tolerance: task.tolerance(),
                };
                let mut found = Vec::with_capacity(degree + 1);
                sparse.nearest(query, degree, |other| other != t, &mut found);
                dense.nearest(query, degree, |_| true, &mut found);
                let mut near: Vec<u32> = found.into_iter().map(|(_, n)| n).collect();
                if task.lacks_values(&task.tallies[t as usize]) {
                    let mut company = Vec::with_capacity(COMPANY + 1);
                    let own = &task.tallies[t as usize];
                    let completes = |other: u32| {
                        other != t && task.hold_together(own, &task.tallies[other as usize])
                    };
                    sparse.nearest(query, COMPANY, completes, &mut company);
                    dense.nearest(query, COMPANY, completes, &mut company);
                    for (_, other) in company {
                        if !near.contains(&other) {
                            near.push(other);
                        }
                    }
                }
                Ok((t, near))
            })
            .collect();
        let lists = lists?;
        let mut starts = vec![0u32; satisfied.len() + 1];
        lists
            .iter()
            .for_each(|(t, list)| starts[*t as usize + 1] = list.len() as u32);
        (0..satisfied.len()).for_each(|t| starts[t + 1] += starts[t]);
        let mut neighbours = vec![0; starts[satisfied.len()] as usize];
        for (t, list) in lists {
            neighbours[starts[t as usize] as usize..][..list.len()].copy_from_slice(&list);
        }
        Ok(Graph { starts, neighbours })
    }

    pub fn of(&self, tuple: u32) -> &[u32] {
        &self.neighbours
            [self.starts[tuple as usize] as usize..self.starts[tuple as usize + 1] as usize]
    }
}

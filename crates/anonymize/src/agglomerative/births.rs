//! New groups from what others can spare.
//!
//! Merging leaves groups with more rows than they need. Each offers the tuple it would most gladly
//! lose; where such tuples make a good group of their own, they leave. This makes groups smaller
//! and their ranges tighter.

use super::clusters::{Clusters, Task, Without};
use super::graph::Graph;
use super::merge;
use crate::{Error, MethodOptions};
use rayon::prelude::*;
use std::collections::HashMap;

/// How many neighbours an offered tuple knows.
const DEGREE: usize = 8;
/// Gains smaller than this are noise of floating-point sums.
const LEAST_GAIN: f32 = 1e-3;

/// A tuple that its group can spare, and what the group gains by losing it.
struct Offer {
    tuple: u32,
    home: u32,
    gain: f32,
}

/// Forms new groups where that pays.
pub(super) fn births(
    task: &Task,
    clusters: &mut Clusters,
    active: &mut Vec<bool>,
    options: &MethodOptions,
) -> Result<(), Error> {
    let offers: Vec<Offer> = (0..clusters.len())
        .into_par_iter()
        .filter_map(|g| offer(task, clusters, g))
        .collect();
    let found = candidates(task, &offers, options)?;
    let by_tuple: HashMap<u32, &Offer> = offers.iter().map(|o| (o.tuple, o)).collect();
    let mut scratch = task.loss.extents();
    for (members, cost) in found {
        let gain: f32 = members.iter().map(|t| by_tuple[t].gain).sum();
        if gain - cost < LEAST_GAIN {
            continue;
        }
        let new = clusters.push_empty(task);
        active.push(true);
        for t in members {
            clusters.relocate(t, new);
            let home = by_tuple[&t].home as usize;
            clusters.refresh(task, home, &mut scratch);
            active[home] = true;
        }
        clusters.refresh(task, new as usize, &mut scratch);
    }
    Ok(())
}

fn offer(task: &Task, clusters: &Clusters, group: usize) -> Option<Offer> {
    let members = &clusters.members[group];
    if members.len() < 2 || clusters.losses[group] == 0.0 {
        return None;
    }
    let before = task.cost(clusters.rows[group], clusters.losses[group]);
    let mut without = Without::new(task);
    without.set(task, members);
    let offer = |(n, &tuple): (usize, &u32)| {
        let rows = clusters.rows[group] - task.rows[tuple as usize];
        Offer {
            tuple,
            home: group as u32,
            gain: before - task.cost(rows, without.loss(task, n)),
        }
    };
    let can_spare = |offer: &Offer| {
        let mut left = clusters.tallies[group].clone();
        left.subtract(&task.tallies[offer.tuple as usize]);
        let others = members.iter().copied().filter(|&unit| unit != offer.tuple);
        task.holds(&left, others)
    };
    let per_row = |o: &Offer| o.gain / task.rows[o.tuple as usize];
    let mut offers: Vec<Offer> = members.iter().enumerate().map(offer).collect();
    offers.sort_by(|a, b| per_row(b).total_cmp(&per_row(a)));
    offers.into_iter().find(can_spare)
}

/// Groups among the offered tuples, each with its cost.
fn candidates(
    task: &Task,
    offers: &[Offer],
    options: &MethodOptions,
) -> Result<Vec<(Vec<u32>, f32)>, Error> {
    let tuples: Vec<u32> = offers.iter().map(|o| o.tuple).collect();
    let part = task.part(&tuples);
    let mut clusters = Clusters::singletons(&part);
    let graph = Graph::new(&part, &clusters.satisfied, DEGREE, options)?;
    merge::merge(&part, &graph, &mut clusters, options)?;
    let satisfied =
        (0..clusters.len()).filter(|&g| clusters.satisfied[g] && !clusters.members[g].is_empty());
    let group = |g: usize| {
        let members = clusters.members[g]
            .iter()
            .map(|&t| tuples[t as usize])
            .collect();
        (members, task.cost(clusters.rows[g], clusters.losses[g]))
    };
    Ok(satisfied.map(group).collect())
}

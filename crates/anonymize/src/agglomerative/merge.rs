//! Merging: every group that does not satisfy the requirement joins the one whose company costs
//! least.
//!
//! In rounds: all open groups name their best partner among the groups of their tuples' neighbours,
//! then the cheapest disjoint pairs merge. A group whose tuples have no neighbour outside asks a
//! search tree over all groups.

use super::clusters::{Clusters, Task};
use super::graph::Graph;
use crate::index::{Index, Query};
use crate::{Error, MethodOptions};
use rayon::prelude::*;
use std::sync::OnceLock;

/// How many groups a lonely group considers.
const FALLBACK: usize = 8;
/// In each round, one in so many wishes comes true, the cheapest: the others may find better
/// company later.
const GRANTED: usize = 2;
/// Below this many wishes, all of them come true.
const FEW: usize = 64;

/// A group, its best partner, and what the merger costs.
type Wish = (f32, u32, u32);

/// Merges until all groups are satisfied or nobody is left to join.
pub(super) fn merge(
    task: &Task,
    graph: &Graph,
    clusters: &mut Clusters,
    options: &MethodOptions,
) -> Result<(), Error> {
    let mut asking: Vec<u32> = (0..clusters.len() as u32)
        .filter(|&g| is_open(clusters, g))
        .collect();
    let mut wishes: Vec<Wish> = Vec::new();
    while !asking.is_empty() {
        options.check_cancelled()?;
        wishes.extend(ask(task, graph, clusters, &asking));
        if wishes.is_empty() {
            break;
        }
        wishes.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let changed = grant(task, clusters, &wishes);
        // who was not touched, and whose partner was not, keeps his wish; the others ask again
        asking = wishes
            .iter()
            .filter(|w| changed[w.1 as usize] || changed[w.2 as usize])
            .map(|w| w.1)
            .collect();
        asking.retain(|&g| is_open(clusters, g));
        wishes.retain(|w| !changed[w.1 as usize] && !changed[w.2 as usize]);
        if asking.is_empty() {
            asking = wishes.drain(..).map(|w| w.1).collect();
        }
    }
    Ok(())
}

fn is_open(clusters: &Clusters, group: u32) -> bool {
    !clusters.satisfied[group as usize] && !clusters.members[group as usize].is_empty()
}

/// The best partner of each of these groups.
fn ask(task: &Task, graph: &Graph, clusters: &Clusters, asking: &[u32]) -> Vec<Wish> {
    let all = OnceLock::new();
    let index = || all.get_or_init(|| index_of_groups(task, clusters));
    let wish = |&group: &u32| {
        let mut candidates = neighbours(graph, clusters, group);
        if candidates.is_empty() {
            candidates = nearest(clusters, index(), group, |other| other != group);
        } else if task.lacks_values(&clusters.tallies[group as usize]) {
            let own = &clusters.tallies[group as usize];
            let completes = |other: u32| {
                other != group && task.hold_together(own, &clusters.tallies[other as usize])
            };
            if !candidates.iter().any(|&other| completes(other)) {
                candidates.extend(nearest(clusters, index(), group, completes));
            }
        }
        let scored = candidates
            .into_iter()
            .map(|other| (score(task, clusters, group, other), other));
        let (score, other) = scored.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        Some((score, group, other))
    };
    asking.par_iter().filter_map(wish).collect()
}

fn index_of_groups<'a>(task: &'a Task, clusters: &'a Clusters) -> Index<'a> {
    let alive = (0..clusters.len() as u32).filter(|&g| !clusters.members[g as usize].is_empty());
    let alive = alive.collect();
    Index::new(task.loss, &clusters.extents, &clusters.rows, alive)
}

/// The cheapest groups to join among those that `accepts` lets through.
fn nearest(
    clusters: &Clusters,
    index: &Index,
    group: u32,
    accepts: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let query = Query {
        extent: (&clusters.extents, group as usize),
        rows: clusters.rows[group as usize],
    };
    let mut found = Vec::new();
    index.nearest(query, FALLBACK, accepts, &mut found);
    found.into_iter().map(|(_, other)| other).collect()
}

/// The groups of a group's neighbours.
fn neighbours(graph: &Graph, clusters: &Clusters, group: u32) -> Vec<u32> {
    let members = &clusters.members[group as usize];
    let mut near: Vec<u32> = members
        .iter()
        .flat_map(|&t| graph.of(t))
        .map(|&t| clusters.of[t as usize])
        .collect();
    near.sort_unstable();
    near.dedup();
    near.retain(|&g| g != group);
    near
}

/// What a merger costs: the growth of the loss, and rows beyond what the smallest group needs.
fn score(task: &Task, clusters: &Clusters, group: u32, other: u32) -> f32 {
    let (a, b) = (group as usize, other as usize);
    let (rows_a, rows_b) = (clusters.rows[a], clusters.rows[b]);
    let union = task.loss.union(
        (&clusters.extents, a),
        (&clusters.extents, b),
        f32::INFINITY,
    );
    let growth =
        (rows_a + rows_b) * union - rows_a * clusters.losses[a] - rows_b * clusters.losses[b];
    let crowding = if clusters.satisfied[b] {
        2.0 * rows_a * rows_b
    } else {
        (rows_a + rows_b - task.smallest_rows).max(0.0).powi(2)
    };
    growth + task.crowding * crowding
}

/// Merges the cheapest pairs, each group once; says which groups changed.
fn grant(task: &Task, clusters: &mut Clusters, wishes: &[Wish]) -> Vec<bool> {
    let mut changed = vec![false; clusters.len()];
    let granted = if wishes.len() > FEW {
        wishes.len() / GRANTED
    } else {
        wishes.len()
    };
    for &(_, a, b) in &wishes[..granted] {
        let (a, b) = (a as usize, b as usize);
        if !changed[a] && !changed[b] {
            (changed[a], changed[b]) = (true, true);
            clusters.merge(task, a, b);
        }
    }
    changed
}

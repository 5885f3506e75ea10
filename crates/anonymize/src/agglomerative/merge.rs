//! Merging: every group that does not satisfy the requirement joins the one whose company costs
//! least.
//!
//! In rounds: all open groups name their best partner among the groups of their tuples' neighbours,
//! then the cheapest disjoint pairs merge. A group whose tuples have no neighbour outside asks a
//! search tree over all groups. Where tuples know few neighbours, a group all of whose neighbours are
//! satisfied asks a tree over those that still fail: joining the satisfied makes large groups.

use super::clusters::{Clusters, Task};
use super::graph::Graph;
use crate::index::{Index, Query, TOLERANCE};
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
    let index = || all.get_or_init(|| index_of_groups(task, clusters, |_| true));
    let open = OnceLock::new();
    let open_index =
        || open.get_or_init(|| index_of_groups(task, clusters, |group| is_open(clusters, group)));
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
        } else if task.among_many && !candidates.iter().any(|&other| is_open(clusters, other)) {
            // all neighbours have found their groups, which would only become crowded: somebody a
            // little farther away may be looking for company as well
            candidates.extend(nearest(clusters, open_index(), group, |other| {
                other != group
            }));
        }
        let (score, other) = cheapest(task, clusters, group, &candidates)?;
        Some((score, group, other))
    };
    asking.par_iter().filter_map(wish).collect()
}

/// A search tree over the groups that are wanted.
fn index_of_groups<'a>(
    task: &'a Task,
    clusters: &'a Clusters,
    is_wanted: impl Fn(u32) -> bool,
) -> Index<'a> {
    let mut items = Vec::new();
    for group in 0..clusters.len() as u32 {
        if !clusters.members[group as usize].is_empty() && is_wanted(group) {
            items.push(group);
        }
    }
    Index::new(task.loss, &clusters.extents, &clusters.rows, items)
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
        tolerance: TOLERANCE,
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

/// The cheapest of some partners, the first of equals, and what the merger costs: the growth of the
/// loss, and rows beyond what the smallest group needs.
fn cheapest(task: &Task, clusters: &Clusters, group: u32, others: &[u32]) -> Option<(f32, u32)> {
    let a = group as usize;
    let rows_a = clusters.rows[a];
    let mut best: Option<(f32, u32)> = None;
    for &other in others {
        let b = other as usize;
        let rows_b = clusters.rows[b];
        let both = rows_a + rows_b;
        let crowding = if clusters.satisfied[b] {
            2.0 * rows_a * rows_b
        } else {
            (both - task.smallest_rows).max(0.0).powi(2)
        };
        // all but what the union costs
        let rest =
            task.crowding * crowding - rows_a * clusters.losses[a] - rows_b * clusters.losses[b];
        // a union beyond this loss cannot be the cheapest, and need not be added up to the end; the
        // margin is for roundings
        let limit = match best {
            Some((least, _)) => (least - rest) / both * 1.0001 + 1e-4,
            None => f32::INFINITY,
        };
        if limit < 0.0 {
            continue;
        }
        let one = (&clusters.extents, a);
        let union = task.loss.union(one, (&clusters.extents, b), limit);
        if union > limit {
            continue;
        }
        // summed up in this order whatever the limit is: many mergers cost the same, and rounding
        // would choose between them
        let growth = both * union - rows_a * clusters.losses[a] - rows_b * clusters.losses[b];
        let score = growth + task.crowding * crowding;
        let is_better = match best {
            Some((least, known)) => score.total_cmp(&least).then(other.cmp(&known)).is_lt(),
            None => true,
        };
        if is_better {
            best = Some((score, other));
        }
    }
    best
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

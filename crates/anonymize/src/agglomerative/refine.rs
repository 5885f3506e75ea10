//! Improving borders: units that would be cheaper elsewhere move there, alone or in exchange for
//! another.
//!
//! All groups look for their most profitable change at the same time; the changes are then made in
//! order of profit, each group taking part in one. Groups that changed or had to wait look again in
//! the next round.

use super::clusters::{Clusters, Task, Without};
use super::graph::Graph;
use crate::loss::Extents;
use crate::{Error, MethodOptions};
use rayon::prelude::*;

/// Gains smaller than this are noise of floating-point sums.
const LEAST_GAIN: f32 = 1e-3;
/// How many groups a unit is offered to in exchange for one of theirs.
const HOSTS: usize = 4;
/// Larger groups are not searched for a unit to take back.
const SWAP_LIMIT: usize = 64;
/// An exchange may pay even where the move alone costs somewhat more than it saves.
const PATIENCE: f32 = 1.5;

/// `give` goes to another group, which gives `take` in exchange.
struct Change {
    gain: f32,
    from: u32,
    to: u32,
    give: u32,
    take: Option<u32>,
}

/// What is kept from round to round.
pub(super) struct Improving {
    /// The groups that changed since they last looked for a change, or had to wait.
    pub active: Vec<bool>,
    /// Per unit what its group loses per row without it, where the group is small enough to be
    /// searched for a unit to take back.
    without: Vec<f32>,
}

impl Improving {
    /// Nobody has looked yet.
    pub fn new(task: &Task, clusters: &Clusters) -> Self {
        Improving {
            active: vec![true; clusters.len()],
            without: vec![0.0; task.rows.len()],
        }
    }
}

/// One round over the active groups; afterwards those are active that changed or had to wait.
pub(super) fn refine(
    task: &Task,
    graph: &Graph,
    clusters: &mut Clusters,
    improving: &mut Improving,
    options: &MethodOptions,
) -> Result<(), Error> {
    let Improving { active, without } = improving;
    active.resize(clusters.len(), true);
    let mut eager: Vec<u32> = Vec::new();
    for group in 0..clusters.len() as u32 {
        if active[group as usize] {
            eager.push(group);
        }
    }
    // of groups that did not change it is known from earlier rounds
    renew_losses_without(task, clusters, &eager, without);
    let changes: Result<Vec<Option<Change>>, Error> = eager
        .par_iter()
        .map_init(
            || {
                (
                    [task.loss.extents(), task.loss.extents()],
                    Vec::new(),
                    Without::new(task),
                )
            },
            |([scratch, rest], hosts, own), &g| {
                options.check_cancelled()?;
                Ok(Look {
                    task,
                    graph,
                    clusters,
                    group: g,
                    scratch,
                    rest,
                    hosts,
                    own,
                    without,
                }
                .best_change())
            },
        )
        .collect();
    let mut changes: Vec<Change> = changes?.into_iter().flatten().collect();
    changes.par_sort_by(|a, b| {
        b.gain
            .total_cmp(&a.gain)
            .then((a.from, a.to).cmp(&(b.from, b.to)))
    });
    active.fill(false);
    let mut touched = vec![false; clusters.len()];
    let mut scratch = task.loss.extents();
    for Change {
        from,
        to,
        give,
        take,
        ..
    } in changes
    {
        active[from as usize] = true;
        if touched[from as usize] || touched[to as usize] {
            continue;
        }
        clusters.relocate(give, to);
        take.into_iter()
            .for_each(|unit| clusters.relocate(unit, from));
        for g in [from as usize, to as usize] {
            (touched[g], active[g]) = (true, true);
            clusters.refresh(task, g, &mut scratch);
        }
    }
    Ok(())
}

/// Computes anew what these groups lose per row without each of their units.
fn renew_losses_without(task: &Task, clusters: &Clusters, groups: &[u32], without: &mut [f32]) {
    let found: Vec<Vec<f32>> = groups
        .par_iter()
        .map_init(
            || Without::new(task),
            |group, &number| {
                let members = &clusters.members[number as usize];
                let mut losses = Vec::new();
                if members.len() <= SWAP_LIMIT {
                    group.set(task, members);
                    losses.extend((0..members.len()).map(|n| group.loss(task, n)));
                }
                losses
            },
        )
        .collect();
    for (&group, losses) in groups.iter().zip(&found) {
        for (&unit, &loss) in clusters.members[group as usize].iter().zip(losses) {
            without[unit as usize] = loss;
        }
    }
}

/// One group looking for its most profitable change.
struct Look<'a> {
    task: &'a Task<'a>,
    graph: &'a Graph,
    clusters: &'a Clusters,
    group: u32,
    scratch: &'a mut Extents,
    /// This group without the unit that it would give; nothing where it has no other.
    rest: &'a mut Extents,
    /// Groups that could take a unit.
    hosts: &'a mut Vec<Host>,
    /// This group without each of its members.
    own: &'a mut Without,
    /// Per unit the loss per row of its group without it.
    without: &'a [f32],
}

/// A group that could take a unit.
#[derive(Clone, Copy)]
struct Host {
    /// What it would cost more.
    cost: f32,
    group: u32,
    /// Its loss per row with the unit.
    loss: f32,
}

impl Look<'_> {
    fn best_change(&mut self) -> Option<Change> {
        let g = self.group as usize;
        let members = &self.clusters.members[g];
        if members.is_empty() || self.clusters.losses[g] == 0.0 {
            return None;
        }
        let before = self
            .task
            .cost(self.clusters.rows[g], self.clusters.losses[g]);
        self.own.set(self.task, members);
        let mut best: Option<Change> = None;
        for (n, &unit) in members.iter().enumerate() {
            let rows = self.clusters.rows[g] - self.task.rows[unit as usize];
            let released = before - self.task.cost(rows, self.own.loss(self.task, n));
            self.find_hosts(unit, released);
            if self.hosts.is_empty() {
                continue;
            }
            let least = best.as_ref().map_or(LEAST_GAIN, |b| b.gain);
            let may_move = !self.checks_are_costly() || released - self.hosts[0].cost > least;
            let change = if may_move && self.can_spare(unit) {
                self.best_move(unit, released, least)
            } else {
                self.best_swap((n, unit), before, least)
            };
            best = change.or(best);
        }
        best
    }

    /// The groups of a unit's neighbours where it would cost less than here, or not much more,
    /// cheapest first.
    fn find_hosts(&mut self, unit: u32, released: f32) {
        let (task, clusters) = (self.task, self.clusters);
        self.hosts.clear();
        let rows = task.rows[unit as usize];
        for &near in self.graph.of(unit) {
            let host = clusters.of[near as usize];
            let h = host as usize;
            if host == self.group || self.hosts.iter().any(|known| known.group == host) {
                continue;
            }
            let both = clusters.rows[h] + rows;
            let before = task.cost(clusters.rows[h], clusters.losses[h]);
            let limit = (before + PATIENCE * released) / both - task.crowding * both;
            let union = task.loss.union(
                (&task.extents, unit as usize),
                (&clusters.extents, h),
                limit,
            );
            if union <= limit {
                self.hosts.push(Host {
                    cost: task.cost(both, union) - before,
                    group: host,
                    loss: union,
                });
            }
        }
        self.hosts
            .sort_unstable_by(|a, b| a.cost.total_cmp(&b.cost).then(a.group.cmp(&b.group)));
    }

    /// Against coalitions, checking proportions costs more than looking for an exchange of rows that
    /// count alike.
    fn checks_are_costly(&self) -> bool {
        !self.task.sensitive.is_empty() && self.task.requirement.insiders().m.0 > 0
    }

    fn can_spare(&self, unit: u32) -> bool {
        let mut left = self.clusters.tallies[self.group as usize].clone();
        left.subtract(&self.task.tallies[unit as usize]);
        let members = &self.clusters.members[self.group as usize];
        left.size() == 0
            || self.task.holds(
                &left,
                members.iter().copied().filter(|&other| other != unit),
            )
    }

    fn best_move(&self, unit: u32, released: f32, least: f32) -> Option<Change> {
        let welcome = |host: u32| {
            self.task.requirement.welcomes_anyone() || {
                let mut tally = self.clusters.tallies[host as usize].clone();
                tally.merge(&self.task.tallies[unit as usize]);
                self.task.requirement.holds(&tally)
            }
        };
        let profitable = self
            .hosts
            .iter()
            .take_while(|host| released - host.cost > least);
        let host = profitable.into_iter().find(|host| welcome(host.group))?;
        Some(Change {
            gain: released - host.cost,
            from: self.group,
            to: host.group,
            give: unit,
            take: None,
        })
    }

    fn best_swap(
        &mut self,
        (n, unit): (usize, u32),
        before: f32,
        mut least: f32,
    ) -> Option<Change> {
        let (task, clusters) = (self.task, self.clusters);
        let mut best = None;
        self.own.put(n, self.rest);
        for at in 0..self.hosts.len().min(HOSTS) {
            let Host {
                group: to,
                loss: with_unit,
                ..
            } = self.hosts[at];
            let theirs = &clusters.members[to as usize];
            if theirs.len() > SWAP_LIMIT {
                continue;
            }
            let both = before + task.cost(clusters.rows[to as usize], clusters.losses[to as usize]);
            for &other in theirs {
                if !self.may_replace(unit, other) {
                    continue;
                }
                let rows = self.rows_after(self.group, unit, other);
                // beyond this loss the exchange cannot gain enough, whatever the other group saves
                let limit = (both - least) / rows - task.crowding * rows;
                let loss = self.loss_with(other, limit);
                let gain = both - task.cost(rows, loss);
                if loss > limit || gain <= least {
                    continue;
                }
                // Beside the new unit the other one's leaving saves at most what it saves alone: what
                // it alone had stretched, the new unit may stretch as well. Few get past this.
                let saves = clusters.losses[to as usize] - self.without[other as usize];
                let rows = self.rows_after(to, other, unit);
                if gain - task.cost(rows, with_unit - saves) <= least {
                    continue;
                }
                let swapped = theirs
                    .iter()
                    .map(|&own| if own == other { unit } else { own });
                let (_, loss) = task.measure(swapped, self.scratch);
                let gain = gain - task.cost(rows, loss);
                if gain > least && self.swap_holds(unit, to, other) {
                    least = gain;
                    best = Some(Change {
                        gain,
                        from: self.group,
                        to,
                        give: unit,
                        take: Some(other),
                    });
                }
            }
        }
        best
    }

    /// Requirements on proportions are only sure to survive an exchange of equal sensitive values;
    /// trying all others would cost much and find little.
    fn may_replace(&self, unit: u32, other: u32) -> bool {
        self.task.sensitive.is_empty()
            || self.task.sensitive[unit as usize] == self.task.sensitive[other as usize]
    }

    /// How many rows a group has with one unit replaced.
    fn rows_after(&self, group: u32, out: u32, into: u32) -> f32 {
        self.clusters.rows[group as usize] - self.task.rows[out as usize]
            + self.task.rows[into as usize]
    }

    /// The loss per row of what is in `rest` together with a unit, or some value above `limit`.
    fn loss_with(&self, unit: u32, limit: f32) -> f32 {
        let loss = self.task.loss;
        let unit = (&self.task.extents, unit as usize);
        if self.rest.is_empty() {
            loss.of(unit.0, unit.1)
        } else {
            loss.union((self.rest, 0), unit, limit)
        }
    }

    fn swap_holds(&self, unit: u32, to: u32, other: u32) -> bool {
        // units are single rows where sensitive values are given: no decoys, and who counts alike
        // changes nothing
        let tallies = &self.task.tallies;
        if !self.task.sensitive.is_empty() && tallies[unit as usize] == tallies[other as usize] {
            return true;
        }
        let holds = |group: u32, out: u32, into: u32| {
            let mut tally = self.clusters.tallies[group as usize].clone();
            tally.subtract(&self.task.tallies[out as usize]);
            tally.merge(&self.task.tallies[into as usize]);
            let members = &self.clusters.members[group as usize];
            self.task.holds(
                &tally,
                members
                    .iter()
                    .map(|&unit| if unit == out { into } else { unit }),
            )
        };
        holds(self.group, unit, other) && holds(to, other, unit)
    }
}

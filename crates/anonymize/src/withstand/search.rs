//! Steps that help most people per loss, one after the other, until few enough are left.
//!
//! A step is a *move* of an unserved record to a nearby group, or a *union* of a group that has
//! unserved people with a nearby one. Each group with unserved people offers its best step; offers
//! wait in a heap and are made anew when a group they are about has changed meanwhile.

use super::groups::{Group, Groups};
use crate::{Error, MethodOptions};
use mingle_privacy::Tally;
use rayon::prelude::*;
use std::collections::BinaryHeap;

/// Groups with more records than this are united rather than searched for moves.
const MOVABLE: usize = 64;
/// So many unserved records of a group are tried.
const TRIED: usize = 8;
/// A step that costs less than this counts as costing this much.
const LEAST_COST: f32 = 1e-3;

/// A step and what it is worth.
struct Offer {
    worth: f32,
    from: u32,
    to: u32,
    versions: (u32, u32),
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    Unite,
    Move(u32),
}

/// Takes steps until at most the tolerated number of people is unserved and no group is forced, or
/// no step is left. Returns whether there was any.
pub fn search(groups: &mut Groups<'_>, options: &MethodOptions) -> Result<bool, Error> {
    let mut any = false;
    loop {
        let done = pass(groups, options)?;
        any |= done;
        if is_done(groups) || groups.len() < 2 || !done {
            return Ok(any);
        }
        // neighbours may have become one; look for others
        groups.find_neighbours();
    }
}

fn is_done(groups: &Groups<'_>) -> bool {
    groups.unserved() <= groups.knowledge.allowed && !groups.alive().any(|g| groups.all[g].forced)
}

/// Until the heap is empty; returns whether anything was done.
fn pass(groups: &mut Groups<'_>, options: &MethodOptions) -> Result<bool, Error> {
    let waiting: Vec<usize> = groups
        .alive()
        .filter(|&g| groups.all[g].bad > 0 || groups.all[g].forced)
        .collect();
    let mut heap: BinaryHeap<Offer> = waiting
        .into_par_iter()
        .filter_map(|g| best(groups, g))
        .collect();
    let (mut bad, mut done) = (groups.unserved(), false);
    let mut forced = groups.alive().filter(|&g| groups.all[g].forced).count();
    let allowed = groups.knowledge.allowed;
    while let Some(offer) = heap.pop() {
        options.check_cancelled()?;
        let (from, to) = (offer.from as usize, offer.to as usize);
        if bad <= allowed && forced == 0 {
            break;
        }
        // what is forced may be worth least, and waits at the end
        if bad <= allowed && !groups.all[from].forced {
            continue;
        }
        if (groups.all[from].version, groups.all[to].version) != offer.versions {
            if groups.find(offer.from) == offer.from
                && (groups.all[from].bad > 0 || groups.all[from].forced)
            {
                heap.extend(best(groups, from));
            }
            continue;
        }
        bad -= groups.all[from].bad + groups.all[to].bad;
        if matches!(offer.step, Step::Unite) {
            forced -= [from, to]
                .into_iter()
                .filter(|&g| groups.all[g].forced)
                .count();
        }
        take(groups, from, to, offer.step);
        done = true;
        for group in [from, to]
            .into_iter()
            .filter(|&g| groups.find(g as u32) as usize == g)
        {
            bad += groups.all[group].bad;
            if groups.all[group].bad > 0 {
                heap.extend(best(groups, group));
            }
        }
    }
    Ok(done)
}

fn take(groups: &mut Groups<'_>, from: usize, to: usize, step: Step) {
    match step {
        Step::Unite => groups.unite(from, to),
        Step::Move(record) => {
            let mut scratch = groups.loss.extents();
            let left = groups.changed(from, Some(record), None, &mut scratch);
            let grown = groups.changed(to, None, Some(record), &mut scratch);
            groups.replace(from, left);
            groups.replace(to, grown);
        }
    }
}

/// The best step that a group can offer.
fn best(groups: &Groups<'_>, from: usize) -> Option<Offer> {
    let mut best: Option<Offer> = None;
    let mut consider = |offer: Offer| {
        if best.as_ref().is_none_or(|b| offer > *b) {
            best = Some(offer);
        }
    };
    let near = near(groups, from);
    near.iter()
        .filter_map(|&to| union(groups, from, to))
        .for_each(&mut consider);
    let group = &groups.all[from];
    if groups.may_move && group.members.len() <= MOVABLE && !group.forced {
        let unserved = group
            .members
            .iter()
            .copied()
            .filter(|&r| groups.is_bad(group, r))
            .take(TRIED);
        for record in unserved {
            let mut scratch = groups.loss.extents();
            let left = groups.changed(from, Some(record), None, &mut scratch);
            if left.members.is_empty() || !groups.requirement.holds(&left.tally) {
                continue;
            }
            near.iter()
                .filter_map(|&to| moved(groups, from, to, record, &left))
                .for_each(&mut consider);
        }
    }
    best
}

/// The present neighbours of a group.
fn near(groups: &Groups<'_>, group: usize) -> Vec<usize> {
    let mut near: Vec<usize> = groups.neighbours[group]
        .iter()
        .map(|&n| groups.find(n) as usize)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.retain(|&n| n != group);
    near
}

fn union(groups: &Groups<'_>, from: usize, to: usize) -> Option<Offer> {
    let (one, two) = (&groups.all[from], &groups.all[to]);
    if !groups.requirement.closed_under_union() {
        let tally = Tally::sum([&one.tally, &two.tally].into_iter());
        if !groups.requirement.holds(&tally) {
            return None;
        }
    }
    let union = groups.union(from, to);
    let helped = (one.bad + two.bad) as f32 - union.bad as f32;
    let lost = (union.cost - one.cost - two.cost).max(LEAST_COST);
    // where nobody is helped at once, the cheapest union leads on
    let worth = if helped > 0.0 {
        helped / lost
    } else {
        (helped - 1.0) * lost
    };
    Some(offer(groups, from, to, worth, Step::Unite))
}

fn moved(groups: &Groups<'_>, from: usize, to: usize, record: u32, left: &Group) -> Option<Offer> {
    let (one, two) = (&groups.all[from], &groups.all[to]);
    if two.members.len() > MOVABLE {
        return None;
    }
    let mut scratch = groups.loss.extents();
    let grown = groups.changed(to, None, Some(record), &mut scratch);
    let helped = (one.bad + two.bad) as i64 - (left.bad + grown.bad) as i64;
    if helped <= 0 || !groups.requirement.holds(&grown.tally) {
        return None;
    }
    let lost = (left.cost + grown.cost - one.cost - two.cost).max(LEAST_COST);
    Some(offer(
        groups,
        from,
        to,
        helped as f32 / lost,
        Step::Move(record),
    ))
}

fn offer(groups: &Groups<'_>, from: usize, to: usize, worth: f32, step: Step) -> Offer {
    let versions = (groups.all[from].version, groups.all[to].version);
    Offer {
        worth,
        from: from as u32,
        to: to as u32,
        versions,
        step,
    }
}

impl Ord for Offer {
    fn cmp(&self, other: &Offer) -> std::cmp::Ordering {
        let record = |step: Step| {
            if let Step::Move(record) = step {
                record
            } else {
                u32::MAX
            }
        };
        let rest = |o: &Offer| (o.from, o.to, record(o.step));
        self.worth
            .total_cmp(&other.worth)
            .then_with(|| rest(other).cmp(&rest(self)))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Offer) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Offer {
    fn eq(&self, other: &Offer) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Offer {}

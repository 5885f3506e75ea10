//! Withstanding by leaving a few people out.
//!
//! Often the limits fail for a handful of people whose values nobody nearby shares, and serving them
//! costs everybody else: groups are united again and again, in the end into one. Where rows may be
//! left out (`max_suppressed`), a looser limit is searched for first, by so many people more as may
//! be left out, and then whoever is still exposed goes. What others lose by that, company whose
//! values they needed, is looked at again until nobody is exposed any more or no more may go; or they are
//! served as everybody is, by moving and uniting. What costs less is taken.
//!
//! Not where groups are compared with the whole table, which leaving people out changes, and not
//! where an own history asks for groups to be changed. Cost: up to twice [`LIMITS`] searches, every second one for
//! few people.

use super::claims::Claims;
use super::groups::Groups;
use super::knowledge::{Knowledge, tolerated};
use super::{Against, attempt};
use crate::{Error, MethodOptions, plan};
use mingle_model::{Cube, Partition, Published};
use mingle_privacy::Requirement;
use std::sync::Arc;

/// The looser limits that are searched for: all of what may be left out, a half, a quarter. Leaving
/// somebody out may expose others, so that a search which uses everything up may be stuck.
const LIMITS: u32 = 3;
/// So often who is left is looked at again.
const ROUNDS: usize = 8;

/// What is searched in.
pub struct LeavingOut<'a> {
    pub cube: &'a Arc<Cube>,
    pub requirement: &'a Requirement,
    /// What the method planned.
    pub partition: &'a Partition,
    pub options: &'a MethodOptions<'a>,
}

/// What becomes of a group that is too small without those who are exposed in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TooSmall {
    IsLeftOut,
    StaysAsItWas,
}

impl LeavingOut<'_> {
    /// The best partition found with people left out; `None` where there is none, or where none may
    /// be left out.
    pub fn search(
        &self,
        knowledge: &mut Knowledge,
        against: &mut Against<'_, '_>,
    ) -> Result<Option<Partition>, Error> {
        let already = self.left_out(self.partition);
        let spare = self.options.max_suppressed.saturating_sub(already);
        let compares = |promise: &mingle_privacy::Promise| promise.rule.as_t_closeness().is_some();
        if spare == 0 || self.requirement.promises().iter().any(compares) {
            return Ok(None);
        }
        let strict = knowledge.allowed;
        let mut best: Option<(f64, Partition)> = None;
        for halved in 0..LIMITS {
            let more = spare >> halved;
            if more == 0 {
                break;
            }
            knowledge.allowed = strict.saturating_add(more);
            let mut groups = Groups::new(self.cube, self.requirement, knowledge, self.partition);
            let looser = attempt(&mut groups, against, self.options);
            knowledge.allowed = strict;
            let partition = match looser {
                Ok(partition) => partition,
                Err(Error::Exposed { .. }) => continue,
                Err(other) => return Err(other),
            };
            let mended = self.without_and_mended(knowledge, against, &partition);
            knowledge.allowed = strict;
            let without = self.without_the_exposed(knowledge, against, partition);
            knowledge.allowed = strict;
            for partition in [mended?, without?].into_iter().flatten() {
                let cost = self.cost(knowledge, &partition);
                if best.as_ref().is_none_or(|&(least, _)| cost < least) {
                    best = Some((cost, partition));
                }
            }
        }
        Ok(best.map(|(_, partition)| partition))
    }

    /// What a partition costs; somebody who is left out costs what everybody does in one group.
    pub fn cost(&self, knowledge: &Knowledge, partition: &Partition) -> f64 {
        let mut groups = Groups::new(self.cube, self.requirement, knowledge, partition);
        let mut cost = 0.0;
        let mut rows = 0;
        for group in groups.alive() {
            cost += f64::from(groups.all[group].cost);
            rows += groups.all[group].rows;
        }
        let left_out = self.left_out(partition);
        if left_out == 0 || rows == 0 {
            return cost;
        }
        groups.join_all();
        let everybody: f64 = groups
            .alive()
            .map(|group| f64::from(groups.all[group].cost))
            .sum();
        cost + everybody / rows as f64 * left_out as f64
    }

    /// Leaves out whoever is exposed, once, where enough is left of a group. Whom that exposes, and who is exposed in the other
    /// groups, is then served as everybody is when nobody may be left out: these are few, and so are the groups that are united
    /// for them.
    fn without_and_mended(
        &self,
        knowledge: &mut Knowledge,
        against: &mut Against<'_, '_>,
        partition: &Partition,
    ) -> Result<Option<Partition>, Error> {
        let published = Published::from_partition(self.cube, partition, against.missing)
            .map_err(|_| Error::Unsatisfiable)?;
        if !(against.also)(&published).is_empty() {
            return Ok(None);
        }
        let groups = Groups::new(self.cube, self.requirement, knowledge, partition);
        let claims = Claims::find(knowledge, against, &published, Vec::new())?;
        let Some(members) = self.members_without(&groups, &claims, TooSmall::StaysAsItWas) else {
            return Ok(None);
        };
        let tuple_of = &groups.tuple_of;
        let fewer = plan::of_records(
            self.cube,
            self.requirement,
            self.options,
            &members,
            tuple_of,
        );
        if self.left_out(&fewer) > self.options.max_suppressed {
            return Ok(None);
        }
        knowledge.allowed = tolerated(self.cube, &fewer, &against.limits);
        let mut groups = Groups::new(self.cube, self.requirement, knowledge, &fewer);
        match attempt(&mut groups, against, self.options) {
            Ok(mended) => Ok(Some(mended)),
            Err(Error::Exposed { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Leaves out whoever is exposed, until nobody more is than the limits tolerate; `None` where more
    /// than may be would have to go.
    fn without_the_exposed(
        &self,
        knowledge: &mut Knowledge,
        against: &mut Against<'_, '_>,
        mut partition: Partition,
    ) -> Result<Option<Partition>, Error> {
        for _ in 0..ROUNDS {
            self.options.check_cancelled()?;
            let published = Published::from_partition(self.cube, &partition, against.missing)
                .map_err(|_| Error::Unsatisfiable)?;
            if !(against.also)(&published).is_empty() {
                return Ok(None);
            }
            // a share of fewer people
            knowledge.allowed = tolerated(self.cube, &partition, &against.limits);
            let groups = Groups::new(self.cube, self.requirement, knowledge, &partition);
            let claims = Claims::find(knowledge, against, &published, Vec::new())?;
            if claims.people() == 0 && groups.unserved_members() <= knowledge.allowed {
                return Ok(Some(partition));
            }
            let Some(members) = self.members_without(&groups, &claims, TooSmall::IsLeftOut) else {
                return Ok(None);
            };
            let tuple_of = &groups.tuple_of;
            partition = plan::of_records(
                self.cube,
                self.requirement,
                self.options,
                &members,
                tuple_of,
            );
            if self.left_out(&partition) > self.options.max_suppressed {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The groups without who is exposed in them; `None` where nothing is left.
    fn members_without(
        &self,
        groups: &Groups<'_>,
        claims: &Claims,
        too_small: TooSmall,
    ) -> Option<Vec<Vec<u32>>> {
        let mut found = vec![false; self.cube.tuples()];
        for &tuple in &claims.tuples {
            found[tuple as usize] = true;
        }
        let mut kept = Vec::new();
        for number in groups.alive() {
            let group = &groups.all[number];
            let mut members = group.members.clone();
            members.retain(|&record| {
                let tuple = groups.tuple_of[record as usize] as usize;
                !found[tuple] && !groups.is_bad(group, record)
            });
            members.sort_unstable();
            let tally = plan::tally_records(self.cube, self.requirement, members.iter().copied());
            if !members.is_empty() && self.requirement.holds(&tally) {
                kept.push(members);
            } else if too_small == TooSmall::StaysAsItWas {
                kept.push(group.members.clone());
            }
        }
        (!kept.is_empty()).then_some(kept)
    }

    /// How many rows a partition leaves out.
    fn left_out(&self, partition: &Partition) -> u64 {
        let mut rows = 0;
        for (record, &group) in self.cube.records().iter().zip(&partition.group_of) {
            if group == Partition::SUPPRESSED {
                rows += record.count;
            }
        }
        rows
    }
}

//! Withstanding other releases: a partition is changed until the intersection with what is out
//! already leaves enough.
//!
//! Of each person the other releases leave some sensitive values ([`knowledge`]); of these, only
//! the ones in the person's own group survive once our release is intersected with them. Too few of
//! them can be mended by better company: the person moves to a group nearby that has more of these
//! values, or the group is united with one that has ([`search`]). Steps are taken in the order of
//! people helped per loss, and as soon as the limits hold no further ones.
//!
//! A reader need not know the right group. After each search the table is looked at as it would be
//! published; people who are found in a group that does not serve them become *claimants* of that
//! group, which must then serve them too, and the search goes on. Each such round unites groups, so
//! there is an end: the limits hold, or there is one group left and no release of this table
//! withstands.
//!
//! Where rows may be left out, the same is tried with a looser limit and without who is exposed then
//! ([`leaving_out`]), and what costs less is taken.
//!
//! Where people have several rows this is refused: a person's values are a set then, and what a release
//! leaves of it is not one value among several.
//!
//! Cost: a look-up per tuple and release, then steps × neighbours × members of a group.

mod claims;
mod groups;
mod knowledge;
mod leaving_out;
mod search;

use crate::{Error, MethodOptions, plan};
use claims::Claims;
use groups::Groups;
use knowledge::Knowledge;
use leaving_out::LeavingOut;
use mingle_model::{Cube, Missing, Partition, Published};
use mingle_privacy::Requirement;
use mingle_privacy::composition::{CompositionLimits, Overlay};
use std::sync::Arc;

/// The other releases, one overlay over the cube for each sensitive attribute that they have, and
/// what is tolerated.
pub struct Against<'o, 'a> {
    /// Made over the cube that is partitioned.
    pub overlays: &'o mut [Overlay<'a>],
    /// For each attribute by itself.
    pub limits: CompositionLimits,
    /// How labels are read back.
    pub missing: &'o Missing,
    /// Further groups that must not stay as they are, as numbers of the publication. Asked after
    /// each search.
    pub also: &'o mut dyn FnMut(&Published) -> Vec<u32>,
}

/// So many rounds may move records between groups; later ones only unite groups.
const MOVING_ROUNDS: usize = 8;

/// Changes a partition until the limits hold. The result has tight labels.
pub fn withstand(
    cube: &Arc<Cube>,
    requirement: &Requirement,
    partition: &Partition,
    against: &mut Against<'_, '_>,
    options: &MethodOptions,
) -> Result<Partition, Error> {
    if cube.people().is_some() {
        return Err(Error::WithstandPeople);
    }
    let mut knowledge = Knowledge::new(cube, partition, against.overlays, &against.limits);
    let uniting = by_uniting(
        cube,
        requirement,
        partition,
        (&mut knowledge, against),
        options,
    );
    let without = LeavingOut {
        cube,
        requirement,
        partition,
        options,
    };
    let fewer = without.search(&mut knowledge, against)?;
    match (uniting, fewer) {
        (Ok(all), Some(fewer)) => {
            let cheaper = without.cost(&knowledge, &fewer) < without.cost(&knowledge, &all);
            Ok(if cheaper { fewer } else { all })
        }
        (Err(Error::Exposed { .. }), Some(fewer)) => Ok(fewer),
        (uniting, _) => uniting,
    }
}

/// Nobody is left out whom the plan did not leave out.
fn by_uniting(
    cube: &Arc<Cube>,
    requirement: &Requirement,
    partition: &Partition,
    (knowledge, against): (&mut Knowledge, &mut Against<'_, '_>),
    options: &MethodOptions,
) -> Result<Partition, Error> {
    let people = knowledge.hopeless(cube, partition);
    if people > knowledge.allowed {
        return Err(Error::Exposed { people });
    }
    let first = attempt(
        &mut Groups::new(cube, requirement, knowledge, partition),
        against,
        options,
    );
    if !matches!(first, Err(Error::Exposed { .. })) {
        return first;
    }
    // whom the limits would have tolerated may have stood in the way of others: help everybody
    if knowledge.allowed > 0 {
        let allowed = std::mem::replace(&mut knowledge.allowed, 0);
        let second = attempt(
            &mut Groups::new(cube, requirement, knowledge, partition),
            against,
            options,
        );
        knowledge.allowed = allowed;
        if !matches!(second, Err(Error::Exposed { .. })) {
            return second;
        }
    }
    let mut everybody = Groups::new(cube, requirement, knowledge, partition);
    if everybody.unite_all() {
        attempt(&mut everybody, against, options)
    } else {
        first
    }
}

fn attempt(
    groups: &mut Groups<'_>,
    against: &mut Against<'_, '_>,
    options: &MethodOptions,
) -> Result<Partition, Error> {
    let (cube, requirement, knowledge) = (groups.cube, groups.requirement, groups.knowledge);
    let (mut round, mut idle) = (0, 0);
    loop {
        // moves could go on for ever, unions cannot
        groups.may_move = round < MOVING_ROUNDS;
        round += 1;
        idle = if search::search(groups, options)? {
            0
        } else {
            idle + 1
        };
        let members = groups.members();
        let partition = plan::of_records(cube, requirement, options, &members, &groups.tuple_of);
        let Ok(published) = Published::from_partition(cube, &partition, against.missing) else {
            return Err(Error::Unsatisfiable);
        };
        options.check_cancelled()?;
        let also = (against.also)(&published);
        let claims = Claims::find(knowledge, against, &published, also)?;
        let unserved = groups.unserved_members();
        let people = claims.people().max(if unserved > knowledge.allowed {
            unserved
        } else {
            0
        });
        if people == 0 {
            return Ok(partition);
        }
        // the first idle round may only have found out whom to help; the second has found that
        // nobody can be
        if groups.len() < 2 || idle > 1 {
            return Err(Error::Exposed { people });
        }
        groups.claim(&partition, &published, &claims);
    }
}

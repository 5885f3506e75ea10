//! IDENTITY: both partitions must be equal (Nielsen et al., section 3.5).
//!
//! Each round compares the two partitions as wholes; while they differ both sites generalize by one
//! step. At the latest both are at their roots, with everybody in one class.
//!
//! A comparison is a private equality test on a digest of the partition: an intersection of one
//! element each. It tells one bit a round. A digest of a guessed partition could be tried out if it
//! were sent; raised to a secret it cannot.

use super::{Agreement, People, Round, current, everybody, limit, step};
use crate::anonymizer::Local;
use crate::classes::Classes;
use crate::conversation::Conversation;
use crate::error::Error;
use crate::group::Use;
use crate::intersection::intersect;
use sha2::{Digest, Sha256};

pub(crate) const REVEALS: &str =
    "each round tells both sites whether their partitions are equal: one bit, besides the release";

pub(super) fn reference(sites: &mut [&mut dyn Local; 2]) -> Agreement {
    let people = everybody(sites[0]);
    let mut rounds = Vec::new();
    loop {
        let [first, second] = current(sites, &people);
        rounds.push(Round::new(people.len(), [&first, &second]));
        if first == second {
            return Agreement::at_last(first, rounds);
        }
        step(sites, &people);
    }
}

pub(super) async fn run(
    conversation: &mut Conversation,
    local: &mut dyn Local,
    people: &People<'_>,
    steps: u32,
) -> Result<Agreement, Error> {
    let everybody = people.all();
    let mut rounds = Vec::new();
    for round in 0.. {
        limit(round, steps)?;
        let classes = Classes::new(local.classes(&everybody));
        rounds.push(Round::of_one(everybody.len(), &classes));
        let equal = intersect(
            conversation,
            Use::Partition(round),
            &[digest(&classes)],
            1,
            "comparing",
        )
        .await?;
        if equal[0] {
            return Ok(Agreement::at_last(classes, rounds));
        }
        local.step(&everybody);
    }
    Err(Error::Defect("rounds have an end"))
}

/// Both sites number classes by their first member, so equal partitions have equal digests.
fn digest(classes: &Classes) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(b"mingle partition\0");
    classes
        .class_of()
        .iter()
        .for_each(|class| hash.update(class.to_le_bytes()));
    hash.finalize().into()
}

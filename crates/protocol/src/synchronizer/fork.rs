//! FORK: classes that both sites have are frozen, the rest goes on (Nielsen et al., section 3.5).
//!
//! Each round finds the classes, among the people not yet frozen, that are the same set of people
//! at both sites. They are published with the labels of that round. The others are generalized by
//! one step, chosen and counted on the remaining people alone; t-closeness still compares with
//! everybody. Since whole classes leave, those that stay keep what they satisfied.
//!
//! Found by private set intersection of class digests, padded to as many classes as the remaining
//! people could have.

use super::{Agreement, People, Round, current, everybody, limit, step};
use crate::anonymizer::Local;
use crate::classes::Classes;
use crate::conversation::Conversation;
use crate::error::Error;
use crate::group::Use;
use crate::intersection::intersect;
use sha2::{Digest, Sha256};
use std::collections::HashSet;

pub(crate) const REVEALS: &str = "each round tells both sites which of their classes are equal, which the release shows; and when they became so";

pub(super) fn reference(sites: &mut [&mut dyn Local; 2]) -> Agreement {
    let mut frozen = Frozen::new(everybody(sites[0]));
    while !frozen.remaining.is_empty() {
        let [first, second] = current(sites, &frozen.remaining);
        let round = Round::new(frozen.remaining.len(), [&first, &second]);
        let [first, second] = [first, second].map(|classes| frozen.sets(&classes));
        let others: HashSet<&Vec<u32>> = second.iter().collect();
        let common = first
            .into_iter()
            .filter(|set| others.contains(set))
            .collect();
        frozen.freeze(common, round);
        step(sites, &frozen.remaining);
    }
    frozen.agreement()
}

pub(super) async fn run(
    conversation: &mut Conversation,
    local: &mut dyn Local,
    people: &People<'_>,
    steps: u32,
) -> Result<Agreement, Error> {
    let mut frozen = Frozen::new(people.all());
    for round in 0.. {
        limit(round, steps)?;
        let classes = Classes::new(local.classes(&frozen.remaining));
        let sets = frozen.sets(&classes);
        let digests: Vec<[u8; 32]> = sets.iter().map(|set| digest(set)).collect();
        let padded = most_classes(frozen.remaining.len(), people.k);
        let equal = intersect(
            conversation,
            Use::Classes(round),
            &digests,
            padded,
            "comparing",
        )
        .await?;
        let common = sets
            .into_iter()
            .zip(equal)
            .filter_map(|(set, equal)| equal.then_some(set))
            .collect();
        let people = frozen.remaining.len();
        frozen.freeze(common, Round::of_one(people, &classes));
        if frozen.remaining.is_empty() {
            return Ok(frozen.agreement());
        }
        local.step(&frozen.remaining);
    }
    Err(Error::Defect("rounds have an end"))
}

/// As many classes as these people could have: every class has at least k of them.
pub(crate) fn most_classes(people: usize, k: u64) -> usize {
    (people / usize::try_from(k).unwrap_or(usize::MAX).max(1)).max(1)
}

fn digest(set: &[u32]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(b"mingle class\0");
    set.iter()
        .for_each(|person| hash.update(person.to_le_bytes()));
    hash.finalize().into()
}

/// Who is grouped, and who is not yet.
struct Frozen {
    /// Ascending.
    remaining: Vec<u32>,
    /// Per person a class, numbered as frozen.
    class_of: Vec<u32>,
    /// Per frozen class its round.
    rounds_of: Vec<u32>,
    rounds: Vec<Round>,
}

impl Frozen {
    fn new(everybody: Vec<u32>) -> Frozen {
        let class_of = vec![u32::MAX; everybody.len()];
        Frozen {
            remaining: everybody,
            class_of,
            rounds_of: Vec::new(),
            rounds: Vec::new(),
        }
    }

    /// Classes of the remaining people as sets of people.
    fn sets(&self, classes: &Classes) -> Vec<Vec<u32>> {
        let person = |place: u32| self.remaining[place as usize];
        classes
            .members()
            .into_iter()
            .map(|members| members.into_iter().map(person).collect())
            .collect()
    }

    fn freeze(&mut self, sets: Vec<Vec<u32>>, round: Round) {
        for set in sets {
            let class = self.rounds_of.len() as u32;
            set.into_iter()
                .for_each(|person| self.class_of[person as usize] = class);
            self.rounds_of.push(self.rounds.len() as u32);
        }
        self.rounds.push(round);
        self.remaining
            .retain(|&person| self.class_of[person as usize] == u32::MAX);
    }

    fn agreement(self) -> Agreement {
        let groups = Classes::new(self.class_of.iter().copied());
        let mut round_of = vec![0; groups.len()];
        for (&group, &frozen) in groups.class_of().iter().zip(&self.class_of) {
            round_of[group as usize] = self.rounds_of[frozen as usize];
        }
        Agreement {
            groups,
            round_of,
            rounds: self.rounds,
        }
    }
}

//! Synchronizers: how two sites' partitions of the same people become one.
//!
//! Each has a file with its definition, what it reveals to whom, the reference that sees both
//! partitions ([`synchronize`]) and the steps that do not.

pub(crate) mod dpp2ga;
pub(crate) mod fork;
pub(crate) mod identity;
pub(crate) mod merge;
pub(crate) mod repair;
mod tagged;

pub(crate) use tagged::ENTRY;

use crate::anonymizer::Local;
use crate::classes::Classes;
use crate::conversation::Conversation;
use crate::error::Error;
use mingle_privacy::{Ratio, Rule};

/// How much a synchronizer reveals beyond the release itself. Each level includes those before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Leak {
    /// Output only: the release, and in which round it was found.
    L0,
    /// The contingency table of anonymous classes, to the evaluator.
    L1,
    /// Both partitions by person, each class of at least k people.
    L2,
}

impl Leak {
    /// All levels, ascending.
    pub const ALL: [Leak; 3] = [Leak::L0, Leak::L1, Leak::L2];

    /// Its name in policies and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Leak::L0 => "L0",
            Leak::L1 => "L1",
            Leak::L2 => "L2",
        }
    }
}

/// The ways to synchronize. There is no default: the policy names one and accepts what it reveals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Synchronizer {
    /// Generalize until every intersection of classes has at least k people; publish the
    /// intersections.
    Dpp2ga,
    /// Generalize until both partitions are equal.
    Identity,
    /// Freeze the classes that both have; generalize the others and repeat.
    Fork,
    /// Publish the finest common coarsening.
    Merge,
    /// Start at the intersections and unite those that fail with a neighbour.
    Repair,
}

impl Synchronizer {
    /// All of them.
    pub const ALL: [Synchronizer; 5] = [
        Synchronizer::Dpp2ga,
        Synchronizer::Identity,
        Synchronizer::Fork,
        Synchronizer::Merge,
        Synchronizer::Repair,
    ];

    /// Its name in policies and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Synchronizer::Dpp2ga => "dpp2ga",
            Synchronizer::Identity => "identity",
            Synchronizer::Fork => "fork",
            Synchronizer::Merge => "merge",
            Synchronizer::Repair => "repair",
        }
    }

    /// The synchronizer of that name.
    pub fn named(name: &str) -> Option<Synchronizer> {
        Synchronizer::ALL.into_iter().find(|s| s.name() == name)
    }

    /// How much it reveals.
    pub fn leak(self) -> Leak {
        match self {
            Synchronizer::Identity | Synchronizer::Fork => Leak::L0,
            Synchronizer::Merge | Synchronizer::Dpp2ga => Leak::L1,
            Synchronizer::Repair => Leak::L2,
        }
    }

    /// What the sites learn beyond the release, in words.
    pub fn reveals(self) -> &'static str {
        match self {
            Synchronizer::Dpp2ga => dpp2ga::REVEALS,
            Synchronizer::Identity => identity::REVEALS,
            Synchronizer::Fork => fork::REVEALS,
            Synchronizer::Merge => merge::REVEALS,
            Synchronizer::Repair => repair::REVEALS,
        }
    }

    /// DPP2GA publishes intersections, which are smaller than the classes a site has checked: only
    /// k survives that.
    pub(crate) fn check(self, rule: &Rule) -> Result<(), Error> {
        // what every table keeps survives as well; whatever is not known to is refused
        let trivial = rule
            .as_t_closeness()
            .is_some_and(|(t, _)| t >= Ratio::from(1));
        let kept = rule.as_k_anonymity().is_some() || trivial;
        if self == Synchronizer::Dpp2ga && !kept {
            Err(Error::NotKept {
                synchronizer: self.name(),
                constraint: rule.name(),
            })
        } else {
            Ok(())
        }
    }
}

/// What two sites have agreed on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// The published groups.
    pub groups: Classes,
    /// Per group the round whose levels label it, from 0.
    pub round_of: Vec<u32>,
    /// What each round compared.
    pub rounds: Vec<Round>,
}

/// A comparison of the two sites' partitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// How many people were still to be grouped.
    pub people: usize,
    /// How many classes they had at site 0 and at site 1.
    pub classes: [usize; 2],
    /// For repair: about how many blocks at a time the sites told each other their verdicts.
    pub verdicts: Vec<usize>,
}

impl Agreement {
    /// Groups that are all labelled in the last round.
    fn at_last(groups: Classes, rounds: Vec<Round>) -> Agreement {
        let last = rounds.len() as u32 - 1;
        Agreement {
            round_of: vec![last; groups.len()],
            groups,
            rounds,
        }
    }
}

impl Round {
    fn new(people: usize, classes: [&Classes; 2]) -> Round {
        Round {
            people,
            classes: classes.map(Classes::len),
            verdicts: Vec::new(),
        }
    }

    /// As a site sees it that does not know the other's classes.
    fn of_one(people: usize, classes: &Classes) -> Round {
        Round {
            people,
            classes: [classes.len(), 0],
            verdicts: Vec::new(),
        }
    }
}

/// The reference: what the sites must come to, computed by somebody who sees both partitions.
pub fn synchronize(
    synchronizer: Synchronizer,
    mut sites: [&mut dyn Local; 2],
    k: u64,
) -> Agreement {
    match synchronizer {
        Synchronizer::Dpp2ga => dpp2ga::reference(&mut sites, k),
        Synchronizer::Identity => identity::reference(&mut sites),
        Synchronizer::Fork => fork::reference(&mut sites),
        Synchronizer::Merge => merge::reference(&mut sites),
        Synchronizer::Repair => repair::reference(&mut sites, k),
    }
}

/// The same by two sites, each of which sees only its own partition; this is one of them. Returns
/// its rounds without the other's number of classes (0).
pub(crate) async fn run(
    synchronizer: Synchronizer,
    conversation: &mut Conversation,
    local: &mut dyn Local,
    people: &People<'_>,
    steps: u32,
) -> Result<Agreement, Error> {
    match synchronizer {
        Synchronizer::Dpp2ga => dpp2ga::run(conversation, local, people, steps).await,
        Synchronizer::Identity => identity::run(conversation, local, people, steps).await,
        Synchronizer::Fork => fork::run(conversation, local, people, steps).await,
        Synchronizer::Merge => merge::run(conversation, local, people).await,
        Synchronizer::Repair => repair::run(conversation, local, people).await,
    }
}

/// The common people as both sites know them.
pub(crate) struct People<'a> {
    /// Canonical identifiers, ascending: a person's number is their place.
    pub(crate) identifiers: &'a [String],
    pub(crate) k: u64,
}

impl People<'_> {
    pub(crate) fn all(&self) -> Vec<u32> {
        (0..self.identifiers.len() as u32).collect()
    }
}

fn everybody(site: &dyn Local) -> Vec<u32> {
    (0..site.people() as u32).collect()
}

fn current(sites: &[&mut dyn Local; 2], people: &[u32]) -> [Classes; 2] {
    [0, 1].map(|site: usize| Classes::new(sites[site].classes(people)))
}

fn step(sites: &mut [&mut dyn Local; 2], people: &[u32]) {
    sites.iter_mut().for_each(|site| site.step(people));
}

/// The other site cannot go on comparing longer than both have steps.
fn limit(round: u32, steps: u32) -> Result<(), Error> {
    if round > steps {
        Err(crate::error::Violation::Inconsistent {
            what: "still unequal at the roots",
        }
        .into())
    } else {
        Ok(())
    }
}

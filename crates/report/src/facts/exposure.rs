//! Exposure against the size of the coalition: what 0, 1, 2 … colluding providers could do.

use super::PromiseFinding;
use mingle_assess::attack::insider::{
    self, ExposureToCoalitions, Insider, InsiderOptions, worst::Worst,
};
use mingle_model::Published;
use mingle_privacy::{Error, Insiders, Promise};
use serde::Serialize;

/// How many of the worst coalitions of each size are named.
const NAMED: usize = 3;

/// What coalitions of every size could do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExposureFacts {
    /// Groups in all.
    pub groups: u64,
    /// People in all: each row is taken for one.
    pub people: u64,
    /// Providers.
    pub providers: u64,
    /// By size, from 0 to all providers but one.
    pub sizes: Vec<ExposureOf>,
    /// The worst coalitions, by size, up to [`named_up_to`](ExposureFacts::named_up_to) members.
    pub worst: Vec<CoalitionFacts>,
    /// The largest coalitions that are named: one more than is withstood and at least two, as far
    /// as that leaves out somebody.
    pub named_up_to: u64,
    /// What was found for the stated m: `holds`, `fails` or `undecided`.
    pub verdict: PromiseFinding,
    /// The smallest coalition that breaks a promise somewhere.
    pub smallest: Option<u64>,
    /// Whether a smaller one may exist, because a search was cut short.
    pub smallest_undecided: bool,
}

/// What coalitions of at most `size` providers could do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExposureOf {
    /// Their members.
    pub size: u64,
    /// Groups that fall: a promise can be broken.
    pub groups: u64,
    /// Groups of which that is not known, because a search was cut short.
    pub undecided: u64,
    /// People in groups that fall.
    pub people: u64,
    /// People whose row is known for certain.
    pub identity: u64,
    /// People whose sensitive value is known for certain, by column.
    pub attribute: Vec<u64>,
    /// People of whom either is known.
    pub exposed: u64,
}

/// A coalition and what it achieves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CoalitionFacts {
    /// The names of its members.
    pub members: Vec<String>,
    /// Groups it breaks.
    pub groups: u64,
    /// People of others it exposes.
    pub exposed: u64,
    /// Whether no coalition of its size is worse than the first of them.
    pub exact: bool,
}

/// Plays every coalition against an audited release.
pub(super) fn of(
    published: &Published,
    promises: &[Promise],
    insiders: Insiders,
) -> Result<ExposureFacts, Error> {
    // the first size that achieves something is the one to know; beyond it, naming costs more than
    // everything else
    let most = (published.providers().len() as u64)
        .saturating_sub(1)
        .max(1);
    let named_up_to = insiders.m.0.saturating_add(1).clamp(2, 5).min(most);
    let options = InsiderOptions {
        up_to: u64::MAX,
        name_up_to: named_up_to,
        named: NAMED,
    };
    let played = insider::play(published, promises, options)?;
    let falls = |e: &&ExposureToCoalitions| e.groups > 0;
    let smallest = played.exposure.iter().find(falls).map(|e| e.size);
    let before = |e: &&ExposureToCoalitions| smallest.is_none_or(|smallest| e.size < smallest);
    Ok(ExposureFacts {
        groups: published.groups() as u64,
        people: published.rows(),
        providers: published.providers().len() as u64,
        sizes: played.exposure.iter().map(of_size).collect(),
        worst: played
            .worst
            .iter()
            .flat_map(|worst| coalitions(published, worst))
            .collect(),
        named_up_to,
        verdict: verdict(&played, insiders),
        smallest,
        smallest_undecided: played
            .exposure
            .iter()
            .filter(before)
            .any(|e| e.undecided > 0),
    })
}

/// For the stated m, or for all providers but one where there are fewer; strict semantics counts
/// contributors as well.
fn verdict(played: &Insider, insiders: Insiders) -> PromiseFinding {
    let stated = played
        .exposure
        .iter()
        .take_while(|e| e.size <= insiders.m.0)
        .last();
    let few = played
        .groups
        .iter()
        .any(|group| (group.providers as u64) < insiders.fewest_providers());
    match stated {
        _ if few => PromiseFinding::Fails,
        Some(e) if e.groups > 0 => PromiseFinding::Fails,
        Some(e) if e.undecided > 0 => PromiseFinding::Undecided,
        _ => PromiseFinding::Holds,
    }
}

fn of_size(exposure: &ExposureToCoalitions) -> ExposureOf {
    ExposureOf {
        size: exposure.size,
        groups: exposure.groups,
        undecided: exposure.undecided,
        people: exposure.records,
        identity: exposure.identity,
        attribute: exposure.attribute.clone(),
        exposed: exposure.exposed,
    }
}

fn coalitions<'a>(
    published: &'a Published,
    worst: &'a Worst,
) -> impl Iterator<Item = CoalitionFacts> + 'a {
    worst.coalitions.iter().map(|coalition| CoalitionFacts {
        members: coalition
            .members
            .iter()
            .map(|&id| published.providers().name(id).to_owned())
            .collect(),
        groups: coalition.groups,
        exposed: coalition.exposed,
        exact: worst.exact,
    })
}

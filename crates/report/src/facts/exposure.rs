//! Exposure against the size of the coalition: what 0, 1, 2 … colluding providers could do.

use mingle_assess::attack::insider::{
    self, ExposureToCoalitions, Insider, InsiderOptions, worst::Worst,
};
use mingle_model::Published;
use mingle_privacy::{Error, Insiders, Promise};
use mingle_record::answer::{ShownCoalition, ShownExposure, ShownExposureOfSize, ShownFinding};

/// How many of the worst coalitions of each size are named.
const NAMED: usize = 3;

/// Plays every coalition against an audited release.
pub(super) fn of(
    published: &Published,
    promises: &[Promise],
    insiders: Insiders,
) -> Result<ShownExposure, Error> {
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
        knows: insiders.knows,
    };
    let played = insider::play(published, promises, options)?;
    let falls = |e: &&ExposureToCoalitions| e.groups > 0;
    let smallest = played.exposure.iter().find(falls).map(|e| e.size);
    let before = |e: &&ExposureToCoalitions| smallest.is_none_or(|smallest| e.size < smallest);
    Ok(ShownExposure {
        groups: published.groups() as u64,
        people: (0..published.groups())
            .map(|g| published.people_of(g))
            .sum(),
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
fn verdict(played: &Insider, insiders: Insiders) -> ShownFinding {
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
        _ if few => ShownFinding::Fails,
        Some(e) if e.groups > 0 => ShownFinding::Fails,
        Some(e) if e.undecided > 0 => ShownFinding::Undecided,
        _ => ShownFinding::Holds,
    }
}

fn of_size(exposure: &ExposureToCoalitions) -> ShownExposureOfSize {
    ShownExposureOfSize {
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
) -> impl Iterator<Item = ShownCoalition> + 'a {
    worst.coalitions.iter().map(|coalition| ShownCoalition {
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

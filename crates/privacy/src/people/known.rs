//! Whether few providers know everybody of some people.

use crate::insiders::M;
use mingle_model::ProviderId;

/// Whether at most `m` providers together know all people, each given by who has rows of hers: one provider
/// of each is enough.
///
/// A person whom nobody knows yet has few providers, and these are tried in turn, at most m deep. A search of
/// more than a million steps gives up and says that they do, which is the careful answer.
pub(crate) fn providers_know_everyone(people: &[Vec<ProviderId>], m: M) -> bool {
    let room = usize::try_from(m.0).unwrap_or(usize::MAX);
    let mut steps = 1 << 20;
    cover(people, &mut Vec::new(), room, &mut steps)
}

fn cover(
    people: &[Vec<ProviderId>],
    inside: &mut Vec<ProviderId>,
    room: usize,
    steps: &mut u64,
) -> bool {
    let unknown = |providers: &&Vec<ProviderId>| !providers.iter().any(|p| inside.contains(p));
    let Some(next) = people.iter().filter(unknown).min_by_key(|own| own.len()) else {
        return true;
    };
    if room == 0 {
        return false;
    }
    *steps = steps.saturating_sub(people.len() as u64);
    if *steps == 0 {
        return true;
    }
    for &provider in next {
        inside.push(provider);
        if cover(people, inside, room - 1, steps) {
            return true;
        }
        inside.pop();
    }
    false
}

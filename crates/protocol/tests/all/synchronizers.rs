//! The reference synchronizers against their definitions, spelled out with sets.

use crate::generated::Case;
use mingle_protocol::{Anonymizer, Local, Synchronizer, synchronize};
use std::collections::BTreeSet;

type Set = BTreeSet<u32>;
type Sets = BTreeSet<Set>;

fn sets(people: &[u32], class_of: &[u32]) -> Sets {
    let class = |&wanted: &u32| -> Set {
        people
            .iter()
            .zip(class_of)
            .filter(|&(_, &class)| class == wanted)
            .map(|(&person, _)| person)
            .collect()
    };
    class_of.iter().map(class).collect()
}

fn meet(first: &Sets, second: &Sets) -> Sets {
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| a & b));
    pairs.filter(|set| !set.is_empty()).collect()
}

fn join(first: &Sets, second: &Sets) -> Sets {
    let mut groups: Vec<Set> = first.union(second).cloned().collect();
    while let Some((a, b)) = touching(&groups) {
        let other = groups.remove(b);
        groups[a].extend(other);
    }
    groups.into_iter().collect()
}

fn touching(groups: &[Set]) -> Option<(usize, usize)> {
    let pairs = (0..groups.len()).flat_map(|a| (a + 1..groups.len()).map(move |b| (a, b)));
    pairs
        .into_iter()
        .find(|&(a, b)| !groups[a].is_disjoint(&groups[b]))
}

/// The definition in words: unite the smallest failing block with its smallest neighbour, and so
/// on.
fn repair(sites: &[&Sets; 2], fails: &dyn Fn(&Set) -> bool) -> Sets {
    let mut blocks: Vec<Set> = meet(sites[0], sites[1]).into_iter().collect();
    let classes = |block: &Set, site: usize| -> Vec<usize> {
        let mut ordered: Vec<&Set> = sites[site].iter().collect();
        ordered.sort_by_key(|class| class.first());
        (0..ordered.len())
            .filter(|&c| !ordered[c].is_disjoint(block))
            .collect()
    };
    // the first pair of classes, site 0's before site 1's, among the block's intersections
    let order = |block: &Set| {
        let pairs = classes(block, 0)
            .into_iter()
            .flat_map(|a| classes(block, 1).into_iter().map(move |b| (a, b)));
        let ordered = |site: usize| {
            let mut ordered: Vec<&Set> = sites[site].iter().collect();
            ordered.sort_by_key(|class| class.first());
            ordered
        };
        let (first, second) = (ordered(0), ordered(1));
        let occurs = |&(a, b): &(usize, usize)| {
            block
                .iter()
                .any(|p| first[a].contains(p) && second[b].contains(p))
        };
        pairs.filter(occurs).min()
    };
    loop {
        let failing = blocks
            .iter()
            .filter(|block| fails(block))
            .min_by_key(|block| (block.len(), order(block)));
        let Some(failing) = failing.cloned() else {
            return blocks.into_iter().collect();
        };
        let shares = |block: &Set, site: usize| {
            sites[site]
                .iter()
                .any(|c| !c.is_disjoint(block) && !c.is_disjoint(&failing))
        };
        let others = blocks
            .iter()
            .filter(|&block| *block != failing && (shares(block, 0) || shares(block, 1)));
        let partner = others
            .min_by_key(|block| (block.len(), !shares(block, 0), order(block)))
            .cloned();
        let partner = partner.expect("a block without a neighbour holds");
        blocks.retain(|block| *block != failing && *block != partner);
        blocks.push(&failing | &partner);
    }
}

/// Groups and rounds from the definitions.
fn oracle(synchronizer: Synchronizer, sites: &mut [Anonymizer<'_>; 2], k: u64) -> (Sets, usize) {
    let mut remaining: Vec<u32> = (0..sites[0].people() as u32).collect();
    let mut frozen = Sets::new();
    for round in 1.. {
        let [first, second] =
            [0, 1].map(|s: usize| sets(&remaining, &sites[s].classes(&remaining)));
        let finer = meet(&first, &second);
        let holds = |set: &Set| {
            let people: Vec<u32> = set.iter().copied().collect();
            people.len() as u64 >= k && sites.iter().all(|site| site.holds(&site.tally(&people)))
        };
        match synchronizer {
            Synchronizer::Dpp2ga if finer.iter().all(|set| set.len() as u64 >= k) => {
                return (finer, round);
            }
            Synchronizer::Identity if first == second => return (first, round),
            Synchronizer::Merge => return (join(&first, &second), round),
            Synchronizer::Repair => return (repair(&[&first, &second], &|set| !holds(set)), round),
            Synchronizer::Fork => {
                let common: Sets = first.intersection(&second).cloned().collect();
                remaining.retain(|person| !common.iter().any(|set| set.contains(person)));
                frozen.extend(common);
                if remaining.is_empty() {
                    return (frozen, round);
                }
            }
            _ => {}
        }
        sites.iter_mut().for_each(|site| site.step(&remaining));
    }
    unreachable!("at the roots everything is equal")
}

#[test]
fn references_follow_the_definitions() {
    let mut several = [0; 5];
    for (which, synchronizer) in Synchronizer::ALL.into_iter().enumerate() {
        for seed in 0..1500 {
            let case = Case::new(seed, synchronizer);
            let setups = case.setups();
            let common: Vec<&String> = setups[0]
                .identifiers
                .iter()
                .filter(|id| setups[1].identifiers.contains(id))
                .collect();
            let tables = [0, 1].map(|s: usize| {
                let place =
                    |id: &&String| setups[s].identifiers.iter().position(|other| other == *id);
                let rows: Vec<u32> = common
                    .iter()
                    .filter_map(place)
                    .map(|row| row as u32)
                    .collect();
                mingle_protocol::restrict(&setups[s].table, &rows, &setups[s].missing)
                    .expect("sound rows")
            });
            let site = |s: usize| Anonymizer::new(&tables[s], &setups[s].promises);
            let (Ok(first), Ok(second)) = (site(0), site(1)) else {
                continue;
            };
            if common.is_empty() {
                continue;
            }
            let mut sites = [first, second];
            let (expected, rounds) = oracle(synchronizer, &mut sites, case.ask.k);
            let (mut first, mut second) =
                (site(0).expect("as before"), site(1).expect("as before"));
            let agreement = synchronize(synchronizer, [&mut first, &mut second], case.ask.k);
            let people: Vec<u32> = (0..common.len() as u32).collect();
            let at = format!("{} seed {seed}", synchronizer.name());
            assert_eq!(sets(&people, agreement.groups.class_of()), expected, "{at}");
            assert_eq!(agreement.rounds.len(), rounds, "{at}");
            several[which] += usize::from(expected.len() > 1);
        }
    }
    assert!(several.iter().all(|&n| n > 80), "{several:?}");
}

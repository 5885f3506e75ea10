//! What a reader learns who links a person's rows across groups.
//!
//! With rows apart people are counted within each group. Whoever knows two rows of a person knows
//! that she is in both groups, and looks for her among those who are in both; whoever knows all of
//! them, among those who are in all of her groups. So this counts, over everybody who is in several
//! groups, the fewest people in two of somebody's groups and in all of them, herself included.
//! Nothing is promised about it: the numbers say what `rows = "apart"` costs.
//!
//! Cost: for pairs the squares of the numbers of groups that people are in, up to a limit beyond
//! which it is not counted; for all groups the people of each one's smallest group.

use std::collections::HashMap;

/// More pairs of groups than this are not counted.
const MOST_PAIRS: u64 = 20_000_000;

/// Among how few people somebody is found who is in several groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AcrossGroups {
    /// The fewest people who are in two groups of one person; `None` where there are too many pairs.
    pub fewest_in_two: Option<u64>,
    /// The fewest people who are in all groups of one person.
    pub fewest_in_all: u64,
    /// How many people are the only ones in all of their groups.
    pub alone_in_all: u64,
}

/// The groups that people are in, who are alike in them.
pub(super) struct GroupsOfPeople {
    /// How many people.
    pub(super) people: u64,
    /// Their groups, ascending.
    pub(super) groups: Vec<u32>,
}

impl AcrossGroups {
    /// Counts them; `None` where nobody is in several groups.
    pub(super) fn count(all: &[GroupsOfPeople]) -> Option<AcrossGroups> {
        let mut members: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut people_in: HashMap<&[u32], u64> = HashMap::new();
        for (at, own) in all.iter().enumerate() {
            for &group in &own.groups {
                members.entry(group).or_default().push(at);
            }
            *people_in.entry(&own.groups).or_default() += own.people;
        }
        let (mut fewest_in_all, mut alone_in_all) = (None, 0);
        for (&groups, &people) in &people_in {
            if groups.len() < 2 {
                continue;
            }
            let smallest = groups.iter().min_by_key(|group| members[group].len());
            let Some(smallest) = smallest else {
                continue;
            };
            let mut in_all = 0;
            for &other in &members[smallest] {
                let is_in = |group: &u32| all[other].groups.binary_search(group).is_ok();
                if groups.iter().all(is_in) {
                    in_all += all[other].people;
                }
            }
            fewest_in_all = fewest_in_all.into_iter().chain([in_all]).min();
            if in_all == 1 {
                alone_in_all += people;
            }
        }
        Some(AcrossGroups {
            fewest_in_two: fewest_in_two(all),
            fewest_in_all: fewest_in_all?,
            alone_in_all,
        })
    }
}

fn fewest_in_two(all: &[GroupsOfPeople]) -> Option<u64> {
    let mut pairs = 0u64;
    for own in all {
        let groups = own.groups.len() as u64;
        pairs = pairs.saturating_add(groups.saturating_mul(groups) / 2);
    }
    if pairs > MOST_PAIRS {
        return None;
    }
    let mut people_in: HashMap<(u32, u32), u64> = HashMap::new();
    for own in all {
        for (at, &first) in own.groups.iter().enumerate() {
            for &second in &own.groups[at + 1..] {
                *people_in.entry((first, second)).or_default() += own.people;
            }
        }
    }
    people_in.into_values().min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// From the definition: person by person, pair by pair.
    fn defined(people: &[Vec<u32>]) -> Option<AcrossGroups> {
        let in_them = |groups: &[u32]| {
            let is_in_all = |own: &&Vec<u32>| groups.iter().all(|group| own.contains(group));
            people.iter().filter(is_in_all).count() as u64
        };
        let (mut two, mut whole, mut alone) = (Vec::new(), Vec::new(), 0);
        for own in people {
            for first in own {
                for second in own {
                    if first != second {
                        two.push(in_them(&[*first, *second]));
                    }
                }
            }
            if own.len() > 1 {
                whole.push(in_them(own));
                alone += u64::from(in_them(own) == 1);
            }
        }
        Some(AcrossGroups {
            fewest_in_two: two.into_iter().min(),
            fewest_in_all: whole.into_iter().min()?,
            alone_in_all: alone,
        })
    }

    proptest! {
        #[test]
        fn it_is_what_the_definition_says(
            people in prop::collection::vec(prop::collection::btree_set(0u32..6, 1..5), 1..12)
        ) {
            let people: Vec<Vec<u32>> = people.into_iter().map(|own| own.into_iter().collect()).collect();
            let one_by_one: Vec<_> = people
                .iter()
                .map(|groups| GroupsOfPeople { people: 1, groups: groups.clone() })
                .collect();
            prop_assert_eq!(AcrossGroups::count(&one_by_one), defined(&people));
            // people who are alike may stand together
            let twice: Vec<_> = people
                .iter()
                .map(|groups| GroupsOfPeople { people: 2, groups: groups.clone() })
                .collect();
            let doubled: Vec<Vec<u32>> = people.iter().chain(&people).cloned().collect();
            prop_assert_eq!(AcrossGroups::count(&twice), defined(&doubled));
        }
    }
}

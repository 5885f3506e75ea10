//! Which people of a group a coalition knows for certain, and how many members that takes.
//!
//! For each victim and value the people who stand in the way are those without the value. Where
//! people are known, a coalition needs a provider of each of them and none of the victim's; where
//! rows are known, it needs everybody who has a row of theirs with a value, and the union of these
//! providers is the smallest such coalition. Victims with the same providers are one question.

use super::hitting::{SmallestCoalition, smallest_coalition_that_hits};
use super::{GroupKind, GroupPeople, contains};
use crate::attack::insider::disclosure::{Disclosure, add_up};
use mingle_model::{Code, ProviderId};
use mingle_privacy::Knows;
use std::collections::BTreeMap;

/// What it takes to expose the people of a group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PeopleDisclosure {
    /// How many people are exposed first by coalitions of which size.
    pub(in crate::attack::insider) disclosure: Disclosure,
    /// The smallest coalition that isolates somebody, and her kind.
    pub(in crate::attack::insider) isolating: Option<(Vec<ProviderId>, usize)>,
    /// By column the smallest coalition that leaves people who all have a value, and that value.
    pub(in crate::attack::insider) telling: Vec<Option<(Vec<ProviderId>, Code)>>,
    /// People who may be exposed by smaller coalitions than was found.
    pub undecided: u64,
}

impl PeopleDisclosure {
    /// Looks for coalitions of at most `most`.
    pub(in crate::attack::insider) fn new(group: &GroupPeople, most: usize) -> PeopleDisclosure {
        let mut found = PeopleDisclosure {
            telling: vec![None; group.columns],
            ..PeopleDisclosure::default()
        };
        found.disclosure.attribute = vec![Vec::new(); group.columns];
        let mut questions = Questions {
            group,
            aim: Aim {
                knows: group.knows,
                most,
            },
            ways: (0..group.columns).map(|_| BTreeMap::new()).collect(),
            answered: BTreeMap::new(),
        };
        for victim in &group.kinds {
            found.look_at(victim, &mut questions);
        }
        add_up(&mut found.disclosure.identity);
        found.disclosure.attribute.iter_mut().for_each(add_up);
        add_up(&mut found.disclosure.either);
        found
    }

    fn look_at(&mut self, victim: &GroupKind, questions: &mut Questions<'_>) {
        let mut open = false;
        let isolating = questions.isolating(victim);
        open |= isolating.open;
        let mut smallest: Option<u64> = None;
        if let Some(members) = isolating.members {
            let size = members.len() as u64;
            smallest = Some(size);
            self.disclosure.identity.push((size, victim.people));
            let known = self.isolating.as_ref();
            if known.is_none_or(|(known, _)| members.len() < known.len()) {
                self.isolating = Some((members, victim.kind));
            }
        }
        for column in 0..victim.values.len() {
            let mut in_column: Option<u64> = None;
            for &code in &victim.values[column].codes {
                let telling = questions.telling(victim, column, code);
                open |= telling.open;
                let Some(members) = telling.members else {
                    continue;
                };
                let size = members.len() as u64;
                in_column = Some(in_column.map_or(size, |other| other.min(size)));
                let known = self.telling[column].as_ref();
                if known.is_none_or(|(known, _)| members.len() < known.len()) {
                    self.telling[column] = Some((members, code));
                }
            }
            if let Some(size) = in_column {
                self.disclosure.attribute[column].push((size, victim.people));
                smallest = Some(smallest.map_or(size, |other| other.min(size)));
            }
        }
        if let Some(size) = smallest {
            self.disclosure.either.push((size, victim.people));
        }
        // the outsider is the smallest coalition there is
        if open && smallest != Some(0) {
            self.undecided += victim.people;
        }
    }
}

/// Questions about a group, each asked once.
struct Questions<'a> {
    group: &'a GroupPeople,
    aim: Aim,
    /// By column and value, who stands in the way: the distinct sets of providers.
    ways: Vec<BTreeMap<Code, Vec<Vec<ProviderId>>>>,
    answered: BTreeMap<(usize, Code, Vec<ProviderId>), SmallestCoalition>,
}

impl Questions<'_> {
    /// Who knows everybody but this one.
    fn isolating(&self, victim: &GroupKind) -> SmallestCoalition {
        if victim.people > 1 {
            return SmallestCoalition {
                members: None,
                open: false,
            };
        }
        let mut others: Vec<&[ProviderId]> = Vec::new();
        for other in &self.group.kinds {
            if other.kind != victim.kind {
                others.push(&other.known_to);
            }
        }
        self.aim.coalition(&others, &victim.known_to)
    }

    /// Who leaves nobody without this value, but the victim with it.
    fn telling(&mut self, victim: &GroupKind, column: usize, code: Code) -> SmallestCoalition {
        // where rows are known, her row with the value must be somebody else's
        let hers = match self.group.knows {
            Knows::People => victim.known_to.clone(),
            Knows::Rows => victim.values[column].holders(code).to_vec(),
        };
        let question = (column, code, hers);
        if let Some(answer) = self.answered.get(&question) {
            return answer.clone();
        }
        let group = self.group;
        let ways = self.ways[column].entry(code);
        let ways = ways.or_insert_with(|| in_the_way(group, column, code));
        let sets: Vec<&[ProviderId]> = ways.iter().map(Vec::as_slice).collect();
        let answer = self.aim.coalition(&sets, &question.2);
        self.answered.insert(question, answer.clone());
        answer
    }
}

/// What kind of coalition is looked for.
#[derive(Clone, Copy)]
struct Aim {
    knows: Knows,
    most: usize,
}

impl Aim {
    /// The smallest coalition that takes these people out and leaves the victim.
    fn coalition(self, people: &[&[ProviderId]], victim: &[ProviderId]) -> SmallestCoalition {
        if self.knows == Knows::People {
            return smallest_coalition_that_hits(people, victim, self.most);
        }
        let mut union: Vec<ProviderId> = Vec::new();
        for providers in people {
            union.extend_from_slice(providers);
        }
        union.sort_unstable();
        union.dedup();
        let leaves_her = victim.iter().any(|p| !contains(&union, *p));
        let fits = leaves_her && union.len() <= self.most;
        SmallestCoalition {
            members: fits.then_some(union),
            open: false,
        }
    }
}

/// The providers of everybody who has values, but not this one.
fn in_the_way(group: &GroupPeople, column: usize, code: Code) -> Vec<Vec<ProviderId>> {
    let mut sets: Vec<Vec<ProviderId>> = Vec::new();
    for kind in &group.kinds {
        let values = &kind.values[column];
        if values.is_empty() || values.has(code) {
            continue;
        }
        let mut providers = match group.knows {
            Knows::People => kind.known_to.clone(),
            Knows::Rows => values.all_holders().collect(),
        };
        providers.sort_unstable();
        providers.dedup();
        sets.push(providers);
    }
    sets.sort_unstable();
    sets.dedup();
    sets
}

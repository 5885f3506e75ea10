//! Insiders and people who may have several rows.
//!
//! **Who is known.** [`Knows::People`]: a coalition recognises all rows of everybody of whom one of
//! its members has a row. [`Knows::Rows`]: it knows the people all of whose rows its members
//! contributed, and of the others it may take out its own rows. The victim is somebody whom it does
//! not know; a coalition that knows everybody in a group has nobody to learn about.
//!
//! **The measures** are those of [the module above](super), and count people. Let S_v be the values
//! of a sensitive column among the rows of person v, missing ones left out.
//!
//! * v is exposed to *identity disclosure* if a coalition that does not know her knows everybody
//!   else in her group: whatever rows are left are hers.
//! * v is exposed to *attribute disclosure* if a coalition that does not know her can leave people
//!   who all have a certain value, people without any passed over, and she has it: whoever is meant,
//!   she surely has this value. Where rows are known, one of her rows with this value must be
//!   another provider's, or the coalition learns what it knew.
//!
//! A reader who knows in addition how many rows she has is not played here; distinct diversity is
//! decided against that one as well. With rows apart a person is counted in each of her groups.
//! With one row a person all of this is what it is without people.
//!
//! Cost: with nobody shared O(rows × values) for each group. Where people are shared the smallest
//! coalition is a smallest hitting set, which is searched ([`hitting`]) and may be cut short.

pub(super) mod disclosure;
mod fall;
mod gain;
mod hitting;
mod inference;
pub(super) mod shared;
#[cfg(test)]
mod tests;

use super::chosen::{Attacked, Chosen};
use super::disclosure::value;
use super::worst::{self, PlayedGroups};
use super::{GroupAttack, Insider, InsiderOptions, contributors, exposure};
use disclosure::PeopleDisclosure;
pub(super) use fall::PromisedToPeople;
use gain::{LeftToCoalition, exact_when_all_is_taken_out};
use mingle_model::{Alike, Code, ProviderId, Published, PublishedPeople};
use mingle_privacy::{Error, Knows, Promise};
use rayon::prelude::*;

/// Plays coalitions against every group of people.
pub(super) fn play(
    published: &Published,
    promises: &[Promise],
    options: InsiderOptions,
) -> Result<Insider, Error> {
    let people = published
        .people()
        .expect("who plays people has asked whether there are any");
    let promised = PromisedToPeople::new(published, people, promises, options.knows)?;
    let most = usize::try_from(options.up_to).unwrap_or(usize::MAX);
    let played: Vec<(GroupPeople, GroupAttack)> = (0..published.groups())
        .into_par_iter()
        .map(|number| {
            let group = GroupPeople::new(published, people, number, options.knows);
            let found = PeopleDisclosure::new(&group, most);
            let attack = GroupAttack {
                records: published.size(number),
                people: people.size(number),
                providers: contributors(published, number).len(),
                fall: promised.fall(number, &group, options.up_to),
                disclosure: found.disclosure.clone(),
                of_people: Some(found),
            };
            (group, attack)
        })
        .collect();
    let (people, groups): (Vec<GroupPeople>, Vec<GroupAttack>) = played.into_iter().unzip();
    let board = PeopleGroups {
        promised: &promised,
        people: &people,
        groups: &groups,
    };
    Ok(Insider {
        exposure: exposure(&groups, options.up_to, published.sensitive().len()),
        worst: worst::coalitions(&board, options),
        inference: inference::smallest(published, &board, options.up_to),
        groups,
    })
}

/// Plays one coalition, ascending.
pub(super) fn chosen_among_people(
    published: &Published,
    promised: &PromisedToPeople<'_>,
    groups: &[GroupAttack],
    members: &[ProviderId],
) -> Chosen {
    let exact = exact_when_all_is_taken_out(promised.promises(), promised.knows);
    let mut chosen = Chosen {
        exact: members.is_empty() || exact,
        ..Chosen::default()
    };
    for (number, attack) in groups.iter().enumerate() {
        let group = GroupPeople::new(published, promised.people, number, promised.knows);
        let left = LeftToCoalition::new(promised, &group, &attack.fall, members);
        chosen.own += left.known;
        chosen.others += left.people;
        chosen.touched += u64::from(left.known > 0);
        let told = left.known > 0 || left.broken.is_some() || left.exposed > 0;
        if left.people > 0 && told {
            chosen.groups.push(Attacked {
                group: number,
                left: left.people,
                broken: left.broken,
                identity: left.people == 1,
                exposed: left.exposed,
            });
        }
    }
    chosen
}

/// Groups of people.
struct PeopleGroups<'a> {
    promised: &'a PromisedToPeople<'a>,
    people: &'a [GroupPeople],
    groups: &'a [GroupAttack],
}

impl PlayedGroups for PeopleGroups<'_> {
    fn groups(&self) -> &[GroupAttack] {
        self.groups
    }

    fn providers_of(&self, group: usize) -> Vec<ProviderId> {
        self.people[group].providers.clone()
    }

    fn entries_of(&self, group: usize) -> usize {
        self.people[group].kinds.len()
    }

    fn attack(&self, group: usize, members: &[ProviderId]) -> (u64, u64) {
        let fall = &self.groups[group].fall;
        let left = LeftToCoalition::new(self.promised, &self.people[group], fall, members);
        (u64::from(left.broken.is_some()), left.exposed)
    }

    fn smallest_coalitions(&self, group: usize) -> Vec<Vec<ProviderId>> {
        let attack = &self.groups[group];
        let breached = attack.fall.breached.as_ref();
        let fall = breached.map(|breached| breached.coalition.clone());
        let mut found: Vec<Vec<ProviderId>> = fall.into_iter().collect();
        if let Some(people) = &attack.of_people {
            found.extend(people.isolating.iter().map(|(members, _)| members.clone()));
            let telling = people.telling.iter().flatten();
            found.extend(telling.map(|(members, _)| members.clone()));
        }
        found
    }

    fn is_exact(&self) -> bool {
        let (promises, knows) = (self.promised.promises(), self.promised.knows);
        let is_open = |group: &GroupAttack| {
            let people = group.of_people.as_ref();
            group.fall.open_from.is_some() || people.is_some_and(|people| people.undecided > 0)
        };
        exact_when_all_is_taken_out(promises, knows) && !self.groups.iter().any(is_open)
    }
}

/// The people of a group as insiders see them.
pub(super) struct GroupPeople {
    pub(super) kinds: Vec<GroupKind>,
    /// Who may know somebody here, ascending.
    pub(super) providers: Vec<ProviderId>,
    pub(super) knows: Knows,
    pub(super) columns: usize,
}

/// People of a group who have the same rows.
pub(super) struct GroupKind {
    /// The number of the kind among all.
    pub(super) kind: usize,
    pub(super) people: u64,
    /// Rows of each of them here, by provider.
    pub(super) rows_of: Vec<(ProviderId, u64)>,
    /// Who knows them: anybody of these, or all of these together.
    pub(super) known_to: Vec<ProviderId>,
    /// For each sensitive column.
    pub(super) values: Vec<ValuesOfPerson>,
}

/// S_v: the values of one sensitive column that a person has, and whose rows say so.
#[derive(Default)]
pub(super) struct ValuesOfPerson {
    /// Ascending.
    pub(super) codes: Vec<Code>,
    /// By value, who has a row of hers with it, ascending.
    holders: Vec<Vec<ProviderId>>,
}

impl ValuesOfPerson {
    pub(super) fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    pub(super) fn has(&self, code: Code) -> bool {
        self.codes.binary_search(&code).is_ok()
    }

    /// Whose rows have a value.
    pub(super) fn holders(&self, code: Code) -> &[ProviderId] {
        let place = self.codes.binary_search(&code);
        place.map_or(&[], |place| &self.holders[place])
    }

    /// Whose rows have any value.
    pub(super) fn all_holders(&self) -> impl Iterator<Item = ProviderId> + '_ {
        self.holders.iter().flatten().copied()
    }

    fn add(&mut self, code: Code, provider: ProviderId) {
        let place = match self.codes.binary_search(&code) {
            Ok(place) => place,
            Err(place) => {
                self.codes.insert(place, code);
                self.holders.insert(place, Vec::new());
                place
            }
        };
        let holders = &mut self.holders[place];
        if let Err(at) = holders.binary_search(&provider) {
            holders.insert(at, provider);
        }
    }
}

impl GroupPeople {
    pub(super) fn new(
        published: &Published,
        people: &PublishedPeople,
        group: usize,
        knows: Knows,
    ) -> GroupPeople {
        let mut kinds = Vec::new();
        let mut providers = Vec::new();
        for kind in people.kinds_of(group) {
            let alike = people.kinds().get(kind);
            let known_to = known_to(&alike, knows);
            providers.extend_from_slice(&known_to);
            kinds.push(GroupKind {
                kind,
                people: alike.people,
                rows_of: rows_of(&alike),
                known_to,
                values: values_of(published, &alike),
            });
        }
        providers.sort_unstable();
        providers.dedup();
        GroupPeople {
            kinds,
            providers,
            knows,
            columns: published.sensitive().len(),
        }
    }

    /// Whether a coalition, ascending, knows these people.
    pub(super) fn is_known(&self, kind: &GroupKind, members: &[ProviderId]) -> bool {
        match self.knows {
            Knows::People => kind.known_to.iter().any(|p| contains(members, *p)),
            Knows::Rows => kind.known_to.iter().all(|p| contains(members, *p)),
        }
    }

    /// Whether a coalition may pass over these people when it looks for a value that everybody has:
    /// it knows them, or took out all rows of theirs that have one.
    pub(super) fn is_passed_over(
        &self,
        kind: &GroupKind,
        column: usize,
        members: &[ProviderId],
    ) -> bool {
        let values = &kind.values[column];
        if values.is_empty() {
            return true;
        }
        match self.knows {
            Knows::People => self.is_known(kind, members),
            Knows::Rows => values.all_holders().all(|p| contains(members, p)),
        }
    }

    /// The values of a column that everybody left by a coalition has, people without any passed
    /// over; none where everybody is.
    pub(super) fn values_of_everybody(&self, column: usize, members: &[ProviderId]) -> Vec<Code> {
        let mut common: Option<Vec<Code>> = None;
        for kind in &self.kinds {
            if self.is_passed_over(kind, column, members) {
                continue;
            }
            let values = &kind.values[column];
            match &mut common {
                None => common = Some(values.codes.clone()),
                Some(common) => common.retain(|&code| values.has(code)),
            }
        }
        common.unwrap_or_default()
    }
}

/// Whether a provider is among these, which are ascending.
pub(super) fn contains(members: &[ProviderId], provider: ProviderId) -> bool {
    members.binary_search(&provider).is_ok()
}

/// Who knows people: whoever has a row of theirs, wherever; where rows are known, those with rows
/// here.
fn known_to(alike: &Alike<'_>, knows: Knows) -> Vec<ProviderId> {
    if knows == Knows::People {
        return alike.providers.to_vec();
    }
    let mut here: Vec<ProviderId> = alike.entries.iter().map(|entry| entry.provider).collect();
    here.sort_unstable();
    here.dedup();
    here
}

fn rows_of(alike: &Alike<'_>) -> Vec<(ProviderId, u64)> {
    let mut rows: Vec<(ProviderId, u64)> = Vec::new();
    for entry in alike.entries {
        match rows.iter_mut().find(|(p, _)| *p == entry.provider) {
            Some((_, rows)) => *rows += entry.count,
            None => rows.push((entry.provider, entry.count)),
        }
    }
    rows
}

fn values_of(published: &Published, alike: &Alike<'_>) -> Vec<ValuesOfPerson> {
    let mut values = Vec::new();
    for column in 0..published.sensitive().len() {
        let mut of_column = ValuesOfPerson::default();
        for entry in alike.entries {
            if let Some(code) = value(published, column, entry) {
                of_column.add(code, entry.provider);
            }
        }
        values.push(of_column);
    }
    values
}

//! Every coalition and everything it can take out, word by word, against what is found.

use super::super::worst::{CoalitionGain, Worst};
use super::super::{ExposureToCoalitions, Learnt, chosen, play};
use super::*;
use crate::utility::example::table;
use mingle_model::{Codes, ColumnSpec, Kind, Role};
use mingle_privacy::oracle::people::{OraclePerson, OracleQuestion, people as people_of};
use mingle_privacy::{Attribute, K, L, Ratio, Rule};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A row: quasi-identifier, two sensitive values, provider, person.
type PersonRow = [u8; 5];

fn options(knows: Knows) -> InsiderOptions {
    InsiderOptions {
        up_to: u64::MAX,
        name_up_to: 3,
        named: 5,
        knows,
    }
}

/// 0 is a missing value.
fn made(rows: &[PersonRow]) -> Published {
    let category = |name, role| ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(name, role)
    };
    let specs = [
        category("q", Role::QuasiIdentifier),
        category("s", Role::Sensitive),
        category("t", Role::Sensitive),
    ];
    let mut texts = Vec::new();
    for [q, s, t, provider, _] in rows {
        let value = |v: u8, name: char| match v {
            0 => "?".to_owned(),
            v => format!("{name}{v}"),
        };
        texts.push(vec![
            format!("q{q}"),
            value(*s, 's'),
            value(*t, 't'),
            format!("P{provider}"),
        ]);
    }
    let mut table = table(&specs, &texts);
    let persons: Codes = rows.iter().map(|row| u32::from(row[4])).collect();
    table.person_of = Some(persons);
    Published::from_table(&table)
}

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn distinct(l: u64) -> Promise {
    Promise {
        rule: Rule::distinct_diversity(L(l)),
        attribute: Some(Attribute::Column(0)),
    }
}

fn subsets<T: Clone>(of: &[T]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for item in of {
        for at in 0..all.len() {
            let mut with = all[at].clone();
            with.push(item.clone());
            all.push(with);
        }
    }
    all
}

/// The definitions.
struct PeopleTruth<'a> {
    published: &'a Published,
    promises: &'a [Promise],
    knows: Knows,
}

impl PeopleTruth<'_> {
    fn providers(person: &OraclePerson) -> BTreeSet<u32> {
        let own = person.rows.iter().map(|row| row.provider);
        own.chain(person.elsewhere.iter().copied()).collect()
    }

    fn knows(&self, person: &OraclePerson, coalition: &[u32]) -> bool {
        match self.knows {
            Knows::People => Self::providers(person)
                .iter()
                .any(|p| coalition.contains(p)),
            Knows::Rows => person
                .rows
                .iter()
                .all(|row| coalition.contains(&row.provider)),
        }
    }

    /// All coalitions of providers of a group, who must leave somebody unknown.
    fn coalitions(&self, group: usize) -> Vec<Vec<u32>> {
        let everybody = people_of(self.published, group);
        let providers: BTreeSet<u32> = everybody.iter().flat_map(Self::providers).collect();
        let providers: Vec<u32> = providers.into_iter().collect();
        let mut coalitions = subsets(&providers);
        coalitions.retain(|coalition| !everybody.iter().all(|p| self.knows(p, coalition)));
        coalitions
    }

    fn breaches(&self, group: usize, coalition: &[u32]) -> bool {
        let groups = 0..self.published.groups();
        let table: Vec<OraclePerson> = groups.flat_map(|g| people_of(self.published, g)).collect();
        let group = people_of(self.published, group);
        self.promises.iter().any(|promise| {
            let question = OracleQuestion {
                promise,
                sensitive: self.published.sensitive(),
                table: &table,
                knows: self.knows,
            };
            question.breached_by(&group, coalition)
        })
    }

    /// Values of a person in a column, missing ones left out.
    fn values(&self, column: usize, person: &OraclePerson) -> BTreeSet<Code> {
        let missing = self.published.sensitive()[column].domain.missing();
        let codes = person.rows.iter().map(|row| row.values[column]);
        codes.filter(|&code| Some(code) != missing).collect()
    }

    /// Everything that a coalition can leave: people with the rows left, by their places.
    fn leavings(&self, group: usize, coalition: &[u32]) -> Vec<Vec<(usize, OraclePerson)>> {
        let everybody = people_of(self.published, group);
        let mut all = Vec::new();
        match self.knows {
            Knows::People => {
                let known: Vec<usize> = (0..everybody.len())
                    .filter(|&at| self.knows(&everybody[at], coalition))
                    .collect();
                for taken in subsets(&known) {
                    let kept = everybody.iter().cloned().enumerate();
                    all.push(kept.filter(|(at, _)| !taken.contains(at)).collect());
                }
            }
            Knows::Rows => {
                let mut own = Vec::new();
                for (at, person) in everybody.iter().enumerate() {
                    for (row, of) in person.rows.iter().enumerate() {
                        if coalition.contains(&of.provider) {
                            own.push((at, row));
                        }
                    }
                }
                for taken in subsets(&own) {
                    let mut kept: Vec<(usize, OraclePerson)> = Vec::new();
                    for (at, person) in everybody.iter().enumerate() {
                        let mut person = person.clone();
                        let mut row = 0;
                        person.rows.retain(|_| {
                            row += 1;
                            !taken.contains(&(at, row - 1))
                        });
                        if !person.rows.is_empty() {
                            kept.push((at, person));
                        }
                    }
                    all.push(kept);
                }
            }
        }
        all
    }

    /// Places of people, by kind of disclosure: identity, then each column.
    fn disclosed(&self, group: usize, coalition: &[u32]) -> Vec<BTreeSet<usize>> {
        let everybody = people_of(self.published, group);
        let mut found = vec![BTreeSet::new(); 1 + self.published.sensitive().len()];
        for left in self.leavings(group, coalition) {
            if let [(only, _)] = left.as_slice()
                && !self.knows(&everybody[*only], coalition)
            {
                found[0].insert(*only);
            }
            for column in 0..self.published.sensitive().len() {
                let sets: Vec<BTreeSet<Code>> = left
                    .iter()
                    .map(|(_, person)| self.values(column, person))
                    .filter(|set| !set.is_empty())
                    .collect();
                for (at, person) in &left {
                    if self.knows(&everybody[*at], coalition) {
                        continue;
                    }
                    // what is told by a row of somebody else
                    let mut others = person.clone();
                    if self.knows == Knows::Rows {
                        others.rows.retain(|row| !coalition.contains(&row.provider));
                    }
                    let told = |code: &Code| sets.iter().all(|set| set.contains(code));
                    if self.values(column, &others).iter().any(told) {
                        found[1 + column].insert(*at);
                    }
                }
            }
        }
        found
    }

    fn exposure(&self, size: usize) -> ExposureToCoalitions {
        let columns = self.published.sensitive().len();
        let mut sum = ExposureToCoalitions {
            size: size as u64,
            attribute: vec![0; columns],
            ..ExposureToCoalitions::default()
        };
        for group in 0..self.published.groups() {
            let mut coalitions = self.coalitions(group);
            coalitions.retain(|coalition| coalition.len() <= size);
            if coalitions.iter().any(|c| self.breaches(group, c)) {
                sum.groups += 1;
                sum.rows += self.published.size(group);
                sum.records += people_of(self.published, group).len() as u64;
            }
            let mut found = vec![BTreeSet::new(); 1 + columns];
            for coalition in &coalitions {
                for (all, one) in found.iter_mut().zip(self.disclosed(group, coalition)) {
                    all.extend(one);
                }
            }
            sum.identity += found[0].len() as u64;
            for (column, one) in found[1..].iter().enumerate() {
                sum.attribute[column] += one.len() as u64;
            }
            sum.exposed += found.iter().flatten().collect::<BTreeSet<_>>().len() as u64;
        }
        sum
    }

    fn achieved(&self, members: &[ProviderId]) -> (u64, u64) {
        let coalition: Vec<u32> = members.iter().map(|p| p.0).collect();
        let (mut groups, mut exposed) = (0, 0);
        for group in 0..self.published.groups() {
            let everybody = people_of(self.published, group);
            if everybody.iter().all(|p| self.knows(p, &coalition)) {
                continue;
            }
            groups += u64::from(self.breaches(group, &coalition));
            let found = self.disclosed(group, &coalition);
            exposed += found.iter().flatten().collect::<BTreeSet<_>>().len() as u64;
        }
        (groups, exposed)
    }

    fn worst(&self, size: usize, named: usize) -> Vec<CoalitionGain> {
        let everybody: Vec<ProviderId> = (0..self.published.providers().len() as u32)
            .map(ProviderId)
            .collect();
        let mut all = Vec::new();
        for members in subsets(&everybody) {
            if members.len() != size {
                continue;
            }
            let (groups, exposed) = self.achieved(&members);
            let matters = (0..size).all(|member| {
                let mut fewer = members.clone();
                fewer.remove(member);
                let fewer = self.achieved(&fewer);
                fewer.1 < exposed || fewer.0 < groups
            });
            if matters {
                all.push(CoalitionGain {
                    members,
                    groups,
                    exposed,
                });
            }
        }
        all.sort_by_key(|c| (u64::MAX - c.exposed, u64::MAX - c.groups, c.members.clone()));
        all.truncate(named);
        all
    }

    /// People shared, rows of others, by column people of whom a new value is learnt, the same in
    /// any column, people of whom one is certain.
    fn shared(&self, members: &[ProviderId]) -> (u64, u64, Vec<u64>, u64, u64) {
        let coalition: Vec<u32> = members.iter().map(|p| p.0).collect();
        let columns = self.published.sensitive().len();
        let mut sum = (0, 0, vec![0; columns], 0, 0);
        for group in 0..self.published.groups() {
            let everybody = people_of(self.published, group);
            let leavings = self.leavings(group, &coalition);
            for (at, person) in everybody.iter().enumerate() {
                let (mut own, mut others) = (person.clone(), person.clone());
                own.rows.retain(|row| coalition.contains(&row.provider));
                others.rows.retain(|row| !coalition.contains(&row.provider));
                if own.rows.is_empty() || others.rows.is_empty() {
                    continue;
                }
                sum.0 += 1;
                sum.1 += others.rows.len() as u64;
                let (mut learnt, mut certain) = (false, false);
                for column in 0..columns {
                    let old = self.values(column, &own);
                    let mut new = self.values(column, &others);
                    new.retain(|code| !old.contains(code));
                    sum.2[column] += u64::from(!new.is_empty());
                    learnt |= !new.is_empty();
                    for left in &leavings {
                        assert!(left.iter().any(|(other, _)| *other == at));
                        let sets = left.iter().map(|(_, p)| self.values(column, p));
                        let sets: Vec<_> = sets.filter(|set| !set.is_empty()).collect();
                        let told = |code: &Code| sets.iter().all(|set| set.contains(code));
                        certain |= new.iter().any(told);
                    }
                }
                sum.3 += u64::from(learnt);
                sum.4 += u64::from(certain);
            }
        }
        sum
    }
}

/// People with several rows each, at several providers; `together` keeps them in one group.
fn any_people(together: bool) -> impl Strategy<Value = Vec<PersonRow>> {
    let row = (0..2u8, 0..4u8, 0..3u8, 0..4u8);
    let person = (0..2u8, prop::collection::vec(row, 1..4));
    prop::collection::vec(person, 1..6).prop_map(move |people| {
        let mut rows = Vec::new();
        for (number, (group, own)) in people.iter().enumerate() {
            for &(q, s, t, provider) in own {
                let q = if together { *group } else { q };
                rows.push([q, s, t, provider, number as u8]);
            }
        }
        rows
    })
}

/// A table, with rows together or apart.
#[derive(Clone, Debug)]
struct PeopleTable {
    rows: Vec<PersonRow>,
    together: bool,
}

impl PeopleTable {
    fn published(&self) -> Published {
        let published = made(&self.rows);
        if self.together {
            return published;
        }
        published.with_rows_apart()
    }
}

fn any_table() -> impl Strategy<Value = PeopleTable> {
    let of =
        |together: bool| any_people(together).prop_map(move |rows| PeopleTable { rows, together });
    prop_oneof![3 => of(true), 1 => of(false)]
}

fn any_knowledge() -> impl Strategy<Value = Knows> {
    prop_oneof![Just(Knows::People), Just(Knows::Rows)]
}

fn any_promises() -> impl Strategy<Value = Vec<Promise>> {
    let ratio = |n: u64, d: u64| Ratio::new(n, d).unwrap();
    let other = (0..4u64, 1..5u64).prop_map(move |(which, n)| Promise {
        rule: match which {
            0 => Rule::max_share_of_rows(ratio(n, 5)),
            1 => Rule::entropy_diversity(ratio(n + 1, 2)),
            _ => Rule::max_frequency(ratio(n, 5)),
        },
        attribute: (which > 0).then_some(Attribute::Column(0)),
    });
    let promise =
        prop_oneof![3 => (1..5u64).prop_map(k), 3 => (1..4u64).prop_map(distinct), 1 => other];
    prop::collection::vec(promise, 1..3)
}

fn played(published: &Published, promises: &[Promise], knows: Knows) -> Insider {
    play(published, promises, options(knows)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn exposure_of_people_is_what_every_coalition_says(
        table in any_table(), promises in any_promises(), knows in any_knowledge(),
    ) {
        let published = table.published();
        prop_assume!(published.people().is_some());
        let truth = PeopleTruth { published: &published, promises: &promises, knows };
        let insider = played(&published, &promises, knows);
        prop_assert_eq!(insider.exposure.len(), published.providers().len());
        for found in &insider.exposure {
            let truth = truth.exposure(found.size as usize);
            prop_assert!(found.groups <= truth.groups && truth.groups <= found.groups + found.undecided);
            let (rows, records) = if found.undecided == 0 { (truth.rows, truth.records) } else { (found.rows, found.records) };
            let expected = ExposureToCoalitions {
                groups: found.groups, undecided: found.undecided, rows, records, ..truth
            };
            prop_assert_eq!(found, &expected);
        }
    }

    #[test]
    fn a_fall_of_people_names_a_coalition_that_succeeds(
        table in any_table(), promises in any_promises(), knows in any_knowledge(),
    ) {
        let published = table.published();
        prop_assume!(published.people().is_some());
        let truth = PeopleTruth { published: &published, promises: &promises, knows };
        for (at, group) in played(&published, &promises, knows).groups.iter().enumerate() {
            if let Some(breached) = &group.fall.breached {
                let coalition: Vec<u32> = breached.coalition.iter().map(|p| p.0).collect();
                prop_assert!(truth.breaches(at, &coalition));
            }
        }
    }

    #[test]
    fn the_worst_coalitions_against_people_are_the_worst(
        table in any_table(), size in 1..4u64, l in 1..4u64, least in 1..4u64, knows in any_knowledge(),
    ) {
        let published = table.published();
        prop_assume!(published.people().is_some());
        let promises = [k(least), distinct(l)];
        let truth = PeopleTruth { published: &published, promises: &promises, knows };
        let insider = played(&published, &promises, knows);
        let Some(worst) = insider.worst.get(size as usize - 1) else { return Ok(()) };
        prop_assert_eq!(worst.exact, knows == Knows::People);
        if worst.exact {
            let coalitions = truth.worst(size as usize, 5);
            prop_assert_eq!(worst, &Worst { size, exact: true, coalitions });
        }
        for coalition in &worst.coalitions {
            let (groups, exposed) = truth.achieved(&coalition.members);
            prop_assert!(coalition.groups <= groups);
            prop_assert_eq!(coalition.exposed, exposed);
        }
    }

    #[test]
    fn a_chosen_coalition_takes_out_the_people_it_knows(
        table in any_table(), chosen in 0..16u32, l in 1..4u64, least in 1..4u64, knows in any_knowledge(),
    ) {
        let published = table.published();
        prop_assume!(published.people().is_some());
        let promises = [k(least), distinct(l)];
        let truth = PeopleTruth { published: &published, promises: &promises, knows };
        let insider = played(&published, &promises, knows);
        let everybody = (0..published.providers().len() as u32).map(ProviderId);
        let members: Vec<ProviderId> = everybody.filter(|p| chosen >> p.0 & 1 == 1).collect();
        let found = chosen::play(&published, &promises, &insider.groups, &members, knows).unwrap();
        let (groups, exposed) = truth.achieved(&members);
        prop_assert_eq!(found.exposed(), exposed);
        prop_assert!(found.fallen() <= groups && (!found.exact || found.fallen() == groups));
        let all: u64 = (0..published.groups()).map(|g| published.people_of(g)).sum();
        prop_assert_eq!(found.own + found.others, all);
    }

    #[test]
    fn an_inference_about_people_is_true(
        table in any_table(), promises in any_promises(), knows in any_knowledge(),
    ) {
        let published = table.published();
        prop_assume!(published.people().is_some());
        let truth = PeopleTruth { published: &published, promises: &promises, knows };
        let insider = played(&published, &promises, knows);
        let smallest = insider.groups.iter().filter_map(GroupAttack::smallest).min();
        let up_to = insider.exposure.len() as u64 - 1;
        prop_assert_eq!(insider.inference.as_ref().map(|i| i.coalition.len() as u64), smallest.filter(|&s| s <= up_to));
        let Some(inference) = insider.inference else { return Ok(()) };
        let coalition: Vec<u32> = inference.coalition.iter().map(|p| p.0).collect();
        let everybody = people_of(&published, inference.group);
        let left: Vec<&OraclePerson> = everybody.iter().filter(|p| !truth.knows(p, &coalition)).collect();
        let people = inference.people.unwrap();
        prop_assert_eq!(people.known, (everybody.len() - left.len()) as u64);
        match &inference.learnt {
            Learnt::Identity(values) => {
                prop_assert_eq!((left.len(), people.left), (1, 1));
                prop_assert_eq!(left[0].rows.len() as u64, inference.left);
                for (column, codes) in values.iter().enumerate() {
                    let own = truth.values(column, left[0]);
                    prop_assert!(own.is_empty() || own.iter().eq(codes));
                }
            }
            Learnt::Attribute(column, code) => {
                let with = left.iter().filter(|p| truth.values(*column, p).contains(code)).count() as u64;
                prop_assert_eq!((people.left, people.without_value), (left.len() as u64, left.len() as u64 - with));
                prop_assert!(with > 0 && !truth.disclosed(inference.group, &coalition)[1 + column].is_empty());
            }
            Learnt::Breach(_) => prop_assert!(truth.breaches(inference.group, &coalition)),
        }
    }

    #[test]
    fn what_is_learnt_about_shared_people_is_what_rows_of_others_say(table in any_table()) {
        let published = table.published();
        prop_assume!(published.people().is_some());
        let truth = PeopleTruth { published: &published, promises: &[], knows: Knows::Rows };
        let found = shared::shared_people(&published, 3, usize::MAX).unwrap();
        let everybody: Vec<ProviderId> = (0..published.providers().len() as u32).map(ProviderId).collect();
        for of_size in &found.sizes {
            prop_assert!(of_size.exact);
            for members in subsets(&everybody) {
                if members.len() as u64 != of_size.size { continue }
                let expected = truth.shared(&members);
                let named = of_size.coalitions.iter().find(|c| c.members == members);
                let matters = (0..members.len()).all(|member| {
                    let mut fewer = members.clone();
                    fewer.remove(member);
                    let fewer = truth.shared(&fewer);
                    fewer.0 < expected.0 || fewer.3 < expected.3 || fewer.4 < expected.4
                });
                prop_assert_eq!(named.is_some(), expected.0 > 0 && matters);
                match named {
                    None => {}
                    Some(c) => prop_assert_eq!((c.people, c.rows, c.learnt_in.clone(), c.learnt, c.certain), expected),
                }
            }
        }
    }
}

/// Three rows a person or four, and five rows in all: whoever counts rows sees nobody exposed.
#[test]
fn a_release_of_people_it_must_break() {
    // Sara has three rows at P0 with three diseases; Tom one at P1
    let rows = [
        [0, 1, 1, 0, 0],
        [0, 2, 1, 0, 0],
        [0, 3, 1, 0, 0],
        [0, 1, 2, 1, 1],
    ];
    let published = made(&rows);
    let insider = played(&published, &[k(2), distinct(2)], Knows::People);
    let numbers = |at: usize| {
        let e = &insider.exposure[at];
        (e.groups, e.records, e.rows, e.identity, e.exposed)
    };
    // everybody has the first disease, so that both are exposed to anybody
    assert_eq!([numbers(0), numbers(1)], [(1, 2, 4, 0, 2), (1, 2, 4, 2, 2)]);
    let Some(Learnt::Attribute(0, _)) = insider.inference.map(|i| i.learnt) else {
        panic!("what everybody has is what is learnt")
    };
}

/// Shared with everybody: P0 knows both under `people`, and has nobody to learn about; under `rows`
/// it knows nobody, and what P1 adds is learnt by linking only.
#[test]
fn a_shared_person_is_given_up_or_protected() {
    let rows = [
        [0, 1, 1, 0, 0],
        [0, 2, 1, 1, 0],
        [0, 2, 2, 0, 1],
        [0, 3, 2, 1, 1],
    ];
    let published = made(&rows);
    let promises = [k(2)];
    let by = |knows| played(&published, &promises, knows).exposure[1].clone();
    assert_eq!(
        (by(Knows::People).groups, by(Knows::People).identity),
        (0, 0)
    );
    assert_eq!((by(Knows::Rows).groups, by(Knows::Rows).identity), (0, 0));
    let shared = shared::shared_people(&published, 1, 5).unwrap();
    assert_eq!(shared.people, 2);
    let of = |at: usize| {
        let c = &shared.sizes[0].coalitions[at];
        (c.members[0].0, c.people, c.rows, c.learnt, c.certain)
    };
    // everybody has s2, of which P0 knows as to one of them; the other one's it learns for certain
    assert_eq!([of(0), of(1)], [(0, 2, 2, 2, 1), (1, 2, 2, 2, 1)]);
}

/// What must be caught: counting rows, and dropping who is shared.
#[test]
fn planted_mistakes_are_seen() {
    let rows = [
        [0, 1, 1, 0, 0],
        [0, 1, 1, 0, 0],
        [0, 2, 1, 1, 1],
        [0, 3, 2, 1, 2],
        [0, 3, 2, 2, 2],
    ];
    let published = made(&rows);
    let promises = [k(2), distinct(2)];
    let truth = |published| PeopleTruth {
        published,
        promises: &promises,
        knows: Knows::People,
    };
    let right = played(&published, &promises, Knows::People);
    assert_eq!(right.exposure[1], truth(&published).exposure(1));
    // each row a person
    let mut apart = rows;
    for (number, row) in apart.iter_mut().enumerate() {
        row[4] = number as u8;
    }
    let counted = played(&made(&apart), &promises, Knows::People);
    assert_ne!(counted.exposure[1], right.exposure[1]);
    // without the shared person
    let dropped = played(&made(&rows[..3]), &promises, Knows::People);
    assert_ne!(dropped.exposure[1], right.exposure[1]);
}

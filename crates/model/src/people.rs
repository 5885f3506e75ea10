//! People: whose rows belong together.
//!
//! A table may say whose each row is. People with the same rows are interchangeable, so what is
//! kept is *kinds* of people, each with a number of people: a kind is the multiset of (tuple,
//! sensitive values, provider) that each of them has. Records of the [`Cube`](crate::Cube) are split
//! by kind: `count` of a record is people × rows of each. A *profile* is the set of tuples of a
//! person: what an anonymizer moves, since all rows of a person go into one group.
//!
//! Kinds are numbered by what they are: by profile, then by rows. No identifier and no order of rows
//! leaves a trace. A table in which every person has one row has no kinds: rows are people there, and
//! everything is as if nobody had said whose they are. Cost O(rows log rows).

use crate::codes::Codes;
use crate::provider::ProviderId;
use crate::published::Entry;
use std::ops::Range;

/// Where the rows of a person go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PersonRows {
    /// All into one group, under one label.
    #[default]
    Together,
    /// Each where it fits: people are counted within each group.
    Apart,
}

impl PersonRows {
    /// Both, the default first.
    pub const ALL: [PersonRows; 2] = [PersonRows::Together, PersonRows::Apart];

    /// The word used in the policy file and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            PersonRows::Together => "together",
            PersonRows::Apart => "apart",
        }
    }

    /// What the policy calls so.
    pub fn parse(name: &str) -> Option<PersonRows> {
        PersonRows::ALL.into_iter().find(|rows| rows.name() == name)
    }
}

/// People who have the same rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Alike<'a> {
    /// How many people.
    pub people: u64,
    /// What each of them has: `count` is the rows of one person. By sensitive values, then provider.
    pub entries: &'a [Entry],
    /// Who has rows of theirs, here or in another group, ascending.
    pub providers: &'a [ProviderId],
}

impl Alike<'_> {
    /// Rows of each of them.
    pub fn rows(&self) -> u64 {
        self.entries.iter().map(|entry| entry.count).sum()
    }
}

/// Kinds of people, without their quasi-identifiers.
#[derive(Clone, Default)]
pub struct Kinds {
    people: Vec<u64>,
    /// Where the entries of a kind end.
    entry_ends: Vec<usize>,
    entries: Vec<Entry>,
    provider_ends: Vec<usize>,
    providers: Vec<ProviderId>,
}

impl Kinds {
    /// How many kinds.
    pub fn len(&self) -> usize {
        self.people.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.people.is_empty()
    }

    /// The people of a kind.
    pub fn get(&self, kind: usize) -> Alike<'_> {
        let from = |ends: &[usize]| kind.checked_sub(1).map_or(0, |before| ends[before]);
        let entries = from(&self.entry_ends)..self.entry_ends[kind];
        let providers = from(&self.provider_ends)..self.provider_ends[kind];
        Alike {
            people: self.people[kind],
            entries: &self.entries[entries],
            providers: &self.providers[providers],
        }
    }

    /// All kinds.
    pub fn iter(&self) -> impl Iterator<Item = Alike<'_>> + Clone {
        (0..self.len()).map(|kind| self.get(kind))
    }

    /// How many people of all kinds.
    pub fn people(&self) -> u64 {
        self.people.iter().sum()
    }

    /// Adds a kind. Its entries may come in any order and in parts; of its providers those of the
    /// entries need not be named.
    pub fn push(
        &mut self,
        people: u64,
        entries: impl Iterator<Item = Entry>,
        providers: impl Iterator<Item = ProviderId>,
    ) {
        let start = self.entries.len();
        self.entries.extend(entries.filter(|entry| entry.count > 0));
        self.entries[start..].sort_unstable_by_key(|entry| (entry.sensitive, entry.provider));
        let mut kept = start;
        for at in start..self.entries.len() {
            let entry = self.entries[at];
            match self.entries[start..kept].last_mut() {
                Some(last)
                    if (last.sensitive, last.provider) == (entry.sensitive, entry.provider) =>
                {
                    last.count += entry.count;
                }
                _ => {
                    self.entries[kept] = entry;
                    kept += 1;
                }
            }
        }
        self.entries.truncate(kept);
        let mut known: Vec<ProviderId> = providers.collect();
        known.extend(self.entries[start..].iter().map(|entry| entry.provider));
        known.sort_unstable();
        known.dedup();
        self.providers.extend(known);
        self.people.push(people);
        self.entry_ends.push(self.entries.len());
        self.provider_ends.push(self.providers.len());
    }

    /// The distinct kinds among those of each group, in order of what they are, and where each
    /// group's end.
    pub(crate) fn merged(
        &self,
        mut group_of: Vec<(u32, u32)>,
        groups: usize,
    ) -> (Kinds, Vec<usize>) {
        let content = |kind: u32| {
            let alike = self.get(kind as usize);
            (alike.entries, alike.providers)
        };
        group_of.sort_unstable_by(|a, b| (a.0, content(a.1)).cmp(&(b.0, content(b.1))));
        let mut merged = Kinds::default();
        let mut ends = Vec::with_capacity(groups);
        let mut at = 0;
        for group in 0..groups as u32 {
            while at < group_of.len() && group_of[at].0 == group {
                let (entries, providers) = content(group_of[at].1);
                let mut people = 0;
                while at < group_of.len()
                    && group_of[at].0 == group
                    && content(group_of[at].1) == (entries, providers)
                {
                    people += self.people[group_of[at].1 as usize];
                    at += 1;
                }
                merged.push(people, entries.iter().copied(), providers.iter().copied());
            }
            ends.push(merged.len());
        }
        (merged, ends)
    }
}

/// The people of a cube.
#[derive(Clone)]
pub struct PeopleOfCube {
    kinds: Kinds,
    /// Per record its kind.
    kind_of: Vec<u32>,
    /// `records[record_starts[kind]..record_starts[kind + 1]]` are those of a kind.
    record_starts: Vec<usize>,
    records: Vec<u32>,
    /// Per kind its profile.
    profile_of: Vec<u32>,
    /// `kind_starts[profile]..kind_starts[profile + 1]` are the kinds of a profile.
    kind_starts: Vec<usize>,
    tuple_starts: Vec<usize>,
    tuples: Vec<u32>,
}

/// A record's key among the distinct ones, its kind, and the rows of each person.
pub(crate) struct KindRecord {
    pub key: u32,
    pub kind: u32,
    pub rows_each: u64,
}

/// A distinct key, taken apart.
#[derive(Clone, Copy)]
pub(crate) struct KeyParts {
    pub tuple: u32,
    pub sensitive: u32,
    pub provider: ProviderId,
}

/// People grouped, before their records are laid out.
pub(crate) struct GroupedPeople {
    pub people: PeopleOfCube,
    /// By key, then kind: the order of the cube's records.
    pub records: Vec<KindRecord>,
    /// Per person her kind.
    pub kind_of_person: Vec<u32>,
}

impl PeopleOfCube {
    /// The kinds.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// How many people there are.
    pub fn count(&self) -> u64 {
        self.kinds.people()
    }

    /// The kind of a record.
    pub fn kind_of(&self, record: usize) -> usize {
        self.kind_of[record] as usize
    }

    /// The records of a kind, ascending. A record's rows of each person are its count over the
    /// kind's people.
    pub fn records_of(&self, kind: usize) -> &[u32] {
        &self.records[self.record_starts[kind]..self.record_starts[kind + 1]]
    }

    /// How many distinct profiles there are.
    pub fn profiles(&self) -> usize {
        self.kind_starts.len() - 1
    }

    /// The profile of a kind.
    pub fn profile_of(&self, kind: usize) -> usize {
        self.profile_of[kind] as usize
    }

    /// The kinds of a profile.
    pub fn kinds_of(&self, profile: usize) -> Range<usize> {
        self.kind_starts[profile]..self.kind_starts[profile + 1]
    }

    /// The tuples of a profile, ascending.
    pub fn tuples_of(&self, profile: usize) -> &[u32] {
        &self.tuples[self.tuple_starts[profile]..self.tuple_starts[profile + 1]]
    }

    /// The same with every person a kind of her own; `firsts` says where the records of each old one
    /// begin.
    pub(crate) fn into_single(self, firsts: &[u32]) -> PeopleOfCube {
        let mut single = PeopleOfCube {
            kinds: Kinds::default(),
            kind_of: vec![0; firsts.last().copied().unwrap_or(0) as usize],
            record_starts: vec![0],
            records: Vec::new(),
            profile_of: Vec::new(),
            kind_starts: vec![0],
            tuple_starts: self.tuple_starts.clone(),
            tuples: self.tuples.clone(),
        };
        for profile in 0..self.profiles() {
            for kind in self.kinds_of(profile) {
                let alike = self.kinds.get(kind);
                for person in 0..alike.people as u32 {
                    let number = single.kinds.len() as u32;
                    let (entries, providers) = (alike.entries, alike.providers);
                    single
                        .kinds
                        .push(1, entries.iter().copied(), providers.iter().copied());
                    single.profile_of.push(profile as u32);
                    for &record in self.records_of(kind) {
                        let own = firsts[record as usize] + person;
                        single.records.push(own);
                        single.kind_of[own as usize] = number;
                    }
                    single.record_starts.push(single.records.len());
                }
            }
            single.kind_starts.push(single.kinds.len());
        }
        single
    }
}

/// Groups rows by person. `key_of` is each row's place among the distinct keys in `parts`, and each
/// row occurs `counts` times. `None` where every person has one row.
pub(crate) fn group_people(
    person_of: &Codes,
    key_of: &[u32],
    counts: Option<&[u64]>,
    parts: &[KeyParts],
) -> Option<GroupedPeople> {
    let mut rows: Vec<(u32, u32, u64)> = Vec::with_capacity(key_of.len());
    for (row, (person, &key)) in person_of.iter().zip(key_of).enumerate() {
        rows.push((person, key, counts.map_or(1, |counts| counts[row])));
    }
    rows.sort_unstable();
    rows.dedup_by(|later, first| {
        let same = (later.0, later.1) == (first.0, first.1);
        first.2 += if same { later.2 } else { 0 };
        same
    });
    let mut holdings: Vec<(u32, u64)> = Vec::with_capacity(rows.len());
    let mut tuples: Vec<u32> = Vec::new();
    let mut persons: Vec<Person> = Vec::new();
    for own in rows.chunk_by(|a, b| a.0 == b.0) {
        let (first_holding, first_tuple) = (holdings.len(), tuples.len());
        for &(_, key, count) in own {
            holdings.push((key, count));
            let tuple = parts[key as usize].tuple;
            if tuples[first_tuple..].last() != Some(&tuple) {
                tuples.push(tuple);
            }
        }
        persons.push(Person {
            number: own[0].0,
            holdings: first_holding..holdings.len(),
            tuples: first_tuple..tuples.len(),
        });
    }
    let one_row = |person: &Person| {
        let own = &holdings[person.holdings.clone()];
        own.len() == 1 && own[0].1 == 1
    };
    if persons.iter().all(one_row) {
        return None;
    }
    let profile = |person: &Person| &tuples[person.tuples.clone()];
    let content = |person: &Person| &holdings[person.holdings.clone()];
    persons.sort_unstable_by(|a, b| (profile(a), content(a)).cmp(&(profile(b), content(b))));
    let most = persons
        .iter()
        .map(|person| person.number)
        .max()
        .unwrap_or(0);
    let mut kind_of_person = vec![0; most as usize + 1];
    let mut people = PeopleOfCube {
        kinds: Kinds::default(),
        kind_of: Vec::new(),
        record_starts: vec![0],
        records: Vec::new(),
        profile_of: Vec::new(),
        kind_starts: Vec::new(),
        tuple_starts: vec![0],
        tuples: Vec::new(),
    };
    let mut records = Vec::new();
    for same_profile in persons.chunk_by(|a, b| profile(a) == profile(b)) {
        let number = people.kind_starts.len() as u32;
        people.kind_starts.push(people.kinds.len());
        people.tuples.extend_from_slice(profile(&same_profile[0]));
        people.tuple_starts.push(people.tuples.len());
        for alike in same_profile.chunk_by(|a, b| content(a) == content(b)) {
            let kind = people.kinds.len() as u32;
            let own = content(&alike[0]);
            let entries = own.iter().map(|&(key, count)| Entry {
                sensitive: parts[key as usize].sensitive,
                provider: parts[key as usize].provider,
                count,
            });
            people
                .kinds
                .push(alike.len() as u64, entries, std::iter::empty());
            people.profile_of.push(number);
            for person in alike {
                kind_of_person[person.number as usize] = kind;
            }
            for &(key, rows_each) in own {
                records.push(KindRecord {
                    key,
                    kind,
                    rows_each,
                });
            }
            people.record_starts.push(records.len());
        }
    }
    people.kind_starts.push(people.kinds.len());
    records.sort_unstable_by_key(|record| (record.key, record.kind));
    people.kind_of = records.iter().map(|record| record.kind).collect();
    let mut next = people.record_starts.clone();
    people.records = vec![0; records.len()];
    for (record, &kind) in people.kind_of.iter().enumerate() {
        people.records[next[kind as usize]] = record as u32;
        next[kind as usize] += 1;
    }
    Some(GroupedPeople {
        people,
        records,
        kind_of_person,
    })
}

/// Whether no person has two rows.
pub(crate) fn all_differ(person_of: &Codes) -> bool {
    let people = person_of.iter().max().map_or(0, |most| most as usize + 1);
    let mut seen = vec![false; people];
    person_of
        .iter()
        .all(|person| !std::mem::replace(&mut seen[person as usize], true))
}

/// A person while people are grouped.
struct Person {
    number: u32,
    holdings: Range<usize>,
    tuples: Range<usize>,
}

#[cfg(test)]
mod tests;

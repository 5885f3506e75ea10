//! The kinds of people that a requirement was bound to, as it sees them.
//!
//! Kinds that differ in nothing but quasi-identifiers are one type, so that tallies stay short.

use super::crowd::{Counted, Crowd, View};
use crate::constraint::Absent;
use crate::insiders::Knows;
use mingle_model::{Alike, Code, Entry, Kinds, PersonRows, ProviderId};

/// Types of people, and which type each kind is.
#[derive(Clone)]
pub(crate) struct Persons {
    types: Kinds,
    type_of: Vec<u32>,
    rows: PersonRows,
    /// Per type the rows of each person.
    rows_of: Vec<u64>,
    /// Per type the providers of her rows here.
    here: Lists<ProviderId>,
    /// Per attribute, and per type, S_v.
    named: Vec<Lists<Code>>,
}

/// A list for each type.
#[derive(Clone)]
struct Lists<T> {
    ends: Vec<usize>,
    all: Vec<T>,
}

impl<T: Copy + Ord> Lists<T> {
    fn new() -> Lists<T> {
        Lists {
            ends: Vec::new(),
            all: Vec::new(),
        }
    }

    /// Adds the next type's list, ascending and without repeats.
    fn push(&mut self, list: impl Iterator<Item = T>) {
        let mut own: Vec<T> = list.collect();
        own.sort_unstable();
        own.dedup();
        self.all.extend(own);
        self.ends.push(self.all.len());
    }

    fn get(&self, number: u32) -> &[T] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[number]]
    }
}

/// An attribute: the code of each combination of sensitive values, and which codes stand for a missing one.
pub(crate) type AttributeCodes<'a> = (&'a [Code], &'a Absent);

impl std::fmt::Debug for Persons {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Persons of {} types", self.types.len())
    }
}

impl Persons {
    pub(crate) fn new(
        kinds: &Kinds,
        rows: PersonRows,
        attributes: &[AttributeCodes<'_>],
    ) -> Persons {
        let content = |kind: usize| {
            let alike = kinds.get(kind);
            (alike.entries, alike.providers)
        };
        let mut order: Vec<usize> = (0..kinds.len()).collect();
        order.sort_unstable_by(|&a, &b| content(a).cmp(&content(b)));
        let mut types = Kinds::default();
        let mut type_of = vec![0; kinds.len()];
        for same in order.chunk_by(|&a, &b| content(a) == content(b)) {
            let mut people = 0;
            for &kind in same {
                type_of[kind] = types.len() as u32;
                people += kinds.get(kind).people;
            }
            let (entries, providers) = content(same[0]);
            types.push(people, entries.iter().copied(), providers.iter().copied());
        }
        let mut named = Vec::with_capacity(attributes.len());
        for &(codes, absent) in attributes {
            let mut sets = Lists::new();
            for alike in types.iter() {
                let values = alike.entries.iter().map(|e| codes[e.sensitive as usize]);
                sets.push(values.filter(|&code| !absent.is(code)));
            }
            named.push(sets);
        }
        let mut here = Lists::new();
        for alike in types.iter() {
            here.push(alike.entries.iter().map(|entry| entry.provider));
        }
        Persons {
            rows_of: types.iter().map(|alike| alike.rows()).collect(),
            types,
            type_of,
            rows,
            here,
            named,
        }
    }

    /// Rows of each person of a type.
    pub(crate) fn rows_of(&self, number: u32) -> u64 {
        self.rows_of[number as usize]
    }

    /// Who knows people of a type.
    pub(crate) fn known_to(&self, number: u32, knows: Knows) -> &[ProviderId] {
        match knows {
            Knows::People => self.of_type(number).providers,
            Knows::Rows => self.here.get(number),
        }
    }

    /// S_v of people of a type.
    pub(crate) fn named(&self, attribute: usize, number: u32) -> &[Code] {
        self.named[attribute].get(number)
    }

    /// The type of a kind.
    pub(crate) fn type_of(&self, kind: usize) -> u32 {
        self.type_of[kind]
    }

    /// Whether these are the kinds that types were made of, in their order.
    pub(crate) fn are(&self, kinds: &Kinds) -> bool {
        let same = |kind: usize| {
            let (own, alike) = (self.of_type(self.type_of[kind]), kinds.get(kind));
            (own.entries, own.providers) == (alike.entries, alike.providers)
        };
        kinds.len() == self.type_of.len() && (0..kinds.len()).all(same)
    }

    /// Where the rows of a person go.
    pub(crate) fn rows(&self) -> PersonRows {
        self.rows
    }

    /// What people of a type have.
    pub(crate) fn of_type(&self, number: u32) -> Alike<'_> {
        self.types.get(number as usize)
    }

    /// Everybody, by type.
    pub(crate) fn everyone(&self) -> impl Iterator<Item = (u32, u64)> + Clone {
        (0..).zip(self.types.iter().map(|alike| alike.people))
    }

    /// Whether groups have nobody in common.
    pub(crate) fn together(&self) -> bool {
        self.rows == PersonRows::Together
    }

    /// So many people of these types as rows.
    pub(crate) fn entries<'a>(
        &'a self,
        people: impl Iterator<Item = (u32, u64)> + Clone + 'a,
    ) -> impl Iterator<Item = Entry> + Clone + 'a {
        people.flat_map(|(number, people)| {
            let times = move |entry: &Entry| Entry {
                count: entry.count * people,
                ..*entry
            };
            self.of_type(number).entries.iter().map(times)
        })
    }

    /// So many people of these types as an attribute sees them.
    pub(crate) fn crowd(&self, people: &[(u32, u64)], view: View<'_>) -> Crowd {
        let counted = |&(number, people): &(u32, u64)| {
            let alike = self.of_type(number);
            let (entries, providers): (&[Entry], &[ProviderId]) = (alike.entries, alike.providers);
            Counted {
                people,
                entries,
                providers,
            }
        };
        Crowd::new(people.iter().map(counted), view)
    }
}

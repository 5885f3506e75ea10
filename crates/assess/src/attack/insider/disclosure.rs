//! Disclosure: which records of a group a coalition knows for certain, and how many members that
//! takes.
//!
//! Both kinds need no search. A record is the only one left iff its provider contributed nothing
//! else and *all* other contributors collude: n_G - 1 of them. A record of provider v with value s
//! is left among equal values iff the coalition contains everybody who holds another value, which
//! is possible without v iff v holds nothing but s. The smallest such coalition has n_G - g_s
//! members, where g_s contributors hold no value but s. Missing values are passed over: who holds
//! only these never has to collude.
//!
//! Cost O(entries log entries) for each sensitive column.

use super::{ExposureToCoalitions, contributors, place};
use mingle_model::{Code, Entry, ProviderId, Published};

/// How many records of a group are exposed first by coalitions of which size: pairs of size and
/// records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Disclosure {
    /// To identity disclosure, by ascending size; only one size where each row is one person.
    pub identity: Vec<(u64, u64)>,
    /// To attribute disclosure, for each sensitive column, by ascending size.
    pub attribute: Vec<Vec<(u64, u64)>>,
    /// To either, by ascending size.
    pub either: Vec<(u64, u64)>,
}

impl Disclosure {
    /// Looks at one group.
    pub fn new(published: &Published, group: usize) -> Disclosure {
        let providers = contributors(published, group);
        let entries = published.entries(group);
        let alone = alone(entries, &providers);
        let isolating = providers.len() as u64 - 1;
        let columns: Vec<Held> = (0..published.sensitive().len())
            .map(|c| Held::new(published, group, c))
            .collect();
        let mut attribute = vec![Vec::new(); columns.len()];
        let mut either = Vec::new();
        for entry in entries {
            let provider = place_of(&providers, entry.provider);
            let mut smallest = alone[provider].then_some(isolating);
            for (column, found) in columns.iter().zip(&mut attribute) {
                let Some(size) = column.size(published, provider, entry) else {
                    continue;
                };
                found.push((size, entry.count));
                smallest = Some(smallest.map_or(size, |other| other.min(size)));
            }
            either.extend(smallest.map(|size| (size, entry.count)));
        }
        attribute.iter_mut().chain([&mut either]).for_each(add_up);
        let single = alone.iter().filter(|&&alone| alone).count() as u64;
        Disclosure {
            identity: (single > 0)
                .then_some((isolating, single))
                .into_iter()
                .collect(),
            attribute,
            either,
        }
    }

    /// The size of the smallest coalition that isolates a record.
    pub fn identity_size(&self) -> Option<u64> {
        self.identity.first().map(|&(size, _)| size)
    }

    /// The size of the smallest coalition that knows a sensitive value, of any column.
    pub fn attribute_size(&self) -> Option<u64> {
        self.attribute
            .iter()
            .filter_map(|column| column.first())
            .map(|&(size, _)| size)
            .min()
    }

    /// Adds records to the size at which they are exposed first.
    pub(super) fn add_to(&self, sizes: &mut [ExposureToCoalitions]) {
        let mut add = |&(size, records): &(u64, u64),
                       to: &dyn Fn(&mut ExposureToCoalitions) -> &mut u64| {
            sizes
                .get_mut(place(Some(size)))
                .into_iter()
                .for_each(|exposure| *to(exposure) += records);
        };
        self.identity
            .iter()
            .for_each(|pair| add(pair, &|e| &mut e.identity));
        self.either
            .iter()
            .for_each(|pair| add(pair, &|e| &mut e.exposed));
        for (column, pairs) in self.attribute.iter().enumerate() {
            pairs
                .iter()
                .for_each(|pair| add(pair, &|e| &mut e.attribute[column]));
        }
    }
}

/// What the contributors of a group hold of one sensitive column.
pub(super) struct Held {
    column: usize,
    providers: Vec<ProviderId>,
    /// By provider.
    values: Vec<Values>,
    /// How many contributors hold only missing values.
    nothing: u64,
    /// How many hold this value and no other, by ascending code.
    only: Vec<(u64, Code)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    None,
    One(Code),
    Several,
}

impl Held {
    pub(super) fn new(published: &Published, group: usize, column: usize) -> Held {
        let providers = contributors(published, group);
        let mut values = vec![Values::None; providers.len()];
        for entry in published.entries(group) {
            let Some(code) = value(published, column, entry) else {
                continue;
            };
            let held = &mut values[place_of(&providers, entry.provider)];
            *held = match *held {
                Values::None => Values::One(code),
                Values::One(other) if other == code => Values::One(code),
                _ => Values::Several,
            };
        }
        let mut codes: Vec<Code> = values.iter().filter_map(|v| v.one()).collect();
        codes.sort_unstable();
        let only = codes
            .chunk_by(|a, b| a == b)
            .map(|same| (same.len() as u64, same[0]))
            .collect();
        let nothing = values.iter().filter(|&&v| v == Values::None).count() as u64;
        Held {
            column,
            providers,
            values,
            nothing,
            only,
        }
    }

    /// How many have to collude to know this record's value; `None` when its provider holds other
    /// values as well, or the value is missing.
    fn size(&self, published: &Published, provider: usize, entry: &Entry) -> Option<u64> {
        value(published, self.column, entry)?;
        self.hiding(self.values[provider].one()?)
    }

    fn hiding(&self, code: Code) -> Option<u64> {
        let at = self
            .only
            .binary_search_by_key(&code, |&(_, code)| code)
            .ok()?;
        Some(self.providers.len() as u64 - self.nothing - self.only[at].0)
    }

    /// One of the smallest coalitions that leaves a single value, and that value.
    pub(super) fn smallest_coalition(&self) -> Option<(Vec<ProviderId>, Code)> {
        let &(_, code) = self
            .only
            .iter()
            .max_by_key(|&&(holders, code)| (holders, std::cmp::Reverse(code)))?;
        let colludes = |values: &Values| *values != Values::None && *values != Values::One(code);
        let members = self
            .providers
            .iter()
            .zip(&self.values)
            .filter(|(_, values)| colludes(values));
        Some((members.map(|(&provider, _)| provider).collect(), code))
    }
}

impl Values {
    fn one(self) -> Option<Code> {
        if let Values::One(code) = self {
            Some(code)
        } else {
            None
        }
    }
}

/// The contributors but one who contributed a single record, if there is such a one.
pub(super) fn isolating_coalition(published: &Published, group: usize) -> Option<Vec<ProviderId>> {
    let mut providers = contributors(published, group);
    let victim = alone(published.entries(group), &providers)
        .iter()
        .position(|&alone| alone)?;
    providers.remove(victim);
    Some(providers)
}

/// An entry's value in a column, unless it is missing.
pub(super) fn value(published: &Published, column: usize, entry: &Entry) -> Option<Code> {
    let column = &published.sensitive()[column];
    Some(column.codes.get(entry.sensitive as usize))
        .filter(|&code| column.domain.missing() != Some(code))
}

/// By contributor, whether it has a single record.
fn alone(entries: &[Entry], providers: &[ProviderId]) -> Vec<bool> {
    let mut records = vec![0u64; providers.len()];
    entries
        .iter()
        .for_each(|entry| records[place_of(providers, entry.provider)] += entry.count);
    records.into_iter().map(|records| records == 1).collect()
}

fn place_of(providers: &[ProviderId], provider: ProviderId) -> usize {
    providers
        .binary_search(&provider)
        .expect("every entry's provider contributes")
}

/// Sorts by size, and adds up what has the same one.
pub(super) fn add_up(pairs: &mut Vec<(u64, u64)>) {
    pairs.sort_unstable();
    pairs.dedup_by(|later, first| {
        let same = later.0 == first.0;
        first.1 += if same { later.1 } else { 0 };
        same
    });
}

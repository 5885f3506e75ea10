//! What is decided about a group at a glance, before its people are laid out.
//!
//! A method asks very many times whether a group satisfies everything, and laying out a [`Crowd`] costs lists for
//! every person of it. Most answers follow from sums: how many people there are, how many rows, the most rows of one
//! person, what each provider knows at most, and, of an attribute, how many people have a value among how many
//! ([`Tally`](crate::Tally) keeps that as people come and go). Where a promise is decided by these it is decided
//! here, exactly; where it is not, nothing is said and the crowd is asked.
//!
//! Against coalitions all people whom a provider knows are taken to be left out with it, and people who are known to
//! several are counted at each: that leaves no more than any coalition leaves. Cost O(people + values) for the
//! outsider, O(people × providers) otherwise.
//!
//! [`Crowd`]: super::Crowd

use super::persons::Persons;
use crate::constraint::Absent;
use crate::insiders::{Insiders, Knows};
use crate::shares::add_up;
use crate::tally::{PartOfSet, Tally};
use mingle_model::{Code, ProviderId};

/// Sums over the people of a group, and what one attribute adds to them.
pub struct PeopleGlance<'a> {
    persons: &'a Persons,
    tally: &'a Tally,
    people: &'a [(u32, u64)],
    /// How many people.
    pub(crate) count: u64,
    /// How many rows.
    pub(crate) rows: u64,
    /// The most rows of one person.
    pub(crate) most_rows: u64,
    /// No coalition has more providers.
    pub(crate) most: usize,
    /// Whether somebody is known to several providers.
    pub(crate) shared: bool,
    /// No coalition takes out more people.
    pub(crate) people_taken: u64,
    /// No coalition takes out more rows.
    pub(crate) rows_taken: u64,
    knows: Knows,
    /// The attribute's place, and which of its codes stand for a missing value.
    attribute: Option<(usize, &'a Absent)>,
}

/// A provider, and how many people and rows it may take out.
struct Known {
    provider: ProviderId,
    people: u64,
    rows: u64,
}

impl<'a> PeopleGlance<'a> {
    /// `None` where people were not counted.
    pub(crate) fn new(
        persons: &'a Persons,
        tally: &'a Tally,
        insiders: Insiders,
    ) -> Option<PeopleGlance<'a>> {
        let people = tally.people.as_deref()?;
        let mut glance = PeopleGlance {
            persons,
            tally,
            people,
            count: 0,
            rows: tally.size,
            most_rows: 0,
            most: 0,
            shared: false,
            people_taken: 0,
            rows_taken: 0,
            knows: insiders.knows,
            attribute: None,
        };
        for &(number, people) in people {
            glance.count += people;
            glance.most_rows = glance.most_rows.max(persons.rows_of(number));
        }
        if insiders.m.0 > 0 {
            glance.look_at_providers(usize::try_from(insiders.m.0).unwrap_or(usize::MAX));
        }
        Some(glance)
    }

    fn look_at_providers(&mut self, m: usize) {
        let mut known: Vec<Known> = Vec::new();
        for &(number, people) in self.people {
            let rows = people * self.persons.rows_of(number);
            let providers = self.persons.known_to(number, self.knows);
            self.shared |= providers.len() > 1;
            for &provider in providers {
                match known.iter_mut().find(|other| other.provider == provider) {
                    Some(own) => {
                        own.people += people;
                        own.rows += rows;
                    }
                    None => known.push(Known {
                        provider,
                        people,
                        rows,
                    }),
                }
            }
        }
        // all providers together know everybody, and nobody is left as a victim
        self.most = m.min(known.len().saturating_sub(1));
        let mut people: Vec<u64> = known.iter().map(|own| own.people).collect();
        self.people_taken = sum_of_largest(&mut people, self.most);
        let mut rows: Vec<u64> = known.iter().map(|own| own.rows).collect();
        self.rows_taken = sum_of_largest(&mut rows, self.most);
    }

    /// The same with an attribute in view.
    pub(crate) fn at(mut self, attribute: Option<(usize, &'a Absent)>) -> PeopleGlance<'a> {
        self.attribute = attribute;
        self
    }

    /// Rows of the commonest values that are not missing, so many of them.
    pub(crate) fn rows_of_commonest(&self, values: usize) -> u64 {
        let Some((at, absent)) = self.attribute else {
            return 0;
        };
        let mut rows: Vec<u64> = Vec::new();
        for &(code, count) in self.tally.values(at) {
            if !absent.is(code) {
                rows.push(count);
            }
        }
        sum_of_largest(&mut rows, values)
    }

    /// The most rows of one value.
    pub(crate) fn rows_of_one_value(&self) -> Option<u64> {
        let (at, _) = self.attribute?;
        self.tally.values(at).iter().map(|&(_, rows)| rows).max()
    }

    /// The most people who have the same value; `None` where the tally does not say.
    pub(crate) fn people_of_one_value(&self) -> Option<u64> {
        let mut with: Vec<(Code, u64)> = Vec::new();
        for &(part, people) in self.parts()? {
            with.push((part.code(), people));
        }
        add_up(&mut with);
        Some(with.iter().map(|&(_, people)| people).max().unwrap_or(0))
    }

    /// Weight 1 of each person, spread evenly over her values and multiplied by a common number; `None` where the tally
    /// does not say, or numbers would be too wide.
    pub(crate) fn weights(&self) -> Option<Vec<(Code, u64)>> {
        let parts = self.parts()?;
        let sizes = parts.iter().map(|(part, _)| part.of());
        let common = super::weights::common_multiple(sizes)?;
        let mut weights: Vec<(Code, u64)> = Vec::with_capacity(parts.len());
        let mut all = 0u64;
        for &(part, people) in parts {
            let weight = (common / part.of()).checked_mul(people)?;
            all = all.checked_add(weight)?;
            weights.push((part.code(), weight));
        }
        add_up(&mut weights);
        Some(weights)
    }

    fn parts(&self) -> Option<&'a [(PartOfSet, u64)]> {
        let (at, _) = self.attribute?;
        self.tally.parts.get(at)?.as_deref()
    }

    /// Whether no l - 1 values meet everybody whom a coalition leaves, for a reason that is seen at once: people who have
    /// one value each, and l different ones among those that stay.
    pub(crate) fn many_have_only_one_value(&self, l: u64) -> bool {
        let Some((at, _)) = self.attribute else {
            return false;
        };
        let mut seen: Vec<(Code, ProviderId, bool)> = Vec::new();
        for &(number, people) in self.people {
            let &[code] = self.persons.named(at, number) else {
                continue;
            };
            if people == 0 {
                continue;
            }
            if self.most == 0 {
                seen.push((code, ProviderId(0), true));
                continue;
            }
            let providers = self.persons.known_to(number, self.knows);
            for &provider in providers {
                seen.push((code, provider, providers.len() == 1));
            }
        }
        seen.sort_unstable();
        seen.dedup();
        let mut values = 0u64;
        let mut lost_with: Vec<(ProviderId, u64)> = Vec::new();
        for same in seen.chunk_by(|a, b| a.0 == b.0) {
            values += 1;
            let alone = same.iter().filter(|(_, _, only)| *only).count();
            if alone > self.most {
                // each of so many people is known to another provider alone: somebody with this value stays
                continue;
            }
            for &(_, provider, _) in same {
                lost_with.push((provider, 1));
            }
        }
        add_up(&mut lost_with);
        let mut lost: Vec<u64> = lost_with.iter().map(|&(_, values)| values).collect();
        values.saturating_sub(sum_of_largest(&mut lost, self.most)) >= l
    }
}

/// The sum of so many of the largest.
fn sum_of_largest(amounts: &mut [u64], number: usize) -> u64 {
    if number == 0 || amounts.is_empty() {
        return 0;
    }
    if number < amounts.len() {
        amounts.select_nth_unstable_by(number - 1, |a, b| b.cmp(a));
    }
    let largest = amounts.iter().take(number);
    // too large only takes out more
    largest.fold(0, |sum: u64, &amount| sum.saturating_add(amount))
}

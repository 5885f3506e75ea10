//! A requirement about people who may have several rows.

use super::Requirement;
use crate::breach::{Attack, Breach};
use crate::combinations::Combinations;
use crate::constraint::{Check, Limit};
use crate::error::Error;
use crate::insiders::{Insiders, Knows, M};
use crate::people::{AttributeCodes, Crowd, PeopleGlance, Persons, View};
use crate::rule::Promise;
use crate::shares::add_up;
use crate::strategy::{Decision, shrunk};
use crate::tally::{PartOfSet, Tally};
use mingle_model::{Kinds, PersonRows, SensitiveColumn};

impl Requirement {
    /// Binds promises to a table in which people may have several rows, given as its kinds of people.
    ///
    /// Those must be everybody who will be published, as [`verify`](crate::verify) makes sure: they are
    /// the distributions that groups are compared with.
    pub fn bind_people(
        promises: &[Promise],
        sensitive: &[SensitiveColumn],
        kinds: &Kinds,
        rows: PersonRows,
    ) -> Result<Requirement, Error> {
        let combinations = sensitive.first().map_or(1, |column| column.codes.len());
        let mut table = vec![0u64; combinations];
        for alike in kinds.iter() {
            for entry in alike.entries {
                let count = entry.count.checked_mul(alike.people);
                let sum = &mut table[entry.sensitive as usize];
                let all = count.and_then(|count| sum.checked_add(count));
                *sum = all.ok_or(Error::TooManyRows)?;
            }
        }
        let combinations = Combinations::new(sensitive, &table)?.of_people(kinds);
        let mut requirement = Requirement::bind_to(promises, combinations)?;
        requirement.persons = Some(Persons::new(kinds, rows, &requirement.attribute_codes()));
        Ok(requirement)
    }

    /// Some of the same promises, against the same insiders, about other people. Where only the
    /// numbers of their kinds change, [`renumbered`](Requirement::renumbered) counts nothing anew.
    pub fn bind_people_again(
        &self,
        promises: &[Promise],
        sensitive: &[SensitiveColumn],
        kinds: &Kinds,
        rows: PersonRows,
    ) -> Result<Requirement, Error> {
        let again = Requirement::bind_people(promises, sensitive, kinds, rows)?;
        Ok(again.against(self.insiders))
    }

    /// The same promises about the same people, whose kinds have other numbers: for a cube that was
    /// made from the one that was bound, with every person a kind of her own. What was counted when
    /// it was bound stays; of other people, or with other promises, it must be
    /// [bound again](Requirement::bind_people_again). Nothing happens where people are not counted.
    pub fn renumbered(mut self, kinds: &Kinds) -> Requirement {
        if let Some(persons) = &self.persons {
            let rows = persons.rows();
            self.persons = Some(Persons::new(kinds, rows, &self.attribute_codes()));
        }
        self
    }

    /// Whether people are counted.
    pub fn counts_people(&self) -> bool {
        self.persons.is_some()
    }

    /// Where the rows of a person go, where people are counted.
    pub fn person_rows(&self) -> Option<PersonRows> {
        self.persons.as_ref().map(Persons::rows)
    }

    /// Whether these are the kinds of people that it was bound to, in their order: what
    /// [`tally_kinds`](Requirement::tally_kinds) goes by.
    pub fn is_bound_to(&self, kinds: &Kinds) -> bool {
        let persons = self.persons.as_ref();
        persons.is_some_and(|persons| persons.are(kinds))
    }

    /// Counts so many people of each kind, by its number among those that the requirement was bound to.
    ///
    /// # Panics
    /// If the requirement was bound without people.
    pub fn tally_kinds(&self, kinds: impl Iterator<Item = (usize, u64)>) -> Tally {
        let mut tally = Tally::default();
        self.tally_kinds_into(kinds, &mut tally);
        tally
    }

    /// Like [`tally_kinds`](Requirement::tally_kinds), into one whose memory is used again.
    ///
    /// # Panics
    /// If the requirement was bound without people.
    pub fn tally_kinds_into(&self, kinds: impl Iterator<Item = (usize, u64)>, tally: &mut Tally) {
        let persons = self.persons.as_ref();
        let persons = persons.expect("kinds of people are counted by who was bound to them");
        let mut people: Vec<(u32, u64)> = Vec::new();
        for (kind, number) in kinds.filter(|&(_, number)| number > 0) {
            people.push((persons.type_of(kind), number));
        }
        add_up(&mut people);
        self.count_people(persons, people, tally);
    }

    fn count_people(&self, persons: &Persons, people: Vec<(u32, u64)>, tally: &mut Tally) {
        self.tally_into(persons.entries(people.iter().copied()), tally);
        for attribute in 0..self.attributes.len() {
            let mut parts = None;
            if self.is_weighed(attribute) {
                let mut own: Vec<(PartOfSet, u64)> = Vec::new();
                for &(number, people) in &people {
                    let named = persons.named(attribute, number);
                    for &code in named {
                        own.push((PartOfSet::new(named.len(), code), people));
                    }
                }
                add_up(&mut own);
                parts = Some(own);
            }
            tally.parts.push(parts);
        }
        tally.people = Some(people);
    }

    /// Whether some promise about an attribute asks how many people have a value among how many.
    fn is_weighed(&self, attribute: usize) -> bool {
        let looks_at = self.looks_at.iter().zip(&self.constraints);
        looks_at
            .filter(|&(&place, _)| place == Some(attribute))
            .any(|(_, constraint)| constraint.weighs_people())
    }

    fn attribute_codes(&self) -> Vec<AttributeCodes<'_>> {
        let codes = self.codes.iter().map(Vec::as_slice);
        codes.zip(&self.absent).collect()
    }

    /// Whether nobody is in two groups.
    pub(crate) fn rows_together(&self) -> bool {
        self.persons.as_ref().is_none_or(Persons::together)
    }

    /// Everybody, where people are counted.
    pub(crate) fn everyone(&self) -> Option<Tally> {
        let persons = self.persons.as_ref()?;
        let people: Vec<(u32, u64)> = persons.everyone().collect();
        let mut tally = Tally::default();
        self.count_people(persons, people, &mut tally);
        Some(tally)
    }

    /// The people of a tally as a constraint sees them; `None` where they were not counted.
    pub(crate) fn crowd(&self, attribute: Option<usize>, tally: &Tally) -> Option<Crowd> {
        let (persons, people) = (self.persons.as_ref()?, tally.people.as_ref()?);
        let codes = attribute.map(|at| (&self.codes[at][..], &self.absent[at]));
        let knows = self.insiders.knows;
        Some(persons.crowd(people, View { codes, knows }))
    }

    /// Decides one constraint for the outsider.
    pub(super) fn check_people(&self, constraint: usize, tally: &Tally) -> Check {
        let Some(crowd) = self.crowd(self.looks_at[constraint], tally) else {
            return Check::Undecided(Limit::SearchSteps(0));
        };
        if crowd.people() == 0 {
            return Check::Fails;
        }
        match self.constraints[constraint].breach_people(&crowd, 0) {
            Attack::Withstood => Check::Holds,
            Attack::Breach(_) => Check::Fails,
            Attack::Undecided(limit) => Check::Undecided(limit),
        }
    }

    pub(super) fn people_hold(&self, persons: &Persons, tally: &Tally) -> bool {
        let insiders = self.insiders;
        if insiders.need_providers() && (tally.providers() as u64) < insiders.fewest_providers() {
            return false;
        }
        // most groups fail while a method searches, and mostly for what tallies show: too few people, or
        // rows that fail by themselves, whosever they are
        if !self.rows_hold(tally) {
            return false;
        }
        let Some(mut glance) = PeopleGlance::new(persons, tally, insiders) else {
            return false;
        };
        if glance.count == 0 {
            return false;
        }
        let mut undecided = Vec::new();
        for (at, constraint) in self.constraints.iter().enumerate() {
            let attribute = self.looks_at[at].map(|place| (place, &self.absent[place]));
            glance = glance.at(attribute);
            match constraint.glance(&glance) {
                Some(false) => return false,
                Some(true) => {}
                None => undecided.push(at),
            }
        }
        let mut seen: Option<(Option<usize>, Crowd)> = None;
        for at in undecided {
            let constraint = &self.constraints[at];
            let attribute = self.looks_at[at];
            let crowd = match seen.take() {
                Some((before, crowd)) if before == attribute => crowd,
                _ => match self.crowd(attribute, tally) {
                    Some(crowd) => crowd,
                    None => return false,
                },
            };
            let most = most_of(&crowd, insiders.m);
            // cheap for most groups that fail, and their number is large while a method searches
            if most > 0 && constraint.breach_people(&crowd, 0) != Attack::Withstood {
                return false;
            }
            if constraint.breach_people(&crowd, most) != Attack::Withstood {
                return false;
            }
            seen = Some((attribute, crowd));
        }
        true
    }

    /// Whether every constraint holds for the outsider as if each row were a person. Over people each asks
    /// for that and more: l values that nobody can be without are l values, and the others are
    /// promised on rows as well.
    fn rows_hold(&self, tally: &Tally) -> bool {
        for (at, constraint) in self.constraints.iter().enumerate() {
            if constraint.check(self.counts(at, tally)) != Check::Holds {
                return false;
            }
        }
        true
    }

    pub(super) fn smallest_breach_of_people(
        &self,
        _persons: &Persons,
        tally: &Tally,
        m: M,
    ) -> (Decision, bool) {
        let (mut best, mut undecided, mut all_sure) = (None, None, true);
        let mut worth = Some(m);
        for at in 0..self.constraints.len() {
            let Some(m) = worth else { break };
            let Some(crowd) = self.crowd(self.looks_at[at], tally) else {
                return (Decision::Undecided(Limit::SearchSteps(0)), false);
            };
            let (attack, sure) = self.smallest_coalition_of_people(at, &crowd, m);
            all_sure &= sure;
            match attack {
                Attack::Withstood => {}
                Attack::Undecided(limit) => undecided = Some(limit),
                Attack::Breach(breach) => {
                    worth = (breach.coalition.len() as u64).checked_sub(1).map(M);
                    best = Some(Decision::Breach(at, breach));
                }
            }
        }
        let none = undecided.map_or(Decision::Holds, Decision::Undecided);
        (best.unwrap_or(none), all_sure || worth.is_none())
    }

    /// One of the smallest coalitions of at most `m` providers that breaches a constraint, and whether a
    /// smaller one is ruled out.
    pub(crate) fn smallest_coalition_of_people(
        &self,
        constraint: usize,
        crowd: &Crowd,
        m: M,
    ) -> (Attack, bool) {
        if crowd.people() == 0 {
            return (Attack::Breach(Breach::by_outsider(0)), true);
        }
        let constraint = &self.constraints[constraint];
        shrunk(most_of(crowd, m), |limit| {
            constraint.breach_people(crowd, limit)
        })
    }
}

/// A coalition of all providers knows everybody.
fn most_of(crowd: &Crowd, m: M) -> usize {
    let most = usize::try_from(m.0).unwrap_or(usize::MAX);
    most.min(crowd.providers().saturating_sub(1))
}

impl Insiders {
    /// An error where insiders who know rows are to be withstood by a promise for which nobody knows how
    /// to decide that: taking out part of a person's rows changes her weights.
    pub fn check_promises(&self, promises: &[Promise]) -> Result<(), Error> {
        if self.m == M(0) || self.knows == Knows::People {
            return Ok(());
        }
        for promise in promises {
            let rule = promise.rule;
            let of_people = rule.as_k_anonymity().is_some()
                || rule.as_max_share_of_rows().is_some()
                || rule.as_distinct_diversity().is_some()
                || rule.as_max_frequency().is_some();
            if !of_people {
                return Err(Error::KnowsRows {
                    constraint: rule.name(),
                });
            }
        }
        Ok(())
    }
}

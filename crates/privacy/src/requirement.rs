//! A conjunction of constraints bound to a table.
//!
//! Bound means: parameters were checked, attributes found, and what a constraint needs to know
//! about the whole table (its distribution, which values are missing, their order) was prepared.
//! Binding costs O(combinations of sensitive values × constraints); deciding a group costs only
//! what its own values cost.
//!
//! A requirement that was bound with people ([`Requirement::bind_people`]) counts people: its tallies are
//! made of kinds of people, and a tally of rows alone decides nothing.

mod people;

use crate::combinations::Combinations;
use crate::constraint::Absent;
use crate::constraint::{Attribute, Check, Constraint, GroupCounts};
use crate::error::Error;
use crate::insiders::{Insiders, M};
use crate::people::Persons;
use crate::rule::Promise;
use crate::shares::add_up;
use crate::strategy::{Decision, Effort, Strategy, smallest_breach};
use crate::tally::{Holding, Tally};
use mingle_model::{Code, Entry, SensitiveColumn};

/// Everything that is promised about a table, in the policy's order.
#[derive(Debug)]
pub struct Requirement {
    constraints: Vec<Box<dyn Constraint>>,
    promises: Vec<Promise>,
    /// The distinct attributes that constraints look at, ascending.
    attributes: Vec<Attribute>,
    /// Per attribute the code of each combination of sensitive values.
    codes: Vec<Vec<Code>>,
    /// Per constraint the place of its attribute among `attributes`.
    looks_at: Vec<Option<usize>>,
    /// Per attribute which codes stand for a missing value.
    absent: Vec<Absent>,
    /// Who there is, where people may have several rows.
    persons: Option<Persons>,
    insiders: Insiders,
    strategy: Strategy,
}

impl Requirement {
    /// Binds promises to a table, given as how often each combination of sensitive values occurs in
    /// all of it.
    ///
    /// For t-closeness these counts are the distribution that groups are compared with: they must
    /// be those of the rows that will be published, as [`verify`](crate::verify) makes sure.
    pub fn bind(
        promises: &[Promise],
        sensitive: &[SensitiveColumn],
        table: &[u64],
    ) -> Result<Requirement, Error> {
        Requirement::bind_to(promises, Combinations::new(sensitive, table)?)
    }

    fn bind_to(promises: &[Promise], combinations: Combinations<'_>) -> Result<Requirement, Error> {
        let constraints: Result<Vec<_>, Error> = promises
            .iter()
            .map(|p| combinations.constraint(p))
            .collect();
        let constraints = constraints?;
        let mut attributes: Vec<Attribute> =
            constraints.iter().filter_map(|c| c.attribute()).collect();
        attributes.sort_unstable();
        attributes.dedup();
        let place = |a: Attribute| attributes.iter().position(|&other| other == a);
        Ok(Requirement {
            looks_at: constraints
                .iter()
                .map(|c| c.attribute().and_then(place))
                .collect(),
            codes: attributes.iter().map(|&a| combinations.codes(a)).collect(),
            absent: attributes.iter().map(|&a| combinations.absent(a)).collect(),
            persons: None,
            promises: promises.to_vec(),
            constraints,
            attributes,
            insiders: Insiders::NONE,
            strategy: Strategy::default(),
        })
    }

    /// The same requirement, to hold against colluding providers as well. Tallies made before do
    /// not count by provider and must be made again.
    pub fn against(mut self, insiders: Insiders) -> Requirement {
        self.insiders = insiders;
        self
    }

    /// The same requirement, with groups decided in another way than exactly. No strategy changes
    /// what is true; one that relies on group monotonicity is refused where a constraint lacks it.
    pub fn decided_by(mut self, strategy: Strategy) -> Result<Requirement, Error> {
        if self.persons.is_some() && strategy != Strategy::Exact {
            return Err(Error::CountsRows {
                strategy: strategy.name(),
            });
        }
        if strategy.needs_monotone() {
            for constraint in &self.constraints {
                if !constraint.group_monotone() {
                    return Err(Error::NotMonotone {
                        strategy: strategy.name(),
                        constraint: constraint.name(),
                    });
                }
            }
        }
        self.strategy = strategy;
        Ok(self)
    }

    /// Some of the same promises, against the same insiders and decided in the same way, about
    /// another table.
    pub fn bind_again(
        &self,
        promises: &[Promise],
        sensitive: &[SensitiveColumn],
        table: &[u64],
    ) -> Result<Requirement, Error> {
        if self.persons.is_some() {
            return Err(Error::CountsPeople);
        }
        Requirement::bind(promises, sensitive, table)?
            .against(self.insiders)
            .decided_by(self.strategy)
    }

    /// Against whom.
    pub fn insiders(&self) -> Insiders {
        self.insiders
    }

    /// Whether all constraints hold, for the outsider and for every coalition; undecided is no.
    pub fn holds(&self, tally: &Tally) -> bool {
        if let Some(persons) = &self.persons {
            return self.people_hold(persons, tally);
        }
        (0..self.constraints.len()).all(|c| self.check(c, tally) == Check::Holds)
            && self.withstands(tally)
    }

    fn withstands(&self, tally: &Tally) -> bool {
        if !self.insiders.need_providers() {
            return true;
        }
        if (tally.providers() as u64) < self.insiders.fewest_providers() {
            return false;
        }
        let m = self.insiders.m;
        if m == M(0) {
            return true;
        }
        let decision = self.strategy.decide(self, tally, m, &mut Effort::default());
        decision == Decision::Holds
    }

    /// One of the smallest coalitions of at most `m` of a group's providers that breaches a
    /// constraint, the first such constraint of the policy, and whether a smaller one is ruled out.
    /// Decided exactly, for any constraints.
    ///
    /// The tally must have been made by a requirement that counts by provider.
    pub fn smallest_breach(&self, tally: &Tally, m: M) -> (Decision, bool) {
        if let Some(persons) = &self.persons {
            return self.smallest_breach_of_people(persons, tally, m);
        }
        smallest_breach(self, tally, m)
    }

    /// Decides one constraint for the outsider.
    pub fn check(&self, constraint: usize, tally: &Tally) -> Check {
        if self.persons.is_some() {
            return self.check_people(constraint, tally);
        }
        self.constraints[constraint].check(self.counts(constraint, tally))
    }

    /// To what degree a set of rows satisfies everything (Goryczka, Xiong and Fung 2011, Equation
    /// 1): the first constraint weighs 1 - `alpha`, the mean of the others `alpha`; a single one
    /// decides alone. For ordering and choosing, never for a verdict: not clamped, so it may exceed
    /// 1 although a constraint fails.
    pub fn fitness(&self, tally: &Tally, alpha: f64) -> f64 {
        self.weigh(alpha, |constraint| {
            let fitness = self.constraints[constraint].fitness(self.counts(constraint, tally));
            // people ask for more than rows do
            let fails = || self.check(constraint, tally) != Check::Holds;
            if self.persons.is_some() && fitness >= 1.0 && fails() {
                return 1.0 - f64::EPSILON;
            }
            fitness
        })
    }

    /// The weighted mean of the constraints' own fitness; 1 where nothing is asked.
    pub(crate) fn weigh(&self, alpha: f64, fitness: impl Fn(usize) -> f64) -> f64 {
        match self.constraints.len() {
            0 => 1.0,
            1 => fitness(0),
            n => {
                (1.0 - alpha) * fitness(0)
                    + alpha * (1..n).map(&fitness).sum::<f64>() / (n - 1) as f64
            }
        }
    }

    /// What a constraint sees of a set of rows.
    fn counts<'a>(&self, constraint: usize, tally: &'a Tally) -> GroupCounts<'a> {
        let values = self.looks_at[constraint]
            .and_then(|a| tally.counts.get(a))
            .map_or(&[][..], Vec::as_slice);
        let size = match self.looks_at[constraint] {
            None => tally.members(),
            Some(_) => tally.size,
        };
        GroupCounts { size, values }
    }

    /// Counts a set of rows.
    pub fn tally(&self, rows: impl Iterator<Item = Entry> + Clone) -> Tally {
        let mut tally = Tally::default();
        self.tally_into(rows, &mut tally);
        tally
    }

    /// Like [`tally`](Requirement::tally), into one whose memory is used again.
    pub fn tally_into(&self, rows: impl Iterator<Item = Entry> + Clone, tally: &mut Tally) {
        tally.people = None;
        tally.parts.clear();
        tally.size = rows.clone().map(|row| row.count).sum();
        tally.counts.resize_with(self.codes.len(), Vec::new);
        for (codes, values) in self.codes.iter().zip(&mut tally.counts) {
            values.clear();
            rows.clone()
                .for_each(|row| add_last(values, codes[row.sensitive as usize], row.count));
            // entries come ordered by combination, so one attribute, the first and all together
            // need no sort
            if !values.is_sorted_by_key(|&(code, _)| code) {
                add_up(values);
            }
        }
        self.share_into(rows, tally);
    }

    fn share_into(&self, rows: impl Iterator<Item = Entry> + Clone, tally: &mut Tally) {
        let lists = if self.insiders.need_providers() {
            self.codes.len().max(1)
        } else {
            0
        };
        tally.shares.resize_with(lists, Vec::new);
        for (at, shares) in tally.shares.iter_mut().enumerate() {
            let code = |row: &Entry| {
                self.codes
                    .get(at)
                    .map_or(0, |codes| codes[row.sensitive as usize])
            };
            shares.clear();
            rows.clone().for_each(|row| {
                add_last(shares, Holding::new(row.provider, code(&row)), row.count)
            });
            add_up(shares);
        }
    }

    /// The constraints, in the policy's order.
    pub fn constraints(&self) -> impl Iterator<Item = &dyn Constraint> {
        self.constraints.iter().map(AsRef::as_ref)
    }

    /// The constraint at this place of the policy.
    pub fn constraint(&self, place: usize) -> &dyn Constraint {
        self.constraints[place].as_ref()
    }

    /// The place of a constraint's attribute among [`attributes`](Requirement::attributes).
    pub(crate) fn attribute_of(&self, constraint: usize) -> Option<usize> {
        self.looks_at[constraint]
    }

    /// The place of some attribute that a constraint looks at, if any does.
    pub(crate) fn first_attribute(&self) -> Option<usize> {
        (!self.attributes.is_empty()).then_some(0)
    }

    /// What each constraint promises, in the same order.
    pub fn promises(&self) -> &[Promise] {
        &self.promises
    }

    /// The attributes that a [`Tally`] counts.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Whether adding rows to a group that satisfies everything can never break it. For the
    /// outsider: against insiders, only the union of two groups that both satisfy everything is
    /// sure to.
    pub fn group_monotone(&self) -> bool {
        let people = self.persons.is_some();
        let monotone = |c: &dyn Constraint| c.group_monotone() && (!people || c.people_monotone());
        self.constraints().all(monotone)
    }

    /// Whether a group that satisfies everything does so with any rows added: more of the same for
    /// the outsider, but a newcomer may be alone against a coalition of all others.
    pub fn welcomes_anyone(&self) -> bool {
        self.insiders.m == M(0) && self.insiders.fewest_providers() <= 1 && self.group_monotone()
    }

    /// Whether two groups that satisfy everything do so as one group, so that a part that fails has
    /// no parts that hold. Every constraint is closed under union for the outsider, group-monotone
    /// ones are against insiders as well.
    pub fn closed_under_union(&self) -> bool {
        if let Some(persons) = &self.persons {
            // a person in both groups would have more values in one group than in each
            let closed = self
                .constraints
                .iter()
                .all(|c| c.people_closed_under_union());
            return persons.together() && (self.insiders.m == M(0) || closed);
        }
        self.insiders.m == M(0) || self.group_monotone()
    }

    /// No smaller group can satisfy everything, counted in [members](Tally::members).
    pub fn smallest_group(&self) -> u64 {
        self.promises
            .iter()
            .map(|promise| promise.rule.smallest_group())
            .max()
            .unwrap_or(1)
            .max(1)
    }
}

/// Adds to the last value if it is the same, so that runs of equal codes take one place.
#[inline]
fn add_last<K: PartialEq>(values: &mut Vec<(K, u64)>, code: K, count: u64) {
    match values.last_mut() {
        // a count of zero is no value
        _ if count == 0 => {}
        Some(last) if last.0 == code => last.1 += count,
        _ => values.push((code, count)),
    }
}

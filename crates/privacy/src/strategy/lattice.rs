//! The lattice of coalitions: what all searches of the paper share.
//!
//! A coalition takes out all of its rows and leaves a remainder; a group-monotone requirement is
//! breached by a coalition iff it fails on that remainder (Goryczka, Xiong and Fung 2011,
//! Observation 2.3). Searches move from remainder to remainder one provider at a time, at the cost
//! of that provider's values; nothing is allocated on the way.
//!
//! Providers are numbered by the fitness of their own rows (Equation 1), the weakest first, and
//! coalitions are generated in the order of these numbers: this is how Algorithm 1 sorts sites
//! before it generates coalitions.
//!
//! Searches that take too many steps are cut short. A step is a remembered coalition looked at; a
//! check counts for sixteen.

mod places;
mod revolving_door;
mod walk;

pub(super) use places::Places;
pub(super) use revolving_door::RevolvingDoor;
pub(super) use walk::Walk;

use super::{Decision, Effort};
use crate::breach::Breach;
use crate::constraint::{Check, GroupCounts, Limit};
use crate::requirement::Requirement;
use crate::shares::Shares;
use crate::tally::Tally;
use mingle_model::Code;

/// The most steps of a search.
const STEPS: u64 = 1 << 28;
/// What a check counts for.
const CHECK: u64 = 16;

/// A group between all coalitions and none: the rows of some of its providers.
pub(super) struct Lattice<'a> {
    requirement: &'a Requirement,
    effort: &'a mut Effort,
    steps: u64,
    /// Places of the providers, the weakest first.
    order: Vec<usize>,
    /// Mean fitness of the providers.
    fitness: f64,
    /// Which are left, by their number.
    left: Vec<bool>,
    size: u64,
    /// Per attribute, or one without values.
    views: Vec<View>,
}

/// The remainder as one attribute sees it.
struct View {
    shares: Shares,
    /// How many rows of each value are left.
    left: Vec<(Code, u64)>,
    /// How many values are gone.
    gone: usize,
    /// Those that are not, when some are.
    present: Vec<(Code, u64)>,
}

impl<'a> Lattice<'a> {
    /// Starts with the remainder that has no rows.
    pub fn new(
        requirement: &'a Requirement,
        group: &Tally,
        alpha: f64,
        effort: &'a mut Effort,
    ) -> Lattice<'a> {
        let attributes = requirement.attributes().len();
        let views = match attributes {
            0 => vec![View::new(group, None)],
            _ => (0..attributes)
                .map(|attribute| View::new(group, Some(attribute)))
                .collect(),
        };
        let n = views[0].shares.providers();
        let (order, left) = ((0..n).collect(), vec![false; n]);
        let mut lattice = Lattice {
            requirement,
            effort,
            steps: 0,
            order,
            fitness: 0.0,
            left,
            size: 0,
            views,
        };
        lattice.sort(alpha);
        lattice
    }

    /// Numbers the providers by the fitness of their own rows.
    fn sort(&mut self, alpha: f64) {
        let n = self.providers();
        let mut scores: Vec<(f64, usize)> = Vec::with_capacity(n);
        for provider in 0..n {
            self.put(provider);
            scores.push((self.score(alpha), provider));
            self.take(provider);
        }
        scores.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        self.fitness = scores.iter().map(|s| s.0).sum::<f64>() / n as f64;
        self.order
            .iter_mut()
            .zip(scores)
            .for_each(|(place, score)| *place = score.1);
    }

    fn score(&mut self, alpha: f64) -> f64 {
        self.views.iter_mut().for_each(View::gather);
        self.requirement.weigh(alpha, |at| {
            self.requirement.constraint(at).fitness(self.gathered(at))
        })
    }

    /// Contributing providers, n_G.
    pub fn providers(&self) -> usize {
        self.order.len()
    }

    /// Mean fitness of the providers' own rows.
    pub fn fitness(&self) -> f64 {
        self.fitness
    }

    /// Adds the rows of a provider, by its number, to the remainder.
    #[inline]
    pub fn put(&mut self, number: usize) {
        let provider = self.order[number];
        self.left[number] = true;
        self.size += self.views[0].shares.sizes()[provider];
        self.views.iter_mut().for_each(|view| view.put(provider));
    }

    /// Takes the rows of a provider, by its number, out of the remainder.
    #[inline]
    pub fn take(&mut self, number: usize) {
        let provider = self.order[number];
        self.left[number] = false;
        self.size -= self.views[0].shares.sizes()[provider];
        self.views.iter_mut().for_each(|view| view.take(provider));
    }

    /// Whether the coalition that left this remainder breaches: one privacy check.
    #[inline]
    pub fn breached(&mut self) -> Result<bool, Limit> {
        self.effort.checks += 1;
        self.spend(CHECK)?;
        Ok(self.first_failure().is_some())
    }

    /// Counts steps.
    #[inline]
    pub fn spend(&mut self, steps: u64) -> Result<(), Limit> {
        self.steps += steps;
        if self.steps > STEPS {
            Err(Limit::SearchSteps(STEPS))
        } else {
            Ok(())
        }
    }

    fn first_failure(&mut self) -> Option<(usize, Check)> {
        for at in 0..self.requirement.promises().len() {
            if let Some(attribute) = self.requirement.attribute_of(at) {
                self.views[attribute].gather();
            }
            let check = self.requirement.constraint(at).check(self.gathered(at));
            if check != Check::Holds {
                return Some((at, check));
            }
        }
        None
    }

    /// What a constraint sees of the remainder, once its view has gathered it.
    #[inline]
    fn gathered(&self, constraint: usize) -> GroupCounts<'_> {
        let values = self
            .requirement
            .attribute_of(constraint)
            .map_or(&[][..], |a| self.views[a].values());
        GroupCounts {
            size: self.size,
            values,
        }
    }

    /// The decision once a coalition of the stated size breaches.
    pub fn breach(&mut self) -> Decision {
        match self.first_failure() {
            Some((_, Check::Undecided(limit))) => Decision::Undecided(limit),
            Some((at, _)) => Decision::Breach(
                at,
                Breach {
                    coalition: self.coalition(),
                    left: self.size,
                    people_left: None,
                },
            ),
            None => unreachable!("asked only about a remainder that fails"),
        }
    }

    fn coalition(&self) -> Vec<usize> {
        let taken = self
            .order
            .iter()
            .zip(&self.left)
            .filter(|(_, left)| !**left);
        let mut coalition: Vec<usize> = taken.map(|(&place, _)| place).collect();
        coalition.sort_unstable();
        coalition
    }
}

impl View {
    fn new(group: &Tally, attribute: Option<usize>) -> View {
        let mut shares = Shares::default();
        shares.refill(group, attribute);
        let left: Vec<(Code, u64)> = shares.values().iter().map(|&(code, _)| (code, 0)).collect();
        View {
            gone: left.len(),
            present: Vec::with_capacity(left.len()),
            left,
            shares,
        }
    }

    #[inline]
    fn put(&mut self, provider: usize) {
        if self.left.is_empty() {
            return;
        }
        for &(value, count) in self.shares.of(provider) {
            let left = &mut self.left[value as usize].1;
            self.gone -= usize::from(*left == 0);
            *left += count;
        }
    }

    #[inline]
    fn take(&mut self, provider: usize) {
        if self.left.is_empty() {
            return;
        }
        for &(value, count) in self.shares.of(provider) {
            let left = &mut self.left[value as usize].1;
            *left -= count;
            self.gone += usize::from(*left == 0);
        }
    }

    /// Makes a list of the values that are left, where it is not that of all.
    #[inline]
    fn gather(&mut self) {
        if self.gone > 0 {
            self.present.clear();
            self.present
                .extend(self.left.iter().filter(|&&(_, left)| left > 0));
        }
    }

    #[inline]
    fn values(&self) -> &[(Code, u64)] {
        if self.gone > 0 {
            &self.present
        } else {
            &self.left
        }
    }
}

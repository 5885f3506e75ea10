//! A site as synchronizers see it, set down on its path where the promises hold.

use super::closeness::Closeness;
use mingle_anonymize::FullDomain;
use mingle_model::Cell;
use mingle_privacy::Tally;
use mingle_protocol::Local;

/// A site's columns at the levels of each round, and what it has promised.
pub struct SiteColumns<'a> {
    closeness: &'a Closeness,
    bound: usize,
    k: u64,
    people: usize,
    /// The current round last.
    rounds: Vec<FullDomain<'a>>,
}

impl<'a> SiteColumns<'a> {
    /// Before the first comparison.
    pub fn new(
        start: FullDomain<'a>,
        people: usize,
        closeness: &'a Closeness,
        bound: usize,
        k: u64,
    ) -> SiteColumns<'a> {
        SiteColumns {
            closeness,
            bound,
            k,
            people,
            rounds: vec![start],
        }
    }

    /// How a group is labelled in a column, at the levels of a round.
    pub fn cell(&self, column: usize, round: u32, people: &[u32]) -> Cell {
        self.rounds[round as usize].cover(column, people.iter().copied())
    }

    fn current(&self) -> &FullDomain<'a> {
        self.rounds.last().expect("there is always a current round")
    }
}

impl Local for SiteColumns<'_> {
    fn people(&self) -> usize {
        self.people
    }

    fn classes(&self, people: &[u32]) -> Vec<u32> {
        self.current().classes(people)
    }

    fn step(&mut self, people: &[u32]) {
        let mut next = self.current().clone();
        next.step(people);
        self.rounds.push(next);
    }

    fn tally(&self, people: &[u32]) -> Tally {
        self.closeness.tally(people)
    }

    fn holds(&self, tally: &Tally) -> bool {
        tally.size() >= self.k && self.closeness.holds(self.bound, tally)
    }
}

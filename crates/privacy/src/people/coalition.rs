//! Which coalition takes out enough: coverage.
//!
//! People are merged by who knows them, each set of providers with what it is worth to take those
//! people out. With [`Covers::Any`] a set is taken out by any of its providers, with [`Covers::All`] by
//! all of them together. A coalition must leave somebody unknown, or a victim that is given.
//!
//! In this order, each step exact: (1) the `most` largest providers together, shared people counted at
//! each (for `All`: shared out among those who are still needed), are an upper bound; if that is not
//! enough, nothing is; (2) a greedy choice, the answer where nobody is shared; (3) branch and bound
//! over providers with the same bound. NP-hard in general, so more than [`STEPS`] visits of sets are
//! not made.

use super::crowd::Crowd;
use crate::constraint::Limit;
use crate::insiders::Knows;

/// How many sets are looked at in one search.
const STEPS: u64 = 1 << 22;

/// When a set of providers is covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Covers {
    Any,
    All,
}

/// What taking people out is worth.
pub(crate) struct Removal<'a> {
    /// Sets of providers by place, with an amount above 0.
    sets: Vec<(&'a [u32], i128)>,
    covers: Covers,
    /// Whom the coalition must not know; anybody where nobody is named.
    victim: Option<&'a [u32]>,
}

impl<'a> Removal<'a> {
    pub(crate) fn new(
        amounts: impl Iterator<Item = (&'a [u32], i128)>,
        covers: Covers,
        victim: Option<&'a [u32]>,
    ) -> Removal<'a> {
        let mut sets: Vec<(&[u32], i128)> = amounts.filter(|&(_, amount)| amount > 0).collect();
        sets.sort_unstable_by(|a, b| a.0.cmp(b.0));
        sets.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        Removal {
            sets,
            covers,
            victim,
        }
    }

    /// A coalition of at most `most` providers that takes out at least `need`.
    pub(crate) fn find(
        &self,
        crowd: &Crowd,
        need: i128,
        most: usize,
    ) -> Result<Option<Vec<usize>>, Limit> {
        if need <= 0 {
            return Ok(Some(Vec::new()));
        }
        let n = crowd.providers();
        let mut search = Search {
            removal: self,
            crowd,
            need,
            state: vec![State::Open; n],
            members: Vec::new(),
            gains: vec![0; n],
            steps: 0,
        };
        if let (Knows::People, Some(victim)) = (crowd.knows, self.victim) {
            victim
                .iter()
                .for_each(|&provider| search.state[provider as usize] = State::Out);
        }
        if search.branch(most)? {
            Ok(Some(search.members))
        } else {
            Ok(None)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    In,
    Out,
}

struct Search<'a> {
    removal: &'a Removal<'a>,
    crowd: &'a Crowd,
    need: i128,
    state: Vec<State>,
    members: Vec<usize>,
    /// What each open provider could add.
    gains: Vec<i128>,
    steps: u64,
}

impl Search<'_> {
    /// Whether some of the open providers, at most `room`, complete the coalition. The largest first,
    /// so that the first way down is the greedy choice.
    fn branch(&mut self, room: usize) -> Result<bool, Limit> {
        let removed = self.look();
        if removed >= self.need {
            return Ok(true);
        }
        if room == 0 {
            return Ok(false);
        }
        self.steps += self.removal.sets.len() as u64 + 1;
        if self.steps > STEPS {
            return Err(Limit::SearchSteps(STEPS));
        }
        let mut largest: Vec<usize> = (0..self.state.len())
            .filter(|&place| self.state[place] == State::Open && self.gains[place] > 0)
            .collect();
        largest.sort_by(|&a, &b| self.gains[b].cmp(&self.gains[a]).then(a.cmp(&b)));
        let bound: i128 = largest
            .iter()
            .take(room)
            .map(|&place| self.gains[place])
            .sum();
        if removed + bound < self.need {
            return Ok(false);
        }
        let next = largest[0];
        self.state[next] = State::In;
        self.members.push(next);
        if self.leaves_somebody() && self.branch(room - 1)? {
            return Ok(true);
        }
        self.members.pop();
        self.state[next] = State::Out;
        let found = self.branch(room);
        if !matches!(found, Ok(true)) {
            self.state[next] = State::Open;
        }
        found
    }

    /// What the members take out, and what each open provider could add.
    fn look(&mut self) -> i128 {
        self.gains.fill(0);
        let mut removed = 0;
        for &(set, amount) in &self.removal.sets {
            let count = |state: State| {
                set.iter()
                    .filter(|&&place| self.state[place as usize] == state)
                    .count()
            };
            let (inside, outside) = (count(State::In), count(State::Out));
            let (done, gain) = match self.removal.covers {
                Covers::Any => (inside > 0, amount),
                Covers::All if outside > 0 => continue,
                Covers::All => {
                    let needed = (set.len() - inside) as i128;
                    // rounded up, the parts of a set are never less than the whole
                    (needed == 0, (amount + needed - 1) / needed.max(1))
                }
            };
            if done {
                removed += amount;
                continue;
            }
            for &place in set {
                if self.state[place as usize] == State::Open {
                    self.gains[place as usize] += gain;
                }
            }
        }
        removed
    }

    /// Whether the members leave the victim, or somebody, unknown. If not, more of them do not either.
    fn leaves_somebody(&self) -> bool {
        let inside: Vec<bool> = self.state.iter().map(|&s| s == State::In).collect();
        match (self.removal.victim, self.crowd.knows) {
            (None, _) => {
                let unknown = |member| !self.crowd.is_known(member, &inside);
                self.crowd.members.iter().any(unknown)
            }
            (Some(victim), Knows::People) => victim.iter().all(|&p| !inside[p as usize]),
            (Some(victim), Knows::Rows) => victim.iter().any(|&p| !inside[p as usize]),
        }
    }
}

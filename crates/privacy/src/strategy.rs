//! Ways to decide whether a group withstands coalitions: one file each, all with the same verdict.
//!
//! [`Strategy::Exact`] is ours and the default: it looks into the constraints and needs no search
//! over coalitions for most of them. The others take the requirement as a black box and search the
//! lattice of coalitions as Goryczka, Xiong and Fung (2011, Section III) describe; they rely on
//! group monotonicity and refuse requirements without it. Brute force is the definition.

mod adaptive;
mod binary;
mod bottom_up;
mod brute_force;
mod direct;
mod exact;
mod lattice;
mod top_down;

pub use exact::smallest as smallest_coalition;
pub(crate) use exact::{shrunk, smallest_breach};

use self::lattice::{Lattice, Places};
use crate::breach::Breach;
use crate::constraint::Limit;
use crate::insiders::M;
use crate::requirement::Requirement;
use crate::tally::Tally;

/// How groups are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// By what each constraint asks of the counts.
    #[default]
    Exact,
    /// The paper's choice between [`Binary`](Strategy::Binary) and [`TopDown`](Strategy::TopDown).
    Adaptive,
    /// Between a coalition that breaches and one that does not (Algorithm 1). Groups of more than
    /// 1,024 providers stay undecided.
    Binary,
    /// From the largest coalitions downwards. Groups of more than 1,024 providers stay undecided.
    TopDown,
    /// From the outsider upwards.
    BottomUp,
    /// Every coalition of the stated size.
    Direct,
    /// Every coalition and every subset of its rows: the definition.
    BruteForce,
}

/// What a strategy found out about a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Every constraint holds whatever a coalition takes out.
    Holds,
    /// A constraint, by its place in the policy, and a coalition that breaches it.
    Breach(usize, Breach),
    /// A search was cut short; publishing treats this as a failure.
    Undecided(Limit),
}

/// What deciding cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// How often the constraints of a requirement were checked against counts.
    pub checks: u64,
}

impl Strategy {
    /// The weight of all constraints but the first in the fitness that coalitions are ordered by:
    /// the paper's choice.
    pub const ALPHA: f64 = 0.3;

    /// All strategies, the default first.
    pub const ALL: [Strategy; 7] = [
        Strategy::Exact,
        Strategy::Adaptive,
        Strategy::Binary,
        Strategy::TopDown,
        Strategy::BottomUp,
        Strategy::Direct,
        Strategy::BruteForce,
    ];

    /// The word used in the policy file.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Exact => "exact",
            Strategy::Adaptive => "adaptive",
            Strategy::Binary => "binary",
            Strategy::TopDown => "top-down",
            Strategy::BottomUp => "bottom-up",
            Strategy::Direct => "direct",
            Strategy::BruteForce => "brute-force",
        }
    }

    /// Whether it takes it for granted that fewer rows never satisfy what more rows fail.
    pub fn needs_monotone(self) -> bool {
        !matches!(self, Strategy::Exact | Strategy::BruteForce)
    }

    /// Decides a group against coalitions of at most `m` of its providers that leave out at least
    /// one.
    ///
    /// The tally must have been made by a requirement that counts by provider. A strategy that
    /// [needs monotonicity](Strategy::needs_monotone) leaves everything else undecided.
    pub fn decide(
        self,
        requirement: &Requirement,
        group: &Tally,
        m: M,
        effort: &mut Effort,
    ) -> Decision {
        self.decide_weighted(requirement, group, m, Strategy::ALPHA, effort)
    }

    /// Like [`decide`](Strategy::decide), where the searches of the paper order coalitions by a
    /// fitness with another weight: see [`Requirement::fitness`]. It changes how long they take,
    /// never the verdict.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    pub fn decide_weighted(
        self,
        requirement: &Requirement,
        group: &Tally,
        m: M,
        alpha: f64,
        effort: &mut Effort,
    ) -> Decision {
        if requirement.counts_people() {
            return match self {
                Strategy::Exact => requirement.smallest_breach(group, m).0,
                _ => Decision::Undecided(Limit::SearchSteps(0)),
            };
        }
        match self {
            Strategy::Exact => exact::decide(requirement, group, m, effort),
            Strategy::BruteForce => brute_force::decide(requirement, group, m, effort),
            _ if !requirement.group_monotone() => Decision::Undecided(Limit::SearchSteps(0)),
            _ => {
                let mut lattice = Lattice::new(requirement, group, alpha, effort);
                self.search(&mut lattice, m)
                    .unwrap_or_else(Decision::Undecided)
            }
        }
    }

    /// Through the lattice of coalitions.
    fn search(self, lattice: &mut Lattice, m: M) -> Result<Decision, Limit> {
        const FEW: usize = 1;
        const MANY: usize = 16;
        let n = lattice.providers();
        match self {
            // a group without rows fails everything, and there is nobody to collude
            _ if n == 0 => direct::search(lattice, M(0)),
            Strategy::Direct => direct::search(lattice, m),
            Strategy::BottomUp => bottom_up::search(lattice, m),
            _ if n <= Places::<FEW>::MOST => self.prune::<FEW>(lattice, m),
            _ if n <= Places::<MANY>::MOST => self.prune::<MANY>(lattice, m),
            _ => Err(Limit::SearchSteps(0)),
        }
    }

    /// The searches that remember sets of coalitions.
    fn prune<const W: usize>(self, lattice: &mut Lattice, m: M) -> Result<Decision, Limit> {
        match self {
            Strategy::TopDown => top_down::search::<W>(lattice, m),
            Strategy::Binary => binary::search::<W>(lattice, m),
            _ => adaptive::search::<W>(lattice, m),
        }
    }
}

/// The largest coalition of n_G providers that leaves out a contributor: m_G = min(m, n_G - 1).
fn most(providers: usize, m: M) -> usize {
    usize::try_from(m.0)
        .unwrap_or(usize::MAX)
        .min(providers.saturating_sub(1))
}

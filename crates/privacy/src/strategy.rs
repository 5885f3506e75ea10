//! Ways to decide whether a group withstands coalitions: one file each, all with the same verdict.
//!
//! [`Strategy::Exact`] is ours and the default: it looks into the constraints and needs no search over coalitions for
//! most of them. The others take the requirement as a black box and search the lattice of coalitions as Goryczka, Xiong
//! and Fung (2011, Section III) describe; they rely on group monotonicity and refuse requirements without it. Brute
//! force is the definition.

mod exact;

pub use exact::smallest as smallest_coalition;

use crate::breach::Breach;
use crate::constraint::Limit;
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
    /// Between a coalition that breaches and one that does not (Algorithm 1).
    Binary,
    /// From the largest coalitions downwards.
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

    /// Decides a group against coalitions of at most `m` of its providers that leave out at least one.
    ///
    /// The tally must have been made by a requirement that counts by provider.
    pub fn decide(self, requirement: &Requirement, group: &Tally, m: u64, effort: &mut Effort) -> Decision {
        match self {
            Strategy::Exact => exact::decide(requirement, group, m, effort),
            _ => unimplemented!("the lattice strategies"),
        }
    }
}

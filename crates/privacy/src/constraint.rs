//! What every constraint is: a question about the counts of one group, answered exactly.
//!
//! One file per constraint below this one. Each decides for the outsider (m = 0), who knows nothing
//! but the release. A group without rows has no distribution and fails every constraint. All
//! constraints are closed under union of groups, see [`whole_table`](crate::whole_table).

mod distinct_diversity;
mod entropy_diversity;
mod k_anonymity;
mod max_frequency;
mod max_share_of_rows;
mod recursive_diversity;
mod t_closeness;

pub use distinct_diversity::{Absent, DistinctDiversity, DistinctDiversityKind};
pub use entropy_diversity::{EntropyDiversity, EntropyDiversityKind};
pub use k_anonymity::{KAnonymity, KAnonymityKind};
pub use max_frequency::{MaxFrequency, MaxFrequencyKind};
pub use max_share_of_rows::{MaxShareOfRows, MaxShareOfRowsKind};
pub use recursive_diversity::{RecursiveDiversity, RecursiveDiversityKind};
pub use t_closeness::{Equal, Ground, Hierarchical, Ordered, TCloseness, TClosenessKind};

use crate::breach::{Attack, Breach};
use crate::catalogue::ConstraintKind;
use crate::people::{Crowd, PeopleGlance};
use crate::shares::Shares;
use mingle_model::Code;
use std::fmt::Debug;

/// What a constraint looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Attribute {
    /// One sensitive attribute, by its place among them.
    Column(usize),
    /// All sensitive attributes together, as one (their Cartesian product).
    Joint,
}

/// The rows of a group as a constraint sees them.
#[derive(Clone, Copy, Debug)]
pub struct GroupCounts<'a> {
    /// How many rows.
    pub size: u64,
    /// Ascending codes of the constraint's attribute with how often each occurs: never zero times,
    /// `size` in all. Empty for a constraint without an attribute.
    pub values: &'a [(Code, u64)],
}

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// The constraint holds.
    Holds,
    /// It does not.
    Fails,
    /// It could not be decided within a limit. Publishing treats this as a failure.
    Undecided(Limit),
}

impl Check {
    /// `Holds` or `Fails`.
    pub fn of(holds: bool) -> Check {
        if holds { Check::Holds } else { Check::Fails }
    }
}

/// Which limit cut a decision short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Exact integers would need more than this many bits.
    IntegerBits(u64),
    /// A search over coalitions or values would need more than this many steps.
    SearchSteps(u64),
}

/// A privacy constraint bound to a table.
pub trait Constraint: Send + Sync + Debug {
    /// Its line in the catalogue.
    fn kind(&self) -> &'static dyn ConstraintKind;

    /// The constraint's stable name, as in JSON.
    fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// Which attribute's counts it wants; `None` when the size alone decides.
    fn attribute(&self) -> Option<Attribute>;

    /// Whether adding rows to a group that satisfies it can never break it.
    fn group_monotone(&self) -> bool {
        self.kind().group_monotone()
    }

    /// Decides for one group and the outsider.
    fn check(&self, group: GroupCounts<'_>) -> Check;

    /// Looks for a coalition of at most `most` of the group's providers, fewer than all of them,
    /// that can make the constraint fail by taking out some or all of its own rows. With `most` = 0
    /// this is [`check`](Constraint::check).
    ///
    /// The coalition need not be the smallest there is; asking again for a smaller one finds that.
    fn breach(&self, group: &Shares, most: usize) -> Attack;

    /// The same about people who may have several rows: looks for a coalition of at most `most` of the
    /// providers that does not know everybody and can make the constraint fail by leaving out people,
    /// or rows, that it knows. With `most` = 0 this decides for the outsider. What [`check`](Constraint::check)
    /// says about the rows must hold as well: groups whose rows fail are not looked at further. A
    /// constraint that says nothing about people is undecided, and cannot be published.
    fn breach_people(&self, _group: &Crowd, _most: usize) -> Attack {
        Attack::Undecided(Limit::SearchSteps(0))
    }

    /// What [`check`](Constraint::check) of the rows and [`breach_people`](Constraint::breach_people) say together,
    /// where sums over the people suffice; nothing where they do not.
    fn glance(&self, _group: &PeopleGlance<'_>) -> Option<bool> {
        None
    }

    /// Whether [`glance`](Constraint::glance) asks how many people have a value among how many.
    fn weighs_people(&self) -> bool {
        false
    }

    /// Whether adding people to a group that satisfies it can never break it.
    fn people_monotone(&self) -> bool {
        false
    }

    /// Whether two groups of different people that withstand insiders do so as one group.
    fn people_closed_under_union(&self) -> bool {
        false
    }

    /// To what degree a set of rows satisfies the constraint: at least 1 only if it does (the
    /// paper's privacy fitness, Definition 3.1, without the clamp). For ordering and choosing,
    /// never for a verdict.
    fn fitness(&self, group: GroupCounts<'_>) -> f64;
}

/// The outsider's part of [`Constraint::breach`].
pub(crate) fn outsider(check: Check, size: u64) -> Attack {
    match check {
        Check::Holds => Attack::Withstood,
        Check::Fails => Attack::Breach(Breach::by_outsider(size)),
        Check::Undecided(limit) => Attack::Undecided(limit),
    }
}

/// A fitness as it was computed, but on the right side of 1: rounding, or a constraint that asks
/// for more than equality, may have put it on the other.
pub(crate) fn beside_one(fitness: f64, check: impl FnOnce() -> Check) -> f64 {
    if (fitness - 1.0).abs() > 1e-9 {
        return fitness;
    }
    if check() == Check::Holds {
        fitness.max(1.0)
    } else {
        fitness.min(1.0 - f64::EPSILON)
    }
}

//! What a policy may ask of a method, and why a method may give up.

use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// How tightly a group's cells are published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranges {
    /// The smallest range that covers the group.
    #[default]
    Tight,
    /// The partition's own bounds, which depend on the table but not on the group's rows.
    Cell,
}

/// What stands for a group of [`Microaggregation`](crate::Microaggregation).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GroupRepresentative {
    /// What covers the group, as with other methods.
    #[default]
    Range,
    /// The middle of the group: the mean of numbers and dates, the most frequent category, and with
    /// a hierarchy the lowest common ancestor. For the outsider only.
    Centroid,
}

/// How much a search may do, counted in steps and never in seconds: the same effort gives the same
/// release on every machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum SearchEffort {
    /// The first good answer.
    Quick,
    /// Improved while that pays.
    #[default]
    Normal,
    /// Improved for longer, where little is to be gained per step.
    Best,
}

/// What a search makes small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchAim {
    /// The normalized certainty penalty: how much of its column's domain a label covers.
    #[default]
    Ncp,
    /// The error of counts that are asked of the release.
    Queries,
}

/// How a group's values are published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LabelForm {
    /// By the lowest node of the hierarchy that covers the group.
    #[default]
    Hierarchy,
    /// By the set of the group's values, as long as it is short enough to be read
    /// ([`MethodOptions::max_label_values`]); else by the node.
    Sets,
    /// Every label is one that the policy fixes: numbers and dates by ranges of the declared grid,
    /// categories by nodes of the hierarchy or single values, anything else by `*`. Goes with
    /// [`LabelPromise::Public`](mingle_privacy::LabelPromise::Public).
    Public,
}

/// Settings of a run.
#[derive(Clone, Copy)]
pub struct MethodOptions<'a> {
    /// How tightly cells are published.
    pub ranges: Ranges,
    /// How much the search may do: see [`Capabilities::efforts`](crate::Capabilities::efforts).
    pub effort: SearchEffort,
    /// What the search makes small: see [`Capabilities::aims`](crate::Capabilities::aims).
    pub aim: SearchAim,
    /// How a category that has a hierarchy is published: see
    /// [`Capabilities::sets`](crate::Capabilities::sets).
    pub labels: LabelForm,
    /// The most values that a set lists; what needs more is published as `*`, or as the hierarchy's
    /// node.
    pub max_label_values: usize,
    /// How many rows may be left out by a method that does so itself: see
    /// [`Capabilities::suppresses`](crate::Capabilities::suppresses).
    pub max_suppressed: u64,
    /// Set from outside to stop the search.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for MethodOptions<'_> {
    fn default() -> Self {
        MethodOptions {
            ranges: Ranges::default(),
            effort: SearchEffort::default(),
            aim: SearchAim::default(),
            labels: LabelForm::default(),
            max_label_values: DEFAULT_MAX_LABEL_VALUES,
            max_suppressed: 0,
            cancel: None,
        }
    }
}

/// How many values a label lists where the policy does not say: what is read at a glance.
pub const DEFAULT_MAX_LABEL_VALUES: usize = 8;

impl MethodOptions<'_> {
    /// An error as soon as somebody has asked to stop.
    pub(crate) fn check_cancelled(&self) -> Result<(), Error> {
        match self.cancel {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(Error::Cancelled),
            _ => Ok(()),
        }
    }
}

/// Why there is no partition.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// Not even the whole table as one group satisfies the requirement, so no partition can.
    #[error("not even the whole table as one group satisfies the policy")]
    Unsatisfiable,
    /// `ranges = "cell"` for a method that does not cut the table into cells.
    #[error("the method has no cells whose bounds could be published")]
    NoCells,
    /// The intersection with other releases exposes people, and nothing more can be done about it.
    #[error("the intersection with the other releases leaves too few values of {people} people")]
    Exposed {
        /// How many.
        people: u64,
    },
    /// The requirement counts other people than those of the cube.
    #[error("the requirement was bound to other people than those of the table")]
    OtherPeople,
    /// `ranges = "cell"` where people have several rows.
    #[error("the bounds of cells do not cover all rows of people who have several")]
    CellsOfPeople,
    /// Centroids where people have several rows.
    #[error("a middle does not cover all rows of people who have several")]
    CentroidsOfPeople,
    /// Other releases are to be withstood where people have several rows.
    #[error(
        "nobody knows how to withstand other releases where people have several rows: \
         a person's values are then no longer one of those that each release leaves"
    )]
    WithstandPeople,
    /// Centroids against insiders.
    #[error("an exact mean tells insiders what the values of the others add up to")]
    MeansTellInsiders,
    /// Stopped from outside.
    #[error("cancelled")]
    Cancelled,
}

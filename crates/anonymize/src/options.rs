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

/// Settings of a run.
#[derive(Clone, Copy, Default)]
pub struct MethodOptions<'a> {
    /// How tightly cells are published.
    pub ranges: Ranges,
    /// How many rows may be left out by a method that does so itself: see
    /// [`Capabilities::suppresses`](crate::Capabilities::suppresses).
    pub max_suppressed: u64,
    /// Set from outside to stop the search.
    pub cancel: Option<&'a AtomicBool>,
}

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
    /// Centroids against insiders.
    #[error("an exact mean tells insiders what the values of the others add up to")]
    MeansTellInsiders,
    /// Stopped from outside.
    #[error("cancelled")]
    Cancelled,
}

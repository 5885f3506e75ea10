//! A partition: which record goes into which group, and how each group is labelled.

use crate::label::Cell;
use thiserror::Error;

/// A group's number within its partition.
pub type GroupId = u32;

/// An anonymizer's plan. Nothing about it is trusted: see
/// [`Published::from_partition`](crate::Published).
pub struct Partition {
    /// Per record of the cube its group, or [`Partition::SUPPRESSED`].
    pub group_of: Vec<GroupId>,
    /// Per group and quasi-identifier the generalized value, group by group.
    pub cells: Vec<Cell>,
}

impl Partition {
    /// Stands for a record that is left out of the release.
    pub const SUPPRESSED: GroupId = GroupId::MAX;
}

/// Why a partition is not a publication of its cube: a defect of the program that made it.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PartitionError {
    /// Not one group per record, or not one cell per group and column.
    #[error("the partition does not fit the table")]
    Shape,
    /// A label that does not stand for a value of its own group.
    #[error("a label of column {column} does not cover a value of its group")]
    NotCovered {
        /// The quasi-identifier.
        column: String,
    },
    /// A person whose rows are in several groups, or in part left out.
    #[error("the rows of a person are not in one group")]
    SplitPerson,
    /// A label that cannot be read back.
    #[error("a label of column {column} cannot be read back")]
    Unreadable {
        /// The quasi-identifier.
        column: String,
    },
}

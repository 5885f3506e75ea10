//! The cost of moving a group to the table's distribution, in pieces.
//!
//! All three ground distances cost, in units of 1 / (N T constant),
//!
//! sum over ladders of weight × (sum over its steps of max(0, T c(M) - B N)) + sum over lines of
//! times T c(M) - B N,
//!
//! where c(M) are the group's rows with values in M, N all its rows, T the table's rows and B some
//! of them. A step is switched on where its difference is positive. The steps of a ladder share M
//! and ascend in B, so they switch on in order: the first so many are on. Only values of the group
//! matter, since the differences of others are never positive.

use std::ops::Range;

/// Steps about one set of values.
pub(super) struct Ladder {
    /// M, as places in [`Pieces::order`].
    pub set: Range<usize>,
    pub weight: u64,
    /// B of each step, ascending.
    pub steps: Vec<u64>,
}

/// A part of the cost without a switch.
pub(super) struct Line {
    pub set: Range<usize>,
    pub times: i128,
    pub table: i128,
}

/// All of it, for the values of one group.
pub(super) struct Pieces {
    /// The group's values, by their places among them; every set is a range of this order.
    pub order: Vec<usize>,
    pub ladders: Vec<Ladder>,
    pub lines: Vec<Line>,
    /// T.
    pub rows: u64,
    pub constant: u64,
}

//! Why promises cannot be decided at all.

use thiserror::Error;

/// A promise that does not fit the table, or a table about which nothing can be promised.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A parameter outside of its range.
    #[error("{constraint}: {parameter} must be {expected}")]
    Parameter {
        /// The constraint's name.
        constraint: &'static str,
        /// The parameter's name in the policy.
        parameter: &'static str,
        /// Its range.
        expected: &'static str,
    },
    /// A constraint that needs an attribute and names none.
    #[error("{constraint} needs a sensitive attribute")]
    NoAttribute {
        /// The constraint's name.
        constraint: &'static str,
    },
    /// A constraint about an attribute that the table does not have.
    #[error(
        "{constraint} is about a sensitive attribute that the table does not have; it has {attributes}"
    )]
    UnknownAttribute {
        /// The constraint's name.
        constraint: &'static str,
        /// How many sensitive attributes there are.
        attributes: usize,
    },
    /// The ordered distance for values without an order.
    #[error("t-closeness: the ordered distance needs an order, column {column} has none")]
    Unordered {
        /// The sensitive column.
        column: String,
    },
    /// The hierarchical distance without a hierarchy.
    #[error("t-closeness: the hierarchical distance needs a hierarchy, column {column} has none")]
    NoHierarchy {
        /// The sensitive column.
        column: String,
    },
    /// A distance between combinations of values of several attributes that only single attributes
    /// have.
    #[error("t-closeness: the {distance} distance is not defined for several attributes together")]
    JointDistance {
        /// The distance's name.
        distance: &'static str,
    },
    /// A promise about several attributes together, where the table does not say which values
    /// belong together.
    #[error(
        "{constraint} is about all sensitive attributes together, and fragments do not say which values belong together"
    )]
    Unlinked {
        /// The constraint's name.
        constraint: &'static str,
    },
    /// A strategy that relies on group monotonicity for a constraint that lacks it.
    #[error(
        "the {strategy} verification skips coalitions on the grounds that taking out more rows never helps a constraint, \
         which is not so for {constraint}"
    )]
    NotMonotone {
        /// The strategy's name.
        strategy: &'static str,
        /// The constraint's name.
        constraint: &'static str,
    },
    /// A strategy that takes out rows of providers where people are to be counted.
    #[error(
        "the {strategy} verification takes out the rows of providers, one provider after the other, and does not know whose \
         rows belong together; where people have several rows only the exact one decides"
    )]
    CountsRows {
        /// The strategy's name.
        strategy: &'static str,
    },
    /// Rows counted where people are to be.
    #[error("people have several rows here, and a table was given as counts of rows")]
    CountsPeople,
    /// Insiders who know rows, where that cannot be decided.
    #[error(
        "{constraint} cannot be decided against insiders who know rows (knows = \"rows\"): taking out some of a person's rows \
         changes how her values are weighted; say knows = \"people\", or leave it out"
    )]
    KnowsRows {
        /// The constraint's name.
        constraint: &'static str,
    },
    /// Counts that belong to another table.
    #[error("{found} counts for {expected} combinations of sensitive values")]
    Shape {
        /// Combinations of sensitive values.
        expected: usize,
        /// Counts given.
        found: usize,
    },
    /// More rows than can be counted.
    #[error("more than {} rows", u64::MAX)]
    TooManyRows,
    /// A table without rows: everything would hold of it, and nothing would be said.
    #[error("the table has no rows")]
    Empty,
    /// No promise at all: a verification that cannot fail says nothing.
    #[error("no constraint to verify")]
    NothingPromised,
}

//! Re-identification risk: how likely a reader who knows quasi-identifiers puts a name on the right
//! row.
//!
//! Three readers, as Dankar and El Emam (2010) and El Emam (2013) tell them apart. With J groups,
//! of f_j rows in the release and F_j people in the population, and n rows in all:
//!
//! * The **prosecutor** looks for one person who is known to be in the table, and guesses one of
//!   the rows that fit: 1 / f_j for every row of group j. The highest is that of the smallest
//!   group, the average over rows is J / n.
//! * The **journalist** wants to name any one row, to make a point, and does not know who is in the
//!   table: 1 / F_j. The average is the larger of J / Σ F_j and Σ f_j / (n F_j), for a reader who
//!   starts from the register and one who starts from the table.
//! * The **marketer** links everybody, and does not mind being wrong about some: the expected share
//!   of rows that are linked rightly, Σ f_j / (n F_j).
//!
//! Without a table of the population the release stands for it, F_j = f_j. The population is never
//! smaller, so journalist and marketer are then upper bounds, and equal the prosecutor's figures.
//!
//! Where people have several rows, f_j and F_j count people: who is looked for is one of them, and
//! all rows of the right one are hers.
//!
//! Assumptions: otherwise each row is one person, and the reader knows exactly the quasi-identifiers, without
//! mistakes. Nothing is said about sensitive values, which may be known without knowing the row
//! ([`balance`](mod@crate::balance)), nor about insiders ([`insider`](crate::attack::insider)).
//! Where a label does not cover its group (centroids), or labels of several groups cover a person,
//! the reader is less sure than these figures say. Cost: O(groups).

mod limits;
pub mod subsets;
pub mod superpopulation;

pub use limits::{judge_limits, limits_of};

use mingle_model::Published;
use mingle_model::{counted, plural};
use mingle_record::answer::{ShownPopulation, ShownReaderRisk, ShownRisk, ShownRowsAbove};
use std::collections::HashMap;
use thiserror::Error;

/// The risks for whose excess rows are counted, each as the number of rows that look alike: 1/20,
/// 1/10, 1/5, 1/3, 1/2. They are what guidelines commonly name; their 0.33 is one in three.
pub const THRESHOLDS: [u64; 5] = [20, 10, 5, 3, 2];

/// Why a table is not the population of a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PopulationProblem {
    /// Other quasi-identifiers.
    #[error("the population has other quasi-identifiers than the release")]
    Columns,
    /// Groups that nobody of the population is in.
    #[error("{} of the release {} not occur in the population", counted(.groups, "group"), plural(.groups, "does", "do"))]
    Missing {
        /// How many.
        groups: u64,
    },
    /// Groups with fewer people in the population than in the release.
    #[error("{} {} fewer people in the population than in the release", counted(.groups, "group"), plural(.groups, "has", "have"))]
    Smaller {
        /// How many.
        groups: u64,
    },
}

/// The risks of a release that stands for its own population.
pub fn risk(published: &Published) -> ShownRisk {
    let sizes: Vec<(u64, u64)> = (0..published.groups())
        .map(|g| published.people_of(g))
        .map(|f| (f, f))
        .collect();
    of_sizes(&sizes, ShownPopulation::Release)
}

/// The risks of a release within a population, whose quasi-identifiers must be generalized to the
/// same labels.
pub fn risk_within(
    published: &Published,
    population: &Published,
) -> Result<ShownRisk, PopulationProblem> {
    let names = |p: &Published| {
        p.columns()
            .iter()
            .map(|c| c.name.clone())
            .collect::<Vec<_>>()
    };
    if names(published) != names(population) {
        return Err(PopulationProblem::Columns);
    }
    let people: HashMap<Vec<&str>, u64> = (0..population.groups())
        .map(|g| (texts(population, g), population.people_of(g)))
        .collect();
    let size = |g: usize| {
        (
            published.people_of(g),
            people.get(&texts(published, g)).copied().unwrap_or(0),
        )
    };
    let sizes: Vec<(u64, u64)> = (0..published.groups()).map(size).collect();
    let count = |is: fn(&(u64, u64)) -> bool| sizes.iter().filter(|pair| is(pair)).count() as u64;
    match (count(|pair| pair.1 == 0), count(|pair| pair.1 < pair.0)) {
        (0, 0) => Ok(of_sizes(&sizes, ShownPopulation::Table)),
        (0, groups) => Err(PopulationProblem::Smaller { groups }),
        (groups, _) => Err(PopulationProblem::Missing { groups }),
    }
}

fn texts(published: &Published, group: usize) -> Vec<&str> {
    published.describe(group).map(|(_, label)| label).collect()
}

/// From the sizes of every group in the release and in the population; none is 0.
fn of_sizes(sizes: &[(u64, u64)], population: ShownPopulation) -> ShownRisk {
    let rows: u64 = sizes.iter().map(|pair| pair.0).sum();
    let people: f64 = sizes.iter().map(|pair| pair.1 as f64).sum();
    let own: Vec<(u64, u64)> = sizes.iter().map(|&(f, _)| (f, f)).collect();
    let from_register = share(sizes.len() as f64, people);
    let prosecutor = reader_risk(&own, rows);
    let journalist = reader_risk(sizes, rows);
    ShownRisk {
        groups: sizes.len() as u64,
        rows,
        marketer: journalist.average,
        prosecutor,
        journalist: ShownReaderRisk {
            average: journalist.average.max(from_register),
            ..journalist
        },
        population,
    }
}

/// Rows of each group and among how many people each of them is looked for.
fn reader_risk(sizes: &[(u64, u64)], rows: u64) -> ShownReaderRisk {
    let fewest = sizes.iter().map(|pair| pair.1).min();
    let expected: f64 = sizes
        .iter()
        .map(|&(f, among)| f as f64 / among as f64)
        .sum();
    let above = |one_in: u64| {
        // 1 / among > 1 / one_in, in whole numbers
        let above: u64 = sizes
            .iter()
            .filter(|pair| pair.1 < one_in)
            .map(|pair| pair.0)
            .sum();
        ShownRowsAbove {
            one_in,
            threshold: 1.0 / one_in as f64,
            rows: above,
            share: share(above as f64, rows as f64),
        }
    };
    ShownReaderRisk {
        highest: fewest.map_or(0.0, |among| 1.0 / among as f64),
        average: share(expected, rows as f64),
        above: THRESHOLDS.into_iter().map(above).collect(),
    }
}

/// Part of the whole; nothing of nothing is nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests;

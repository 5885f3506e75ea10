//! Realistic made-up tables, for trying things and for scale.
//!
//! Three populations: [`TableTopic::Census`] has the schema of the Adult extract of the US census,
//! [`TableTopic::Hospital`] is a hospital's list of admissions, [`TableTopic::IpumsLike`] has the
//! domains and entropies of a census table that a paper used and that is not to be had. Values are
//! drawn column after column from tables of integer weights that depend on what was drawn before,
//! so that columns are skewed and hang together. Nobody in them exists: the weights are round
//! figures of common knowledge, no record was copied.
//!
//! Rows are made in blocks, each with its own stream of a seeded generator, so the bytes depend on
//! the recipe alone and not on the number of threads. Memory does not grow with the number of rows,
//! but for [`TableTopic::IpumsLike`], whose shares are exact and not drawn.
#![forbid(unsafe_code)]

mod alias;
mod census;
mod hospital;
mod ipums_like;
mod pipeline;
mod provider;
mod quota;
mod visits;

pub use ipums_like::{PAPER_ROWS as IPUMS_LIKE_ROWS, hierarchy as ipums_like_hierarchy};
pub use provider::Distribution;

use mingle_io::Format;
use std::io::Write;
use thiserror::Error;

/// Why a table could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// More rows than there are patient numbers.
    #[error("at most {limit} rows can be made, not {rows}")]
    TooManyRows {
        /// Rows asked for.
        rows: u64,
        /// Rows that can be made.
        limit: u64,
    },
    /// A provider column with nobody in it, or with more providers than make sense.
    #[error("the number of providers must be from 1 to {limit}, not {providers}")]
    Providers {
        /// Providers asked for.
        providers: u32,
        /// The most there can be.
        limit: u32,
    },
    /// Visits of somebody who is no patient, or more than make sense.
    #[error("visits are of a hospital's patients, from 1 to {limit} each on average")]
    Visits {
        /// The most there can be.
        limit: u32,
    },
    /// The output refused.
    #[error(transparent)]
    Io(#[from] mingle_io::Error),
}

/// What the rows are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableTopic {
    /// age, workclass, education, marital_status, race, sex, native_country, occupation
    Census,
    /// patient_id, date_of_birth, sex, zip, admission_date, diagnosis, length_of_stay; some values
    /// are missing
    Hospital,
    /// age, workclass, education, marital_status, race, sex, birthplace, occupation, industry,
    /// income; at most ten million rows
    IpumsLike,
}

impl TableTopic {
    /// The word used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            TableTopic::Census => "census",
            TableTopic::Hospital => "hospital",
            TableTopic::IpumsLike => "ipums-like",
        }
    }
}

/// A table to be made. Equal recipes give equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// What the rows are about.
    pub kind: TableTopic,
    /// How many rows.
    pub rows: u64,
    /// Another seed, another table.
    pub seed: u64,
    /// Adds a last column `provider` with so many names `P1`, `P2`, … distributed like this.
    pub providers: Option<(u32, Distribution)>,
    /// So many visits a patient has on average, where patients come more than once; only of
    /// [`TableTopic::Hospital`].
    pub visits: Option<u32>,
}

/// A recipe for the census: one provider, no provider column.
pub fn census(rows: u64, seed: u64) -> Recipe {
    Recipe {
        kind: TableTopic::Census,
        rows,
        seed,
        providers: None,
        visits: None,
    }
}

/// A recipe for the hospital: one provider, no provider column.
pub fn hospital(rows: u64, seed: u64) -> Recipe {
    Recipe {
        kind: TableTopic::Hospital,
        rows,
        seed,
        providers: None,
        visits: None,
    }
}

/// A recipe for a hospital whose patients come so many times on average.
pub fn hospital_visits(rows: u64, visits: u32, seed: u64) -> Recipe {
    Recipe {
        visits: Some(visits),
        ..hospital(rows, seed)
    }
}

/// A recipe for a census like that of IPUMS: one provider, no provider column.
pub fn ipums_like(rows: u64, seed: u64) -> Recipe {
    Recipe {
        kind: TableTopic::IpumsLike,
        rows,
        seed,
        providers: None,
        visits: None,
    }
}

/// Makes a table. `progress` is called now and then with the number of rows written.
pub fn write<W: Write + Send>(
    recipe: &Recipe,
    format: Format,
    out: W,
    progress: Option<&dyn Fn(u64)>,
) -> Result<W, Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    pipeline::write(recipe, format, out, progress, threads)
}

#[cfg(test)]
mod tests;

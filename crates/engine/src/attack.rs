//! The adversary is played: one file per attack. Each is a function of what is attacked, what the
//! adversary knows and a [`Run`](crate::Run), and returns an outcome that holds the answer, the
//! verdict, and tables and figures as bytes.

pub mod background_join;
pub mod insider;
pub mod intersection;
pub mod minimality;

use crate::tables::ForeignTable;
use std::path::Path;

/// What is attacked.
#[derive(Clone, Copy)]
pub enum AttackSubject<'a> {
    /// The folder of a release.
    Release(&'a Path),
    /// A table that any tool has anonymized.
    Table(ForeignTable<'a>),
}

impl AttackSubject<'_> {
    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            AttackSubject::Release(path) => path.display().to_string(),
            AttackSubject::Table(table) => table.name(),
        }
    }
}

/// Four places are enough for a share.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// `a, b and c`.
pub fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

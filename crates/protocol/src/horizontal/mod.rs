//! n providers, one table, nobody in the middle.

mod buckets;
mod capping;
#[cfg(test)]
mod generated;

pub use buckets::Dealing;
pub use capping::{Caps, capped_threshold};

//! How to get there: anonymizers.
//!
//! An anonymizer turns a [`Cube`] into a [`Partition`] whose groups should satisfy a
//! [`Requirement`]. Nobody takes its word for it: the partition is rendered, grouped anew and
//! verified by `mingle-privacy`, which does not know this crate. All methods work with any
//! conjunction of constraints, and give the same partition for any number of threads.
#![forbid(unsafe_code)]

mod agglomerative;
mod bisect;
mod datafly;
mod full_domain;
mod index;
mod loss;
mod microaggregation;
mod mondrian;
mod options;
mod plan;
mod provider_aware;
mod separate;
mod suppress;
mod unevenness;
mod widen;
mod withstand;

pub use agglomerative::Agglomerative;
pub use datafly::Datafly;
pub use full_domain::FullDomain;
pub use microaggregation::Microaggregation;
pub use mondrian::Mondrian;
pub use options::{Error, Options, Output, Ranges};
pub use provider_aware::ProviderAware;
pub use suppress::suppress;
pub use withstand::{Against, withstand};

use mingle_model::{Cube, Partition};
use mingle_privacy::Requirement;

/// A way to partition a cube.
pub trait Method: Sync {
    /// The method's stable name, as in the policy.
    fn name(&self) -> &'static str;

    /// Whether the method wants a cube of single rows ([`Cube::into_rows`]) for this requirement.
    fn wants_rows(&self, _requirement: &Requirement) -> bool {
        false
    }

    /// Whether the method itself leaves out up to [`Options::max_suppressed`] rows. What others
    /// found, [`suppress`] may improve; for this one it would put labels of its own making in place
    /// of the method's.
    fn suppresses(&self) -> bool {
        false
    }

    /// Finds a partition.
    fn partition(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &Options,
    ) -> Result<Partition, Error>;
}

/// The names of all methods, the default first.
pub const METHODS: &[&str] = &[
    "agglomerative",
    "mondrian",
    "provider-aware",
    "datafly",
    "microaggregation",
];

/// The method of that name.
pub fn method(name: &str) -> Option<Box<dyn Method>> {
    match name {
        "agglomerative" => Some(Box::new(Agglomerative)),
        "mondrian" => Some(Box::new(Mondrian)),
        "provider-aware" => Some(Box::new(ProviderAware)),
        "datafly" => Some(Box::new(Datafly)),
        "microaggregation" => Some(Box::new(Microaggregation::default())),
        _ => None,
    }
}

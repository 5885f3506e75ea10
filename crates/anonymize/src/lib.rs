//! How to get there: anonymizers.
//!
//! An anonymizer turns a [`Cube`] into a [`Partition`] whose groups should satisfy a
//! [`Requirement`]. Nobody takes its word for it: the partition is rendered, grouped anew and
//! verified by `mingle-privacy`, which does not know this crate. All methods work with any
//! conjunction of constraints, and give the same partition for any number of threads.
#![forbid(unsafe_code)]

mod agglomerative;
mod apart;
mod bisect;
mod catalogue;
mod datafly;
mod full_domain;
mod index;
mod labels;
mod loss;
mod microaggregation;
mod mondrian;
mod options;
mod plan;
mod profiles;
mod provider_aware;
mod separate;
mod suppress;
mod unevenness;
mod widen;
mod withstand;

pub use agglomerative::Agglomerative;
pub use catalogue::{
    Capabilities, CataloguedMethod, METHODS, MethodEntry, method, method_entry, method_names,
    methods_with,
};
pub use datafly::Datafly;
pub use full_domain::FullDomain;
pub use microaggregation::Microaggregation;
pub use mondrian::Mondrian;
pub use options::{
    DEFAULT_MAX_LABEL_VALUES, Error, GroupRepresentative, LabelForm, MethodOptions, Ranges,
    SearchAim, SearchEffort,
};
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

    /// Finds a partition.
    fn partition(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<Partition, Error>;
}

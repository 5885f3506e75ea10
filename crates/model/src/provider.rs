//! Who contributed a row.

/// A provider's place among the providers in order of their names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProviderId(pub u32);

/// The providers' names, sorted, so that the order in which tables are listed leaves no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Providers(Vec<String>);

impl Providers {
    /// Sorts the names; equal names are one provider.
    pub fn new(mut names: Vec<String>) -> Self {
        names.sort();
        names.dedup();
        Providers(names)
    }

    /// How many providers there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nobody contributed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A provider's name. Private: it never goes into `public/`.
    pub fn name(&self, id: ProviderId) -> &str {
        &self.0[id.0 as usize]
    }

    /// The provider of that name.
    pub fn id(&self, name: &str) -> Option<ProviderId> {
        self.0
            .binary_search_by(|n| n.as_str().cmp(name))
            .ok()
            .map(|i| ProviderId(i as u32))
    }

    /// All names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

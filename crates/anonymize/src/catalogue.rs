//! The catalogue of methods: a method is one file and one line of [`METHODS`].
//!
//! A method says its name and what it can do in its own file ([`CataloguedMethod`]). Whoever needs
//! to know whether a method publishes cells or leaves rows out asks for the capability; nobody
//! compares names.

use crate::{
    Agglomerative, Datafly, GroupRepresentative, Method, Microaggregation, Mondrian, ProviderAware,
};

/// All methods, the default first.
pub const METHODS: &[MethodEntry] = &[
    MethodEntry::of::<Agglomerative>(),
    MethodEntry::of::<Mondrian>(),
    MethodEntry::of::<ProviderAware>(),
    MethodEntry::of::<Datafly>(),
    MethodEntry::of::<Microaggregation>(),
];

/// What a method can do, and what it needs, whatever the table and the requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// It cuts the table into cells, whose bounds can be published: [`Ranges::Cell`].
    ///
    /// [`Ranges::Cell`]: crate::Ranges::Cell
    pub cells: bool,
    /// A point can stand for a group: [`GroupRepresentative::Centroid`].
    pub centroids: bool,
    /// It leaves out up to [`MethodOptions::max_suppressed`] rows itself. What others found,
    /// [`suppress`](crate::suppress()) may improve; for this one it would put labels of its own
    /// making in place of the method's.
    ///
    /// [`MethodOptions::max_suppressed`]: crate::MethodOptions::max_suppressed
    pub suppresses: bool,
    /// All labels of a column are of one level of its hierarchy, so that a column without one can
    /// only become `*`.
    pub full_domain: bool,
    /// It hides by secret decoys which of the people that could have been published more precisely
    /// failed a constraint.
    pub decoys: bool,
    /// It searches for as long as it is told: [`MethodOptions::effort`].
    ///
    /// [`MethodOptions::effort`]: crate::MethodOptions::effort
    pub efforts: bool,
    /// What it makes small can be chosen: [`MethodOptions::aim`].
    ///
    /// [`MethodOptions::aim`]: crate::MethodOptions::aim
    pub aims: bool,
    /// It publishes sets of values: [`MethodOptions::labels`], [`MethodOptions::max_label_values`].
    ///
    /// [`MethodOptions::labels`]: crate::MethodOptions::labels
    /// [`MethodOptions::max_label_values`]: crate::MethodOptions::max_label_values
    pub sets: bool,
    /// It answers while somebody moves a slider; the others are worth waiting for.
    pub quick: bool,
}

/// A method that the catalogue lists. No item has a default: a method says everything.
pub trait CataloguedMethod: Method + Sized + 'static {
    /// The stable name, as in the policy.
    const NAME: &'static str;

    /// What it can do.
    const CAPABILITIES: Capabilities;

    /// The method, set up. An output that is not among the [`CAPABILITIES`](Self::CAPABILITIES) is
    /// not asked for.
    fn with_output(output: GroupRepresentative) -> Self;
}

/// One line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct MethodEntry {
    /// The stable name, as in the policy.
    pub name: &'static str,
    /// What the method can do.
    pub capabilities: Capabilities,
    make: fn(GroupRepresentative) -> Box<dyn Method>,
}

impl MethodEntry {
    const fn of<M: CataloguedMethod>() -> MethodEntry {
        MethodEntry {
            name: M::NAME,
            capabilities: M::CAPABILITIES,
            make: |output| Box::new(M::with_output(output)),
        }
    }

    /// The method; `None` for centroids of one that has none.
    pub fn method(&self, output: GroupRepresentative) -> Option<Box<dyn Method>> {
        if output == GroupRepresentative::Centroid && !self.capabilities.centroids {
            return None;
        }
        Some((self.make)(output))
    }
}

/// The catalogue's line about the method of that name.
pub fn method_entry(name: &str) -> Option<&'static MethodEntry> {
    METHODS.iter().find(|entry| entry.name == name)
}

/// The names of all methods, the default first.
pub fn method_names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|entry| entry.name)
}

/// The names of the methods with a capability, as a hint offers them: `a`, `a or b`.
pub fn methods_with(capability: fn(&Capabilities) -> bool) -> String {
    let mut names = Vec::new();
    for entry in METHODS {
        if capability(&entry.capabilities) {
            names.push(entry.name);
        }
    }
    names.join(" or ")
}

/// The method of that name, with what covers each group as its output.
pub fn method(name: &str) -> Option<Box<dyn Method>> {
    method_entry(name)?.method(GroupRepresentative::Range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_line_is_about_its_method() {
        for entry in METHODS {
            let method = entry.method(GroupRepresentative::Range).unwrap();
            assert_eq!(method.name(), entry.name);
            let centroids = entry.method(GroupRepresentative::Centroid);
            assert_eq!(
                centroids.is_some(),
                entry.capabilities.centroids,
                "{}",
                entry.name
            );
        }
        assert_eq!(method_names().collect::<BTreeSet<_>>().len(), METHODS.len());
        assert!(method("no-such-method").is_none());
    }

    /// A method that is not listed compiles, and nobody can ask for it.
    #[test]
    fn every_method_has_its_line() {
        let mut written = Vec::new();
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let source = std::fs::read_to_string(&path).unwrap();
                let says_so = |line: &str| line.starts_with("impl CataloguedMethod for ");
                if source.lines().any(says_so) {
                    written.push(path);
                }
            }
        }
        assert_eq!(written.len(), METHODS.len(), "{written:?}");
    }

    #[test]
    fn hints_name_what_there_is() {
        assert_eq!(methods_with(|can| can.cells), "mondrian");
        assert_eq!(methods_with(|can| can.centroids), "microaggregation");
        assert_eq!(methods_with(|can| can.decoys), "agglomerative");
    }
}

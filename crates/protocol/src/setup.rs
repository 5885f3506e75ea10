//! Everything a site brings to a session.

use crate::error::Error;
use crate::hello::{MOST_LEVELS, Offer, OfferedColumn};
use crate::identifiers::canonical_all;
use crate::terms::{Seat, Terms, to_text};
use mingle_model::{Column, HierarchySource, Missing, Role, Table};
use mingle_privacy::{Attribute, Promise};
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

/// One site's part. No `Debug`: it has the data.
pub struct Setup {
    /// Which of the two sites this is.
    pub seat: Seat,
    /// Its name, which the release will show.
    pub site: String,
    /// What both must agree on.
    pub terms: Terms,
    /// A person per row, as written in the table.
    pub identifiers: Vec<String>,
    /// The site's quasi-identifiers and sensitive columns, a row per person.
    pub table: Table,
    /// What is promised: k, and about the table's own sensitive columns.
    pub promises: Vec<Promise>,
    /// What stands for a missing value in the table.
    pub missing: Missing,
    /// SHA-256 of the certificates of site 0 and of site 1, which the session is bound to.
    pub keys: [[u8; 32]; 2],
}

/// A setup whose identifiers are canonical and whose parts fit together.
pub(crate) struct Checked {
    pub(crate) setup: Setup,
    pub(crate) identifiers: Vec<String>,
    pub(crate) offer: Offer,
    pub(crate) k: u64,
    /// A digest of the people in common, once a session has found them.
    common: OnceLock<[u8; 32]>,
}

impl Setup {
    /// Whether a session could start: errors here are this site's own and need no other site to be
    /// found.
    pub(crate) fn check(self) -> Result<Checked, Error> {
        self.terms.check()?;
        let k = self.terms.k().ok_or(Error::NoK)?;
        self.promises
            .iter()
            .try_for_each(|promise| self.terms.synchronizer.check(&promise.rule))?;
        let rows = self.table.rows();
        if rows > self.terms.padded_size as usize {
            return Err(Error::PaddedSize {
                rows,
                padded_size: self.terms.padded_size,
            });
        }
        if self.identifiers.len() != rows {
            return Err(Error::Defect("not one identifier per row"));
        }
        let identifiers = canonical_all(&self.identifiers, &self.missing)?;
        let offer = self.offer();
        if let Some(fault) = offer.fault() {
            return Err(Error::Column(format!(
                "cannot be offered to another site: {fault}"
            )));
        }
        Ok(Checked {
            identifiers,
            offer,
            k,
            setup: self,
            common: OnceLock::new(),
        })
    }

    fn offer(&self) -> Offer {
        let sensitive: Vec<&Column> = self.table.with_role(Role::Sensitive).collect();
        let promises = |column: &Column| {
            let place = sensitive
                .iter()
                .position(|c| c.spec.name == column.spec.name);
            let about = |p: &&Promise| {
                place.is_some_and(|place| p.attribute == Some(Attribute::Column(place)))
            };
            self.promises
                .iter()
                .filter(about)
                .map(|p| to_text(&p.rule))
                .collect()
        };
        let shown = |c: &&Column| matches!(c.spec.role, Role::QuasiIdentifier | Role::Sensitive);
        let column = |c: &Column| OfferedColumn {
            name: c.spec.name.clone(),
            role: c.spec.role.name().to_owned(),
            hierarchy: c.spec.hierarchy.as_ref().map(HierarchySource::describe),
            promises: promises(c),
        };
        let levels = |c: &Column| {
            c.spec
                .hierarchy
                .as_ref()
                .map_or(1, |h| h.most_levels().min(MOST_LEVELS))
        };
        let steps = self
            .table
            .with_role(Role::QuasiIdentifier)
            .map(levels)
            .sum::<usize>() as u32;
        Offer {
            site: self.site.clone(),
            columns: self
                .table
                .columns
                .iter()
                .filter(shown)
                .map(column)
                .collect(),
            steps,
        }
    }
}

impl Checked {
    /// All sessions of a run must be about the same people: the difference between the tables of
    /// two sets would tell about those by whom they differ.
    pub(crate) fn same_people_as_before(&self, people: &[(&str, u32)]) -> Result<(), Error> {
        let mut hash = Sha256::new();
        for (id, _) in people {
            hash.update((id.len() as u64).to_le_bytes());
            hash.update(id);
        }
        let found: [u8; 32] = hash.finalize().into();
        if *self.common.get_or_init(|| found) == found {
            Ok(())
        } else {
            Err(Error::OtherPeople)
        }
    }

    /// No smaller group can satisfy what this site promises.
    pub(crate) fn least(&self) -> u64 {
        self.setup
            .promises
            .iter()
            .map(|promise| promise.rule.smallest_group())
            .fold(self.k, u64::max)
    }
}

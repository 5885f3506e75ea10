//! Whether what a manifest says fits together: what serde cannot see.

use super::checksum::is_hex;
use super::{
    ColumnRole, Manifest, ManifestMeaning, ManifestProblem, PrivateManifest, ProtocolEntry,
    PublicManifest, SiteEntry, is_plain,
};
use crate::fragmented;
use mingle_model::GID;
use mingle_record::schema::{ReleasePrivateSchema, ReleaseSchema};
use mingle_record::{Judgement, WarningNotice};
use std::collections::BTreeSet;
use std::collections::HashSet;

impl Manifest for PublicManifest {
    const SCHEMA: &'static str = ReleaseSchema::TEXT;

    fn validate(&self) -> Result<(), ManifestProblem> {
        let has_data_file = self.files.iter().any(|file| file.name == self.data_file());
        let checks = [
            ("columns", columns_fit(self)),
            ("files", self.files.iter().all(is_plain)),
            ("files", has_data_file),
            ("tables", tables_fit(self)),
            ("protocol", protocol_fits(self)),
            ("people", people_fit(self)),
            ("promises", self.promises().is_some()),
            ("semantics", self.insiders().is_some()),
            ("verdict", self.verdict == Judgement::Holds),
            ("warnings", are_public(self.warnings.as_deref())),
        ];
        first_misfit(&checks)
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}

/// What tells something about the input has no place in `public/`.
pub(crate) fn are_public(warnings: Option<&[WarningNotice]>) -> bool {
    let mut warnings = warnings.unwrap_or_default().iter();
    warnings.all(|warning| warning.code.is_public_warning())
}

/// An error for the first check that does not pass.
pub(crate) fn first_misfit(checks: &[(&'static str, bool)]) -> Result<(), ManifestProblem> {
    for &(what, fits) in checks {
        if !fits {
            return Err(ManifestProblem::Inconsistent { what });
        }
    }
    Ok(())
}

/// No identifier is published, and every name stands for one column.
fn columns_fit(manifest: &PublicManifest) -> bool {
    let mut names = HashSet::new();
    for column in &manifest.columns {
        if matches!(column.role, ColumnRole::Identifier | ColumnRole::Drop)
            || !names.insert(&column.name)
        {
            return false;
        }
    }
    true
}

/// The names and columns of all tables follow from the columns; only a fragmented release lists
/// them.
fn tables_fit(manifest: &PublicManifest) -> bool {
    if !manifest.fragmented {
        return manifest.tables.is_empty();
    }
    let expected = fragmented::tables(&manifest.columns, manifest.format.name());
    for column in &manifest.columns {
        let is_fragment = matches!(
            column.role,
            ColumnRole::QuasiIdentifier | ColumnRole::Sensitive
        );
        if column.name == GID || !is_fragment {
            return false;
        }
    }
    let listed = manifest.files.iter().map(|file| &file.name);
    manifest.tables == expected && listed.eq(expected.iter().map(|table| &table.file))
}

/// What sites made together says nothing that a reader of `public/` could not check (m = 0), and
/// always has the shape of fragments.
fn protocol_fits(manifest: &PublicManifest) -> bool {
    match &manifest.protocol {
        None => true,
        Some(protocol) => is_complete(protocol) && manifest.fragmented && manifest.m == 0,
    }
}

/// Fragments and two sites count rows.
fn people_fit(manifest: &PublicManifest) -> bool {
    match &manifest.people {
        None => true,
        Some(people) => people.fits() && !manifest.fragmented && manifest.protocol.is_none(),
    }
}

/// Nothing is left out, and the sites can be told apart.
pub(crate) fn is_complete(protocol: &ProtocolEntry) -> bool {
    let enough = match &protocol.providers {
        None => protocol.sites.len() == 2,
        // a sum of two would be the other's, and two must be outside of a coalition
        Some(agreed) => {
            protocol.sites.len() >= 3 && agreed.m.saturating_add(1) < protocol.sites.len() as u64
        }
    };
    let (mut names, mut keys) = (BTreeSet::new(), BTreeSet::new());
    let mut distinct = true;
    for site in &protocol.sites {
        distinct &= names.insert(&site.name) && keys.insert(&site.key);
    }
    let texts = [
        &protocol.synchronizer,
        &protocol.leak_level,
        &protocol.session,
    ];
    texts.iter().all(|text| !text.is_empty())
        && protocol.sites.iter().all(is_named)
        && enough
        && distinct
}

fn is_named(site: &SiteEntry) -> bool {
    !site.name.is_empty() && site.key.len() == 64 && is_hex(&site.key)
}

impl Manifest for PrivateManifest {
    const SCHEMA: &'static str = ReleasePrivateSchema::TEXT;

    fn validate(&self) -> Result<(), ManifestProblem> {
        let plain = match &self.audit {
            None => true,
            Some(audit) => is_plain(&audit.file),
        };
        first_misfit(&[("audit", plain)])
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}

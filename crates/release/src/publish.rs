//! Publishing: from a verified table to a release folder, at once or not at all.

use crate::audit::{self, Key};
use crate::data::{Data, stop_if};
use crate::error::Error;
use crate::facts::Facts;
use crate::manifest::{
    self, AuditFile, FileEntry, Manifest, ManifestColumn, PrivateManifest, ProviderRows,
    PublicManifest, checksum,
};
use crate::promise_entry::entry_of;
use crate::provider_in_data;
use crate::public_policy::public_policy;
use crate::public_utility::public_utility;
use crate::reports;
use crate::staging::Staging;
use mingle_io::Format;
use mingle_model::{
    Code, Cube, GID, ProviderId, Published, Rendered, Role, SensitiveColumn, Table,
};
use mingle_privacy::{Attribute, Distance, Promise, Verified};
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Where a release goes.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The release folder; its parent must exist.
    pub folder: &'a Path,
    /// Whether a release that is there already is replaced.
    pub force: bool,
    /// Raised by someone else to give up: nothing is left behind.
    pub cancelled: &'a AtomicBool,
}

impl Target<'_> {
    /// Whether a release could be written there now, found out by trying. Nothing is left behind.
    pub fn check(&self) -> Result<(), Error> {
        Staging::new(self.folder, self.force).map(drop)
    }
}

/// What was written.
#[derive(Clone, PartialEq, Debug)]
pub struct Receipt {
    /// `public/manifest.json`.
    pub public: PublicManifest,
    /// `private/manifest.json`.
    pub private: PrivateManifest,
}

/// Told the SHA-256 of `public/manifest.json` once the whole release is on disk and before it is
/// put in its place; on an error it is not.
pub type Announce<'a> = &'a mut dyn FnMut(&str) -> Result<(), Error>;

/// Writes a release of what was verified, which must have been rendered from a cube here: its rows
/// are those of the cube's table.
///
/// On an error the target is as it was before, unless the system failed in the very last step: then
/// the release may be there, but need not survive a power cut.
pub fn publish(verified: &Verified, facts: &Facts, target: Target<'_>) -> Result<Receipt, Error> {
    publish_announced(verified, facts, target, &mut |_| Ok(()))
}

/// [`publish`] for a caller who must have written down that the release is there before it is.
pub fn publish_announced(
    verified: &Verified,
    facts: &Facts,
    target: Target<'_>,
    announce: Announce<'_>,
) -> Result<Receipt, Error> {
    let source = Source::new(verified, facts)?;
    provider_in_data::refuse(verified.published(), source.rendered)?;
    let staging = Staging::new(target.folder, target.force)?;
    stop_if(target.cancelled)?;

    let data_file = format!("data.{}", facts.format.name());
    let data = write_data(&staging, &data_file, &source, target.cancelled)?;
    let public = PublicManifest {
        files: vec![data],
        ..public_manifest(&source)
    };
    finish(staging, public, Key::Labels, &source, target, announce)
}

/// What a release is made from.
pub(crate) struct Source<'a> {
    pub(crate) verified: &'a Verified,
    /// The rows behind the publication.
    pub(crate) rendered: &'a Rendered,
    pub(crate) facts: &'a Facts,
}

impl<'a> Source<'a> {
    /// Refuses a publication without rows of its own, and a table that has a name twice.
    pub(crate) fn new(verified: &'a Verified, facts: &'a Facts) -> Result<Self, Error> {
        let rendered = verified.published().rendered().ok_or(Error::OtherTable)?;
        let mut names = HashSet::new();
        for column in &rendered.table().columns {
            if !names.insert(&column.spec.name) {
                return Err(Error::TwoColumns {
                    column: column.spec.name.clone(),
                });
            }
        }
        Ok(Source {
            verified,
            rendered,
            facts,
        })
    }

    pub(crate) fn table(&self) -> &'a Table {
        self.rendered.table()
    }
}

/// Adds the manifests, the audit and the reports to what is staged, and puts the release in its
/// place.
pub(crate) fn finish(
    staging: Staging,
    mut public: PublicManifest,
    key: Key,
    source: &Source<'_>,
    target: Target<'_>,
    announce: Announce<'_>,
) -> Result<Receipt, Error> {
    let public_bytes = manifest::seal(&mut public);
    staging.write("public/manifest.json", &public_bytes)?;
    let audit = write_audit(&staging, source.verified.published(), key, target.cancelled)?;
    let sha256 = checksum::sha256(&public_bytes);
    let mut private = private_manifest(source, audit, sha256.clone());
    let private_bytes = manifest::seal(&mut private);
    staging.write("private/manifest.json", &private_bytes)?;
    stop_if(target.cancelled)?;
    reports::stage(&staging, source.facts.reports)?;
    staging.flush()?;
    stop_if(target.cancelled)?;
    announce(&sha256)?;
    staging.commit()?;
    Ok(Receipt { public, private })
}

fn write_data(
    staging: &Staging,
    name: &str,
    source: &Source<'_>,
    cancelled: &AtomicBool,
) -> Result<FileEntry, Error> {
    let file = format!("public/{name}");
    let rows = Data::new(source.verified.published(), source.rendered)?;
    let writer = rows.write(
        source.facts.format,
        staging.create(&file)?,
        &staging.path(&file),
        cancelled,
    )?;
    Ok(FileEntry::new(name, staging.close(&file, writer)?))
}

fn write_audit(
    staging: &Staging,
    published: &Published,
    key: Key,
    cancelled: &AtomicBool,
) -> Result<AuditFile, Error> {
    let file = format!("private/{}", audit::FILE);
    let names = audit::Names::new(published);
    let writer = audit::write(
        published,
        &names,
        key,
        staging.create(&file)?,
        &staging.path(&file),
        cancelled,
    )?;
    let file = FileEntry::new(audit::FILE, staging.close(&file, writer)?);
    let gid_column = (key == Key::Gid).then(|| GID.to_owned());
    Ok(AuditFile {
        file,
        gid_column,
        provider_column: names.provider,
        count_column: names.count,
    })
}

/// Everything but the files.
pub(crate) fn public_manifest(source: &Source<'_>) -> PublicManifest {
    let Source {
        verified, facts, ..
    } = source;
    let published = verified.published();
    let sensitive: Vec<&str> = published
        .sensitive()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    let insiders = verified.verification().insiders();
    PublicManifest {
        schema: PublicManifest::SCHEMA.to_owned(),
        tool: tool(facts),
        rows: published.rows(),
        groups: published.groups() as u64,
        fragmented: false,
        columns: columns(published, source.table(), verified.promises()),
        tables: Vec::new(),
        missing: facts.missing.texts().first().cloned(),
        promises: verified
            .promises()
            .iter()
            .map(|p| entry_of(p, &sensitive))
            .collect(),
        m: insiders.m,
        semantics: insiders.semantics.name().to_owned(),
        site_diversity: insiders.semantics.site_diversity(),
        verdict: "holds".to_owned(),
        method: facts.method.clone(),
        protocol: None,
        ranges: facts.ranges.clone(),
        format: facts.format.name().to_owned(),
        formula_guard: (facts.format == Format::Csv)
            .then(|| PublicManifest::FORMULA_GUARD.to_owned()),
        files: Vec::new(),
        policy: public_policy(&facts.policy),
        utility: facts
            .utility
            .as_ref()
            .filter(|_| facts.publish_utility)
            .map(public_utility),
        checksum: String::new(),
    }
}

fn tool(facts: &Facts) -> String {
    format!("mingle {}", facts.tool_version)
}

/// The published columns; where a promise needs an order or a hierarchy, with that.
fn columns(published: &Published, table: &Table, promises: &[Promise]) -> Vec<ManifestColumn> {
    let shown = table
        .columns
        .iter()
        .filter(|c| c.spec.role != Role::Identifier);
    let mut columns: Vec<ManifestColumn> = shown.map(ManifestColumn::new).collect();
    for promise in promises {
        let (Some(distance), Some(Attribute::Column(place))) =
            (promise.rule.distance(), promise.attribute)
        else {
            continue;
        };
        let sensitive = &published.sensitive()[place];
        let Some(column) = columns.iter_mut().find(|c| c.name == sensitive.name) else {
            continue;
        };
        let used = used(published, sensitive);
        let is_published = |code: Code| used[code as usize];
        match distance {
            Distance::Equal => {}
            Distance::Ordered => column.add_order(&sensitive.domain, is_published),
            Distance::Hierarchical => column.add_hierarchy(&sensitive.domain, is_published),
        }
    }
    columns
}

/// Which values of a sensitive column some published row has.
fn used(published: &Published, column: &SensitiveColumn) -> Vec<bool> {
    let mut used = vec![false; column.domain.len()];
    for entry in (0..published.groups()).flat_map(|group| published.entries(group)) {
        used[column.codes.get(entry.sensitive as usize) as usize] = true;
    }
    used
}

fn private_manifest(
    source: &Source<'_>,
    audit: AuditFile,
    public_manifest: String,
) -> PrivateManifest {
    let Source {
        verified, facts, ..
    } = source;
    let published = verified.published();
    let attack = verified.verification().attack_number();
    PrivateManifest {
        schema: PrivateManifest::SCHEMA.to_owned(),
        tool: tool(facts),
        public_manifest,
        providers: provider_rows(published, source.rendered.cube()),
        suppressed_rows: published.suppressed(),
        attack_number: attack.found,
        attack_number_undecided: attack.open,
        seed: facts.seed,
        inputs: facts
            .inputs
            .iter()
            .map(|i| FileEntry::new(&i.name, i.hash.clone()))
            .collect(),
        audit: Some(audit),
        site: None,
        utility: facts.utility.clone(),
        distributions: facts.distributions.clone(),
        composition: facts.composition.clone(),
        warnings: facts.warnings.clone(),
        policy: facts.policy.clone(),
        checksum: String::new(),
    }
}

fn provider_rows(published: &Published, cube: &Cube) -> Vec<ProviderRows> {
    let rows = cube.rows_of_providers();
    let mut published_rows = vec![0; rows.len()];
    for entry in (0..published.groups()).flat_map(|group| published.entries(group)) {
        published_rows[entry.provider.0 as usize] += entry.count;
    }
    let of = |(id, (rows, published_rows)): (u32, (u64, u64))| ProviderRows {
        name: cube.providers().name(ProviderId(id)).to_owned(),
        rows,
        published_rows,
    };
    (0..)
        .zip(rows.into_iter().zip(published_rows))
        .map(of)
        .collect()
}

//! A release of groups in one table: from what was verified to a bundle.

use crate::audit::{self, Key};
use crate::bundle::{AuditColumns, Bundle, GroupedBundle, GroupedManifests, Part};
use crate::data::Data;
use crate::error::Error;
use crate::facts::{Facts, input_entries};
use crate::manifest::column::{add_hierarchy, add_order};
use crate::manifest::{
    ManifestColumn, PrivateManifest, ProviderRows, PublicManifest, StatedSemantics, column_entry,
    format_entry,
};
use crate::promise_entry::entry_of;
use crate::provider_in_data;
use crate::public_policy::public_policy;
use crate::public_utility::public_utility;
use mingle_io::Format;
use mingle_model::{Code, Cube, GID, ProviderId, Published, Role, SensitiveColumn, Table};
use mingle_privacy::{Attribute, Distance, Promise, Semantics, Verified};
use mingle_record::utility::PublicUtility;
use std::collections::HashSet;

impl<'a> Bundle<'a, GroupedManifests> {
    /// A release of what was verified, in one table.
    ///
    /// `table` and `cube` are those from which the publication was made.
    pub fn grouped(
        verified: &'a Verified,
        table: &'a Table,
        cube: &'a Cube,
        facts: &Facts,
    ) -> Result<GroupedBundle<'a>, Error> {
        let published = verified.published();
        check_belongs(published, table, cube)?;
        provider_in_data::refuse(published, table, cube)?;
        let format = facts.format;
        let data = Part::new(format!("data.{}", format.name()), move |out, rendering| {
            let rows = Data::new(published, table, cube)?;
            rows.write(format, out, rendering.path, rendering.cancelled)
        });
        Ok(Bundle {
            tables: vec![data],
            audit: Some(audit_part(published, Key::Labels)),
            manifests: manifests(verified, table, facts, Key::Labels),
            reports: facts.reports,
            needs_reports: true,
        })
    }
}

/// Who contributed what to each group.
pub(crate) fn audit_part(published: &Published, key: Key) -> Part<'_> {
    Part::new(audit::FILE, move |out, rendering| {
        let names = audit::Names::new(published);
        audit::write(published, &names, key, out, rendering)
    })
}

/// Both manifests, without files and hashes.
pub(crate) fn manifests(
    verified: &Verified,
    table: &Table,
    facts: &Facts,
    key: Key,
) -> GroupedManifests {
    let names = audit::Names::new(verified.published());
    GroupedManifests {
        public: public_manifest(verified, table, facts),
        private: private_manifest(verified, table, facts),
        audit: Some(AuditColumns {
            gid: (key == Key::Gid).then(|| GID.to_owned()),
            provider: names.provider,
            count: names.count,
        }),
    }
}

/// A publication of another table would pair labels with rows that they do not cover.
pub(crate) fn check_belongs(
    published: &Published,
    table: &Table,
    cube: &Cube,
) -> Result<(), Error> {
    let mut names = HashSet::new();
    if let Some(twice) = table.columns.iter().find(|c| !names.insert(&c.spec.name)) {
        return Err(Error::TwoColumns {
            column: twice.spec.name.clone(),
        });
    }
    let of_role = |role| table.with_role(role).map(|c| c.spec.name.as_str());
    let belongs = published.group_of().len() == cube.records().len()
        && table.rows() as u64 == cube.rows()
        && published.rows() + published.suppressed() == cube.rows()
        && published.providers() == cube.providers()
        && published.providers() == &table.providers
        && of_role(Role::QuasiIdentifier).eq(published.columns().iter().map(|c| c.name.as_str()))
        && of_role(Role::Sensitive).eq(published.sensitive().iter().map(|c| c.name.as_str()));
    if belongs {
        Ok(())
    } else {
        Err(Error::OtherTable)
    }
}

/// Everything but the files.
pub(crate) fn public_manifest(verified: &Verified, table: &Table, facts: &Facts) -> PublicManifest {
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
        columns: columns(published, table, verified.promises()),
        tables: Vec::new(),
        missing: facts.missing.texts().first().cloned(),
        promises: verified
            .promises()
            .iter()
            .map(|p| entry_of(p, &sensitive))
            .collect(),
        m: insiders.m,
        semantics: stated_semantics(insiders.semantics),
        site_diversity: insiders.semantics.site_diversity(),
        verdict: "holds".to_owned(),
        method: facts.method.clone(),
        protocol: None,
        ranges: facts.ranges.clone(),
        format: format_entry(facts.format),
        formula_guard: (facts.format == Format::Csv)
            .then(|| PublicManifest::FORMULA_GUARD.to_owned()),
        files: Vec::new(),
        policy: public_policy(&facts.policy),
        utility: published_figures(facts),
        checksum: String::new(),
    }
}

/// The chosen figures, where the policy publishes any.
fn published_figures(facts: &Facts) -> Option<PublicUtility> {
    if !facts.publish_utility {
        return None;
    }
    facts.utility.as_ref().map(public_utility)
}

/// How a manifest calls what a group with few contributors counts as.
pub(crate) fn stated_semantics(semantics: Semantics) -> StatedSemantics {
    match semantics {
        Semantics::Victim => StatedSemantics::Victim,
        Semantics::Strict { .. } => StatedSemantics::Strict,
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
    let mut columns: Vec<ManifestColumn> = shown.map(column_entry).collect();
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
            Distance::Ordered => add_order(column, &sensitive.domain, is_published),
            Distance::Hierarchical => add_hierarchy(column, &sensitive.domain, is_published),
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

fn private_manifest(verified: &Verified, table: &Table, facts: &Facts) -> PrivateManifest {
    let published = verified.published();
    let attack = verified.verification().attack_number();
    PrivateManifest {
        schema: PrivateManifest::SCHEMA.to_owned(),
        tool: tool(facts),
        public_manifest: String::new(),
        providers: provider_rows(published, table),
        suppressed_rows: published.suppressed(),
        attack_number: attack.found,
        attack_number_undecided: attack.open,
        seed: facts.seed,
        inputs: input_entries(&facts.inputs),
        audit: None,
        site: None,
        utility: facts.utility.clone(),
        distributions: facts.distributions.clone(),
        composition: facts.composition.clone(),
        warnings: facts.warnings.clone(),
        policy: Some(facts.policy.clone()),
        checksum: String::new(),
    }
}

/// Rows by provider: as they were read, and as they are published.
fn provider_rows(published: &Published, table: &Table) -> Vec<ProviderRows> {
    let mut rows = vec![0; table.providers.len()];
    for provider in table.provider_of.iter() {
        rows[provider as usize] += 1;
    }
    let mut published_rows = vec![0; rows.len()];
    for group in 0..published.groups() {
        for entry in published.entries(group) {
            published_rows[entry.provider.0 as usize] += entry.count;
        }
    }
    let mut providers = Vec::with_capacity(rows.len());
    for (provider, (rows, published_rows)) in rows.into_iter().zip(published_rows).enumerate() {
        let id = ProviderId(provider as u32);
        providers.push(ProviderRows {
            name: table.providers.name(id).to_owned(),
            rows,
            published_rows,
        });
    }
    providers
}

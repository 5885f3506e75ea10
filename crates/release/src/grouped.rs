//! A release of groups in one table: from what was verified to a bundle.

use crate::audit::{self, Key};
use crate::bundle::{AuditColumns, Bundle, GroupedBundle, GroupedManifests, Part};
use crate::data::Data;
use crate::error::Error;
use crate::facts::{Facts, input_entries};
use crate::manifest::column::{add_hierarchy, add_order};
use crate::manifest::{
    AuditPeople, ManifestColumn, PrivateManifest, ProviderRows, PublicManifest, column_entry,
    format_entry, semantics_stated,
};
use crate::people;
use crate::promise_entry::entry_of;
use crate::provider_in_data;
use crate::public_policy::public_policy;
use crate::public_utility::public_utility;
use crate::warnings;
use mingle_io::Format;
use mingle_model::{Code, Cube, GID, ProviderId, Published, Rendered, SensitiveColumn, Table};
use mingle_privacy::{Attribute, Distance, Promise, Verified};
use mingle_record::Judgement;
use mingle_record::schema::{ReleasePrivateSchema, ReleaseSchema};
use mingle_record::utility::PublicUtility;
use std::collections::{BTreeMap, HashSet};

impl<'a> Bundle<'a, GroupedManifests> {
    /// A release of what was verified, in one table. It must have been rendered from a cube here:
    /// its rows are those of the cube's table.
    pub fn grouped(verified: &'a Verified, facts: &Facts) -> Result<GroupedBundle<'a>, Error> {
        let published = verified.published();
        let rendered = rows_behind(published)?;
        provider_in_data::refuse(published, rendered)?;
        let format = facts.format;
        let data = Part::new(format!("data.{}", format.name()), move |out, rendering| {
            let rows = Data::new(published, rendered)?;
            rows.write(format, out, rendering.path, rendering.cancelled)
        });
        Ok(Bundle {
            tables: vec![data],
            audit: Some(audit_part(published, Key::Labels)),
            manifests: manifests(verified, rendered, facts, Key::Labels)?,
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
    rendered: &Rendered,
    facts: &Facts,
    key: Key,
) -> Result<GroupedManifests, Error> {
    let published = verified.published();
    people::refuse_unsaid(verified, facts.people.as_ref())?;
    let names = audit::Names::new(published);
    let mut public = public_manifest(verified, rendered.table(), facts);
    public.fragmented = key == Key::Gid;
    public.warnings = Some(warnings::of_groups(&public, &warnings::shown_by(rendered)?));
    Ok(GroupedManifests {
        public,
        private: private_manifest(verified, rendered.cube(), facts),
        audit: Some(AuditColumns {
            gid: (key == Key::Gid).then(|| GID.to_owned()),
            provider: names.provider,
            count: names.count,
            people: published.people().map(|_| AuditPeople {
                kind_column: names.kind,
                people_column: names.people,
                rows_each_column: names.rows_each,
            }),
        }),
    })
}

/// The rows of a publication. What some tool has written has none, and a table that has a name
/// twice cannot be published.
pub(crate) fn rows_behind(published: &Published) -> Result<&Rendered, Error> {
    let rendered = published.rendered().ok_or(Error::OtherTable)?;
    let mut names = HashSet::new();
    for column in &rendered.table().columns {
        if !names.insert(&column.spec.name) {
            return Err(Error::TwoColumns {
                column: column.spec.name.clone(),
            });
        }
    }
    Ok(rendered)
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
        schema: ReleaseSchema,
        tool: tool(facts),
        rows: published.rows(),
        groups: published.groups() as u64,
        fragmented: false,
        columns: columns(published, table, verified.promises()),
        tables: Vec::new(),
        missing: facts.missing.texts().first().cloned(),
        people: facts.people,
        promises: verified
            .promises()
            .iter()
            .map(|p| entry_of(p, &sensitive))
            .collect(),
        m: insiders.m.0,
        semantics: semantics_stated(insiders.semantics),
        site_diversity: insiders.semantics.site_diversity(),
        verdict: Judgement::Holds,
        method: facts.method.clone(),
        protocol: None,
        ranges: facts.ranges.clone(),
        format: format_entry(facts.format),
        formula_guard: (facts.format == Format::Csv)
            .then(|| PublicManifest::FORMULA_GUARD.to_owned()),
        files: Vec::new(),
        policy: public_policy(&facts.policy),
        utility: published_figures(facts),
        warnings: None,
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

pub(crate) fn tool(facts: &Facts) -> String {
    format!("mingle {}", facts.tool_version)
}

/// The published columns; where a promise needs an order or a hierarchy, with that.
fn columns(published: &Published, table: &Table, promises: &[Promise]) -> Vec<ManifestColumn> {
    let shown = table.columns.iter().filter(|c| c.spec.role.is_published());
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

fn private_manifest(verified: &Verified, cube: &Cube, facts: &Facts) -> PrivateManifest {
    let published = verified.published();
    let attack = verified.verification().attack_number();
    PrivateManifest {
        schema: ReleasePrivateSchema,
        tool: tool(facts),
        public_manifest: String::new(),
        providers: provider_rows(published, cube, &facts.left_out_before),
        suppressed_rows: published.suppressed() + facts.left_out_before.values().sum::<u64>(),
        people: facts
            .people
            .map(|entry| people::people_counts(published, &entry)),
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
fn provider_rows(
    published: &Published,
    cube: &Cube,
    left_out_before: &BTreeMap<String, u64>,
) -> Vec<ProviderRows> {
    let rows = cube.rows_of_providers();
    let published_rows = published.rows_by_provider();
    let mut providers = Vec::with_capacity(rows.len());
    for (provider, (rows, published_rows)) in rows.into_iter().zip(published_rows).enumerate() {
        let name = cube.providers().name(ProviderId(provider as u32));
        let left_out = left_out_before.get(name).copied().unwrap_or(0);
        providers.push(ProviderRows {
            name: name.to_owned(),
            rows: rows + left_out,
            published_rows,
        });
    }
    providers
}

//! Joint releases: what two sites, or n providers, made together and all publish, the same bytes at
//! all ends.
//!
//! Neither site may publish what the other does not, and either may stop at any moment. So writing
//! has two phases: a site [`stage`]s the whole release next to its place, flushed to the disk under
//! a name that follows from the session, and tells the other the digest of `public/manifest.json`,
//! which holds the hashes of all other files. Once both have said the same and signed it,
//! [`Staged::commit`] adds the signatures and renames. What is staged survives a crash:
//! [`Staged::reopen`] finds it again, and [`committed`] tells a site that it was faster than its
//! own journal.
//!
//! `public/` follows from the fragments, the manifest's columns and the public policy: nothing in
//! it depends on which of the two wrote it, or when. `private/` has a manifest of the site's own
//! and no audit, because neither site knows who else's values belong to its people.

mod signatures;
mod staged;

pub(crate) use signatures::{
    FILE as SIGNATURES_FILE, SignatureProblem, check as check_signatures, from_hex as digest,
};
pub use signatures::{SiteSignature, is_signed, provider_signed_bytes, signed_bytes};
pub use staged::{Staged, committed};

use crate::bundle::{Bundle, GroupedBundle, GroupedManifests, ReleaseManifests};
use crate::error::Error;
use crate::facts::{InputFile, input_entries};
use crate::fragmented::{tables, write};
use crate::manifest::column::{add_hierarchy, add_order};
use crate::manifest::semantics_stated;
use crate::manifest::{
    ColumnRole, ManifestColumn, PrivateManifest, ProtocolEntry, PublicManifest, TableEntry,
    format_entry,
};
use crate::noisy::NoisyFacts;
use crate::promise_entry::entry_of;
use crate::reports::Render;
use crate::staging::Staging;
use crate::warnings;
use mingle_dp::Output;
use mingle_io::Format;
use mingle_model::{Code, Fragments};
use mingle_privacy::{Attribute, Distance, Insiders, Promise, VerifiedFragments};
use mingle_record::policy_document::PolicyDocument;
use mingle_record::schema::{ReleasePrivateSchema, ReleaseSchema};
use mingle_record::{Judgement, RecordedWarning};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Everything that a joint release is made from. All but `private` must be the same at both sites.
pub struct Joint {
    /// What both found and each verified.
    pub fragments: VerifiedFragments,
    /// How they found it.
    pub protocol: ProtocolEntry,
    /// The columns of both, in the order of the manifest: the fragments' quasi-identifiers and
    /// sensitive attributes in their orders. What t-closeness needs beyond the values is added from
    /// the fragments.
    pub columns: Vec<ManifestColumn>,
    /// How a missing value is written.
    pub missing: Option<String>,
    /// What of the policies is public, the same at both ends. Taken as it is.
    pub policy: PolicyDocument,
    /// The anonymizer's name.
    pub method: String,
    /// How the labels' ends were chosen.
    pub ranges: String,
    /// How the tables are written.
    pub format: Format,
    /// The program's version.
    pub tool_version: String,
    /// What makes the reports; without, there are none.
    pub reports: Option<Render>,
    /// What this site keeps to itself.
    pub private: PrivateFacts,
}

/// What a site keeps to itself.
#[derive(Clone)]
pub struct PrivateFacts {
    /// The site's name.
    pub site: String,
    /// The files that it read.
    pub inputs: Vec<InputFile>,
    /// What its steward was warned of.
    pub warnings: Vec<RecordedWarning>,
    /// Its whole policy, where it has one.
    pub policy: Option<PolicyDocument>,
}

/// Writes everything but the signatures into a staging folder next to `folder`, flushed to the
/// disk, which survives a crash.
///
/// Staging the same release again finds the first one; another result of the same session is an
/// error. On any error `folder` is as it was before.
pub fn stage(joint: &Joint, folder: &Path, session: &str) -> Result<Staged, Error> {
    if joint.protocol.session != session {
        return Err(Error::OtherSession {
            path: folder.to_owned(),
        });
    }
    keep_staged(&Bundle::joint(joint)?, folder, session)
}

/// The same for what n providers made with noise: `facts` says how, and what it was paid with.
pub fn stage_noisy(
    output: &Output,
    facts: &NoisyFacts,
    folder: &Path,
    session: &str,
) -> Result<Staged, Error> {
    let is_of_session = |protocol: &ProtocolEntry| protocol.session == session;
    if !facts.protocol.as_ref().is_some_and(is_of_session) {
        return Err(Error::OtherSession {
            path: folder.to_owned(),
        });
    }
    keep_staged(&Bundle::noisy(output, facts)?, folder, session)
}

fn keep_staged<M: ReleaseManifests>(
    bundle: &Bundle<'_, M>,
    folder: &Path,
    session: &str,
) -> Result<Staged, Error> {
    // an old release is replaced by the commit, if at all
    let mut staging = Staging::new(folder, true)?;
    let filled = bundle.stage(&mut staging, &AtomicBool::new(false))?;
    filled.manifests.check_public()?;
    bundle.report(&staging)?;
    Staged::keep(staging, folder, session, filled.sha256)
}

impl<'a> Bundle<'a, GroupedManifests> {
    /// A release of what two sites made, without their signatures.
    pub fn joint(joint: &'a Joint) -> Result<GroupedBundle<'a>, Error> {
        let columns = columns(joint);
        check_columns(&columns, joint.fragments.fragments())?;
        let tables = tables(&columns, joint.format.name());
        let layout = write::Layout {
            columns: columns.clone(),
            missing: joint.missing.clone(),
            format: joint.format,
        };
        let parts = write::parts(joint.fragments.fragments(), &layout, &tables)?;
        Ok(Bundle {
            tables: parts,
            audit: None,
            manifests: GroupedManifests {
                public: public_manifest(joint, columns, tables),
                private: private_manifest(joint),
                audit: None,
            },
            reports: joint.reports,
            needs_reports: true,
        })
    }
}

/// Columns of other data would be published under labels that are not theirs.
fn check_columns(columns: &[ManifestColumn], fragments: &Fragments) -> Result<(), Error> {
    let of_role = |role| {
        columns
            .iter()
            .filter(move |c| c.role == role)
            .map(|c| c.name.as_str())
    };
    let fits = of_role(ColumnRole::QuasiIdentifier)
        .eq(fragments.quasi_identifiers().iter().map(String::as_str))
        && of_role(ColumnRole::Sensitive).eq(fragments.sensitive().iter().map(|c| c.name.as_str()))
        && columns.len() == fragments.quasi_identifiers().len() + fragments.sensitive().len();
    if fits { Ok(()) } else { Err(Error::Columns) }
}

/// The columns; where a promise needs an order or a hierarchy, with that.
fn columns(joint: &Joint) -> Vec<ManifestColumn> {
    let mut columns = joint.columns.clone();
    for promise in joint.fragments.promises() {
        if let (Some(distance), Some(Attribute::Column(place))) =
            (promise.rule.distance(), promise.attribute)
        {
            add_distance(&mut columns, joint.fragments.fragments(), place, distance);
        }
    }
    columns
}

fn add_distance(
    columns: &mut [ManifestColumn],
    fragments: &Fragments,
    place: usize,
    distance: Distance,
) {
    let sensitive = &fragments.sensitive()[place];
    let Some(column) = columns.iter_mut().find(|c| c.name == sensitive.name) else {
        return;
    };
    let mut used = vec![false; sensitive.domain.len()];
    let values = fragments
        .groups()
        .iter()
        .flat_map(|group| &group.values[place]);
    values.for_each(|&(code, _)| used[code as usize] = true);
    let is_published = |code: Code| used[code as usize];
    match distance {
        Distance::Equal => {}
        Distance::Ordered => add_order(column, &sensitive.domain, is_published),
        Distance::Hierarchical => {
            add_hierarchy(column, &sensitive.domain, is_published);
            // each site may know the values in another order
            column
                .hierarchy_rows
                .iter_mut()
                .for_each(|rows| rows.sort_unstable());
        }
    }
}

fn public_manifest(
    joint: &Joint,
    columns: Vec<ManifestColumn>,
    tables: Vec<TableEntry>,
) -> PublicManifest {
    let fragments = joint.fragments.fragments();
    let sensitive: Vec<&str> = fragments
        .sensitive()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    let promise = |p: &Promise| entry_of(p, &sensitive);
    let mut manifest = PublicManifest {
        schema: ReleaseSchema,
        tool: format!("mingle {}", joint.tool_version),
        rows: fragments.rows(),
        groups: fragments.groups().len() as u64,
        fragmented: true,
        columns,
        tables,
        missing: joint.missing.clone(),
        people: None,
        promises: joint.fragments.promises().iter().map(promise).collect(),
        m: Insiders::NONE.m.0,
        semantics: semantics_stated(Insiders::NONE.semantics),
        site_diversity: None,
        verdict: Judgement::Holds,
        method: joint.method.clone(),
        protocol: Some(joint.protocol.clone()),
        ranges: joint.ranges.clone(),
        format: format_entry(joint.format),
        formula_guard: (joint.format == Format::Csv)
            .then(|| PublicManifest::FORMULA_GUARD.to_owned()),
        files: Vec::new(),
        policy: joint.policy.clone(),
        utility: None,
        warnings: None,
        checksum: String::new(),
    };
    // fragments have no insensitive column
    manifest.warnings = Some(warnings::of_groups(&manifest, &[]));
    manifest
}

fn private_manifest(joint: &Joint) -> PrivateManifest {
    let private = &joint.private;
    PrivateManifest {
        schema: ReleasePrivateSchema,
        tool: format!("mingle {}", joint.tool_version),
        public_manifest: String::new(),
        providers: Vec::new(),
        suppressed_rows: joint.fragments.fragments().suppressed(),
        people: None,
        attack_number: None,
        attack_number_undecided: false,
        seed: 0,
        inputs: input_entries(&private.inputs),
        audit: None,
        site: Some(private.site.clone()),
        utility: None,
        distributions: None,
        composition: None,
        warnings: private.warnings.clone(),
        policy: private.policy.clone(),
        checksum: String::new(),
    }
}

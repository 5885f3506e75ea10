//! A release that was made and verified in parts, put together in one folder.
//!
//! No machine has the whole table, so nobody has a [`Verified`](mingle_privacy::Verified) of all of
//! it: the licence is a [`VerifiedParts`](mingle_privacy::VerifiedParts), which says that every
//! group was verified with all of its rows, and how many rows they were together. What is written
//! is counted again on the way, and must be as many rows, each once and in order. Rows come as codes
//! into dictionaries of texts, one after the other, so that memory is that of the distinct texts.

use crate::audit::FILE as AUDIT_FILE;
use crate::bundle::{
    AuditColumns, Bundle, GroupedBundle, GroupedManifests, Part, PartWriter, Rendering,
};
use crate::data::stop_if;
use crate::error::Error;
use crate::facts::{Facts, input_entries};
use crate::grouped::tool;
use crate::manifest::{
    ManifestColumn, PrivateManifest, ProviderRows, PublicManifest, format_entry, semantics_stated,
};
use crate::promise_entry::entry_of;
use crate::public_policy::public_policy;
use crate::warnings::{self, ShownValues};
use mingle_io::{Format, OutColumn, RowWriter};
use mingle_model::Code;
use mingle_privacy::VerifiedParts;
use mingle_record::Judgement;
use mingle_record::schema::{ReleasePrivateSchema, ReleaseSchema};
use std::sync::{Mutex, PoisonError};

/// Rows in their order: codes into the dictionaries, and how often each row occurs. `None` in place
/// of a row says that whoever sends them cannot go on.
pub type CodedRows<'a> = Box<dyn Iterator<Item = Option<(Vec<Code>, u64)>> + Send + 'a>;

/// One of the tables.
pub struct AssembledTable<'a> {
    /// The columns, with all texts that some row has, in their order.
    pub columns: Vec<OutColumn>,
    /// The rows in order, each once; the order is that of the codes.
    pub rows: Mutex<Option<CodedRows<'a>>>,
    /// How many rows there must be, each as often as it occurs.
    pub expected: u64,
    /// How a row that occurs several times is written.
    pub repeats: RowRepeats,
}

/// How a row that occurs several times is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowRepeats {
    /// As often as it occurs.
    Written,
    /// Once: one of its columns says how often it occurs.
    Counted,
}

/// Everything that a release in parts is made of.
pub struct AssembledParts<'a> {
    /// The licence.
    pub verified: VerifiedParts,
    /// What is handed out.
    pub data: AssembledTable<'a>,
    /// Who contributed what; its columns are the quasi-identifiers, the provider, the sensitive
    /// columns and the count.
    pub audit: AssembledTable<'a>,
    /// The published columns.
    pub columns: Vec<ManifestColumn>,
    /// The names of the sensitive columns.
    pub sensitive: Vec<String>,
    /// The names of the columns of the audit that say who and how many.
    pub audit_names: [String; 2],
    /// What the insensitive columns show.
    pub shown: Vec<ShownValues>,
    /// Rows by provider, as they were read and as they are published.
    pub providers: Vec<ProviderRows>,
    /// How many rows were left out.
    pub suppressed: u64,
}

impl<'a> Bundle<'a, GroupedManifests> {
    /// A release of what was verified in parts.
    pub fn assembled(parts: AssembledParts<'a>, facts: &Facts) -> GroupedBundle<'a> {
        let format = facts.format;
        let manifests = GroupedManifests {
            public: public_manifest(&parts, facts),
            private: private_manifest(&parts, facts),
            audit: Some(AuditColumns {
                gid: None,
                provider: parts.audit_names[0].clone(),
                count: parts.audit_names[1].clone(),
                people: None,
            }),
        };
        let AssembledParts { data, audit, .. } = parts;
        Bundle {
            tables: vec![part(format!("data.{}", format.name()), format, data)],
            audit: Some(part(AUDIT_FILE.to_owned(), Format::Parquet, audit)),
            manifests,
            reports: facts.reports,
            needs_reports: false,
        }
    }
}

fn part(name: String, format: Format, table: AssembledTable<'_>) -> Part<'_> {
    Part::new(name, move |out, rendering| {
        write(&table, format, out, rendering)
    })
}

fn write(
    table: &AssembledTable<'_>,
    format: Format,
    out: PartWriter,
    rendering: &Rendering<'_>,
) -> Result<PartWriter, Error> {
    let failed = Error::encode(rendering.path);
    let taken = table
        .rows
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let rows = taken.ok_or(Error::PartsDiffer)?;
    let mut writer = RowWriter::new(format, out, table.columns.clone()).map_err(&failed)?;
    let mut written = 0u64;
    let mut before: Option<Vec<Code>> = None;
    for (number, row) in rows.enumerate() {
        let (codes, count) = row.ok_or(Error::PartsDiffer)?;
        // a part that is there twice, or in the wrong place, shows in the order
        if before.as_ref().is_some_and(|before| *before >= codes) || count == 0 {
            return Err(Error::PartsDiffer);
        }
        if number.is_multiple_of(1 << 12) {
            stop_if(rendering.cancelled)?;
        }
        let times = match table.repeats {
            RowRepeats::Written => count,
            RowRepeats::Counted => 1,
        };
        writer.row(&codes, times).map_err(&failed)?;
        written = written.checked_add(count).ok_or(Error::PartsDiffer)?;
        before = Some(codes);
    }
    if written != table.expected {
        return Err(Error::PartsDiffer);
    }
    writer.finish().map_err(&failed)
}

fn public_manifest(parts: &AssembledParts<'_>, facts: &Facts) -> PublicManifest {
    let sensitive: Vec<&str> = parts.sensitive.iter().map(String::as_str).collect();
    let verified = &parts.verified;
    let insiders = verified.insiders();
    let mut public = PublicManifest {
        schema: ReleaseSchema,
        tool: tool(facts),
        rows: verified.rows(),
        groups: verified.groups(),
        fragmented: false,
        columns: parts.columns.clone(),
        tables: Vec::new(),
        missing: facts.missing.texts().first().cloned(),
        people: facts.people,
        promises: verified
            .promises()
            .iter()
            .map(|promise| entry_of(promise, &sensitive))
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
        utility: None,
        warnings: None,
        checksum: String::new(),
    };
    public.warnings = Some(warnings::of_groups(&public, &parts.shown));
    public
}

fn private_manifest(parts: &AssembledParts<'_>, facts: &Facts) -> PrivateManifest {
    let everyone = (parts.providers.len() as u64).saturating_sub(1);
    PrivateManifest {
        schema: ReleasePrivateSchema,
        tool: tool(facts),
        public_manifest: String::new(),
        providers: parts.providers.clone(),
        suppressed_rows: parts.suppressed,
        people: None,
        attack_number: None,
        // nobody looked beyond the stated number of insiders
        attack_number_undecided: parts.verified.insiders().m.0 < everyone,
        seed: facts.seed,
        inputs: input_entries(&facts.inputs),
        audit: None,
        site: None,
        utility: None,
        distributions: None,
        composition: None,
        warnings: facts.warnings.clone(),
        policy: Some(facts.policy.clone()),
        checksum: String::new(),
    }
}

//! What a report says, before it looks like anything: plain figures and sentences for a page and a
//! terminal alike.
//!
//! [`PublicFacts`] follow from the files in `public/` alone. Promises are decided anew from the
//! published rows for the outsider; for insiders the manifest's statement is repeated, because
//! nobody can check it without knowing who contributed what. [`StewardFacts`] add what the private
//! part knows, and decide the promises against insiders from the audit.

mod checklist;
mod choices;
mod columns;
mod composition;
mod coverage;
mod exposure;
mod noise;
mod open_values;
mod people;
mod policy;
mod private;
mod promises;
mod tables;
mod utility;
mod words;

pub(crate) use choices::limit_name;
pub use people::people_lines;
pub use private::StewardFacts;
pub use words::has_decoys;

use crate::error::Error;
use crate::number::whole;
use coverage::Coverage;
use mingle_assess::risk::{judge_limits, limits_of};
use mingle_privacy::Verdict;
use mingle_record::WarningNotice;
use mingle_record::about::AboutRelease;
use mingle_record::answer::{
    ShownColumn, ShownExtent, ShownFinding, ShownGroups, ShownNoise, ShownPromise, ShownPublic,
    ShownRiskLimit, ShownShape, ShownStatement, ShownVerdict,
};
use mingle_record::manifest::{ColumnRole, FileEntry, FileFormat, ProtocolEntry, PublicManifest};
use mingle_record::policy_document::PublishedOutput;
use mingle_record::utility::PublicUtility;
use mingle_release::warnings::{self, ShownValues};
use mingle_release::{FoundSignature, Opened, Release, open_any, signatures_of};
use std::path::Path;
use tables::Tables;

/// Something a reader should know, with what it is about in two or three words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it is about, to whoever has to choose among statements; no document says it.
    pub topic: Topic,
    /// What it is about, in words.
    pub about: String,
    /// The sentence or sentences.
    pub text: String,
}

/// What a statement is about, where other statements may take its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Topic {
    /// What providers can do, alone or together.
    Insiders,
    /// Which providers people are from.
    Origin,
    /// Releases that this one may be laid beside.
    OtherReleases,
    /// Anything else.
    #[default]
    Other,
}

/// Everything that a reader of `public/` can know.
#[derive(Clone, PartialEq, Debug)]
pub struct PublicFacts {
    /// The program and its version.
    pub tool: String,
    /// What kind of release it is.
    pub shape: ShownShape,
    /// How the tables are written.
    pub format: FileFormat,
    /// How it was made: the anonymizer, or the distribution of the noise.
    pub method: String,
    /// Published rows; of a noisy release the lines of all its tables.
    pub rows: u64,
    /// Whether promises count people, who may have several rows; otherwise each row is one person.
    pub counts_people: bool,
    /// Whether the promises hold.
    pub verdict: ShownVerdict,
    /// How far the promises that hold go.
    pub extent: ShownExtent,
    /// What readers cannot do.
    pub protected: Vec<Statement>,
    /// What the promises do not cover.
    pub unprotected: Vec<Statement>,
    /// What is taken for granted.
    pub assumed: Vec<Statement>,
    /// What is promised, in the policy's order.
    pub promises: Vec<ShownPromise>,
    /// The published columns, in the order of the file.
    pub columns: Vec<ShownColumn>,
    /// What can be seen of groups; a noisy release has none.
    pub groups: Option<ShownGroups>,
    /// What is said about noise, where there is any.
    pub noise: Option<ShownNoise>,
    /// How two sites came to the release, where they did.
    pub joint: Option<ProtocolEntry>,
    /// Utility figures that the policy publishes, by name.
    pub utility: Vec<(String, f64)>,
    /// The public part of the policy, as TOML.
    pub policy: String,
    /// What has to be added to it to repeat the release.
    pub repeat: String,
    /// The files next to the manifest, with their hashes.
    pub files: Vec<FileEntry>,
    /// What the steward says about it; here as far as that is handed out.
    pub about: AboutRelease,
    /// The risks that the policy accepts, with what was found.
    pub risk_limits: Vec<ShownRiskLimit>,
    /// What deserves attention and follows from what is public. Documents have it above the rest.
    pub warnings: Vec<WarningNotice>,
    /// Whether the release records such warnings; those of 0.1.0 do not.
    pub records_warnings: bool,
    /// SHA-256 of the public manifest, as documents name it.
    pub manifest_sha256: String,
    /// Who has signed what is there. The document that is signed cannot say it.
    pub signers: Vec<FoundSignature>,
}

impl PublicFacts {
    /// Reads the `public/` folder of a release, and no other folder.
    pub fn open(public_folder: &Path) -> Result<PublicFacts, Error> {
        let mut facts = match open_any(public_folder)? {
            Opened::Grouped(release) => PublicFacts::of_groups(&release, Tables::read(&release)?),
            Opened::Noisy(release) => noise::public(&release),
        }?;
        facts.signers = signatures_of(public_folder).public;
        Ok(facts)
    }

    /// The report that is handed out.
    pub fn to_html(&self) -> String {
        crate::html::public(self)
    }

    /// The document that is handed out beside it.
    pub fn to_json(&self) -> String {
        crate::document::public(self)
    }

    /// What documents say of it.
    pub fn shown(&self) -> ShownPublic {
        ShownPublic {
            tool: self.tool.clone(),
            shape: self.shape,
            format: self.format,
            method: self.method.clone(),
            rows: self.rows,
            verdict: self.verdict.clone(),
            extent: self.extent,
            protected: statements_shown(&self.protected),
            unprotected: statements_shown(&self.unprotected),
            assumed: statements_shown(&self.assumed),
            promises: self.promises.clone(),
            columns: self.columns.clone(),
            groups: self.groups.clone(),
            noise: self.noise.clone(),
            joint: self.joint.clone(),
            utility: self.utility.clone(),
            about: self.about.clone(),
            risk_limits: self.risk_limits.clone(),
            policy: self.policy.clone(),
            repeat: self.repeat.clone(),
            files: self.files.clone(),
        }
    }

    /// The verdict in a few words; `with_insiders` where there may be providers who could collude.
    pub fn headline(&self, with_insiders: bool) -> String {
        let in_part = match (self.verdict.holds(), self.extent) {
            (false, _) if self.verdict.fails() => {
                return "A promise does not hold".to_owned();
            }
            (false, _) => return "A promise is undecided".to_owned(),
            _ if self.is_risk_too_high() => {
                return "The risk is above what the policy accepts".to_owned();
            }
            (true, _) if self.noise.is_some() => {
                return "Protected by noise, as the program states".to_owned();
            }
            (true, ShownExtent::Nothing) => return "Nothing is protected".to_owned(),
            (true, ShownExtent::Part) => "Protected in part",
            (true, ShownExtent::Whole) => "Protected",
        };
        match self.verdict.m.filter(|_| with_insiders) {
            Some(0) | None => format!("{in_part} against outsiders"),
            Some(1) => format!("{in_part} against outsiders and any single provider"),
            Some(m) => format!(
                "{in_part} against outsiders and up to {} providers together",
                whole(m)
            ),
        }
    }

    /// Whether a risk is above what the policy accepts.
    pub fn is_risk_too_high(&self) -> bool {
        let fails = |limit: &ShownRiskLimit| limit.finding == ShownFinding::Fails;
        self.risk_limits.iter().any(fails)
    }

    /// What was found of the risks that the policy accepts, in a sentence each.
    pub fn risk_lines(&self) -> Vec<String> {
        self.risk_limits.iter().map(choices::judged_words).collect()
    }

    /// From the public manifest and the tables that it names, and nothing else.
    fn of_groups(release: &Release, tables: Tables) -> Result<PublicFacts, Error> {
        let manifest = release.manifest()?;
        let seen = tables.seen(manifest)?;
        let verdict = words::verdict(manifest, &seen.verdicts);
        let mut facts = PublicFacts {
            tool: manifest.tool.clone(),
            shape: shape(manifest),
            format: manifest.format,
            method: manifest.method.clone(),
            rows: seen.groups.sizes.rows,
            counts_people: manifest.people.is_some(),
            verdict,
            extent: ShownExtent::Nothing,
            protected: Vec::new(),
            unprotected: Vec::new(),
            assumed: words::assumed(manifest),
            promises: promises::of(manifest, &seen.verdicts),
            columns: seen.columns,
            groups: Some(seen.groups),
            noise: None,
            joint: manifest.protocol.clone(),
            utility: figures(manifest.utility.as_ref()),
            policy: policy::public(manifest),
            repeat: policy::left_out(manifest),
            files: manifest.files.clone(),
            about: AboutRelease::of(&manifest.policy),
            risk_limits: Vec::new(),
            warnings: Vec::new(),
            records_warnings: manifest.warnings.is_some(),
            manifest_sha256: release.manifest_sha256().to_owned(),
            signers: Vec::new(),
        };
        facts.warnings = warnings::of_groups(manifest, &shown_values(&facts.columns));
        let of_rows = facts
            .groups
            .as_ref()
            .and_then(|groups| groups.risk.as_ref());
        facts.risk_limits = judge_limits(&limits_of(&manifest.policy), of_rows);
        facts.extent = Coverage::new(manifest, &facts.promises).extent();
        facts.protected = words::protected(manifest, &facts);
        facts.unprotected = words::unprotected(manifest, &facts);
        Ok(facts)
    }
}

/// What the verifier says.
pub(crate) fn finding_of(verdict: &Verdict) -> ShownFinding {
    match verdict {
        Verdict::Holds => ShownFinding::Holds,
        Verdict::Fails(_) => ShownFinding::Fails,
        Verdict::Undecided(_) => ShownFinding::Undecided,
    }
}

/// Statements as documents have them.
fn statements_shown(statements: &[Statement]) -> Vec<ShownStatement> {
    let mut shown = Vec::with_capacity(statements.len());
    for statement in statements {
        shown.push(ShownStatement {
            about: statement.about.clone(),
            text: statement.text.clone(),
        });
    }
    shown
}

/// What the insensitive columns show.
fn shown_values(columns: &[ShownColumn]) -> Vec<ShownValues> {
    let mut shown = Vec::new();
    for column in columns {
        if column.role == ColumnRole::Insensitive {
            shown.push(ShownValues {
                column: column.name.clone(),
                distinct: column.distinct,
            });
        }
    }
    shown
}

fn shape(manifest: &PublicManifest) -> ShownShape {
    if manifest.fragmented {
        return ShownShape::Fragments;
    }
    match manifest.policy.output() {
        PublishedOutput::Centroid => ShownShape::Centroids,
        PublishedOutput::Range => ShownShape::Groups,
    }
}

/// The published figures, by name.
fn figures(utility: Option<&PublicUtility>) -> Vec<(String, f64)> {
    let mut figures = Vec::new();
    for (name, figure) in utility.iter().flat_map(|utility| utility.figures()) {
        figures.push((name.to_owned(), figure));
    }
    figures
}

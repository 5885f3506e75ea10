//! What a report says, before it looks like anything: plain figures and sentences for a page and a
//! terminal alike.
//!
//! [`PublicFacts`] follow from the files in `public/` alone. Promises are decided anew from the
//! published rows for the outsider; for insiders the manifest's statement is repeated, because
//! nobody can check it without knowing who contributed what. [`StewardFacts`] add what the private
//! part knows, and decide the promises against insiders from the audit.

mod columns;
mod composition;
mod coverage;
mod exposure;
mod noise;
mod open_values;
mod policy;
mod private;
mod promises;
mod tables;
mod utility;
mod words;

pub use columns::{ColumnFacts, LabelCount};
pub use composition::{AuditFacts, CompositionFacts, HistoryFacts, ReaderFacts};
pub use coverage::PromiseExtent;
pub use exposure::{CoalitionFacts, ExposureFacts, ExposureOf};
pub use mingle_record::distributions::Distributions;
pub use noise::{NoiseFacts, NoiseTable};
pub use private::{BudgetFacts, StewardFacts, UndeclaredFacts};
pub use promises::PromiseFacts;
pub use utility::{ColumnLossFacts, QueryErrorFacts, UtilityFacts};
pub use words::has_decoys;

use crate::error::Error;
use crate::number::whole;
use coverage::Coverage;
use mingle_assess::balance::Balance;
use mingle_assess::group_sizes::GroupSizes;
use mingle_assess::risk::Risk;
use mingle_privacy::Verdict;
use mingle_record::WarningNotice;
use mingle_record::manifest::{
    ColumnRole, FileEntry, ProtocolEntry, PublicManifest, StatedSemantics,
};
use mingle_record::policy_document::PublishedOutput;
use mingle_record::utility::PublicUtility;
use mingle_release::warnings::{self, ShownValues};
use mingle_release::{Opened, open_any};
use serde::Serialize;
use std::path::Path;
use tables::Tables;

/// Something a reader should know, with what it is about in two or three words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Statement {
    /// What it is about, to whoever has to choose among statements.
    #[serde(skip)]
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

/// What was found about a promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromiseFinding {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// It could not be decided, which counts as not satisfied.
    Undecided,
    /// It was checked when the release was made; what is at hand cannot show it.
    Stated,
}

impl PromiseFinding {
    /// The word in documents and texts.
    pub fn name(self) -> &'static str {
        match self {
            PromiseFinding::Holds => "holds",
            PromiseFinding::Fails => "fails",
            PromiseFinding::Undecided => "undecided",
            PromiseFinding::Stated => "stated",
        }
    }

    /// What the verifier says.
    pub(crate) fn of(verdict: &Verdict) -> PromiseFinding {
        match verdict {
            Verdict::Holds => PromiseFinding::Holds,
            Verdict::Fails(_) => PromiseFinding::Fails,
            Verdict::Undecided(_) => PromiseFinding::Undecided,
        }
    }

    /// Whether it can be relied on.
    pub fn is_fine(self) -> bool {
        matches!(self, PromiseFinding::Holds | PromiseFinding::Stated)
    }
}

/// What kind of release it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseShape {
    /// One table, in which rows with equal labels are a group.
    Groups,
    /// One table, in which every group shows its middle.
    Centroids,
    /// Quasi-identifiers in one table and each sensitive column in another, joined by the group's
    /// number.
    Fragments,
    /// Made-up records that follow noisy counts.
    Synthetic,
    /// Noisy tables of counts over few columns each.
    Marginals,
    /// The noisy full table of counts.
    Histogram,
}

/// Everything that a reader of `public/` can know.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PublicFacts {
    /// The program and its version.
    pub tool: String,
    /// What kind of release it is.
    pub shape: ReleaseShape,
    /// `csv` or `parquet`.
    pub format: String,
    /// How it was made: the anonymizer, or the distribution of the noise.
    pub method: String,
    /// Published rows; of a noisy release the lines of all its tables.
    pub rows: u64,
    /// Whether the promises hold.
    pub verdict: VerdictFacts,
    /// How far the promises that hold go.
    pub extent: PromiseExtent,
    /// What readers cannot do.
    pub protected: Vec<Statement>,
    /// What the promises do not cover.
    pub unprotected: Vec<Statement>,
    /// What is taken for granted.
    pub assumed: Vec<Statement>,
    /// What is promised, in the policy's order.
    pub promises: Vec<PromiseFacts>,
    /// The published columns, in the order of the file.
    pub columns: Vec<ColumnFacts>,
    /// What can be seen of groups; a noisy release has none.
    pub groups: Option<GroupFacts>,
    /// What is said about noise, where there is any.
    pub noise: Option<NoiseFacts>,
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
    /// What deserves attention and follows from what is public. Documents have it above the rest.
    #[serde(skip)]
    pub warnings: Vec<WarningNotice>,
    /// Whether the release records such warnings; those of 0.1.0 do not.
    #[serde(skip)]
    pub records_warnings: bool,
}

/// Whether the promises hold, and who says so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VerdictFacts {
    /// How many colluding providers are withstood, as stated; a noisy release does not count them.
    pub m: Option<u64>,
    /// `victim` or `strict`.
    pub semantics: Option<StatedSemantics>,
    /// With strict semantics: how many contributors a group has beyond m.
    pub site_diversity: Option<u64>,
    /// What was found for the outsider when the release was read: `holds`, `fails` or `undecided`;
    /// `stated` where no look at a table can show it.
    pub outsider: PromiseFinding,
    /// What was found for the stated m: as above, and `stated` where only the private part could
    /// show it.
    pub insiders: PromiseFinding,
    /// The same in a sentence or two.
    pub words: String,
}

impl VerdictFacts {
    /// Whether nothing that was looked at failed or stayed undecided.
    pub fn holds(&self) -> bool {
        self.outsider.is_fine() && self.insiders.is_fine()
    }

    /// Whether something that was looked at fails.
    pub fn fails(&self) -> bool {
        self.outsider == PromiseFinding::Fails || self.insiders == PromiseFinding::Fails
    }
}

/// What can be seen of groups.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroupFacts {
    /// How large they are.
    pub sizes: GroupSizes,
    /// How easily their rows are named.
    pub risk: Risk,
    /// How their sensitive values are spread, by column.
    pub balance: Vec<Balance>,
}

impl PublicFacts {
    /// Reads the `public/` folder of a release, and no other folder.
    pub fn open(public_folder: &Path) -> Result<PublicFacts, Error> {
        match open_any(public_folder)? {
            Opened::Grouped(release) => {
                PublicFacts::of_groups(release.manifest()?, Tables::read(&release)?)
            }
            Opened::Noisy(release) => noise::public(&release),
        }
    }

    /// The report that is handed out.
    pub fn to_html(&self) -> String {
        crate::html::public(self)
    }

    /// The verdict in a few words; `with_insiders` where there may be providers who could collude.
    pub fn headline(&self, with_insiders: bool) -> String {
        let in_part = match (self.verdict.holds(), self.extent) {
            (false, _) if self.verdict.fails() => {
                return "A promise does not hold".to_owned();
            }
            (false, _) => return "A promise is undecided".to_owned(),
            (true, _) if self.noise.is_some() => {
                return "Protected by noise, as the program states".to_owned();
            }
            (true, PromiseExtent::Nothing) => return "Nothing is protected".to_owned(),
            (true, PromiseExtent::Part) => "Protected in part",
            (true, PromiseExtent::Whole) => "Protected",
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

    /// From the public manifest and the tables that it names, and nothing else.
    fn of_groups(manifest: &PublicManifest, tables: Tables) -> Result<PublicFacts, Error> {
        let seen = tables.seen(manifest)?;
        let verdict = words::verdict(manifest, &seen.verdicts);
        let mut facts = PublicFacts {
            tool: manifest.tool.clone(),
            shape: shape(manifest),
            format: manifest.format.name().to_owned(),
            method: manifest.method.clone(),
            rows: seen.groups.sizes.rows,
            verdict,
            extent: PromiseExtent::Nothing,
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
            warnings: Vec::new(),
            records_warnings: manifest.warnings.is_some(),
        };
        facts.warnings = warnings::of_groups(manifest, &shown_values(&facts.columns));
        facts.extent = Coverage::new(manifest, &facts.promises).extent();
        facts.protected = words::protected(manifest, &facts);
        facts.unprotected = words::unprotected(manifest, &facts);
        Ok(facts)
    }
}

/// What the insensitive columns show.
fn shown_values(columns: &[ColumnFacts]) -> Vec<ShownValues> {
    let mut shown = Vec::new();
    for column in columns {
        if column.role == ColumnRole::Insensitive.name() {
            shown.push(ShownValues {
                column: column.name.clone(),
                distinct: column.distinct,
            });
        }
    }
    shown
}

fn shape(manifest: &PublicManifest) -> ReleaseShape {
    if manifest.fragmented {
        return ReleaseShape::Fragments;
    }
    match manifest.policy.output() {
        PublishedOutput::Centroid => ReleaseShape::Centroids,
        PublishedOutput::Range => ReleaseShape::Groups,
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

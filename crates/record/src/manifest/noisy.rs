//! The public manifest of a release of noisy counts: what is promised, about what, and which files
//! hold it.

use super::{DomainColumn, FileEntry, FileFormat, ProtocolEntry};
use crate::WarningNotice;
use crate::policy_document::PolicyDocument;
use crate::schema::NoisySchema;
use serde::{Deserialize, Serialize};

/// `public/manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoisyManifest {
    /// Which document this is.
    pub schema: NoisySchema,
    /// The program and its version.
    pub tool: String,
    /// `marginals`, `histogram` or `synthetic`.
    pub kind: NoisyKind,
    /// What is promised about one person.
    pub guarantee: GuaranteeEntry,
    /// Which tables the promise compares.
    pub neighbouring: Neighbouring,
    /// The distribution of the noise: `discrete Laplace` or `discrete Gaussian`.
    pub noise: NoiseName,
    /// What the promise means for one person, as a published theorem says it.
    pub semantics: SemanticsEntry,
    /// The columns with their domains, in the policy's order.
    pub columns: Vec<DomainColumn>,
    /// The tables, in the order of their names.
    pub tables: Vec<NoisyTable>,
    /// Of made-up records: the sets of columns whose counts were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Vec<Vec<String>>>,
    /// `csv` or `parquet`.
    pub format: FileFormat,
    /// For CSV: what was done to cells that a spreadsheet would run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula_guard: Option<String>,
    /// The files next to this one.
    pub files: Vec<FileEntry>,
    /// Of a release that n providers made together, nobody in the middle: who, and against how many
    /// of them the promise holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<ProtocolEntry>,
    /// The part of the policy that is public.
    pub policy: PolicyDocument,
    /// What deserves attention and follows from the promise; releases without this key do not
    /// record it, which is not to say that there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<WarningNotice>>,
    /// Over all bytes of this file, see `release`.
    pub checksum: String,
}

/// ε, δ and ρ exactly as promised; those that the promise does not name are left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuaranteeEntry {
    /// ε
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<AmountEntry>,
    /// δ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<AmountEntry>,
    /// ρ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<AmountEntry>,
}

/// How far anybody's beliefs about one person can move because that person's data was used,
/// whatever they know: Ganta, Kasiviswanathan and Smith 2008. Stated without the number of people,
/// which is data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticsEntry {
    /// The ε it is stated for; of a promise in ρ that at the next δ.
    pub epsilon: AmountEntry,
    /// The δ it is stated for.
    pub delta: AmountEntry,
    /// `Proposition 14` or `Theorem 15`.
    pub statement: String,
    /// The largest statistical difference; left out where it is beyond all numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<f64>,
    /// Whether that says nothing, because no difference is above 1.
    pub vacuous: bool,
    /// The probability that the difference is larger for one given person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta_per_person: Option<f64>,
}

/// Two tables are neighbours if one has all records of one more person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neighbouring {
    /// `person`, or `record` where every record is taken for a person of its own.
    pub unit: String,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Whether an identifier made the program keep that bound; otherwise it is the steward's word.
    pub enforced: bool,
    /// The same in words.
    pub words: String,
}

/// A file with a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoisyTable {
    /// The file's name.
    pub file: String,
    /// Its columns, without that of counts, in order.
    pub columns: Vec<String>,
    /// Lines of the file: made-up records, or cells.
    pub rows: u64,
    /// The column with the counts; made-up records have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count_column: Option<String>,
    /// The standard deviation of the noise of one count as it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// Where small counts were left out: the smallest that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<u64>,
    /// How far sums of this table may be from those of the others, in records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

/// What a noisy release is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoisyKind {
    /// Tables of counts over few columns each.
    Marginals,
    /// The full table of counts.
    Histogram,
    /// Made-up records.
    Synthetic,
}

impl NoisyKind {
    /// The word in policies and documents.
    pub fn name(self) -> &'static str {
        match self {
            NoisyKind::Marginals => "marginals",
            NoisyKind::Histogram => "histogram",
            NoisyKind::Synthetic => "synthetic",
        }
    }
}

/// The distribution of noise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NoiseName {
    /// Discrete Laplace.
    #[serde(rename = "discrete Laplace")]
    DiscreteLaplace,
    /// Discrete Gaussian.
    #[serde(rename = "discrete Gaussian")]
    DiscreteGaussian,
}

impl NoiseName {
    /// The words in documents.
    pub fn name(self) -> &'static str {
        match self {
            NoiseName::DiscreteLaplace => "discrete Laplace",
            NoiseName::DiscreteGaussian => "discrete Gaussian",
        }
    }
}

/// An exact amount of ε, δ or ρ, as a decimal text: JSON numbers of most readers are binary.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AmountEntry(pub String);

impl AmountEntry {
    /// The nearest binary number; not a number where the text is none.
    pub fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }
}

impl std::fmt::Display for AmountEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

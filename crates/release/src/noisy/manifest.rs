//! The public manifest of a release of noisy counts: what is promised, about what, and which files
//! hold it.

use super::domain::DomainColumn;
use super::publish::check_domains;
use crate::manifest::{FileEntry, Manifest, Problem};
use mingle_dp::semantics::Semantics;
use mingle_dp::{Amount, Attribute, Guarantee};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;

/// The most columns of a marginal.
const MOST_COLUMNS: usize = 3;

/// `public/manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoisyManifest {
    /// `mingle.noisy/1`.
    pub schema: String,
    /// The program and its version.
    pub tool: String,
    /// `marginals`, `histogram` or `synthetic`.
    pub kind: String,
    /// What is promised about one person.
    pub guarantee: GuaranteeEntry,
    /// Which tables the promise compares.
    pub neighbouring: Neighbouring,
    /// The distribution of the noise: `discrete Laplace` or `discrete Gaussian`.
    pub noise: String,
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
    pub format: String,
    /// For CSV: what was done to cells that a spreadsheet would run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula_guard: Option<String>,
    /// The files next to this one.
    pub files: Vec<FileEntry>,
    /// The part of the policy that is public.
    pub policy: Value,
    /// Over all bytes of this file, see [`checksum`](crate::manifest::checksum).
    pub checksum: String,
}

/// ε, δ and ρ exactly as promised; those that the promise does not name are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuaranteeEntry {
    /// ε
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<Amount>,
    /// δ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Amount>,
    /// ρ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<Amount>,
}

/// How far anybody's beliefs about one person can move because that person's data was used,
/// whatever they know: Ganta, Kasiviswanathan and Smith 2008. Stated without the number of people,
/// which is data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticsEntry {
    /// The ε it is stated for; of a promise in ρ that at the next δ.
    pub epsilon: Amount,
    /// The δ it is stated for.
    pub delta: Amount,
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

impl GuaranteeEntry {
    /// As a manifest states it.
    pub fn new(guarantee: Guarantee) -> GuaranteeEntry {
        let none = GuaranteeEntry {
            epsilon: None,
            delta: None,
            rho: None,
        };
        match guarantee {
            Guarantee::Pure { epsilon } => GuaranteeEntry {
                epsilon: Some(epsilon),
                ..none
            },
            Guarantee::Approximate { epsilon, delta } => GuaranteeEntry {
                epsilon: Some(epsilon),
                delta: Some(delta),
                ..none
            },
            Guarantee::Concentrated { rho } => GuaranteeEntry {
                rho: Some(rho),
                ..none
            },
        }
    }

    /// The promise; `None` for a combination that promises nothing.
    pub fn guarantee(self) -> Option<Guarantee> {
        match (self.epsilon, self.delta, self.rho) {
            (Some(epsilon), None, None) => Some(Guarantee::Pure { epsilon }),
            (Some(epsilon), Some(delta), None) => Some(Guarantee::Approximate { epsilon, delta }),
            (None, None, Some(rho)) => Some(Guarantee::Concentrated { rho }),
            _ => None,
        }
    }
}

impl SemanticsEntry {
    /// As a manifest states it.
    pub fn new(guarantee: Guarantee) -> SemanticsEntry {
        let (epsilon, delta) = guarantee.said();
        let semantics = Semantics::of(epsilon, delta, None);
        let delta_per_person = match semantics {
            Semantics::Pure { .. } => None,
            Semantics::Approximate { for_each, .. } => Some(for_each),
        };
        SemanticsEntry {
            epsilon,
            delta,
            statement: semantics.source().to_owned(),
            difference: Some(semantics.difference()).filter(|d| d.is_finite()),
            vacuous: semantics.is_vacuous(),
            delta_per_person,
        }
    }

    /// The same statement; other machines may compute the last digits otherwise.
    fn agrees(&self, other: &SemanticsEntry) -> bool {
        let close = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
        let both = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => close(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        self.statement == other.statement
            && close(self.epsilon.to_f64(), other.epsilon.to_f64())
            && self.delta == other.delta
            && both(self.difference, other.difference)
            && both(self.delta_per_person, other.delta_per_person)
    }
}

impl Neighbouring {
    /// As a manifest states it.
    pub fn new(records_per_person: u64, person_known: bool) -> Neighbouring {
        let unit = if records_per_person == 1 && !person_known {
            "record"
        } else {
            "person"
        };
        let words = match (records_per_person, person_known) {
            (1, false) => {
                "one record more or less; every record is taken for a person of its own".to_owned()
            }
            (n, true) => {
                format!(
                    "one person more or less, with at most {n} record(s), kept by an identifier in canonical form"
                )
            }
            (n, false) => format!(
                "one person more or less, with at most {n} record(s), by the steward's word"
            ),
        };
        Neighbouring {
            unit: unit.to_owned(),
            records_per_person,
            enforced: person_known,
            words,
        }
    }
}

impl NoisyManifest {
    /// What is promised.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee
            .guarantee()
            .expect("a manifest is read only if its guarantee is one")
    }

    /// The declared domains.
    pub fn attributes(&self) -> Vec<Attribute> {
        let attribute = |c: &DomainColumn| {
            c.attribute()
                .expect("a manifest is read only if its domains are such")
        };
        self.columns.iter().map(attribute).collect()
    }

    /// The places of a table's columns among all.
    pub fn places(&self, table: &NoisyTable) -> Vec<usize> {
        let place = |name: &String| self.columns.iter().position(|c| c.name == *name);
        table
            .columns
            .iter()
            .map(|name| place(name).expect("a manifest is read only if its tables fit"))
            .collect()
    }

    /// Every table has columns that are there, in their order, and the shape of its kind.
    fn tables_fit(&self) -> bool {
        let names: Vec<&str> = self.columns.iter().map(|c| c.name.as_str()).collect();
        let all = |table: &NoisyTable| table.columns.iter().eq(&names);
        let fits = |table: &NoisyTable| {
            let mut rest = names.iter();
            let ordered = table
                .columns
                .iter()
                .all(|name| rest.any(|other| other == name));
            ordered
                && !table.columns.is_empty()
                && !table.count_column.iter().any(|c| table.columns.contains(c))
        };
        let counted = |table: &NoisyTable| table.count_column.is_some();
        let shape = match (self.kind.as_str(), &self.tables[..]) {
            ("synthetic", [table]) => all(table) && !counted(table),
            ("histogram", [table]) => counted(table),
            ("marginals", tables) => tables
                .iter()
                .all(|t| counted(t) && t.columns.len() <= MOST_COLUMNS),
            _ => false,
        };
        shape && self.tables.iter().all(fits)
    }
}

impl Manifest for NoisyManifest {
    const SCHEMA: &'static str = "mingle.noisy/1";

    fn validate(&self) -> Result<(), Problem> {
        let domains: Option<Vec<Attribute>> =
            self.columns.iter().map(DomainColumn::attribute).collect();
        let mut files = HashSet::new();
        let listed = self.files.iter().map(|f| &f.name);
        let finite = |t: &NoisyTable| {
            t.deviation
                .into_iter()
                .chain(t.tolerance)
                .all(|n| n.is_finite() && n >= 0.0)
        };
        let checks = [
            ("guarantee", self.guarantee.guarantee().is_some()),
            (
                "semantics",
                self.guarantee
                    .guarantee()
                    .is_some_and(|g| self.semantics.agrees(&SemanticsEntry::new(g))),
            ),
            ("neighbouring", self.neighbouring.records_per_person > 0),
            (
                "noise",
                matches!(
                    self.noise.as_str(),
                    "discrete Laplace" | "discrete Gaussian"
                ),
            ),
            (
                "columns",
                domains.is_some_and(|domains| check_domains(&domains).is_ok()),
            ),
            (
                "tables",
                self.tables_fit() && self.tables.iter().all(finite),
            ),
            (
                "files",
                self.files
                    .iter()
                    .all(|f| f.is_plain() && f.name != "manifest.json" && files.insert(&f.name)),
            ),
            ("files", listed.eq(self.tables.iter().map(|t| &t.file))),
            ("format", matches!(self.format.as_str(), "csv" | "parquet")),
        ];
        match checks.into_iter().find(|(_, fits)| !fits) {
            Some((what, _)) => Err(Problem::Inconsistent { what }),
            None => Ok(()),
        }
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}

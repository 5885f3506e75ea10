//! `mingle init --json`: what was seen in tables, and what is proposed for them.

use super::WarningNotice;
use crate::schema::InitSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.init/1`. It holds names of columns and counts; cells only in the policy's
/// text, where domains were asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitAnswer {
    /// Which document this is.
    pub schema: InitSchema,
    /// Where the policy was written, or `None`.
    #[serde(deserialize_with = "crate::required")]
    pub written_to: Option<String>,
    /// The policy.
    pub policy: String,
    /// Rows of all tables.
    pub rows: u64,
    /// How many tables there are.
    pub tables: u64,
    /// How many providers there are.
    pub providers: u64,
    /// The column that names the provider, where one does.
    #[serde(deserialize_with = "crate::required")]
    pub provider_column: Option<String>,
    /// How each table is written.
    pub formats: Vec<InitFormat>,
    /// The columns, in the order of the first table.
    pub columns: Vec<InitColumn>,
    /// The columns that are left out until somebody decides about them.
    pub to_decide: Vec<String>,
    /// Who has several rows, where an identifier repeats.
    #[serde(deserialize_with = "crate::required")]
    pub people: Option<InitPeople>,
    /// Which columns single out most together.
    pub singling_out: InitSinglingOut,
    /// What a release by this policy would be like; `None` where none was tried.
    #[serde(deserialize_with = "crate::required")]
    pub dry_run: Option<InitDryRun>,
    /// What deserves attention.
    pub warnings: Vec<WarningNotice>,
}

/// How a table is written, as far as that needs words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitFormat {
    /// The table.
    pub table: String,
    /// Keys with their values, as in a policy.
    pub keys: Vec<String>,
    /// What speaks for each, in the same order.
    pub evidence: Vec<String>,
    /// What nobody can tell from the table.
    pub doubts: Vec<String>,
}

/// A column and its proposed role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitColumn {
    /// Its name.
    pub name: String,
    /// What it was recognised as, such as `postcode` or `diagnosis`.
    pub recognised: String,
    /// The kind as which it is read, in the word of a policy.
    pub kind: String,
    /// The role that is proposed.
    pub role: String,
    /// Whether it is left out until somebody decides.
    pub decide: bool,
    /// Why.
    pub reason: String,
    /// Different values, the missing one not counted.
    pub distinct: u64,
    /// Rows without a value.
    pub missing: u64,
    /// Rows that are alone with their value.
    pub unique: u64,
    /// Rows whose value fewer than five rows have.
    pub rare: u64,
    /// Rows that have the commonest value.
    pub commonest: u64,
}

/// People who have several rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitPeople {
    /// The identifier that repeats.
    pub column: String,
    /// Its different values.
    pub people: u64,
    /// Rows that have one.
    pub rows: u64,
    /// The most rows of one value.
    pub most_rows: u64,
    /// Quasi-identifiers that change within a person.
    #[serde(default)]
    pub changes: Vec<InitChange>,
}

/// A quasi-identifier that changes within a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitChange {
    /// Its name.
    pub column: String,
    /// How many people have more than one value.
    pub people: u64,
    /// What covering all values of a person costs by itself, as an NCP.
    pub ncp: f64,
}

impl InitChange {
    /// How many of so many people, in percent, for people to read: never 0 where there is somebody.
    pub fn percent_of(&self, people: u64) -> String {
        let percent = 100.0 * self.people as f64 / people.max(1) as f64;
        if self.people > 0 && percent < 1.0 {
            return "less than 1 %".to_owned();
        }
        format!("{percent:.0} %")
    }
}

/// Rows that are alone with their values in several columns together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitSinglingOut {
    /// How many rows were looked at: all, or a fixed sample.
    pub sample_rows: u64,
    /// The columns, each with the rows that are alone in it and those before it.
    pub steps: Vec<InitSinglingStep>,
    /// Rows that are alone in all proposed quasi-identifiers together.
    pub quasi_identifiers: u64,
}

/// One column more, and the rows that are alone then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitSinglingStep {
    /// The column.
    pub column: String,
    /// Rows that are alone.
    pub alone: u64,
}

/// What a release by the proposed policy would be like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitDryRun {
    /// The method that was tried: the quickest, or the policy's own where that left little.
    pub method: String,
    /// How many rows were tried: all, or a fixed sample.
    pub sample_rows: u64,
    /// Normalized certainty penalty: 0 is no loss, 1 is everything. `None` where no release was
    /// found.
    #[serde(deserialize_with = "crate::required")]
    pub ncp: Option<f64>,
    /// The share of generalized cells that say nothing any more.
    #[serde(deserialize_with = "crate::required")]
    pub says_nothing: Option<f64>,
    /// Whether little is left.
    pub useless: bool,
    /// The method by which columns were left out one by one: the quickest.
    pub costs_by: String,
    /// The columns that cost the others most, the worst first; at most three.
    pub costliest: Vec<InitCost>,
}

/// What a column costs the other quasi-identifiers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitCost {
    /// The column.
    pub column: String,
    /// The mean penalty of the others with it.
    pub others_with: f64,
    /// The same without it.
    pub others_without: f64,
}

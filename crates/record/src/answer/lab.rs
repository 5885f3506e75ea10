//! `mingle lab --json`: the experiments, or the results of one.

use crate::ByName;
use crate::schema::LabSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.lab/1`, by whether an experiment was named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LabAnswer {
    /// All experiments.
    List(LabList),
    /// What one of them has measured.
    Results(LabResults),
}

/// All experiments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabList {
    /// Which document this is.
    pub schema: LabSchema,
    /// By name.
    pub experiments: Vec<LabExperiment>,
}

/// An experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabExperiment {
    /// Its name.
    pub name: String,
    /// What it repeats.
    pub about: String,
}

/// What an experiment has measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabResults {
    /// Which document this is.
    pub schema: LabSchema,
    /// Its name.
    pub experiment: String,
    /// What it is about.
    pub title: String,
    /// Whether rows were made up.
    pub made_up: bool,
    /// Where the generator started.
    pub seed: u64,
    /// Where its files are.
    pub folder: String,
    /// The files.
    pub files: Vec<String>,
    /// What a reader of the results should know.
    pub notes: Vec<String>,
    /// One line per setting, by the names of the experiment's columns.
    pub results: Vec<ByName<LabValue>>,
}

/// A cell of the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LabValue {
    /// A number of things.
    Count(u64),
    /// A measured value.
    Measure(f64),
    /// A word.
    Word(String),
    /// Nothing was measured.
    Missing,
}

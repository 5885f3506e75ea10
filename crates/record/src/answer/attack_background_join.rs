//! What `mingle attack background-join` answers: `mingle.attack-background-join/1`.

use crate::schema::AttackBackgroundJoinSchema;
use crate::{ByName, GroupLabels, Judgement, required};
use serde::{Deserialize, Serialize};

/// What a site learns that recognizes its own sensitive values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackgroundJoinAnswer {
    /// Which document this is.
    pub schema: AttackBackgroundJoinSchema,
    /// Whether nobody is newly exposed.
    pub verdict: Judgement,
    /// How the release is published.
    pub form: ReleaseForm,
    /// The promised size of a group.
    pub k: u64,
    /// How many groups there are.
    pub groups: u64,
    /// How many records.
    pub records: u64,
    /// People who are played.
    pub people: u64,
    /// People who are not in the release.
    pub left_out: u64,
    /// People whom several groups' labels cover.
    pub overlapping: u64,
    /// What is known about people.
    pub quasi_identifiers: Vec<String>,
    /// One per known column, or set of them, and target.
    pub plays: Vec<BackgroundJoinPlay>,
    /// One inference; `None` where nobody is newly exposed.
    #[serde(deserialize_with = "required")]
    pub inference: Option<BackgroundJoinInference>,
    /// What fragments alone say about what goes together.
    pub reconstructions: Vec<ReconstructedPair>,
    /// Pairs of columns with too many pairs of values.
    pub not_reconstructed: Vec<Vec<String>>,
}

/// How a release is published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseForm {
    /// Sensitive columns side by side.
    Linked,
    /// Every sensitive column in a table of its own.
    Fragmented,
}

impl ReleaseForm {
    /// The word used in documents.
    pub fn name(self) -> &'static str {
        match self {
            ReleaseForm::Linked => "linked",
            ReleaseForm::Fragmented => "fragmented",
        }
    }
}

/// What candidates are where people have several rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidatesAre {
    /// Rows that can be the person's.
    Rows,
    /// People who can be the person.
    People,
}

/// What is learnt about one column by who knows others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackgroundJoinPlay {
    /// The columns that are known.
    pub knows: Vec<String>,
    /// The column that is inferred.
    pub target: String,
    /// People who have a value.
    pub people: u64,
    /// To who knows no sensitive value.
    pub outsider: BackgroundJoinView,
    /// From a linked release.
    pub linked: BackgroundJoinView,
    /// From a fragmented one with the same groups; `None` where people have several rows, which are
    /// not published so.
    #[serde(deserialize_with = "required")]
    pub fragmented: Option<BackgroundJoinView>,
    /// The first two for who cannot tell which rows are one person's; absent where each row is one
    /// person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rows: Option<BackgroundJoinByRows>,
}

/// What readers learn who count rows, because they cannot tell which are one person's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackgroundJoinByRows {
    /// To who knows no sensitive value.
    pub outsider: BackgroundJoinView,
    /// From a linked release.
    pub linked: BackgroundJoinView,
}

/// What one reader learns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackgroundJoinView {
    /// People whose value is known.
    pub certain: u64,
    /// And is not to the outsider.
    pub newly: u64,
    /// People with fewer than k candidates: rows that can be theirs, or people who can be them.
    pub below_k: u64,
    /// People with one.
    pub alone: u64,
    /// How likely the true value is held, on average.
    pub mean_posterior: f64,
    /// At most.
    pub largest_posterior: f64,
}

/// One inference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackgroundJoinInference {
    /// The columns that are known.
    pub knows: Vec<String>,
    /// The column that is inferred.
    pub target: String,
    /// The groups that the person can be in.
    pub groups: Vec<GroupLabels>,
    /// What candidates are; absent where each row is one person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<CandidatesAre>,
    /// Rows that can be the person's, or people who can be the person.
    pub candidates: u64,
    /// Rows, or people, of these groups.
    pub rows: u64,
    /// The values, only when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<ByName<String>>,
    /// The same in words.
    pub text: String,
}

/// How well two columns can be joined again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReconstructedPair {
    /// The two columns.
    pub columns: Vec<String>,
    /// People who have both values.
    pub people: u64,
    /// Guessed right without an estimate.
    pub plain_share: f64,
    /// By a random pairing.
    pub chance_share: f64,
    /// After the first round, and at the end.
    pub estimates: Vec<ReconstructionEstimate>,
}

/// What an estimate gives.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReconstructionEstimate {
    /// Rounds of the estimate.
    pub rounds: u64,
    /// Whether it no longer changes.
    pub settled: bool,
    /// People whose pair is guessed right.
    pub right: u64,
    /// The same as a share.
    pub right_share: f64,
    /// What the guess gets where values are paired at random.
    pub blind_share: f64,
    /// What follows for who knows one of the columns.
    pub inferred: Vec<ReconstructionInference>,
}

/// What follows for who knows one of two columns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReconstructionInference {
    /// The column that is known.
    pub knows: String,
    /// The column that is inferred.
    pub target: String,
    /// People who have both values.
    pub people: u64,
    /// How likely the true value is held, on average.
    pub mean_posterior: f64,
    /// By the group's share alone.
    pub mean_without: f64,
    /// People whose true value is held likely.
    pub determined: u64,
    /// And is not by the group alone.
    pub newly: u64,
    /// People of whom another value is held likely.
    pub misled: u64,
}

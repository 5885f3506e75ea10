//! What `mingle attack intersection` answers: `mingle.attack-intersection/1`.

use crate::schema::AttackIntersectionSchema;
use crate::{GuaranteeAmounts, Judgement, WarningNotice, required};
use serde::{Deserialize, Serialize};

/// What a reader learns who lays releases side by side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntersectionAnswer {
    /// Which document this is.
    pub schema: AttackIntersectionSchema,
    /// Whether all readers stay within the limits.
    pub verdict: Judgement,
    /// The limits.
    pub limits: IntersectionLimits,
    /// People whom the reader knows.
    pub people: u64,
    /// How many rows they have; absent where each row is one person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Those without a value of some quasi-identifier.
    pub incomplete: u64,
    /// Quasi-identifiers that the reader does not know.
    pub without: Vec<String>,
    /// The releases.
    pub releases: Vec<IntersectedRelease>,
    /// By sensitive column.
    pub attributes: Vec<IntersectedAttribute>,
    /// What deserves attention; answers of 0.1.0 do not have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningNotice>,
}

/// How much may be learnt.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntersectionLimits {
    /// The largest share of people of whom a single value may be left.
    #[serde(deserialize_with = "required")]
    pub max_perfect_breach: Option<f64>,
    /// The fewest values that must be left of everybody.
    #[serde(deserialize_with = "required")]
    pub min_posterior: Option<u64>,
}

/// A release that is intersected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntersectedRelease {
    /// Its path.
    pub name: String,
    /// How many groups it has.
    pub groups: u64,
    /// How many rows.
    pub rows: u64,
    /// Whether sensitive columns are in tables of their own.
    pub fragmented: bool,
    /// How people are found in it.
    pub location: PersonLocation,
    /// `groups`, or what is made with noise: `synthetic`, `histogram`, `marginals`.
    pub kind: String,
    /// What noise promises.
    #[serde(deserialize_with = "required")]
    pub guarantee: Option<GuaranteeAmounts>,
}

/// How people are found in a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonLocation {
    /// A group's labels cover them.
    Containment,
    /// A group's centroid is the nearest.
    NearestCentroid,
}

/// What is learnt about one sensitive column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntersectedAttribute {
    /// The column.
    pub column: String,
    /// How many values it has.
    pub values: u64,
    /// Whether all readers stay within the limits.
    pub verdict: Judgement,
    /// How often a guess is right that says nothing about anybody.
    #[serde(deserialize_with = "required")]
    pub base_rate: Option<BaseRates>,
    /// The reader who learns most.
    pub worst: IntersectionChoice,
    /// What each learns.
    pub readers: Vec<IntersectionReader>,
    /// A person of whom a single value is left.
    #[serde(deserialize_with = "required")]
    pub inference: Option<IntersectionInference>,
}

/// Which of several groups that fit a person a reader takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntersectionChoice {
    /// All of them: never wrong about somebody who is in the release.
    Union,
    /// The most specific: those that cover the fewest combinations of values.
    MostSpecific,
    /// The right one. What is known is the person's sensitive value, so the right group is taken to
    /// be the most specific of those that hold it; a release without any is one that the person is
    /// not in. People whose value is not known are read as by [`IntersectionChoice::MostSpecific`].
    True,
}

impl IntersectionChoice {
    /// All choices.
    pub const ALL: [IntersectionChoice; 3] = [
        IntersectionChoice::Union,
        IntersectionChoice::MostSpecific,
        IntersectionChoice::True,
    ];

    /// The word used on the command line and in documents.
    pub fn name(self) -> &'static str {
        match self {
            IntersectionChoice::Union => "union",
            IntersectionChoice::MostSpecific => "most-specific",
            IntersectionChoice::True => "true",
        }
    }
}

/// How often a guess is right that says nothing about anybody.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseRates {
    /// The share of people with the commonest value.
    pub commonest: f64,
    /// One over the number of values that people have.
    pub any: f64,
}

/// What a reader learns about one column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntersectionReader {
    /// Which groups the reader takes.
    pub choice: IntersectionChoice,
    /// Whether this reader stays within the limits.
    pub verdict: Judgement,
    /// People of the population.
    pub people: u64,
    /// How many fit no release, one, two and so on.
    pub by_releases: Vec<u64>,
    /// By release.
    pub releases: Vec<ReaderInRelease>,
    /// People who fit several groups of a release.
    pub several: u64,
    /// People who fit fewer than two releases.
    pub alone: u64,
    /// People of whom nothing is left.
    pub apart: u64,
    /// People who were intersected.
    pub intersected: u64,
    /// Values in the release that says most, on average.
    #[serde(deserialize_with = "required")]
    pub mean_prior: Option<f64>,
    /// Values in common, on average.
    #[serde(deserialize_with = "required")]
    pub mean_posterior: Option<f64>,
    /// Their difference, on average.
    #[serde(deserialize_with = "required")]
    pub mean_drop: Option<f64>,
    /// People of whom fewer values are left than one release has.
    pub vulnerable: u64,
    /// The same as a share.
    pub vulnerable_share: f64,
    /// People of whom a single value is left.
    pub perfect: u64,
    /// The same as a share.
    pub perfect_share: f64,
    /// Those of whom one release alone says it.
    pub perfect_already: u64,
    /// People of whom fewer values are left, and more than one.
    pub partial: u64,
    /// How many people have how many values in the release that says most.
    pub prior: Vec<PeopleByValues>,
    /// In common.
    pub posterior: Vec<PeopleByValues>,
    /// How many were lost.
    pub drop: Vec<PeopleByValues>,
    /// From certainty down.
    pub confidence: Vec<ConfidenceLevel>,
    /// Whether that is true, where people's values are known.
    #[serde(deserialize_with = "required")]
    pub truth: Option<ReaderTruth>,
    /// The likeliest value, when asked for.
    #[serde(deserialize_with = "required")]
    pub likeliest: Option<LikeliestValue>,
}

/// What a reader has from one release.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReaderInRelease {
    /// The release.
    pub name: String,
    /// People who fit a group of it.
    pub fitting: u64,
    /// People who fit several.
    pub several: u64,
    /// Values in it, on average.
    #[serde(deserialize_with = "required")]
    pub mean_prior: Option<f64>,
}

/// How many people have so many values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeopleByValues {
    /// Values.
    pub values: u64,
    /// People.
    pub people: u64,
}

/// Whose value is known at a confidence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfidenceLevel {
    /// One over the values left, or more.
    pub confidence: f64,
    /// People.
    pub people: u64,
    /// The same as a share.
    pub share: f64,
}

/// Whether what is left is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReaderTruth {
    /// People who were intersected and whose value is known.
    pub known: u64,
    /// Those whose value is among what is left.
    pub among: u64,
    /// Those of whom a single value is left.
    pub perfect: u64,
    /// And it is theirs.
    pub perfect_right: u64,
}

/// What a reader holds most likely who multiplies frequencies.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LikeliestValue {
    /// People of whom a value is likeliest.
    pub people: u64,
    /// How likely it is, on average.
    #[serde(deserialize_with = "required")]
    pub mean_confidence: Option<f64>,
    /// People whose value is known.
    pub known: u64,
    /// How often it is theirs.
    #[serde(deserialize_with = "required")]
    pub accuracy: Option<f64>,
    /// From certainty down.
    pub confident: Vec<LikeliestLevel>,
}

/// Whose likeliest value is at least so likely.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LikeliestLevel {
    /// At least so likely.
    pub confidence: f64,
    /// People.
    pub people: u64,
}

/// A person of whom a single value is left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntersectionInference {
    /// The row in the population, from 1.
    #[serde(deserialize_with = "required")]
    pub row: Option<u64>,
    /// How many groups of each release fit.
    pub groups: Vec<u64>,
    /// How many values these have.
    pub priors: Vec<u64>,
    /// The value, only when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The same in words.
    pub text: String,
}

//! What `mingle attack minimality` answers: `mingle.attack-minimality/1`.

use crate::schema::AttackMinimalitySchema;
use crate::{GroupLabels, Judgement, required};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a reader infers who knows the method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimalityAnswer {
    /// Which document this is.
    pub schema: AttackMinimalitySchema,
    /// Whether nobody's value is inferred.
    pub verdict: Judgement,
    /// How sure the reader must be.
    pub confidence: f64,
    /// How many groups there are.
    pub groups: u64,
    /// How many records.
    pub records: u64,
    /// People of the original.
    pub people: u64,
    /// So many people can be published by themselves.
    pub smallest: u64,
    /// How many insiders are withstood.
    pub m: u64,
    /// One per rule.
    pub plays: Vec<MinimalityPlay>,
    /// Why the method was not run with sizes alone, where it was not.
    #[serde(deserialize_with = "required")]
    pub sizes_alone_not_played: Option<SizesAloneNotPlayed>,
    /// The worst inference.
    #[serde(deserialize_with = "required")]
    pub inference: Option<MinimalityInference>,
}

/// By what a reader finds people who must have failed: something that could have been published by
/// itself was not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MinimalityRule {
    /// People who share all quasi-identifiers and are enough for a group.
    DenseTuple,
    /// Groups that the method makes with the promised sizes alone.
    SizesAlone,
}

impl MinimalityRule {
    /// The word used in documents.
    pub fn name(self) -> &'static str {
        match self {
            MinimalityRule::DenseTuple => "dense-tuple",
            MinimalityRule::SizesAlone => "sizes-alone",
        }
    }
}

/// Why the method was not run with sizes alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SizesAloneNotPlayed {
    /// A table says nothing about how it was made.
    #[serde(rename = "the method of a table is not known")]
    TableWithoutMethod,
    /// A release of another program.
    #[serde(rename = "the method of the release is not known")]
    UnknownMethod,
    /// What insiders forbid depends on what a reader cannot know.
    #[serde(rename = "a reader does not know who contributed which row")]
    ContributorsUnknown,
    /// Which rows are left out depends on sensitive values.
    #[serde(rename = "rows may be left out")]
    RowsMayBeLeftOut,
    /// There is no size to run it with.
    #[serde(rename = "no group size is promised")]
    NoSizePromised,
    /// The run fails.
    #[serde(rename = "the method finds nothing with sizes alone")]
    NothingFound,
}

impl SizesAloneNotPlayed {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            SizesAloneNotPlayed::TableWithoutMethod => "the method of a table is not known",
            SizesAloneNotPlayed::UnknownMethod => "the method of the release is not known",
            SizesAloneNotPlayed::ContributorsUnknown => {
                "a reader does not know who contributed which row"
            }
            SizesAloneNotPlayed::RowsMayBeLeftOut => "rows may be left out",
            SizesAloneNotPlayed::NoSizePromised => "no group size is promised",
            SizesAloneNotPlayed::NothingFound => "the method finds nothing with sizes alone",
        }
    }
}

impl fmt::Display for SizesAloneNotPlayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// What is flagged by a rule, and what follows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimalityPlay {
    /// The rule.
    pub rule: MinimalityRule,
    /// What could have been published alone.
    pub units: UnitTally,
    /// Those that have too few values by what is promised.
    pub failing: UnitTally,
    /// Those that were not published alone.
    pub flagged: UnitTally,
    /// Both.
    pub flagged_failing: UnitTally,
    /// Flagged for insiders only.
    pub for_insiders: UnitTally,
    /// Flagged, and no one group can hold them.
    pub unplaced: UnitTally,
    /// Flagged, and cannot have failed.
    pub cleared: UnitTally,
    /// Flagged, with estimated chances.
    pub estimated: UnitTally,
    /// How many of all fail.
    #[serde(deserialize_with = "required")]
    pub base_rate: Option<f64>,
    /// How many of the flagged fail.
    #[serde(deserialize_with = "required")]
    pub precision: Option<f64>,
    /// How much likelier what fails is flagged; `None` also where it is infinite.
    #[serde(deserialize_with = "required")]
    pub likelihood_ratio: Option<f64>,
    /// By sensitive column.
    pub targets: Vec<MinimalityTarget>,
}

/// Tuples or groups, and people in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitTally {
    /// Tuples or groups.
    pub units: u64,
    /// People in them.
    pub people: u64,
}

/// What is inferred about one column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimalityTarget {
    /// The column.
    pub column: String,
    /// People who are flagged.
    pub people: u64,
    /// How likely the true value is held.
    pub mean: MinimalityMeans,
    /// At some confidences.
    pub levels: Vec<MinimalityLevel>,
    /// By the calibrated reader, at the asked confidence and not by frequency.
    pub inferred: NamedPeople,
}

/// How likely each reader holds the true value.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimalityMeans {
    /// By the group's frequency.
    pub frequency: f64,
    /// Believing that all that is flagged failed.
    pub naive: f64,
    /// Weighing a flag by what it tells.
    pub calibrated: f64,
}

/// Whose value is named at a confidence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimalityLevel {
    /// At least so likely.
    pub confidence: f64,
    /// By the group's frequency.
    pub frequency: NamedPeople,
    /// Newly, by the naive reader.
    pub naive: NamedPeople,
    /// Newly, by the calibrated reader.
    pub calibrated: NamedPeople,
}

/// People of whom a value is named, and of how many rightly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPeople {
    /// People.
    pub people: u64,
    /// Who have the value.
    pub right: u64,
}

/// One inference.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimalityInference {
    /// By which rule.
    pub rule: MinimalityRule,
    /// About which column.
    pub column: String,
    /// The groups that the people can be in.
    pub groups: Vec<GroupLabels>,
    /// People.
    pub people: u64,
    /// Who have the value.
    pub right: u64,
    /// The value's share of their group.
    pub frequency: f64,
    /// How likely it is if they failed.
    pub naive: f64,
    /// How likely it is.
    pub calibrated: f64,
    /// The value, only when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The same in words.
    pub text: String,
}
